"""Numbers as the writers of experiment files print them: the shortest text that reads back to the same number."""

from __future__ import annotations

from math import nextafter, pi

__all__ = ["degrees_text", "length_text", "number_text"]

_DEGREE = pi / 180


def number_text(value: float) -> str:
    """The shortest decimal of a double, without a needless ".0"."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def degrees_text(radians: float) -> str:
    """The shortest number of degrees that becomes exactly this angle in rad."""
    degrees = radians / _DEGREE
    for digits in range(17):
        if round(degrees, digits) * _DEGREE == radians:
            return number_text(round(degrees, digits))
    near = (nextafter(degrees, -1e9), nextafter(degrees, 1e9))
    return number_text(next((other for other in near if other * _DEGREE == radians), degrees))


def length_text(ticks: int | None, ticks_per_second: int) -> str:
    """The length in s that is cut to exactly this number of ticks; "0" for an endless experiment."""
    seconds = (ticks or 0) / ticks_per_second
    while int(seconds * ticks_per_second) < (ticks or 0):
        seconds = nextafter(seconds, 1e9)
    return number_text(seconds)
