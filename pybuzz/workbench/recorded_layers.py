"""What was recorded beside places: packets and scripts' notes, as the overlay and the inspector show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from pybuzz.recording import Recording
from pybuzz.recording.messages import STATUSES, Messages
from pybuzz.recording.notes import Note
from pybuzz.workbench.layer_parts import MOST_LINKS, linked_pairs, ray_in_world

__all__ = ["RecordedLayers"]

_REASONS: Final = dict(zip(STATUSES, (None, "occlusion", "packet loss"), strict=True))


class RecordedLayers:
    """By tick. Nothing is there of messages if the run was recorded without them."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._notes: dict[int, list[Note]] = {}
        for note in recording.notes:
            self._notes.setdefault(note.tick, []).append(note)
        self._layers: dict[str, Callable[[int], list[Any]]] = {
            "links": self._links, "messages": self._messages, "notes": self._notes_of,
        }  # fmt: skip

    def overlay(self, tick: int, names: Sequence[str]) -> dict[str, Any]:
        """The fields of the message `overlay` for these layers."""
        return {"tick": tick, **{name: self._layers[name](tick) for name in names if name in self._layers}}

    def messages_of(self, tick: int, robot: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """What the robot with this index received or lost, and what became of what it sent, as in `inspection`."""
        rows = self._packets(tick)
        if rows is None:
            return [], []
        heard, said = rows.of(rows.receivers == robot), rows.of(rows.senders == robot)
        return self._listed(heard, heard.senders.tolist()), self._listed(said, said.receivers.tolist())

    def _listed(self, rows: Messages, others: list[int]) -> list[dict[str, Any]]:
        names = self._recording.robots
        return [
            {"robot": names[other], "size": size, "lost": _REASONS[STATUSES[status]], "texts": []}
            for other, size, status in zip(others, rows.bytes.tolist(), rows.status.tolist(), strict=True)
        ]

    def _packets(self, tick: int) -> Messages | None:
        rows = self._recording.messages
        if rows is None:
            return None
        first, last = np.searchsorted(rows.ticks, [tick, tick + 1])
        part = slice(first, last)
        return Messages(rows.ticks[part], rows.senders[part], rows.receivers[part], rows.bytes[part], rows.status[part])

    def _links(self, tick: int) -> list[list[int]]:
        """By the robots' places in the scene."""
        rows = self._packets(tick)
        if rows is None:
            return []
        there = np.isfinite(self._recording.poses[tick, :, 0])
        place = np.cumsum(there) - 1
        return linked_pairs(place[rows.senders[rows.received]], place[rows.receivers[rows.received]])

    def _messages(self, tick: int) -> list[dict[str, Any]]:
        rows, names = self._packets(tick), self._recording.robots
        if rows is None:
            return []
        columns = (rows.senders[:MOST_LINKS], rows.receivers[:MOST_LINKS], rows.status[:MOST_LINKS])
        return [
            {"from": names[sender], "to": names[receiver], "lost": _REASONS[STATUSES[status]]}
            for sender, receiver, status in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def _notes_of(self, tick: int) -> list[dict[str, Any]]:
        return [self._note(note) for note in self._notes.get(tick, ())]

    def _note(self, note: Note) -> dict[str, Any]:
        poses = self._recording.poses[:, self._recording.robots.index(note.robot)]
        trail = poses[max(0, note.tick + 1 - note.trail) : note.tick + 1, :2][::-1] if note.trail else poses[:0, :2]
        place = poses[note.tick].tolist()
        return {
            "robot": note.robot,
            "text": note.text,
            "color": note.color,
            "rays": [{"color": ray.color, "line": ray_in_world(ray.start, ray.end, place)} for ray in note.rays],
            "trail": trail[np.isfinite(trail[:, 0])].tolist(),
            "trail_color": note.trail_color,
        }
