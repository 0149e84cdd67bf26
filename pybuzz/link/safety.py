"""When a robot must stop though its script would go on: rules over encoders, orders and battery. No I/O, no clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["BatteryState", "PauseWatch", "StuckWatch", "judge_battery"]

BatteryState = Literal["good", "low", "empty", "unknown"]

_LOW_PERCENT: Final = 20.0
_LOW_VOLTS: Final = 7.0
_EMPTY_PERCENT: Final = 10.0
_EMPTY_VOLTS: Final = 6.6

_NOTABLE_ORDER: Final = 20
_STANDS_S: Final = 0.5
_RUN_OUT_S: Final = 0.5
_LEAST_SHARE: Final = 0.05
_PULSES_PER_UNIT_S: Final = 100.0


def judge_battery(percent: float | None, volts: float | None) -> BatteryState:
    """Low asks for a warning, empty ends the run: at 6.0 V the cells disconnect and nothing can be told any more."""
    if percent is None and volts is None:
        return "unknown"
    charge = 100.0 if percent is None else percent
    tension = 8.4 if volts is None else volts
    if charge < _EMPTY_PERCENT or tension < _EMPTY_VOLTS:
        return "empty"
    return "low" if charge < _LOW_PERCENT or tension < _LOW_VOLTS else "good"


@dataclass(slots=True)
class _Wheel:
    ordered_s: float = 0.0
    ordered_pulses: float = 0.0
    turned: float = 0.0
    unordered_s: float = 0.0
    strayed_s: float = 0.0

    def take(self, order: int, pulses: int, elapsed_s: float) -> str:
        if abs(order) > _NOTABLE_ORDER:
            return self._ordered(order, pulses, elapsed_s)
        self.ordered_s = self.ordered_pulses = self.turned = 0.0
        return self._unordered(order, pulses, elapsed_s)

    def _ordered(self, order: int, pulses: int, elapsed_s: float) -> str:
        self.unordered_s = self.strayed_s = 0.0
        self.ordered_s += elapsed_s
        self.ordered_pulses += abs(order) * _PULSES_PER_UNIT_S * elapsed_s
        self.turned += abs(pulses)
        if self.turned > _LEAST_SHARE * self.ordered_pulses:
            self.ordered_s = self.ordered_pulses = self.turned = 0.0
        return "does not turn" if self.ordered_s >= _STANDS_S else ""

    def _unordered(self, order: int, pulses: int, elapsed_s: float) -> str:
        self.unordered_s = self.unordered_s + elapsed_s if order == 0 else 0.0
        strays = abs(pulses) > _NOTABLE_ORDER * _PULSES_PER_UNIT_S * elapsed_s
        self.strayed_s = self.strayed_s + elapsed_s if strays and self.unordered_s > _RUN_OUT_S else 0.0
        return "turns without an order" if self.strayed_s >= _STANDS_S else ""


@dataclass(slots=True)
class StuckWatch:
    """One robot's wheels: an order over 20 units that stands for 0.5 s must turn them, and only orders may."""

    _left: _Wheel = field(default_factory=_Wheel)
    _right: _Wheel = field(default_factory=_Wheel)

    def take(self, orders: tuple[int, int], pulses: tuple[int, int], elapsed_s: float) -> str:
        """What is wrong, after `elapsed_s` in which these orders stood and the encoders counted these pulses; or ""."""
        for name, wheel, order, counted in zip(
            ("left", "right"), (self._left, self._right), orders, pulses, strict=True
        ):
            fault = wheel.take(order, counted, elapsed_s)
            if fault:
                return f"the {name} wheel {fault}"
        return ""

    def reset(self) -> None:
        """What was before says nothing any more."""
        self._left, self._right = _Wheel(), _Wheel()


class PauseWatch:
    """Whether the thread of a robot ran all the time: a computer that sleeps, or is frozen, does not know it did.

    longest_s: the longest pause over the limit, until somebody takes note of it. Times in s, steady clock.
    """

    def __init__(self, limit_s: float) -> None:
        self.longest_s = 0.0
        self._limit_s = limit_s
        self._looked_at = 0.0

    def reset(self, now: float) -> None:
        """What was before is known."""
        self.longest_s, self._looked_at = 0.0, now

    def look(self, now: float, *, asleep_s: float = 0.0) -> None:
        """Called often; `asleep_s` of the time since the last call were meant to pass."""
        pause_s, self._looked_at = now - self._looked_at - asleep_s, now
        if pause_s > self._limit_s:
            self.longest_s = max(self.longest_s, pause_s)
