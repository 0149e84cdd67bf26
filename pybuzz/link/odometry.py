"""Where a robot is by its wheels, and what its encoders say about its health.

Formulas: exact arcs of a differential drive, left turns positive (Khepera IV frame: x forward, y left).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

__all__ = ["Motion", "Odometry", "Pose", "Reading", "advance", "wrapped"]

Pose = tuple[float, float, float]
"""x, y in m, yaw in rad in (-pi, pi]."""

Orders = tuple[int, int]
"""Left and right in units; a unit is a pulse in 10 ms."""

_RUN_OUT_PULSES: Final = 1500
_BACKLASH_PULSES: Final = 300
"""2 mm: no wheel turns further against its orders."""


class Reading(Enum):
    """What an encoder reading was: motion, the first one, a jump that is not believed, or a reset to 0."""

    MOTION = "motion"
    FIRST = "first"
    JUMP = "jump"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Motion:
    """Since the reading before: distance of the middle in m, turn in rad, pulses of each wheel."""

    kind: Reading
    distance_m: float = 0.0
    turn_rad: float = 0.0
    pulses: tuple[int, int] = (0, 0)


class Odometry:
    """One robot's encoders. pulse_m: travel of a pulse; left, right, axle: corrections by calibration."""

    def __init__(
        self, pulse_m: float, axle_m: float, *, left: float = 1.0, right: float = 1.0, axle: float = 1.0
    ) -> None:
        self._left_m, self._right_m = pulse_m * left, pulse_m * right
        self._axle_m = axle_m * axle
        self._base: tuple[int, int] | None = None
        self._base_age_s = 0.0
        self._strange: tuple[int, int] | None = None
        """The last reading, if it was not believed. The next one goes on from it, or from the base."""

    def read(self, left: int, right: int, elapsed_s: float, orders: Sequence[Orders]) -> Motion:
        """Takes in a reading, `elapsed_s` after the one before. orders: those that wheels may have followed since.

        A reset: the wheels cannot have turned so by their orders, but from encoders at 0 on they can. A jump: from
        neither; motion goes on from there if the next reading does.
        """
        base, strange = self._base, self._strange
        if base is None:
            self._base = (left, right)
            return Motion(Reading.FIRST)
        self._base_age_s += elapsed_s
        slots, slots_of_base = elapsed_s / 0.01 + 2.0, self._base_age_s / 0.01 + 2.0
        pulses = _difference((left, right), base)
        if _follow(pulses, orders, slots_of_base):
            return self._believe(left, right, pulses)
        if _follow((left, right), orders, slots):
            self._believe(left, right, (0, 0))
            return Motion(Reading.RESET)
        if strange is not None and _follow(_difference((left, right), strange), orders, slots):
            return self._believe(left, right, _difference((left, right), strange))
        self._strange = (left, right)
        # For who looks after the wheels: what they turned since the last reading, whatever that was.
        return Motion(Reading.JUMP, pulses=_difference((left, right), strange or base))

    def _believe(self, left: int, right: int, pulses: tuple[int, int]) -> Motion:
        self._base, self._base_age_s, self._strange = (left, right), 0.0, None
        return self._motion(pulses)

    def resume(self, left: int, right: int, orders: Orders, elapsed_s: float) -> Motion:
        """The first reading after a gap in which these orders (units) stood for a while, or no longer.

        Motion if the wheels can have turned so; else the encoders were reset meanwhile, and this is a first reading.
        """
        base, self._base = self._base, (left, right)
        self._base_age_s, self._strange = 0.0, None
        if base is None:
            return Motion(Reading.FIRST)
        pulses = _difference((left, right), base)
        if not all(_can_be(*wheel, elapsed_s) for wheel in zip(pulses, orders, strict=True)):
            return Motion(Reading.FIRST)
        return self._motion(pulses)

    def _motion(self, pulses: tuple[int, int]) -> Motion:
        left_m, right_m = pulses[0] * self._left_m, pulses[1] * self._right_m
        return Motion(Reading.MOTION, (left_m + right_m) / 2.0, (right_m - left_m) / self._axle_m, pulses)


def advance(pose: Pose, distance_m: float, turn_rad: float) -> Pose:
    """The pose after an arc."""
    x, y, yaw = pose
    if abs(turn_rad) > 1e-6:
        radius = distance_m / turn_rad
        x += radius * (math.sin(yaw + turn_rad) - math.sin(yaw))
        y += radius * (math.cos(yaw) - math.cos(yaw + turn_rad))
    else:
        x += distance_m * math.cos(yaw + turn_rad / 2.0)
        y += distance_m * math.sin(yaw + turn_rad / 2.0)
    return x, y, wrapped(yaw + turn_rad)


def wrapped(angle: float) -> float:
    """The angle in (-pi, pi]."""
    turned = math.remainder(angle, 2.0 * math.pi)
    return math.pi if turned == -math.pi else turned


def _can_be(pulses: int, order: int, elapsed_s: float) -> bool:
    """Whether a wheel turned so far, from not at all to all the time (a unit is a pulse in 10 ms)."""
    most = order * elapsed_s / 0.01
    return min(0.0, most) - _RUN_OUT_PULSES <= pulses <= max(0.0, most) + _RUN_OUT_PULSES


def _follow(pulses: tuple[int, int], orders: Sequence[Orders], slots: float) -> bool:
    """Whether both wheels can have turned so in `slots` of 10 ms: not far against their orders, nor far beyond them."""
    for count, own in zip(pulses, zip(*orders, strict=True), strict=True):
        back, ahead = min(0, *own), max(0, *own)
        least = back * slots - (_RUN_OUT_PULSES if back else _BACKLASH_PULSES)
        most = ahead * slots + (_RUN_OUT_PULSES if ahead else _BACKLASH_PULSES)
        if not least <= count <= most:
            return False
    return True


def _difference(new: tuple[int, int], old: tuple[int, int]) -> tuple[int, int]:
    return _wrapped_difference(new[0], old[0]), _wrapped_difference(new[1], old[1])


def _wrapped_difference(new: int, old: int) -> int:
    return (new - old + 2**31) % 2**32 - 2**31
