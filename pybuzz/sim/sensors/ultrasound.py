"""The five ultrasonic sensors, as documented and as ARGoS 3 simulates them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pybuzz.khepera.model import Ultrasound
from pybuzz.sim.rays import beams_to
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ArgosUltrasoundSensor", "UltrasoundSensor"]


class UltrasoundSensor:
    """Distance from the hull in m, limited to what the hardware measures; the farthest with nothing in sight.

    Noise is given as a part of that span (as in ARGoS, where readings are in [0, 1]).
    """

    def __init__(self, carriers: Carriers, ring: Ultrasound) -> None:
        self.robots = carriers.robots
        self.width = len(ring.angles)
        self._nearest, self._farthest = ring.nearest, ring.farthest
        self._beams = beams_to(np.radians(ring.angles), ring.radius, ring.farthest, ring.height)
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def beams_of(self, robot: int) -> NDArray[np.float64]:
        return self._beams

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        distances = np.minimum(around.distances(self.robots, self._beams), self._farthest)
        span = self._farthest - self._nearest
        parts = (np.maximum(distances, self._nearest) - self._nearest) / span
        self._noise.add_to(parts, around.tick)
        noisy = self._noise.places
        distances[noisy] = parts[noisy] * span + self._nearest
        return np.clip(distances, self._nearest, self._farthest)


class ArgosUltrasoundSensor:
    """ARGoS 3: in [0, 1] between nearest and farthest, 0 with nothing in sight.

    The rays run along the floor and start the shortest distance outside the hull: what is nearer is not seen.
    """

    def __init__(self, carriers: Carriers, ring: Ultrasound) -> None:
        self.robots = carriers.robots
        self.width = len(ring.angles)
        self._nearest, self._farthest = ring.nearest, ring.farthest
        self._beams = beams_to(np.radians(ring.angles), ring.radius + ring.nearest, ring.farthest, 0.0)
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def beams_of(self, robot: int) -> NDArray[np.float64]:
        return self._beams

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        distances = around.distances(self.robots, self._beams)
        limited = np.clip(distances, self._nearest, self._farthest)
        values = np.where(np.isinf(distances), 0.0, (limited - self._nearest) / (self._farthest - self._nearest))
        self._noise.add_to(values, around.tick)
        return np.clip(values, 0.0, 1.0)
