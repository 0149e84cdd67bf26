"""ARGoS 3's random numbers: a seeder that gives every user a generator of its own, and the draws made from it.

The generator is the standard MT19937 (Matsumoto and Nishimura, 1998) with its single-number seeding. The arithmetic
of the draws, and how many raw numbers each takes, is that of ARGoS 3 (`CRandom`). `Generator` serves one user at a
time, `Streams` many at once: one stream per noisy device, all advanced by one call.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part

__all__ = ["Generator", "Seeder", "Streams", "bernoulli_from", "first_uniform_int", "gaussian_from", "uniform_from"]

LARGEST = 4294967295
_WORDS = 624
_MIDDLE = 397


class Generator:
    """One stream of raw 32-bit numbers and ARGoS's draws from it. `seed` is any 32-bit number, 0 included."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.MT19937()
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": _seeded(seed), "pos": _WORDS}}

    def raw(self) -> int:
        """The next raw number, in [0, 2^32 - 1]."""
        return int(self._bits.random_raw())

    def uniform(self, low: float, high: float) -> float:
        """A real in [low, high], both ends included."""
        return self.raw() / LARGEST * (high - low) + low

    def uniform_int(self, low: int, high: int) -> int:
        """An integer, cut towards zero from a uniform real: `high` itself comes once in 2^32 draws."""
        return int(self.raw() / LARGEST * (high - low) + low)

    def bernoulli(self, probability: float) -> bool:
        return self.raw() < probability * LARGEST

    def gaussian(self, deviation: float, mean: float = 0.0) -> float:
        """Polar method; the second value of each pair is thrown away."""
        while True:
            x, y = self.uniform(-1.0, 1.0), self.uniform(-1.0, 1.0)
            square = x * x + y * y
            if 0.0 < square < 1.0:
                return mean + deviation * x * math.sqrt(-2.0 * math.log(square) / square)

    def exponential(self, mean: float) -> float:
        return -math.log(self.uniform(0.0, 1.0)) * mean


class Seeder:
    """Gives the seeds of generators, in the order in which ARGoS would make them."""

    def __init__(self, seed: int) -> None:
        self._generator = Generator(seed)

    def next_seed(self) -> int:
        return self._generator.uniform_int(1, LARGEST)

    def next_generator(self) -> Generator:
        return Generator(self.next_seed())


class Streams:
    """A bank of generators, row k seeded with `seeds[k]`, for kernels.

    states: uint32[k, 624]; places: int64[k], how many of a row's words are used up.
    """

    def __init__(self, seeds: Sequence[int]) -> None:
        self.states = np.zeros((len(seeds), _WORDS), dtype=np.uint32)
        for row, seed in enumerate(seeds):
            self.states[row] = _seeded(seed)
        self.places = np.full(len(seeds), _WORDS, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.places)

    def uniform(self, low: NDArray[np.float64], high: NDArray[np.float64], skipped: int = 0) -> NDArray[np.float64]:
        """float64[k, m]: m draws of every stream, draw j in [low[k, j], high[k, j]], after `skipped` others."""
        return _uniform_matrix(self.states, self.places, low, high, skipped)


def first_uniform_int(seed: int, low: int, high: int) -> int:
    """The first draw of `Generator(seed).uniform_int(low, high)`, without the cost of making a generator."""
    return int(_first_raw(seed) / LARGEST * (high - low) + low)


@kernel
def _seeded(seed: int) -> NDArray[np.uint32]:
    """The 624 words after the standard seeding with one number."""
    state = np.empty(_WORDS, dtype=np.uint32)
    word = np.uint64(seed)
    state[0] = word
    for i in range(1, _WORDS):
        word = (np.uint64(1812433253) * (word ^ (word >> np.uint64(30))) + np.uint64(i)) & np.uint64(0xFFFFFFFF)
        state[i] = word
    return state


@kernel
def _first_raw(seed: int) -> float:
    states = _seeded(seed).reshape(1, _WORDS)
    places = np.full(1, _WORDS, dtype=np.int64)
    return raw_from(states, places, 0)


@kernel_part
def _twist(state: NDArray[np.uint32]) -> None:
    """Replace all 624 words by the next 624."""
    for i in range(_WORDS):
        joined = (state[i] & np.uint32(0x80000000)) | (state[(i + 1) % _WORDS] & np.uint32(0x7FFFFFFF))
        word = state[(i + _MIDDLE) % _WORDS] ^ (joined >> np.uint32(1))
        if joined & np.uint32(1):
            word ^= np.uint32(0x9908B0DF)
        state[i] = word


@kernel_part
def raw_from(states: NDArray[np.uint32], places: NDArray[np.int64], row: int) -> float:
    """The next raw number of stream `row`, as a float (exact)."""
    if places[row] >= _WORDS:
        _twist(states[row])
        places[row] = 0
    word = states[row, places[row]]
    places[row] += 1
    word ^= word >> np.uint32(11)
    word ^= (word << np.uint32(7)) & np.uint32(0x9D2C5680)
    word ^= (word << np.uint32(15)) & np.uint32(0xEFC60000)
    word ^= word >> np.uint32(18)
    return float(word)


@kernel_part
def uniform_from(states: NDArray[np.uint32], places: NDArray[np.int64], row: int, low: float, high: float) -> float:
    """`Generator.uniform` of stream `row`."""
    return raw_from(states, places, row) / 4294967295.0 * (high - low) + low


@kernel_part
def bernoulli_from(states: NDArray[np.uint32], places: NDArray[np.int64], row: int, probability: float) -> bool:
    """`Generator.bernoulli` of stream `row`."""
    return raw_from(states, places, row) < probability * 4294967295.0


@kernel_part
def gaussian_from(states: NDArray[np.uint32], places: NDArray[np.int64], row: int, deviation: float) -> float:
    """`Generator.gaussian` of stream `row`, mean 0."""
    while True:
        x = uniform_from(states, places, row, -1.0, 1.0)
        y = uniform_from(states, places, row, -1.0, 1.0)
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return deviation * x * math.sqrt(-2.0 * math.log(square) / square)


@kernel
def _uniform_matrix(
    states: NDArray[np.uint32],
    places: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    skipped: int,
) -> NDArray[np.float64]:
    drawn = np.empty(low.shape)
    for row in range(low.shape[0]):
        for _ in range(skipped):
            raw_from(states, places, row)
        for column in range(low.shape[1]):
            drawn[row, column] = uniform_from(states, places, row, low[row, column], high[row, column])
    return drawn
