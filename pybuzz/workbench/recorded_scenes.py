"""A recording as scenes and frames: the bytes that a stage would have sent."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pybuzz.recording import Recording
from pybuzz.recording.views import Picture
from pybuzz.workbench.frame_layout import FAILED, build_frame
from pybuzz.workbench.pictures import area_of

__all__ = ["RecordedScenes"]


class RecordedScenes:
    """Scenes and frames by tick. A scene lasts from one coming or going of a robot, object or light to the next."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._marks = recording.description.obstacles
        ways = recording.objects
        self._column = {int(index): column for column, index in enumerate(ways.obstacles)}
        self._still = np.array([(*mark.position, mark.yaw) for mark in self._marks]).reshape(-1, 3)
        names = {name: index for index, name in enumerate(recording.robots)}
        self._failed = [(names[event.robot], event.tick) for event in recording.events if event.kind == "failed"]

    def revision(self, tick: int) -> int:
        """Of the scene at a tick; from 1."""
        return int(self._revisions[tick])

    def scene(self, tick: int) -> dict[str, Any]:
        """The fields of the message `scene` at a tick."""
        recording = self._recording
        arena = recording.description.arena
        robots, objects, lights = (np.flatnonzero(there[tick]).tolist() for there in self._there)
        return {
            "revision": self.revision(tick),
            "arena": None if arena is None else {"size": arena.size, "center": arena.center},
            "floor": None if self.floor is None else area_of(self.floor),
            "robots": [
                {"name": mark.name, "number": mark.number, "kind": mark.kind, "radius": mark.radius, "script": None}
                for mark in (recording.description.robots[index] for index in robots)
            ],
            "objects": [
                {"name": mark.name, "shape": mark.shape, "size": mark.size, "movable": mark.movable}
                for mark in (self._marks[index] for index in objects)
            ],
            "lights": [
                {"name": f"light{index + 1}", "x": stay.x, "y": stay.y}
                for index, stay in ((index, recording.lights[index]) for index in lights)
            ],
        }

    def frame(self, tick: int) -> bytes:
        """The frame of a tick."""
        robots, objects, _ = (np.flatnonzero(there[tick]) for there in self._there)
        lights = np.zeros((len(self._recording.robots), 4), dtype=np.uint8)
        lights[:, :3] = self._recording.leds[tick]
        for index, since in self._failed:
            lights[index, 3] |= FAILED if since <= tick else 0
        places, objects_at = self._recording.poses[tick, robots], self._objects_at(tick)[objects]
        return build_frame(tick, self.revision(tick), places, objects_at, lights[robots])

    @cached_property
    def floor(self) -> Picture | None:
        """What lies below the robots: the floor, and the occupied cells of a map on it."""
        views = self._recording.views
        floor, cells = views.get("floor"), views.get("map")
        if cells is None:
            return floor
        return _on_white(cells) if floor is None else _laid_on(floor, cells)

    def _objects_at(self, tick: int) -> npt.NDArray[np.float64]:
        """float64[obstacles, 3]"""
        places = self._still.copy()
        for index, column in self._column.items():
            places[index] = self._recording.objects.poses[tick, column]
        return places

    @cached_property
    def _there(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """bool[ticks + 1, n] of the robots, of the objects and of the lights: whether each is there."""
        ticks = np.arange(self._recording.ticks + 1)
        objects = np.ones((len(ticks), len(self._marks)), dtype=bool)
        for index, column in self._column.items():
            objects[:, index] = np.isfinite(self._recording.objects.poses[:, column, 0])
        lights = [
            (ticks >= stay.since) & (True if stay.until is None else ticks < stay.until)
            for stay in self._recording.lights
        ]
        lit = np.array(lights, dtype=bool).reshape(len(lights), len(ticks)).T
        return np.isfinite(self._recording.poses[:, :, 0]), objects, lit

    @cached_property
    def _revisions(self) -> npt.NDArray[np.int64]:
        there = np.concatenate(self._there, axis=1)
        changed = (there[1:] != there[:-1]).any(axis=1)
        return np.concatenate([[1], 1 + np.cumsum(changed)])


def _on_white(cells: Picture) -> Picture:
    white = np.full((*cells.pixels.shape[:2], 3), 255, dtype=np.uint8)
    return _laid_on(Picture(white, cells.corner, cells.size), cells)


def _laid_on(floor: Picture, cells: Picture) -> Picture:
    """The picture of the floor with the other one where it lies on it."""
    from PIL import Image

    rows, columns = floor.pixels.shape[:2]
    x_scale, y_scale = columns / floor.size[0], rows / floor.size[1]
    ground, above = Image.fromarray(floor.pixels), Image.fromarray(cells.pixels).convert("RGBA")
    above = above.resize(
        (max(1, round(cells.size[0] * x_scale)), max(1, round(cells.size[1] * y_scale))), Image.Resampling.NEAREST
    )
    left = round((cells.corner[0] - floor.corner[0]) * x_scale)
    top = round((floor.upper_right[1] - cells.upper_right[1]) * y_scale)
    ground.paste(above, (left, top), above)
    return floor._replace(pixels=np.asarray(ground.convert("RGB")))
