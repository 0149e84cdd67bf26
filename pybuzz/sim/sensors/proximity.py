"""The infrared ring: scale exp(-decay d) - offset of the distance along eight short rays (ARGoS 3, Khepera IV)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.khepera.model import Proximity
from pybuzz.sim.rays import beams_to
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ProximitySensor"]


class ProximitySensor:
    """Values in [0, 1]: 0 with nothing near, 1 nearer than `near`. Noise is added before the limits."""

    def __init__(self, carriers: Carriers, ring: Proximity) -> None:
        self.robots = carriers.robots
        self.width = len(ring.angles)
        self._ring = ring
        self._beams = beams_to(np.radians(ring.angles), ring.radius, ring.range, ring.height)
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def beams_of(self, robot: int) -> NDArray[np.float64]:
        return self._beams

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        ring = self._ring
        values = around.distances(self.robots, self._beams)
        noise = self._noise.of_tick(around.tick)
        _respond(values, self._noise.places, noise, ring.near, ring.scale, ring.decay, ring.offset)
        return values


@kernel
def _respond(
    distances: NDArray[np.float64],
    places: NDArray[np.int64],
    noise: NDArray[np.float64],
    near: float,
    scale: float,
    decay: float,
    offset: float,
) -> None:
    """Replace distances (m) by responses, to which noise is added at some places before they are limited."""
    for i in range(distances.shape[0]):
        for j in range(distances.shape[1]):
            d = distances[i, j]
            if d == math.inf:
                distances[i, j] = 0.0
            elif d < near:
                distances[i, j] = 1.0
            else:
                distances[i, j] = scale * math.exp(-decay * d) - offset
    for k in range(len(places)):
        for j in range(distances.shape[1]):
            distances[places[k], j] += noise[k, j]
    for i in range(distances.shape[0]):
        for j in range(distances.shape[1]):
            distances[i, j] = min(max(distances[i, j], 0.0), 1.0)
