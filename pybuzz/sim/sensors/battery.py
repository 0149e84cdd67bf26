"""The battery gauge: the charge left, and how long it will last, as documented and as ARGoS 3 computes it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.batteries import Batteries
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ArgosBatterySensor", "BatterySensor"]

STEPS_OF_MEAN = 10


class BatterySensor:
    """Two numbers: charge / full charge, and the time left in control steps at the mean discharge of the last ten.

    Infinity if nothing drains, 0 when empty. Must be told of every tick, looked at or not.
    """

    width = 2

    def __init__(self, carriers: Carriers, batteries: Batteries) -> None:
        self.robots = carriers.robots
        self.batteries = batteries
        ranges = [carriers.mounts[place].device.ranges["noise_range"] for place in carriers.noisy()]
        limits = np.array(ranges, dtype=np.float64).reshape(-1, 2)
        self._noise = UniformNoise(carriers.noisy(), carriers.streams(), limits[:, :1], limits[:, 1:])
        self._history = [batteries.charge / batteries.full]
        self._readings = self._initial()

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        return self._readings

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        return self._readings

    def advance(self, around: Surroundings) -> None:
        """Discharge for the motion of this tick, and read the gauge."""
        self.batteries.step(around.poses[self.robots])
        charge = (self.batteries.charge / self.batteries.full).reshape(-1, 1)
        self._noise.add_to(charge, around.tick)
        noisy = self._noise.places
        charge[noisy] = np.clip(charge[noisy], 0.0, 1.0)
        self._readings = np.column_stack((charge[:, 0], self._time_left(charge[:, 0], around)))

    def take_over(self, other: BatterySensor, origins: Sequence[int | None]) -> None:
        """Go on with the batteries that `other` gauged: robot i was origins[i] there; the new ones start full."""
        places = {int(robot): place for place, robot in enumerate(other.robots)}
        pairs = [(mine, places[origins[robot]]) for mine, robot in enumerate(self.robots) if origins[robot] in places]
        mine, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        self.batteries.take_over(mine, other.batteries, theirs)
        charge = self.batteries.charge / self.batteries.full
        self._history = [_placed(charge, mine, row, theirs) for row in other._history]
        self._readings[mine] = other._readings[theirs]

    def _initial(self) -> NDArray[np.float64]:
        """As ARGoS before the first tick: full, and no end in sight."""
        return np.column_stack((np.ones(len(self.robots)), np.full(len(self.robots), np.inf)))

    def _time_left(self, charge: NDArray[np.float64], around: Surroundings) -> NDArray[np.float64]:
        self._history = [*self._history[-STEPS_OF_MEAN:], charge]
        per_step = (self._history[0] - charge) / (len(self._history) - 1)
        return _quotient(charge, per_step, per_step > 0.0, charge)


class ArgosBatterySensor(BatterySensor):
    """ARGoS 3: the time left in seconds, from the last reading and the fall since; negative while charging."""

    def _time_left(self, charge: NDArray[np.float64], around: Surroundings) -> NDArray[np.float64]:
        last = self._readings[:, 0]
        fall = last - charge
        return _quotient(last * around.world.tick_seconds, fall, np.abs(fall) > 1e-6, charge)


def _placed(
    values: NDArray[np.float64], mine: list[int], others: NDArray[np.float64], theirs: list[int]
) -> NDArray[np.float64]:
    placed = values.copy()
    placed[mine] = others[theirs]
    return placed


def _quotient(
    stock: NDArray[np.float64], fall: NDArray[np.float64], falls: NDArray[np.bool_], charge: NDArray[np.float64]
) -> NDArray[np.float64]:
    """stock / fall; infinity where it does not fall, 0 where the charge is used up."""
    left = np.full(len(stock), np.inf)
    np.divide(stock, fall, out=left, where=falls)
    left[charge == 0.0] = 0.0
    return left
