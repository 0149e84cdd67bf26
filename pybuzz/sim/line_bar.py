"""A bar of reflective sensors (TCRT5000) across the front of a robot: where the line is, and whether it is lost.

Frame of the robot: x forward, y left. Sensor 0 is the rightmost, at y = -span / 2, the last one at +span / 2.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError

__all__ = ["LineMemory", "LineSensors", "LineSource", "default_span", "weights_of"]

Floats = NDArray[np.float64]

LEAST_TOTAL = 1e-6
"""Sum of the readings above which the line is seen."""


class LineSource(Protocol):
    """Anything that can tell the darkness of places: see `LineMap`."""

    def darkness(self, places: Floats, aperture: float) -> Floats:
        """float64[...] in [0, 1] of places float64[..., 2] in m."""


def default_span(num_sensors: int, line_width: float, body_width: float) -> float:
    """m from the first sensor to the last: the sensors stand 3/4 of the line apart, within 0.9 of the body."""
    return min(0.9 * body_width, max(line_width, 0.75 * line_width * (num_sensors - 1)))


def weights_of(num_sensors: int) -> Floats:
    """-1 for the rightmost sensor to 1 for the leftmost."""
    return np.linspace(-1.0, 1.0, num_sensors)


class LineMemory:
    """What bars of n sensors make of their readings, and remember. All float64[k] or bool[k], one per bar.

    error: sum(w v) / sum(v), positive when the line is to the left; while the line is lost it keeps its last value, or
    if that was 0, the sign of the last error that was not (0 before any). lost: whether sum(v) is at most 1e-6.
    """

    def __init__(self, bars: int, num_sensors: int) -> None:
        self.weights = weights_of(num_sensors)
        self.error: Floats = np.zeros(bars)
        self.lost: NDArray[np.bool_] = np.ones(bars, dtype=np.bool_)
        self._sign: Floats = np.zeros(bars)

    def see(self, readings: Floats) -> None:
        """readings: float64[k, n] of a new tick."""
        total = readings.sum(axis=1)
        self.lost = total <= LEAST_TOTAL
        found = (readings * self.weights).sum(axis=1) / np.where(self.lost, 1.0, total)
        kept = np.where(self.error == 0.0, self._sign, self.error)
        self.error = np.where(self.lost, kept, found)
        self._sign = np.where(self.error == 0.0, self._sign, np.sign(self.error))

    def take_over(self, mine: int, other: LineMemory, theirs: int) -> None:
        """Bar `mine` goes on where bar `theirs` of another memory stands."""
        self.error[mine], self.lost[mine], self._sign[mine] = (
            other.error[theirs], other.lost[theirs], other._sign[theirs],
        )  # fmt: skip


class LineSensors:
    """The bar of one robot, for Python programs. Set `pose` (x, y in m, heading in rad) and call `read_line_sensors`.

    num_sensors      at least 2
    sensor_offset    m from the robot's centre to the bar
    sensor_span      m from the first sensor to the last; None: `default_span` of the line's and the body's width
    sensor_aperture  m, radius of the spot that a sensor averages over
    sensor_noise     standard deviation of the gaussian noise on each reading, limited to [0, 1]
    line_threshold   readings above it count as on the line

    Raises InputError for numbers that no bar can have.
    """

    def __init__(
        self,
        num_sensors: int = 5,
        sensor_offset: float = 0.06,
        sensor_span: float | None = None,
        sensor_aperture: float = 0.003,
        sensor_noise: float = 0.0,
        line_threshold: float = 0.5,
        *,
        line_width: float = 0.02,
        body_width: float = 0.1408,
        pose: tuple[float, float, float] = (0.0, 0.0, 0.0),
        seed: int = 0,
    ) -> None:
        span = default_span(num_sensors, line_width, body_width) if sensor_span is None else sensor_span
        _check(num_sensors, span, sensor_aperture, sensor_noise)
        self.num_sensors, self.sensor_offset, self.sensor_span = num_sensors, sensor_offset, span
        self.sensor_aperture, self.sensor_noise, self.line_threshold = sensor_aperture, sensor_noise, line_threshold
        self.pose = pose
        self.sensor_weights = weights_of(num_sensors)
        self.sensor_local: Floats = np.column_stack(
            (np.full(num_sensors, sensor_offset), np.linspace(-span / 2, span / 2, num_sensors))
        )
        """float64[n, 2]: places in the robot's frame, m."""
        self.sensor_readings: Floats = np.zeros(num_sensors)
        self._memory = LineMemory(1, num_sensors)
        self._random = np.random.Generator(np.random.PCG64(seed))

    def sensor_world_position(self, index: int) -> tuple[float, float]:
        """x, y in m of a sensor, where the robot stands now."""
        x, y = self._places()[index]
        return float(x), float(y)

    def read_line_sensors(self, line_map: LineSource) -> Floats:
        """Read the floor at `pose`: float64[n], 1.0 on black. Raises InputError for a pose that is no number."""
        if not all(map(math.isfinite, self.pose)):
            raise InputError.at("pose", f"{self.pose} is no place to stand", hint="give finite numbers: m and rad")
        values = line_map.darkness(self._places(), self.sensor_aperture)
        if self.sensor_noise:
            values = values + self.sensor_noise * self._random.standard_normal(self.num_sensors)
        self.sensor_readings = np.clip(values, 0.0, 1.0)
        self._memory.see(self.sensor_readings[None, :])
        return self.sensor_readings

    @property
    def line_error(self) -> float:
        """In [-1, 1], positive when the line is to the left."""
        return float(self._memory.error[0])

    @property
    def line_position(self) -> float:
        """m to the left of the robot's axis: line_error span / 2."""
        return self.line_error * self.sensor_span / 2

    @property
    def line_lost(self) -> bool:
        """Whether no sensor sees anything; true before the first reading."""
        return bool(self._memory.lost[0])

    @property
    def on_line(self) -> list[bool]:
        """Which sensors are on the line."""
        return [bool(value > self.line_threshold) for value in self.sensor_readings]

    def _places(self) -> Floats:
        x, y, heading = self.pose
        c, s = math.cos(heading), math.sin(heading)
        ahead, left = self.sensor_local[:, 0], self.sensor_local[:, 1]
        return np.column_stack((x + ahead * c - left * s, y + ahead * s + left * c))


def _check(num_sensors: int, span: float, aperture: float, noise: float) -> None:
    if num_sensors < 2:
        raise InputError.at("num_sensors", f"a bar has at least two sensors, not {num_sensors}")
    if not 0.0 < span < math.inf:
        raise InputError.at("sensor_span", f"the span must be above 0 m, not {span:g}")
    for name, value in (("sensor_aperture", aperture), ("sensor_noise", noise)):
        if not 0.0 <= value < math.inf:
            raise InputError.at(name, f"it must be at least 0, not {value:g}")
