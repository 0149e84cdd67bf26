"""What all sensors look at: the world's bodies in their grid, the robots' poses, and the tick."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.fans import Fan, cast_fan
from pybuzz.sim.grid import Grid, Scene
from pybuzz.sim.rays import blocked_pairs, cast
from pybuzz.sim.world import World

__all__ = ["Surroundings"]

_RAYS_WORTH_A_THREAD = 20000
_PARTS_A_THREAD = 4
"""So that a thread whose core has other work to do leaves the rest to the others."""

Finish = Callable[[NDArray[np.float64]], None]


class Surroundings:
    """The world as it stands in one tick. Every reading of a tick comes from the same grid and poses.

    tick: 0 before the first. threads: how many cast rays at once; readings do not depend on it.
    """

    def __init__(self, world: World, threads: int = 1) -> None:
        self.world = world
        self.tick = 0
        self._grid = Grid(world.bodies)
        self._poses: NDArray[np.float64] | None = None
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._seen = (0, -1)
        nobody = np.zeros(0, dtype=np.int64)
        self._deserted = None if world.settings.robot_collision else Grid(world.bodies, robots=nobody)

    def new_tick(self) -> None:
        """The bodies have moved."""
        self.tick += 1

    def _look(self) -> None:
        """Forget what was seen before the bodies moved, or were moved by hand in the middle of a tick."""
        now = (self.tick, self.world.changes)
        if now != self._seen:
            self._grid.move()
            if self._deserted is not None:
                self._deserted.move()
            self._poses = None
            self._seen = now

    @property
    def scene(self) -> Scene:
        self._look()
        return self._grid.scene()

    @property
    def lidar_scene(self) -> Scene:
        """The scene for laser scanners: without robots if they pass through each other."""
        self._look()
        return (self._deserted or self._grid).scene()

    @property
    def poses(self) -> NDArray[np.float64]:
        """float64[robots, 3]: x, y in m and the unwrapped angle in rad."""
        self._look()
        if self._poses is None:
            self._poses = self.world.bodies.unwrapped_poses(self.world.robot_bodies)
        return self._poses

    @property
    def yaw_poses(self) -> NDArray[np.float64]:
        """float64[robots, 3]: the same with the yaw in (-pi, pi], as ARGoS reads it back from the orientation."""
        return self.world.poses

    def blocked(self, antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The radio's occluder: bool[m], whether a body other than the two robots themselves blocks a pair."""
        return blocked_pairs(*self.scene, self.world.robot_bodies, antennas, pairs)

    def distances(
        self, robots: NDArray[np.int64], beams: NDArray[np.float64], finish: Finish | None = None
    ) -> NDArray[np.float64]:
        """float64[k, m]: how far (m) each of m beams of each of these k robots goes; infinity if it hits nothing.

        finish: what threads do with rows of the result, each with those that it has just filled.
        """
        return self._cast(cast, robots, (beams,), len(beams), finish)

    def fan_distances(self, robots: NDArray[np.int64], fan: Fan, finish: Finish | None = None) -> NDArray[np.float64]:
        """The same for scanners of many evenly spread beams: the same bits, sooner."""
        if len(self.scene.cells):
            return self.distances(robots, fan.beams, finish)
        return self._cast(cast_fan, robots, (fan.columns, fan.first, fan.step), len(fan.beams), finish)

    def segments(self, robot: int, beams: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[m, 5]: a robot's beams (as `beams_to` makes them) on the floor: x, y of both ends, 1 if it hits."""
        distances = self.distances(np.array([robot], dtype=np.int64), beams)[0]
        angle, middle = self.poses[robot, 2], self.poses[robot, :2]
        turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        starts, ends = beams[:, :2] @ turned, beams[:, 3:5] @ turned
        lengths = np.linalg.norm(ends - starts, axis=1)
        shares = np.minimum(distances, lengths) / np.where(lengths > 0.0, lengths, 1.0)
        reached = starts + (ends - starts) * shares[:, None]
        return np.column_stack([starts + middle, reached + middle, np.isfinite(distances)])

    def _cast(
        self,
        work: Callable[..., None],
        robots: NDArray[np.int64],
        rays: tuple[Any, ...],
        width: int,
        finish: Finish | None,
    ) -> NDArray[np.float64]:
        """Have a kernel fill rows of distances, one for each robot, in parts by as many threads as are worth it."""
        scene, own, poses = self.scene, self.world.robot_bodies, self.poses
        if len(robots) < len(own):
            own, poses = own[robots], poses[robots]
        found = np.empty((len(robots), width))

        def fill(first: int, last: int) -> None:
            rows = found[first:last]
            work(*scene, own[first:last], poses[first:last], *rays, rows)
            if finish is not None:
                finish(rows)

        parts = min(_PARTS_A_THREAD * self.threads, found.size // _RAYS_WORTH_A_THREAD)
        if self.threads < 2 or parts < 2:
            fill(0, len(robots))
            return found
        self._pool = self._pool or ThreadPoolExecutor(self.threads)
        cuts = [len(robots) * part // parts for part in range(parts + 1)]
        for part in [self._pool.submit(fill, first, last) for first, last in pairwise(cuts)]:
            part.result()
        return found
