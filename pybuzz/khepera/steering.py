"""From what a script asks for to wheel speeds. Takes cm/s and rad, as scripts do; leaves m/s in the Command."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from pybuzz.khepera.body import Command

__all__ = ["Steering", "WheelNoise", "WheelTurning"]

WheelNoise = Callable[[float, float], tuple[float, float]]
"""Left and right in m/s as asked for, to left and right as driven; drawn anew at every call (ARGoS's actuator)."""

_STRAIGHT, _SOFT, _HARD = range(3)


@dataclass(frozen=True, slots=True)
class WheelTurning:
    """Parameters of the turning state machine of gotoc: angles in rad."""

    hard_turn: float = math.radians(90)
    soft_turn: float = math.radians(70)
    no_turn: float = math.radians(10)
    max_speed_cm_s: float = 10.0


class Steering:
    """One robot's wheels. The turning state is kept from call to call, over a reset too, as in ARGoS."""

    __slots__ = ("_command", "_half_axle_cm", "_noise", "_state", "_turning")

    def __init__(self, command: Command, axle_m: float, turning: WheelTurning, noise: WheelNoise | None = None) -> None:
        self._command = command
        self._half_axle_cm = axle_m * 100.0 / 2.0
        self._turning = turning
        self._noise = noise
        self._state = _STRAIGHT

    def set_wheels(self, left: float, right: float) -> None:
        """Speeds of the wheels' rims in cm/s."""
        left_m_s, right_m_s = left * 0.01, right * 0.01
        if self._noise is not None and (left_m_s or right_m_s):
            left_m_s, right_m_s = self._noise(left_m_s, right_m_s)
        command = self._command
        command.left_m_s = left_m_s
        command.right_m_s = right_m_s

    def drive(self, speed: float, turn: float) -> None:
        """Forward speed in cm/s and rate of turn in rad/s, counter-clockwise: gotop as documented."""
        outer = turn * self._half_axle_cm
        self.set_wheels(speed - outer, speed + outer)

    def toward_polar(self, length: float, angle: float) -> None:
        """As `toward`, the vector given by its length in cm/s and its angle in rad: gotop in ARGoS."""
        turned = angle if math.isfinite(angle) else math.nan
        self.toward(length * math.cos(turned), length * math.sin(turned))

    def toward(self, x: float, y: float) -> None:
        """Steer along a vector in the robot's frame, in cm/s: ARGoS's turning state machine."""
        limits = self._turning
        angle = math.atan2(y, x)
        # What is no number counts as ARGoS's comparisons take it: straight ahead, as far as there is.
        off = 0.0 if math.isnan(angle) else abs(angle)
        length = math.sqrt(x * x + y * y)
        speed = length if length < limits.max_speed_cm_s else limits.max_speed_cm_s
        state = self._state = self._next_state(off)
        if state == _STRAIGHT:
            inner = outer = speed
        elif state == _SOFT:
            factor = (limits.hard_turn - off) / limits.hard_turn
            inner = speed - speed * (1.0 - factor)
            outer = speed + speed * (1.0 - factor)
        else:
            inner, outer = -limits.max_speed_cm_s, limits.max_speed_cm_s
        if angle > 0.0:
            self.set_wheels(inner, outer)
        else:
            self.set_wheels(outer, inner)

    def _next_state(self, off: float) -> int:
        # The tests follow each other in one call: a sharp change passes through several states at once.
        limits = self._turning
        state = self._state
        if state == _HARD and off <= limits.soft_turn:
            state = _SOFT
        if state == _SOFT:
            if off > limits.hard_turn:
                state = _HARD
            elif off <= limits.no_turn:
                state = _STRAIGHT
        if state == _STRAIGHT:
            if off > limits.hard_turn:
                state = _HARD
            elif off > limits.no_turn:
                state = _SOFT
        return state
