"""Tells the recorder where boxes and cylinders are that move, come or go, and which lights come or go."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pybuzz.recording import NO_ROBOT, ObstacleMark, Recorder
from pybuzz.sim.bodies import BOX
from pybuzz.sim.world import World

__all__ = ["ObjectWatch", "light_places", "obstacle_marks"]


class ObjectWatch:
    """Looks at one world, tick by tick: at what can be pushed always, at the rest when something was changed by hand.

    The recorder's description has the obstacles and lights of this moment.
    """

    def __init__(self, world: World, recorder: Recorder) -> None:
        self._world = world
        self._recorder = recorder
        self._find({mark.name: index for index, mark in enumerate(obstacle_marks(world))})
        self._poses = world.poses_of(self._rows)
        self._poses[self._movable] = np.nan  # so that their first places are kept
        self._note_lights()

    def look(self, tick: int) -> None:
        """Record what is not where it was; to be called before the tick's poses are recorded."""
        if self._world.changes == self._changes:
            self._compare(tick, self._movable)
        else:
            self._survey(tick)
            self._compare(tick, np.arange(len(self._rows)))
        # Lights do not move: one that comes or goes makes a new `Lights`.
        if self._world.lights is not self._known_lights:
            self._compare_lights(tick)

    def _find(self, numbers: dict[str, int]) -> None:
        """Where in `bodies` they are now, and what the recorder calls them."""
        world = self._world
        self._changes = world.changes
        self._rows = _own_obstacles(world)
        self._names = [world.bodies.names[row] for row in self._rows.tolist()]
        self._movable = np.flatnonzero(world.bodies.movable[self._rows])
        self._numbers = np.array([numbers[name] for name in self._names], dtype=np.int32)

    def _compare(self, tick: int, which: NDArray[np.int64]) -> None:
        if not len(which):
            return
        poses = self._world.poses_of(self._rows[which])
        moved = (poses != self._poses[which]).any(axis=1)
        self._recorder.record_objects(tick, self._numbers[which[moved]], poses[moved])
        self._poses[which] = poses

    def _survey(self, tick: int) -> None:
        """Which objects there are now; those that came have no earlier pose."""
        recorder = self._recorder
        earlier = {name: place for place, name in enumerate(self._names)}
        numbers = dict(zip(self._names, self._numbers.tolist(), strict=True))
        marks = {mark.name: mark for mark in obstacle_marks(self._world)}
        gone = [name for name in self._names if name not in marks]
        recorder.record_objects(
            tick, np.array([numbers[name] for name in gone], dtype=np.int32), np.full((len(gone), 3), np.nan)
        )
        for name in gone:
            recorder.event(tick, NO_ROBOT, "object removed", name)
        for name in (name for name in marks if name not in earlier):
            numbers[name] = recorder.add_object(replace(marks[name], since=tick))
            recorder.event(tick, NO_ROBOT, "object added", name)
        poses = np.vstack([self._poses, np.full((1, 3), np.nan)])
        self._find(numbers)
        self._poses = poses[[earlier.get(name, -1) for name in self._names]]

    def _compare_lights(self, tick: int) -> None:
        before = Counter(self._lights)
        self._note_lights()
        now = Counter(self._lights)
        for kind, lights in (("light removed", before - now), ("light added", now - before)):
            for x, y in lights.elements():
                self._recorder.event(tick, NO_ROBOT, kind, json.dumps([x, y]))

    def _note_lights(self) -> None:
        self._known_lights, self._lights = self._world.lights, light_places(self._world)


def obstacle_marks(world: World) -> list[ObstacleMark]:
    """The boxes and cylinders that are no part of a map, as they stand now, in order of creation."""
    return [_obstacle_mark(world, row) for row in _own_obstacles(world).tolist()]


def light_places(world: World) -> tuple[tuple[float, float], ...]:
    """(x, y) of each light."""
    return tuple((float(x), float(y)) for x, y, _ in world.lights.positions)


def _own_obstacles(world: World) -> NDArray[np.int64]:
    """int64[n]: their rows in `bodies`."""
    return np.flatnonzero((world.bodies.robot < 0) & ~world.bodies.mapped)


def _obstacle_mark(world: World, row: int) -> ObstacleMark:
    bodies = world.bodies
    is_box = bodies.kind[row] == BOX
    half = (bodies.half_x[row], bodies.half_y[row]) if is_box else (bodies.radius[row], bodies.radius[row])
    return ObstacleMark(
        bodies.names[row],
        "box" if is_box else "cylinder",
        (float(bodies.x[row]), float(bodies.y[row])),
        (2.0 * float(half[0]), 2.0 * float(half[1])),
        float(bodies.yaw[row]),
        bool(bodies.movable[row]),
    )
