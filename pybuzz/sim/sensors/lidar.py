"""The laser scanner: whole centimetres from the start of each beam, 0 for nothing in sight (ARGoS 3, Khepera IV)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.khepera.model import Lidar as KheperaLidar
from pybuzz.sim.fans import Fan
from pybuzz.sim.lidar import Lidar
from pybuzz.sim.rays import beams_to
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ArgosLidarSensor", "LidarSensor"]


class LidarSensor:
    """Integer centimetres; beam 0 is the rightmost. Robots may have scanners of different numbers of beams.

    Scanners with a layout of their own (`Lidar`) give m, and their range where they meet nothing.

    `counts`: int64[k], the beams of each carrier; later columns of its row stay 0.
    """

    def __init__(self, carriers: Carriers, scanners: Sequence[KheperaLidar]) -> None:
        """scanners: of each carrier, what its kind of robot comes with."""
        self.robots = carriers.robots
        self.counts = np.array([mount.device.num_readings for mount in carriers.mounts], dtype=np.int64)
        self.width = int(self.counts.max(initial=0))
        self._groups = _groups(carriers, scanners)

    @property
    def layouts(self) -> dict[int, Lidar]:
        """The scanners with a layout of their own, by robot."""
        free = [group for group in self._groups if isinstance(group, _FreeGroup)]
        return {int(robot): group.scanner for group in free for robot in self.robots[group.places]}

    def beams_of(self, robot: int) -> NDArray[np.float64] | None:
        """As `beams_to` makes them; None if it has no scanner."""
        groups = [group for group in self._groups if robot in self.robots[group.places]]
        return groups[0].rays if groups else None

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        """0 from the Khepera IV's scanners, as ARGoS has it; others look at once, without noise."""
        values = np.zeros((len(self.robots), self.width))
        for group in self._groups:
            if isinstance(group, _FreeGroup):
                values[group.places, : group.beams] = group.look(self.robots, around)
        return values

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        if len(self._groups) == 1 and len(self._groups[0].places) == len(self.robots):
            return self._groups[0].measure(self.robots, around)
        values = np.zeros((len(self.robots), self.width))
        for group in self._groups:
            values[group.places, : group.beams] = group.measure(self.robots, around)
        return values


class ArgosLidarSensor(LidarSensor):
    """ARGoS 3: a scanner of a single beam has no direction (0/0) and sees nothing."""

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        values = super().measure(around)
        for group in self._groups:
            if isinstance(group, _KheperaGroup) and group.beams == 1:
                values[group.places] = 0.0
        return values


class _Group:
    """All scanners of one layout: `places` int64[k] among the carriers, `beams` of each."""

    def __init__(self, carriers: Carriers, places: list[int]) -> None:
        mine = Carriers(carriers.robots[places], tuple(carriers.mounts[place] for place in places))
        self.places = np.array(places, dtype=np.int64)
        self.beams = mine.mounts[0].device.num_readings
        self._noise = UniformNoise.of_levels(mine, self.beams)


class _KheperaGroup(_Group):
    def __init__(self, carriers: Carriers, places: list[int], scanner: KheperaLidar) -> None:
        super().__init__(carriers, places)
        directions = _directions(scanner, self.beams)
        layout = (directions, scanner.radius, scanner.range, scanner.height)
        self.rays = beams_to(*layout)
        self._fan = Fan.to(*layout) if self.beams > 1 else None

    def measure(self, robots: NDArray[np.int64], around: Surroundings) -> NDArray[np.float64]:
        mine = robots[self.places]
        if self._fan is None:
            values = around.distances(mine, self.rays, _cut_to_centimetres)
        else:
            values = around.fan_distances(mine, self._fan, _cut_to_centimetres)
        if self._noise.places.size:
            self._noise.add_to(values, around.tick)
            np.trunc(values, out=values)
        return values


class _FreeGroup(_Group):
    def __init__(self, carriers: Carriers, places: list[int], scanner: Lidar) -> None:
        super().__init__(carriers, places)
        self.scanner = scanner
        self.rays = beams_to(scanner.directions, 0.0, scanner.range, scanner.height)
        self.rays[:, [0, 3]] += scanner.offset

    def look(self, robots: NDArray[np.int64], around: Surroundings) -> NDArray[np.float64]:
        """The distances without noise."""
        mine = robots[self.places]
        own = around.world.robot_bodies[mine]
        return self.scanner.scan(around.lidar_scene, around.yaw_poses[mine], own).distances

    def measure(self, robots: NDArray[np.int64], around: Surroundings) -> NDArray[np.float64]:
        values = self.look(robots, around)
        if self._noise.places.size:
            self._noise.add_to(values, around.tick)
            np.clip(values, 0.0, self.scanner.range, out=values)
        return values


def _groups(carriers: Carriers, scanners: Sequence[KheperaLidar]) -> list[_KheperaGroup | _FreeGroup]:
    """The carriers, those with equal layouts together."""
    places: dict[tuple[Lidar | KheperaLidar, int], list[int]] = {}
    for place, mount in enumerate(carriers.mounts):
        if mount.device.num_readings:
            layout = Lidar.of_options(mount.device.options) if mount.device.options else scanners[place]
            places.setdefault((layout, mount.device.num_readings), []).append(place)
    return [
        _FreeGroup(carriers, found, layout) if isinstance(layout, Lidar) else _KheperaGroup(carriers, found, layout)
        for (layout, _), found in places.items()
    ]


@kernel
def _cut_to_centimetres(distances: NDArray[np.float64]) -> None:
    """Replace distances (m) by whole centimetres, no hit by 0; one pass over what may be megabytes."""
    for i in range(distances.shape[0]):
        for j in range(distances.shape[1]):
            d = distances[i, j]
            distances[i, j] = 0.0 if d == math.inf else math.floor(d * 100.0)


def _directions(scanner: KheperaLidar, beams: int) -> NDArray[np.float64]:
    """From the first angle to the last in equal steps; a single beam looks straight ahead."""
    if beams == 1:
        return np.zeros(1)
    first, last = math.radians(scanner.first_angle), math.radians(scanner.last_angle)
    return np.array([first + beam * ((last - first) / (beams - 1)) for beam in range(beams)])
