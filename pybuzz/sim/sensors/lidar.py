"""The laser scanner: whole centimetres from the start of each beam, 0 for nothing in sight (ARGoS 3, Khepera IV)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.khepera.model import Lidar
from pybuzz.sim.rays import beams_to
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ArgosLidarSensor", "LidarSensor"]


class LidarSensor:
    """Integer centimetres; beam 0 is the rightmost. Robots may have scanners of different numbers of beams.

    `counts`: int64[k], the beams of each carrier; later columns of its row stay 0.
    """

    def __init__(self, carriers: Carriers, scanner: Lidar) -> None:
        self.robots = carriers.robots
        self.counts = np.array([mount.device.num_readings for mount in carriers.mounts], dtype=np.int64)
        self.width = int(self.counts.max(initial=0))
        self._groups = [_Group(carriers, scanner, int(beams)) for beams in np.unique(self.counts) if beams]

    def before(self, around: Surroundings) -> float:
        return 0.0

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
        values[self.counts == 1] = 0.0
        return values


class _Group:
    """All scanners with the same number of beams."""

    def __init__(self, carriers: Carriers, scanner: Lidar, beams: int) -> None:
        self.beams = beams
        self.places = np.array(
            [place for place, mount in enumerate(carriers.mounts) if mount.device.num_readings == beams], dtype=np.int64
        )
        mine = Carriers(carriers.robots[self.places], tuple(carriers.mounts[place] for place in self.places))
        self._noise = UniformNoise.of_levels(mine, beams)
        self._rays = beams_to(_directions(scanner, beams), scanner.radius, scanner.range, scanner.height)

    def measure(self, robots: NDArray[np.int64], around: Surroundings) -> NDArray[np.float64]:
        values = around.distances(robots[self.places], self._rays)
        _cut_to_centimetres(values)
        if self._noise.places.size:
            self._noise.add_to(values, around.tick)
            np.trunc(values, out=values)
        return values


@kernel
def _cut_to_centimetres(distances: NDArray[np.float64]) -> None:
    """Replace distances (m) by whole centimetres, no hit by 0; one pass over what may be megabytes."""
    for i in range(distances.shape[0]):
        for j in range(distances.shape[1]):
            d = distances[i, j]
            distances[i, j] = 0.0 if d == math.inf else math.floor(d * 100.0)


def _directions(scanner: Lidar, beams: int) -> NDArray[np.float64]:
    """From the first angle to the last in equal steps; a single beam looks straight ahead."""
    if beams == 1:
        return np.zeros(1)
    first, last = math.radians(scanner.first_angle), math.radians(scanner.last_angle)
    return np.array([first + beam * ((last - first) / (beams - 1)) for beam in range(beams)])
