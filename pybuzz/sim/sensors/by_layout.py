"""One kind of sensor on robots of several kinds: robots with an equal device are measured together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.sensors.mounts import Carriers
from pybuzz.sim.sensors.sensor import Beamed, Sensor
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ByLayout"]

Layout = TypeVar("Layout", bound=Hashable)


class ByLayout(Generic[Layout]):
    """Readings of devices of different layouts; columns that a robot's own device does not have are 0.

    layouts: of each carrier. make: the sensor of carriers with one layout.
    """

    def __init__(
        self, carriers: Carriers, layouts: Sequence[Layout], make: Callable[[Carriers, Layout], Sensor]
    ) -> None:
        places: dict[Layout, list[int]] = {}
        for place, layout in enumerate(layouts):
            places.setdefault(layout, []).append(place)
        self.robots = carriers.robots
        self._parts = [
            (np.array(mine), make(Carriers(carriers.robots[mine], tuple(carriers.mounts[one] for one in mine)), layout))
            for layout, mine in places.items()
        ]
        self.width = max(part.width for _, part in self._parts)

    def width_of(self, robot: int) -> int:
        """How many columns are a robot's own."""
        return next(part.width for _, part in self._parts if robot in part.robots)

    def beams_of(self, robot: int) -> NDArray[np.float64] | None:
        part = next(part for _, part in self._parts if robot in part.robots)
        return part.beams_of(robot) if isinstance(part, Beamed) else None

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        return self._joined(lambda part: part.before(around))

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        return self._joined(lambda part: part.measure(around))

    def _joined(self, read: Callable[[Sensor], float | NDArray[np.float64]]) -> NDArray[np.float64]:
        values = np.zeros((len(self.robots), self.width))
        for places, part in self._parts:
            values[places, : part.width] = read(part)
        return values
