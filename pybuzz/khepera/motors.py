"""The two motors of a real robot: control modes, orders, encoders (Khepera IV user manual, libkhepera).

Speeds are in units of pulses per 10 ms, encoders in pulses; m and s at the edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from pybuzz.khepera.model import Limits
from pybuzz.khepera.wheels import WheelOrders

__all__ = ["BridgeDrive", "Mode", "Motors", "SpeedProfile", "wrapped"]

LAG_S: Final = 0.03
"""Time constant with which the regulated wheel follows a new order (estimate)."""
RUN_OUT_S: Final = 0.04
"""Time constant of a wheel without current: it stands after 0.2 s (estimate)."""
PWM_FULL: Final = 2940
SPEED_AT_FULL_PWM: Final = 1350.0
MARGIN: Final = 20
_PERIODS_PER_S: Final = 100.0

Pair = tuple[float, float]


class Mode(IntEnum):
    """Control modes by their numbers; one for both wheels."""

    IDLE = 0
    SPEED = 1
    PROFILE = 2
    POSITION = 3
    OPEN_LOOP = 4


@dataclass(frozen=True, slots=True)
class SpeedProfile:
    """`acc_inc` units are added every `acc_div` + 1 control periods; `max_speed` and `min_speed_dec` are of position
    control; a smaller order than `min_speed_acc` is raised to it in profile mode."""

    acc_inc: int = 3
    acc_div: int = 0
    min_speed_acc: int = 20
    min_speed_dec: int = 1
    max_speed: int = 400

    @property
    def acceleration(self) -> float:
        """Units per second squared."""
        return self.acc_inc * _PERIODS_PER_S / (self.acc_div + 1)


def wrapped(value: int, bits: int) -> int:
    """What is left of a number in a signed register."""
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


class Motors:
    """Both wheels of one robot. left, right in this order everywhere.

    `speeds`: as the wheels turn now; `encoders`: float inside, read by `encoder_counts`; `pulse`: m of one. `stuck`:
    wheels that something holds, by side.
    """

    def __init__(self, limits: Limits) -> None:
        self._unit = limits.speed_unit
        self._least = limits.min_order
        self.pulse = limits.pulse
        self.speeds = [0.0, 0.0]
        self.encoders = [0.0, 0.0]
        self.stuck = [False, False]
        self.set_up()

    def set_up(self) -> None:
        """The library's start of the motors: default profile and margin, no order, idle."""
        self.mode = Mode.IDLE
        self.orders = [0, 0]
        self.profile = SpeedProfile()
        self.margin = MARGIN

    def reset(self) -> None:
        """The micro-controller starts anew."""
        self.set_up()
        self.encoders = [0.0, 0.0]

    def order(self, mode: Mode, left: int, right: int) -> None:
        """A new order, cut to the register's width: 32 bits for an encoder target, else 16."""
        bits = 32 if mode is Mode.POSITION else 16
        self.mode = mode
        self.orders = [wrapped(left, bits), wrapped(right, bits)]

    @property
    def encoder_counts(self) -> tuple[int, int]:
        """Whole pulses, signed 32 bit."""
        left, right = (wrapped(math.floor(count), 32) for count in self.encoders)
        return left, right

    @property
    def measured_speeds(self) -> tuple[int, int]:
        """Whole units, signed 16 bit."""
        left, right = (wrapped(round(speed), 16) for speed in self.speeds)
        return left, right

    @property
    def is_turning(self) -> bool:
        return self.speeds != [0.0, 0.0]

    def advance(self, seconds: float) -> Pair:
        """Let time pass. How fast the wheels' rims moved on average, in m/s."""
        left, right = (self._advance(side, seconds) for side in (0, 1))
        return left * self._unit, right * self._unit

    def _advance(self, side: int, seconds: float) -> float:
        if self.stuck[side]:
            self.speeds[side] = 0.0
            return 0.0
        if self.mode is Mode.PROFILE:
            speed, mean = self._ramp(side, self._profile_order(side), seconds)
        elif self.mode is Mode.POSITION:
            speed, mean = self._ramp(side, self._speed_to_target(side), seconds)
        else:
            speed, mean = self._lag(side, seconds)
        self.speeds[side] = speed
        self.encoders[side] += mean * seconds * _PERIODS_PER_S
        return mean

    def _lag(self, side: int, seconds: float) -> Pair:
        """First order: the speed at the end, and the mean on the way. Friction holds a wheel that is almost still."""
        target, constant = self._free_target(side)
        off = self.speeds[side] - target
        left_over = math.exp(-seconds / constant)
        speed = target + off * left_over
        mean = target + off * constant / seconds * (1.0 - left_over)
        return (0.0 if target == 0.0 and abs(speed) < self._least else speed), mean

    def _free_target(self, side: int) -> Pair:
        if self.mode is Mode.SPEED:
            return float(self.orders[side]), LAG_S
        if self.mode is Mode.OPEN_LOOP:
            duty = min(max(self.orders[side], -PWM_FULL), PWM_FULL)
            return duty * SPEED_AT_FULL_PWM / PWM_FULL, LAG_S if duty else RUN_OUT_S
        return 0.0, RUN_OUT_S

    def _ramp(self, side: int, target: float, seconds: float) -> Pair:
        before = self.speeds[side]
        change = self.profile.acceleration * seconds
        speed = min(max(target, before - change), before + change)
        return speed, 0.5 * (before + speed)

    def _profile_order(self, side: int) -> float:
        order = self.orders[side]
        return math.copysign(max(abs(order), self.profile.min_speed_acc), order) if order else 0.0

    def _speed_to_target(self, side: int) -> float:
        """As fast as the wheel may be to come to rest at its target with the profile's deceleration."""
        distance = self.orders[side] - self.encoders[side]
        if abs(distance) <= self.margin:
            return 0.0
        pulses_per_s = math.sqrt(2.0 * self.profile.acceleration * _PERIODS_PER_S * abs(distance))
        speed = min(max(pulses_per_s / _PERIODS_PER_S, self.profile.min_speed_dec), self.profile.max_speed)
        return math.copysign(speed, distance)


class BridgeDrive:
    """A simulated robot's wheels as a bridge would drive the real ones: its orders, and what the motors make of them.

    tick_s: the time between two commands.
    """

    def __init__(self, limits: Limits, tick_s: float) -> None:
        self._orders = WheelOrders(limits, period_s=tick_s)
        self._motors = Motors(limits)
        self._tick_s = tick_s

    def next(self, left_m_s: float, right_m_s: float) -> Pair:
        """What the wheels do in a tick in which a script asks for these speeds; m/s."""
        self._motors.order(Mode.SPEED, *self._orders.next(left_m_s, right_m_s))
        return self._motors.advance(self._tick_s)

    def stop(self) -> None:
        """No ramp delays an order to stop."""
        self._orders.stop()
