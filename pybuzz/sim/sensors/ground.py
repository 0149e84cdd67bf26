"""The four ground sensors: the floor's brightness below them (ARGoS 3, Khepera IV)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.khepera.model import Ground
from pybuzz.sim.floors import WhiteFloor
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["GroundSensor", "places_of"]


class GroundSensor:
    """0 black to 1 white."""

    def __init__(self, carriers: Carriers, ground: Ground) -> None:
        self.robots = carriers.robots
        self.width = len(ground.places)
        self._offsets = np.array(ground.places)
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        places = places_of(around.yaw_poses[self.robots], self._offsets)
        floor = around.world.floor or WhiteFloor()
        values = floor.brightness(places[..., 0], places[..., 1])
        self._noise.add_to(values, around.tick)
        return np.clip(values, 0.0, 1.0)


@kernel
def places_of(poses: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[k, m, 2]: where the sensors are; poses with yaw, offsets float64[m, 2] in the robot's frame."""
    places = np.empty((len(poses), len(offsets), 2))
    for i in range(len(poses)):
        c, s = math.cos(poses[i, 2]), math.sin(poses[i, 2])
        for j in range(len(offsets)):
            x, y = offsets[j]
            places[i, j, 0] = x * c - y * s + poses[i, 0]
            places[i, j, 1] = x * s + y * c + poses[i, 1]
    return places
