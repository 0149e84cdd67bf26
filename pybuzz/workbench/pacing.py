"""When the next tick is due, and how many there are in a second. Results never depend on it."""

from __future__ import annotations

import math
from time import monotonic
from typing import Final

__all__ = ["Pace", "within_bounds"]

_SLOWEST: Final = 0.01
_FASTEST: Final = 1000.0
"""Factors beyond make waiting times that no clock can hold, and players that jump."""
_MOST_BEHIND_S: Final = 0.25
"""Later than this, the time that was lost is not made up for."""
_RATE_OVER_S: Final = 0.5


def within_bounds(factor: float | None) -> float | None:
    """The nearest factor at which a run can be played; None, as fast as it goes, stays."""
    return None if factor is None else float(min(max(factor, _SLOWEST), _FASTEST))


class Pace:
    """factor: 1 is real time; None: as fast as it goes."""

    def __init__(self, factor: float | None) -> None:
        self.factor = within_bounds(factor)
        self.rate = 0.0
        """Ticks a second, of late."""
        self._tick_s = 0.1
        self._hurry = False
        self._due = self._counted_from = 0.0
        self._counted = 0

    def set(self, factor: object) -> bool:
        """Another speed; False, and nothing changes, if it is none."""
        if factor is not None and not (isinstance(factor, int | float) and 0.0 < factor < math.inf):
            return False
        self.factor = within_bounds(factor)
        self._due = monotonic()
        return True

    def start(self, ticks_per_second: int, *, hurry: bool) -> None:
        """From now on. hurry: as fast as it goes, whatever the factor."""
        self._tick_s = 1.0 / ticks_per_second
        self._hurry = hurry
        self._due = self._counted_from = monotonic()
        self._counted = 0

    def wait_s(self) -> float:
        """Seconds until the next tick is due."""
        return 0.0 if self._hurry or self.factor is None else max(0.0, self._due - monotonic())

    def count(self) -> None:
        """A tick was run."""
        now = monotonic()
        if self.factor is not None:
            self._due = max(self._due + self._tick_s / self.factor, now - _MOST_BEHIND_S)
        self._counted += 1
        if now - self._counted_from >= _RATE_OVER_S:
            self.rate = self._counted / (now - self._counted_from)
            self._counted_from, self._counted = now, 0
