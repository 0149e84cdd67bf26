"""Frames: where everything is and how it shines at the end of one tick of a live run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.robots import Robot
from pybuzz.sim.world import World
from pybuzz.workbench.frame_layout import FAILED, STOPPED, build_frame

__all__ = ["FrameEncoder", "object_rows"]


def object_rows(world: World) -> NDArray[np.int64]:
    """Rows in `bodies` of the boxes and cylinders, in order of creation; cells of a map are none."""
    bodies = world.bodies
    return np.flatnonzero((bodies.robot < 0) & ~bodies.mapped)


class FrameEncoder:
    """Encodes the frames of one scene: robots and objects stay the same, only their places and lights change."""

    def __init__(self, revision: int, world: World, robots: Sequence[Robot]) -> None:
        self._revision = revision
        self._world = world
        self._robots = list(robots)
        self._rows = np.concatenate([world.robot_bodies, object_rows(world)])
        self._places = np.empty((len(self._rows), 3), dtype="<f4")
        self._shown: list[tuple[int, int, int]] = [(0, 0, 0)] * len(robots)
        self._lights = np.zeros((len(robots), 4), dtype=np.uint8)
        self._names = list(world.bodies.names)
        self._lamps = world.lights
        self._changes = world.changes

    def fits(self, robots: Sequence[Robot]) -> bool:
        """Whether robots, bodies and lights are those of this scene still: hooks may add and remove some."""
        world = self._world
        if self._lamps is not world.lights:
            return False
        if self._changes == world.changes:
            return True
        self._changes = world.changes
        return self._names == world.bodies.names and self._robots == robots

    def encode(self, tick: int, stopped: str | None = None) -> bytes:
        """The frame of this moment. stopped: the robot that stands at a breakpoint."""
        self._shine()
        bodies, rows, places = self._world.bodies, self._rows, self._places
        places[:, 0], places[:, 1], places[:, 2] = bodies.x[rows], bodies.y[rows], bodies.yaw[rows]
        lights = self._lights if stopped is None else self._with_flag(stopped)
        count = len(self._robots)
        return build_frame(tick, self._revision, places[:count], places[count:], lights)

    def mark_failed(self, names: Collection[str]) -> None:
        """The scripts of these robots have failed."""
        for index, robot in enumerate(self._robots):
            if robot.name in names:
                self._lights[index, 3] |= FAILED

    def _shine(self) -> None:
        shown = [robot.leds for robot in self._robots]
        if shown != self._shown:
            changed = [index for index, (new, old) in enumerate(zip(shown, self._shown, strict=True)) if new != old]
            self._lights[changed, :3] = [shown[index] for index in changed]
            self._shown = shown

    def _with_flag(self, stopped: str) -> NDArray[np.uint8]:
        lights = self._lights.copy()
        lights[[robot.name == stopped for robot in self._robots], 3] |= STOPPED
        return lights
