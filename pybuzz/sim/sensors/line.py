"""Bars of line sensors on robots: darkness of the floor below them, and where the line is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.line_bar import LineMemory
from pybuzz.sim.random_numbers import Streams, gaussian_from
from pybuzz.sim.sensors.ground import places_of
from pybuzz.sim.sensors.mounts import Carriers
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["FIRST_VALUE", "LineSensor"]

FIRST_VALUE = 3
"""Column of the reading of sensor 0."""


class LineSensor:
    """Columns: error, position (m), lost (0 or 1), then the readings of sensor 0, 1, ...

    Must be told of every tick, looked at or not, because of what it remembers. Robots may have bars of different kinds;
    later columns of shorter rows stay 0. Options of the device: num_sensors, sensor_offset, sensor_span,
    sensor_aperture; noise_level is the standard deviation of its gaussian noise.
    """

    def __init__(self, carriers: Carriers) -> None:
        self.robots = carriers.robots
        kinds: dict[tuple[tuple[str, float], ...], list[int]] = {}
        for place, mount in enumerate(carriers.mounts):
            kinds.setdefault(tuple(sorted(mount.device.options.items())), []).append(place)
        self._groups = [_Bars(carriers, places, dict(options)) for options, places in kinds.items()]
        self.width = max((FIRST_VALUE + group.sensors for group in self._groups), default=FIRST_VALUE)
        self._readings = np.zeros((len(self.robots), self.width))
        self._readings[:, 2] = 1.0

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        return self._readings

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        return self._readings

    def advance(self, around: Surroundings) -> None:
        """Read all bars in a new tick."""
        readings = np.zeros((len(self.robots), self.width))
        for group in self._groups:
            values = group.read(around, self.robots)
            memory = group.memory
            readings[group.places, 0] = memory.error
            readings[group.places, 1] = memory.error * group.half_span
            readings[group.places, 2] = memory.lost
            readings[group.places, FIRST_VALUE : FIRST_VALUE + group.sensors] = values
        self._readings = readings

    def take_over(self, other: LineSensor, origins: Sequence[int | None]) -> None:
        """Go on from the bars of `other`: robot i was origins[i] there; new ones have seen nothing."""
        theirs = {int(robot): place for place, robot in enumerate(other.robots)}
        homes = {place: (group, bar) for group in other._groups for bar, place in enumerate(group.places)}
        for group in self._groups:
            for bar, place in enumerate(group.places):
                origin = origins[int(self.robots[place])]
                if origin is None or origin not in theirs:
                    continue
                group.take_over(bar, *homes[theirs[origin]])
                width = min(self.width, other.width)
                self._readings[place, :width] = other._readings[theirs[origin], :width]


class _Bars:
    """All bars of one kind."""

    def __init__(self, carriers: Carriers, places: Sequence[int], options: dict[str, float]) -> None:
        self.places = np.array(places, dtype=np.int64)
        self.sensors = int(options["num_sensors"])
        self.half_span = options["sensor_span"] / 2
        self.memory = LineMemory(len(places), self.sensors)
        across = np.linspace(-self.half_span, self.half_span, self.sensors)
        self._offsets = np.column_stack((np.full(self.sensors, options["sensor_offset"]), across))
        self._aperture = options["sensor_aperture"]
        mine = Carriers(carriers.robots[self.places], tuple(carriers.mounts[place] for place in places))
        self._noisy = np.array(mine.noisy(), dtype=np.int64)
        self._streams: Streams = mine.streams()
        self._deviations = np.array(mine.noise_levels())

    def take_over(self, mine: int, other: _Bars, theirs: int) -> None:
        """Bar `mine` goes on with memory and noise of another's bar."""
        self.memory.take_over(mine, other.memory, theirs)
        for row, old in zip(np.flatnonzero(self._noisy == mine), np.flatnonzero(other._noisy == theirs), strict=False):
            self._streams.states[row] = other._streams.states[old]
            self._streams.places[row] = other._streams.places[old]

    def read(self, around: Surroundings, robots: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[k, n]: the readings of this tick; where the line is, is in `memory` then."""
        places = places_of(around.yaw_poses[robots[self.places]], self._offsets)
        values = around.world.line_map.darkness(places, self._aperture)
        if len(self._noisy):
            values[self._noisy] += _gaussian_matrix(
                self._streams.states, self._streams.places, self._deviations, self.sensors
            )
        values = np.clip(values, 0.0, 1.0)
        self.memory.see(values)
        return values


@kernel
def _gaussian_matrix(
    states: NDArray[np.uint32], places: NDArray[np.int64], deviations: NDArray[np.float64], columns: int
) -> NDArray[np.float64]:
    """float64[k, columns]: draws of each stream with its deviation."""
    drawn = np.empty((len(deviations), columns))
    for row in range(len(deviations)):
        for column in range(columns):
            drawn[row, column] = gaussian_from(states, places, row, deviations[row])
    return drawn
