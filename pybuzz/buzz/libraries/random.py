"""Buzz's random numbers: the C runtime's generator and its arithmetic, to the last bit.

The words are those of MT19937 from a state that the C runtime fills in its own way; Python's `random.Random`
does the generating from exactly that state, and nothing else of it is used. All floats are rounded to single
precision at each step, in double-precision programs too, so that a seed gives the same numbers in both.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pybuzz.buzz.single import c_float_function, to_single
from pybuzz.buzz.values import wrap32

__all__ = ["BuzzRandom"]

_STATE_SIZE = 624
_WORD = 0xFFFFFFFF
_LONG_WORD = 0xFFFFFFFFFFFFFFFF
_SIGN = 0x80000000
_ALL_ONES_AS_FLOAT = 4294967296.0
"""The largest word converted to single precision, by which the C runtime divides."""


class BuzzRandom:
    """One robot's generator (`math.rng`). The state is filled at the first draw after seeding."""

    __slots__ = ("_next_word", "_seed")

    def __init__(self, seed: int = 0) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start again from `seed`, of which 32 bits count."""
        self._seed = seed & _WORD
        self._next_word: Callable[[], int] = self._first_word

    def word(self) -> int:
        """The next 32 random bits, unsigned."""
        return self._next_word()

    def signed_word(self) -> int:
        """`uniform()`: the next 32 random bits, signed."""
        return wrap32(self._next_word())

    def integer_between(self, low: int, high: int) -> int:
        """An integer from `low` to `high - 1`, or, once in 2^32 draws, `high`.

        Reversed bounds follow from the modular arithmetic: (10, 5) gives 6 to 10.
        """
        span = wrap32(high - low) & _LONG_WORD
        return wrap32((self._next_word() * span & _LONG_WORD) // _WORD + low)

    def float_below(self, high: float) -> float:
        """A float in [0, high]."""
        scaled = to_single(to_single(self._next_word()) * to_single(high))
        return to_single(scaled / _ALL_ONES_AS_FLOAT)

    def float_between(self, low: float, high: float) -> float:
        """A float in [low, high]."""
        low = to_single(low)
        span = to_single(to_single(high) - low)
        scaled = to_single(to_single(self._next_word()) * span)
        return to_single(to_single(scaled / _ALL_ONES_AS_FLOAT) + low)

    def gaussian(self, deviation: float = 1.0, mean: float = 0.0) -> float:
        """A normally distributed float, by the polar method; the second of each pair is thrown away."""
        while True:
            first, second = self._symmetric(), self._symmetric()
            radius = to_single(to_single(first * first) + to_single(second * second))
            if radius < 1.0:
                break
        stretch = math.sqrt(to_single(to_single(-2.0 * _logf(radius)) / radius)) if radius else math.inf
        return to_single(to_single(mean) + to_single(to_single(deviation) * first) * stretch)

    def exponential(self, mean: float) -> float:
        """An exponentially distributed float."""
        share = to_single(self._next_word()) / _ALL_ONES_AS_FLOAT
        return to_single(-_logf(share) * to_single(mean))

    def _symmetric(self) -> float:
        doubled = to_single(self._next_word()) * 2.0
        return to_single(doubled / _ALL_ONES_AS_FLOAT - 1.0)

    def _first_word(self) -> int:
        from random import Random

        generator = Random()
        generator.setstate((3, (*_filled_state(self._seed), _STATE_SIZE), None))
        draw = generator.getrandbits
        self._next_word = lambda: draw(32)
        return draw(32)


def _filled_state(seed: int) -> list[int]:
    """MT19937's seeding, except that the C runtime shifts the signed word: the sign fills the upper bits."""
    state = [seed]
    for index in range(1, _STATE_SIZE):
        last = state[-1]
        shifted = last >> 30 if last < _SIGN else last >> 30 | 0xFFFFFFFC
        state.append((1812433253 * (last ^ shifted) + index) & _WORD)
    return state


def _logf(value: float) -> float:
    return c_float_function("logf")(value)
