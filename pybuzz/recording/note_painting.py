"""Draws what scripts drew: rays and trails into the arena; texts are written by the captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PIL import ImageDraw

from pybuzz.recording.layout import OVER, Points
from pybuzz.recording.notes import Note
from pybuzz.recording.recording import Recording

__all__ = ["NotePainter", "notes_by_tick"]


_FARTHEST_M = 1e4
"""What ends farther away, or nowhere, is not drawn."""


def notes_by_tick(recording: Recording) -> dict[int, list[Note]]:
    """The notes of each tick that has some."""
    found: dict[int, list[Note]] = {}
    for note in recording.notes:
        found.setdefault(note.tick, []).append(note)
    return found


class NotePainter:
    """Rays and trails of these robots (names). poses: float64[ticks + 1, robots, 3]"""

    def __init__(self, recording: Recording, names: Sequence[str], poses: Points) -> None:
        self._columns = {name: column for column, name in enumerate(names)}
        self._poses = poses
        self._notes = notes_by_tick(recording)

    def places(self) -> Points:
        """float64[n, 2]: x, y (m) of all ends of rays, of all ticks."""
        ends = [self._segments(note).reshape(-1, 2) for notes in self._notes.values() for note in notes]
        places: Points = np.concatenate([np.zeros((0, 2)), *ends])
        return places[(np.abs(places) < _FARTHEST_M).all(axis=1)]

    def draw(self, draw: ImageDraw.ImageDraw, tick: int, pixels: Callable[[Points], Points]) -> None:
        """Those of one tick. pixels: from x, y (m) to where they are drawn."""
        for note in self._notes.get(tick, ()):
            if note.trail and note.robot in self._columns:
                way = self._poses[max(tick + 1 - note.trail, 0) : tick + 1, self._columns[note.robot], :2]
                way = way[np.isfinite(way[:, 0])]
                if len(way) > 1:
                    draw.line(pixels(way).ravel().tolist(), fill=note.trail_color, width=2 * OVER)
            for ray, segment in zip(note.rays, self._segments(note), strict=False):
                if (np.abs(segment) < _FARTHEST_M).all():
                    draw.line(pixels(segment).ravel().tolist(), fill=ray.color, width=2 * OVER)

    def _segments(self, note: Note) -> Points:
        """float64[rays, 2, 2]: start and end of each, x, y in m in the arena; none of a robot that is not drawn."""
        if note.robot not in self._columns or not note.rays:
            return np.zeros((0, 2, 2))
        x, y, yaw = self._poses[note.tick, self._columns[note.robot]]
        ends = np.array([(ray.start[:2], ray.end[:2]) for ray in note.rays], dtype=np.float64)
        turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        with np.errstate(invalid="ignore", over="ignore"):
            segments: Points = ends @ turn + (x, y)
        return segments
