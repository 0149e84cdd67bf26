"""Sensor readings of all robots as rows of plain numbers, made once per tick for each sensor that is read."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.lidar import LidarScan
from pybuzz.sim.sensors import Sensors

__all__ = ["Readings"]

_SCANS = "lidar"
"""Whole numbers, hundreds for each robot, of which a script looks at few: they stay in their array."""

_FEW: Final = 500
"""For so many robots lists are made at once: they are read faster. From 700 on, Python would search for garbage."""


class _RowsOfAll(Protocol):
    def __getitem__(self, robot: int, /) -> Sequence[float]: ...


class _RowsByRobot:
    """Rows that are made when their robot reads them. Then they are in the processor's cache."""

    def __init__(self, readings: NDArray[np.float64]) -> None:
        self._width = readings.shape[1]
        self._values = array("d", readings.tobytes())

    def __getitem__(self, robot: int) -> list[float]:
        first = robot * self._width
        return self._values[first : first + self._width].tolist()


class _Rows(dict[str, _RowsOfAll]):
    """Rows by sensor, made when they are first asked for."""

    def __init__(self, rows_of: Callable[[str], _RowsOfAll]) -> None:
        self._rows_of = rows_of

    def __missing__(self, sensor: str) -> _RowsOfAll:
        rows = self[sensor] = self._rows_of(sensor)
        return rows


class Readings:
    """The sensors' arrays for recordings, and rows of them for scripts."""

    def __init__(self, sensors: Sensors) -> None:
        self._sensors = sensors
        self.rows = _Rows(self._rows_of)
        """By sensor, then by robot: this tick's readings; whole numbers from a laser."""
        self._scans: list[LidarScan | None] | None = None
        self._alone: tuple[int, Sensors] | None = None

    def change(self, sensors: Sensors) -> None:
        """Robots came or went: their rows have moved."""
        self._sensors = sensors
        self.rows.clear()
        self._scans = None
        self._alone = None

    def begin_tick(self) -> None:
        """The world has moved: forget the readings of the last tick."""
        self._sensors.new_tick()
        self.rows.clear()
        self._scans = None

    def array(self, sensor: str) -> NDArray[np.float64]:
        """float64[robots, values] of this tick; to be read only."""
        return self.measure(sensor)

    def measure(self, sensor: str) -> NDArray[np.float64]:
        """The same; a run that is profiled times this call."""
        return self._sensors.read(sensor)

    @property
    def names(self) -> frozenset[str]:
        """The sensors that at least one robot carries."""
        return self._sensors.names

    def fields(self, sensor: str) -> tuple[str, ...]:
        """Names of the values of a person's own sensor; none: they go by index."""
        return self._sensors.fields(sensor)

    @property
    def charges(self) -> NDArray[np.float64]:
        """float64[robots]: what is in the batteries, in their own units."""
        return self._sensors.charges

    @property
    def scans(self) -> list[LidarScan | None]:
        """Each robot's scan of this tick, made when first asked for."""
        if self._scans is None:
            self._scans = self._sensors.scans()
        return self._scans

    def look(self, sensor: str, robot: int) -> Sequence[float]:
        """One robot's readings of this tick for an onlooker: those of others are not computed if nobody has read them,
        and nothing that happens in the run depends on it."""
        if self._sensors.is_measured(sensor):
            return self.rows[sensor][robot]
        if self._alone is None or self._alone[0] != robot:
            self._alone = robot, self._sensors.alone(robot)
        alone = self._alone[1]
        if sensor not in alone.names:
            return self.rows[sensor][robot]
        if alone.tick != self._sensors.tick:
            alone.look_again(self._sensors.tick)
        row: list[float] = alone.read(sensor)[robot].tolist()
        return row

    def rays(self, sensor: str, robot: int) -> NDArray[np.float64]:
        """float64[m, 5]: see Sensors.rays."""
        return self._sensors.rays(sensor, robot)

    def _rows_of(self, sensor: str) -> _RowsOfAll:
        readings = self.measure(sensor)
        if sensor == _SCANS:
            rows: list[Sequence[float]] = [memoryview(row) for row in readings.astype(np.int64)]
            for robot, lidar in self._sensors.lidars.items():
                rows[robot] = readings[robot, : lidar.num_rays].tolist()
            return rows
        if len(readings) > _FEW:
            return _RowsByRobot(readings)
        few: list[list[float]] = readings.tolist()
        return few
