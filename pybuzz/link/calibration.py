"""From a robot's raw readings to the values that scripts know from the simulator.

Every robot's sensors differ: a calibration file holds what this one reads over its own floor, before white paper, in
the dark. Lists are in the order of the script's tables: index 0 looks ahead, then counter-clockwise; ground sensors
front left, left, right, front right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from pybuzz.khepera.model import KheperaModel
from pybuzz.link.protocol import US_NOTHING, US_OFF, US_TOO_NEAR

__all__ = [
    "GROUND_ORDER", "LEAST_LIGHT_SPAN", "RING_ORDER", "ULTRASOUND_ORDER", "Converter", "RobotCalibration",
    "WheelFactors", "default_calibration", "reordered",
]  # fmt: skip

RING_ORDER: Final = (3, 2, 1, 0, 7, 6, 5, 4)
"""The robot's index of each entry of `proximity` and `light`; likewise for `ground` and `ultrasound`."""

GROUND_ORDER: Final = (9, 8, 11, 10)
ULTRASOUND_ORDER: Final = (2, 1, 0, 4, 3)

LEAST_LIGHT_SPAN: Final = 100
"""A light calibration whose ends are nearer than this would only show noise."""

Mode = Literal["curve", "linear"]


@dataclass(frozen=True, slots=True)
class WheelFactors:
    """True travel over computed travel of each wheel, and true over nominal axle."""

    left: float = 1.0
    right: float = 1.0
    axle: float = 1.0


@dataclass(frozen=True, slots=True)
class RobotCalibration:
    """One robot's raw values. proximity_noise: standard deviation with nothing near."""

    proximity_floor: tuple[float, ...]
    proximity_near: tuple[float, ...]
    proximity_noise: tuple[float, ...]
    light_dark: tuple[float, ...]
    light_bright: tuple[float, ...]
    ground_black: tuple[float, ...]
    ground_white: tuple[float, ...]
    wheels: WheelFactors = WheelFactors()
    proximity_mode: Mode = "curve"


def default_calibration(model: KheperaModel) -> RobotCalibration:
    """Of a robot that nobody has calibrated."""
    values = model.calibration
    ring, ground = len(model.proximity.angles), len(model.ground.places)
    return RobotCalibration(
        proximity_floor=(values.proximity_floor,) * ring,
        proximity_near=(values.proximity_near,) * ring,
        proximity_noise=(0.0,) * ring,
        light_dark=(values.light_dark,) * ring,
        light_bright=(values.light_bright,) * ring,
        ground_black=(values.ground_black,) * ground,
        ground_white=(values.ground_white,) * ground,
    )


def reordered(values: Sequence[float], order: Sequence[int]) -> tuple[float, ...]:
    """The robot's values in the order of the script's table."""
    return tuple(values[index] for index in order)


class Converter:
    """Raw values of one robot, in the order of the script's tables, to SI and to [0, 1]."""

    def __init__(self, model: KheperaModel, calibration: RobotCalibration) -> None:
        self._model = model
        self._calibration = calibration
        self._curve = model.calibration.proximity_curve

    def proximity(self, raw: Sequence[float]) -> list[float]:
        """8 values by the simulator's law, or linear if the calibration says so."""
        one = self._proximity_by_curve if self._calibration.proximity_mode == "curve" else self._proximity_linear
        return [one(index, value) for index, value in enumerate(raw)]

    def light(self, raw: Sequence[float]) -> list[float]:
        """8 values, 0 dark, 1 bright; either polarity."""
        found = self._calibration
        return [_share(*ends) for ends in zip(raw, found.light_dark, found.light_bright, strict=True)]

    def ground(self, raw: Sequence[float]) -> list[float]:
        """4 values, 0 black, 1 white."""
        found = self._calibration
        return [_share(*ends) for ends in zip(raw, found.ground_black, found.ground_white, strict=True)]

    def ultrasound(self, raw: Sequence[float]) -> list[float]:
        """5 distances in m, limited to what the sensor measures; nothing in range and switched off are the farthest."""
        near, far = self._model.ultrasound.nearest, self._model.ultrasound.farthest
        codes = {US_TOO_NEAR: near, US_NOTHING: far, US_OFF: far}
        return [codes.get(int(value), min(max(value / 100.0, near), far)) for value in raw]

    def charge(self, percent: float, volts: float) -> float:
        """In [0, 1]. The gauge lies after a deep discharge; then the voltage tells."""
        values = self._model.calibration
        by_voltage = _share(volts, values.battery_empty, values.battery_full)
        contradicts = volts < 7.0 and percent > 30.0
        return by_voltage if contradicts else min(max(percent / 100.0, 0.0), 1.0)

    def distance(self, index: int, raw: float) -> float | None:
        """m from the hull that a proximity reading means, or None for nothing in sight."""
        found, base = self._calibration, self._model.calibration
        scale = (base.proximity_near - base.proximity_floor) / (
            found.proximity_near[index] - found.proximity_floor[index]
        )
        paper = base.proximity_floor + (raw - found.proximity_floor[index]) * scale
        if paper <= base.proximity_floor + 3.0 * found.proximity_noise[index] * scale:
            return None
        return self._distance_of_paper(paper)

    def _proximity_by_curve(self, index: int, raw: float) -> float:
        distance, law = self.distance(index, raw), self._model.proximity
        if distance is None or distance > law.range:
            return 0.0
        if distance < law.near:
            return 1.0
        return min(max(law.scale * math.exp(-law.decay * distance) - law.offset, 0.0), 1.0)

    def _proximity_linear(self, index: int, raw: float) -> float:
        return _share(raw, self._calibration.proximity_floor[index], 1023.0)

    def _distance_of_paper(self, paper: float) -> float | None:
        nearest, farthest = self._curve[0], self._curve[-1]
        if paper >= nearest[1]:
            return nearest[0]
        for (before, high), (after, low) in pairwise(self._curve):
            if low <= paper <= high:
                return before + (after - before) * (high - paper) / (high - low)
        return farthest[0]


def _share(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
