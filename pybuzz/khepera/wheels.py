"""From what a script asks of the wheels to what a real robot is ordered: limits, ramp, rounding."""

from __future__ import annotations

import math

from pybuzz.khepera.model import Limits

__all__ = ["WheelOrders"]

RAMP_S = 0.1
"""The time that `Limits.order_change` is for."""


class WheelOrders:
    """One robot's orders, step by step, in units of `limits.speed_unit`.

    Both wheels are scaled by one factor to stay below `wheel_speed` (m/s, by default that of `limits`), so that the
    curve is kept; then each moves by at most the ramp's change a step, because the robot itself jumps to a new order
    at once. period_s: how long a step is.
    """

    def __init__(self, limits: Limits, *, period_s: float = RAMP_S, wheel_speed: float | None = None) -> None:
        self._unit = limits.speed_unit
        self._fastest = min(limits.wheel_speed if wheel_speed is None else wheel_speed, limits.wheel_speed_ceiling)
        self._most = limits.max_order
        self._least = limits.min_order
        self.change = max(1, round(limits.order_change * period_s / RAMP_S))
        self.left = 0
        self.right = 0

    def next(self, left_m_s: float, right_m_s: float) -> tuple[int, int]:
        """The orders of the next step. What is not a finite number is taken as 0."""
        fastest = max(abs(_finite(left_m_s)), abs(_finite(right_m_s)))
        scale = min(1.0, self._fastest / fastest) if fastest > 0.0 else 1.0
        self.left = self._toward(self.left, _finite(left_m_s) * scale)
        self.right = self._toward(self.right, _finite(right_m_s) * scale)
        return self.left, self.right

    def stop(self) -> None:
        """The wheels were told to stop, which no ramp delays; the next order starts from there."""
        self.left = self.right = 0

    def _toward(self, order: int, speed_m_s: float) -> int:
        target = min(max(round(speed_m_s / self._unit), -self._most), self._most)
        if abs(target) < self._least:
            target = 0
        return min(max(target, order - self.change), order + self.change)


def _finite(speed: float) -> float:
    return speed if math.isfinite(speed) else 0.0
