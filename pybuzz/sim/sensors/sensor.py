"""What every kind of sensor is to the suite."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["Beamed", "Sensor"]


class Sensor(Protocol):
    """All devices of one kind: `robots` int64[k] carry one, each gives `width` numbers."""

    robots: NDArray[np.int64]
    width: int

    def before(self, around: Surroundings) -> float | NDArray[np.float64]:
        """The values before the first tick, float64[k, width] or one for all."""

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        """float64[k, width]: the readings of this tick; called at most once per tick."""


@runtime_checkable
class Beamed(Protocol):
    """A sensor that casts rays."""

    def beams_of(self, robot: int) -> NDArray[np.float64] | None:
        """The rays of one robot, as `beams_to` makes them; None if it has none."""
