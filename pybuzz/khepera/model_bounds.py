"""The values that the keys of a robot's description may have."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["count_fault", "noise_names", "number_fault", "order_faults"]


@dataclass(frozen=True, slots=True)
class _Bounds:
    least: float = -math.inf
    most: float = math.inf
    above: float = -math.inf

    def allow(self, value: float) -> bool:
        return self.least <= value <= self.most and value > self.above

    def __str__(self) -> str:
        low = f"above {self.above:g}" if self.above > -math.inf else f"at least {self.least:g}"
        return low if self.most == math.inf else f"{low} and at most {self.most:.12g}"


_ANY = _Bounds()
_SIZE = _Bounds(above=0, most=10)  # m, of a robot
_OFFSET = _Bounds(least=0, most=10)  # m, from the robot's centre or the floor
_PLACE = _Bounds(least=-10, most=10)  # m
_RANGE = _Bounds(above=0, most=10_000)  # m
_ANGLE = _Bounds(least=-360, most=360)  # degrees
_POSITIVE = _Bounds(above=0)
_NOT_NEGATIVE = _Bounds(least=0)
_UNITS = _Bounds(least=1, most=1_000_000)
_BEAMS = _Bounds(least=1, most=100_000)
_SEVERAL = _Bounds(least=1, most=1_000)

_NUMBERS = {
    "body.radius": _SIZE,
    "body.bottom": _OFFSET,
    "body.height": _SIZE,
    "body.mass": _POSITIVE,
    "body.axle": _SIZE,
    "body.wheel_radius": _SIZE,
    "body.max_force": _NOT_NEGATIVE,
    "body.max_torque": _NOT_NEGATIVE,
    "radio.range": _NOT_NEGATIVE,
    "radio.data_size": _Bounds(least=4, most=1_000_000),
    "radio.height": _OFFSET,
    "leds.places": _PLACE,
    "leds.levels": _UNITS,
    "proximity.angles": _ANGLE,
    "proximity.radius": _OFFSET,
    "proximity.height": _OFFSET,
    "proximity.range": _RANGE,
    "proximity.near": _NOT_NEGATIVE,
    "proximity.scale": _NOT_NEGATIVE,
    "proximity.decay": _NOT_NEGATIVE,
    "light.angles": _ANGLE,
    "light.radius": _OFFSET,
    "light.height": _OFFSET,
    "ultrasound.angles": _ANGLE,
    "ultrasound.radius": _OFFSET,
    "ultrasound.height": _OFFSET,
    "ultrasound.nearest": _NOT_NEGATIVE,
    "ultrasound.farthest": _RANGE,
    "lidar.readings": _BEAMS,
    "lidar.first_angle": _ANGLE,
    "lidar.last_angle": _ANGLE,
    "lidar.radius": _OFFSET,
    "lidar.height": _OFFSET,
    "lidar.range": _RANGE,
    "ground.places": _PLACE,
    "line.sensors": _SEVERAL,
    "line.offset": _PLACE,
    "line.aperture": _OFFSET,
    "line.line_width": _SIZE,
    "line.threshold": _Bounds(least=0, most=1),
    "flight.altitude": _NOT_NEGATIVE,
    "flight.speed": _POSITIVE,
    "flight.beams": _BEAMS,
    "flight.range": _RANGE,
    "flight.steps": _BEAMS,
    "limits.wheel_speed": _POSITIVE,
    "limits.wheel_speed_ceiling": _POSITIVE,
    "limits.speed_unit": _POSITIVE,
    "limits.max_order": _UNITS,
    "limits.min_order": _Bounds(least=0, most=1_000_000),
    "limits.order_change": _UNITS,
    "limits.pulse": _POSITIVE,
    "calibration.battery_empty": _NOT_NEGATIVE,
    "calibration.battery_full": _POSITIVE,
}
_LEVEL = {"noise_level": _NOT_NEGATIVE}
_WHEELS = {"factor_avg": _ANY, "factor_stddev": _NOT_NEGATIVE, "bias_avg": _ANY, "bias_stddev": _NOT_NEGATIVE}
_NOISE = {
    **dict.fromkeys(("proximity", "light", "ultrasound", "ground", "lidar"), _LEVEL),
    "radio": {"noise_std_dev": _NOT_NEGATIVE, "packet_drop_prob": _Bounds(least=0, most=1)},
    "wheels": {name + side: bounds for name, bounds in _WHEELS.items() for side in ("", "_left", "_right")},
}
"""By device and parameter: what a preset may give."""

_COUNTS = {
    "leds.places": _SEVERAL,
    "proximity.angles": _SEVERAL,
    "light.angles": _SEVERAL,
    "ultrasound.angles": _SEVERAL,
    "ground.places": _SEVERAL,
    "calibration.proximity_curve": _SEVERAL,
}
_ORDERS = (
    ("proximity.near", "at most", "proximity.range"),
    ("ultrasound.nearest", "less than", "ultrasound.farthest"),
    ("lidar.first_angle", "less than", "lidar.last_angle"),
    ("limits.wheel_speed", "at most", "limits.wheel_speed_ceiling"),
    ("limits.min_order", "at most", "limits.max_order"),
    ("calibration.battery_empty", "less than", "calibration.battery_full"),
)


def number_fault(where: str, value: float) -> str:
    """What is wrong with the number at this key; empty if nothing is."""
    if not math.isfinite(value):
        return f"'{where}' must be a finite number, not {value}"
    key = re.sub(r"\[\d+\]", "", where)
    if key.startswith("noise."):
        device, parameter = key.split(".")[-2:]
        bounds = _NOISE.get(device, {}).get(parameter)
    else:
        bounds = _NUMBERS.get(key)
    return "" if bounds is None or bounds.allow(value) else f"'{where}' must be {bounds}, not {value}"


def count_fault(where: str, count: int) -> str:
    """What is wrong with the length of the list at this key; empty if nothing is."""
    bounds = _COUNTS.get(where)
    return "" if bounds is None or bounds.allow(count) else f"'{where}' must have {bounds} values, not {count}"


def noise_names(device: str = "") -> list[str]:
    """The parameters that a preset of noise may give this device; of no device, the devices."""
    return list(_NOISE.get(device, ()) if device else _NOISE)


def order_faults(numbers: dict[str, float]) -> Iterator[tuple[str, str, str]]:
    """Pairs of keys whose values are in the wrong order, and what is wrong. `numbers`: the right ones, by key."""
    for smaller, words, larger in _ORDERS:
        if smaller not in numbers or larger not in numbers:
            continue
        low, high = numbers[smaller], numbers[larger]
        if low > high or (low == high and words == "less than"):
            yield smaller, larger, f"'{smaller}' must be {words} '{larger}', but {low} is not {words} {high}"
