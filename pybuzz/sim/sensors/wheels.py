"""The wheel sensor: what the wheels were told, as speeds and ways (ARGoS 3's differential_steering sensor)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["WheelSensor"]

_DRAWS = ("vel_noise_range",) * 2 + ("dist_noise_range",) * 2
"""A noisy sensor's draws in ARGoS's order: speeds left and right (cm/s), ways left and right (cm)."""


class WheelSensor:
    """Five numbers: speeds left and right in cm/s, ways of this tick left and right in cm, the axle in cm.

    They follow from the orders, not from the motion: a blocked robot covers distance. No script sees them.
    """

    width = 5

    def __init__(self, carriers: Carriers, axle_m: float) -> None:
        self.robots = carriers.robots
        self._axle_cm = axle_m * 100.0
        noisy = carriers.noisy()
        ranges = [[carriers.mounts[place].device.ranges.get(name, (0.0, 0.0)) for name in _DRAWS] for place in noisy]
        limits = np.array(ranges, dtype=np.float64).reshape(-1, 4, 2)
        self._noise = UniformNoise(noisy, carriers.streams(), limits[..., 0], limits[..., 1])

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        values = np.zeros((len(self.robots), self.width))
        values[:, 4] = self._axle_cm
        return values

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        values = self.before(around)
        values[:, :2] = around.world.wheel_speeds[self.robots] * 100.0
        values[:, 2:4] = values[:, :2] * around.world.tick_seconds
        noisy = self._noise.places
        if len(noisy):
            values[noisy, :4] += self._noise.draw(around.tick)
        return values
