"""A laser scanner of any layout: many beams through the world's map, circles, boxes and, as moving circles, robots.

Beams stand at linspace(heading - fov / 2, heading + fov / 2, num_rays), both ends included; `endpoint: false` leaves
out the last, so that a full turn has no beam twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.sim.bodies import Bodies, cylinder_body
from pybuzz.sim.fans import scan
from pybuzz.sim.grid import Grid, Scene
from pybuzz.sim.world import World

__all__ = ["Lidar", "LidarScan", "LidarScans"]

Floats = NDArray[np.float64]
Pose = tuple[float, float, float]
_MOST_RAYS = 100_000


@dataclass(frozen=True, slots=True)
class LidarScan:
    """One robot's scan: iterates as (angle, distance, hit_point), from the rightmost beam to the leftmost.

    angles float64[m]: of the beams in the world, rad, not wrapped. distances float64[m]: m, at most the range. points
    float64[m, 2]: where the beams end, m in the world. A scan of no beams is false.
    """

    angles: Floats
    distances: Floats
    points: Floats

    def __len__(self) -> int:
        return len(self.angles)

    def __iter__(self) -> Iterator[tuple[float, float, tuple[float, float]]]:
        points = ((x, y) for x, y in self.points.tolist())
        return zip(self.angles.tolist(), self.distances.tolist(), points, strict=True)

    def __getitem__(self, beam: int) -> tuple[float, float, tuple[float, float]]:
        x, y = self.points[beam].tolist()
        return float(self.angles[beam]), float(self.distances[beam]), (x, y)


@dataclass(frozen=True, slots=True)
class LidarScans:
    """Scans of k robots as arrays: angles float64[k, m], distances float64[k, m], points float64[k, m, 2]."""

    angles: Floats
    distances: Floats
    points: Floats

    def __len__(self) -> int:
        return len(self.angles)

    def __getitem__(self, robot: int) -> LidarScan:
        return LidarScan(self.angles[robot], self.distances[robot], self.points[robot])


@dataclass(frozen=True, slots=True)
class Lidar:
    """num_rays beams of `range` m over `fov_deg` degrees, `offset` m ahead of the robot's centre, `height` m high.

    noise: readings of a simulation's robots are off by at most that many m, uniformly, and stay within [0, range];
    casts asked for from Python are exact. Raises InputError for numbers that make no sense.
    """

    num_rays: int = 101
    range: float = 12.0
    fov_deg: float = 360.0
    endpoint: bool = True
    noise: float = 0.0
    offset: float = 0.0
    height: float = 0.03

    def __post_init__(self) -> None:
        if isinstance(self.num_rays, bool) or not 1 <= self.num_rays <= _MOST_RAYS or self.num_rays % 1:
            raise _wrong(f"num_rays: {self.num_rays} is not a whole number from 1 to {_MOST_RAYS}")
        for name in ("range", "fov_deg"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise _wrong(f"{name}: {getattr(self, name):g} must be above 0")
        if self.fov_deg > 360.0:
            raise _wrong(f"fov_deg: {self.fov_deg:g} is more than a full turn, 360")
        if not 0.0 <= self.noise < math.inf:
            raise _wrong(f"noise: {self.noise:g} must be at least 0")
        if not (math.isfinite(self.offset) and 0.0 <= self.height < math.inf):
            raise _wrong(f"offset {self.offset:g} or height {self.height:g} is no length")

    @classmethod
    def of_options(cls, options: Mapping[str, float]) -> Lidar:
        """From the numbers of a device, all of them but the noise."""
        numbers = dict(options)
        rays, endpoint = int(numbers.pop("num_rays")), bool(numbers.pop("endpoint"))
        return cls(num_rays=rays, endpoint=endpoint, **numbers)

    @property
    def options(self) -> dict[str, float]:
        """What `of_options` takes."""
        names = ("num_rays", "range", "fov_deg", "endpoint", "offset", "height")
        return {name: float(getattr(self, name)) for name in names}

    @property
    def directions(self) -> Floats:
        """float64[num_rays]: the beams' angles from the robot's heading, rad."""
        half = 0.5 * math.radians(self.fov_deg)
        return np.linspace(-half, half, self.num_rays, endpoint=self.endpoint)

    def cast_rays(self, robot: Any, world: World, other_robots: Sequence[Any] | None = None) -> LidarScan:
        """The scan of one robot: a robot of the world or its name, anything with a `pose`, or x, y (m), yaw (rad).

        other_robots: robots that the beams meet, each as a circle of its own radius: robots of the world or their
        names, anything with `pose` and `radius`, or (x, y, radius). None: beams pass through robots. A robot never
        meets itself. Raises InputError for a pose that is no place.
        """
        return self.cast_fleet([robot], world, other_robots)[0]

    def cast_fleet(
        self, robots: Sequence[Any] | Floats, world: World, other_robots: Sequence[Any] | None = None
    ) -> LidarScans:
        """The same for many robots at once, or for poses float64[k, 3]."""
        rows = np.array([_row(world, robot) for robot in robots], dtype=np.int64)
        poses = np.array([_pose(world, robot, row) for robot, row in zip(robots, rows, strict=True)]).reshape(-1, 3)
        theirs = [(other, _row(world, other)) for other in other_robots or ()]
        seen = np.array([row for _, row in theirs if row >= 0], dtype=np.int64)
        scans = self.scan(Grid(world.bodies, robots=seen).scene(), poses, rows)
        strangers = [other for other, row in theirs if row < 0]
        if not strangers:
            return scans
        own = [next((index for index, other in enumerate(strangers) if other is robot), -1) for robot in robots]
        found = self.scan(Grid(_circles(strangers, self.height)).scene(), poses, np.array(own, dtype=np.int64))
        return self._ended(poses, scans.angles, np.minimum(scans.distances, found.distances))

    def scan(self, scene: Scene, poses: Floats, own: NDArray[np.int64]) -> LidarScans:
        """Scans from poses float64[k, 3] through a scene, in which body own[i] is looked through (-1: none)."""
        yaws, directions = poses[:, 2].copy(), self.directions
        angles = yaws[:, None] + directions
        scans = LidarScans(angles, np.empty(angles.shape), np.empty((*angles.shape, 2)))
        scan(*scene, own, self._origins(poses), yaws, directions, self.range, scans.distances, scans.points)
        return scans

    def of_distances(self, poses: Floats, distances: Floats) -> LidarScans:
        """Scans whose distances float64[k, num_rays] are known, for example with noise."""
        return self._ended(poses, poses[:, 2:] + self.directions, distances)

    def _origins(self, poses: Floats) -> Floats:
        """float64[k, 3]: where the beams start."""
        x, y, yaw = poses.T
        ahead = (x + self.offset * np.cos(yaw), y + self.offset * np.sin(yaw), np.full(len(poses), self.height))
        return np.column_stack(ahead)

    def _ended(self, poses: Floats, angles: Floats, distances: Floats) -> LidarScans:
        directions = np.stack((np.cos(angles), np.sin(angles)), axis=-1)
        points = self._origins(poses)[:, None, :2] + distances[..., None] * directions
        return LidarScans(angles, distances, points)


def _wrong(text: str) -> InputError:
    return InputError.at("lidar", text, kind="wrong value")


def _row(world: World, robot: Any) -> int:
    """The body of a robot of the world, given as such or by its name; -1 for anything else."""
    name = robot if isinstance(robot, str) else getattr(robot, "name", None)
    if isinstance(robot, str):
        return world.row_of(robot)
    return world.row_of(name) if isinstance(name, str) and world.has(name) else -1


def _pose(world: World, robot: Any, row: int) -> Pose:
    if row >= 0:
        bodies = world.bodies
        return float(bodies.x[row]), float(bodies.y[row]), float(bodies.yaw[row])
    return _numbers(getattr(robot, "pose", robot), "x, y in m and yaw in rad")


def _circles(robots: Sequence[Any], height: float) -> Bodies:
    """Robots that are not in the world, as bodies as high as the beams."""
    found = Bodies()
    for number, robot in enumerate(robots):
        x, y, radius = robot if not hasattr(robot, "pose") else (*robot.pose[:2], robot.radius)
        x, y, radius = _numbers((x, y, radius), "x, y and radius in m")
        found.append(cylinder_body(f"robot {number}", radius, height + 1.0, x, y))
    return found


def _numbers(values: Any, what: str) -> Pose:
    """Three finite numbers."""
    try:
        x, y, z = (float(value) for value in values)
    except (TypeError, ValueError):
        raise InputError.at("lidar", f"{values!r} is no pose", kind="wrong pose", hint=f"give {what}") from None
    if not math.isfinite(x + y + z):
        raise InputError.at(
            "lidar", f"({x:g}, {y:g}, {z:g}) is no place to look from", kind="wrong pose", hint=f"give {what}"
        )
    return x, y, z
