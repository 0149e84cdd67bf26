"""The radio medium: which robots hear each other, from their poses (ARGoS 3's range_and_bearing medium)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import array_part, kernel, kernel_part
from pybuzz.radio.antennas import antennas_of, bearings, facing
from pybuzz.radio.links import Links

__all__ = ["Occluder", "Radio"]

MOST_CELLS_A_SIDE = 256
_PAIRS_A_ROBOT = 8
"""Room that there is at first."""
_ALL_FREE = np.zeros(0, dtype=np.bool_)
_FARTHEST = 1e300
"""Beyond this (m) an antenna is nowhere: differences of nearer places are finite."""


class Occluder(Protocol):
    """Says what stands between two antennas."""

    def __call__(self, antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[m]: whether something blocks pair k, looking from antenna pairs[k, 0] to pairs[k, 1]."""


class Radio:
    """A fleet's radios, in order of creation.

    ranges_m: how far each one's packets go. data_sizes: bytes of a packet; only radios of one size understand each
    other. height_m: of the antennas over the floor, one for all or one each. ranks: the end from which a pair is looked
    along is the one of lower rank (`ranks_in_table`); by default the one created first.
    """

    def __init__(
        self,
        ranges_m: Sequence[float],
        data_sizes: Sequence[int],
        *,
        height_m: float | Sequence[float] = 0.0577,
        ranks: NDArray[np.int64] | None = None,
    ) -> None:
        self._ranges = np.array(ranges_m, dtype=np.float64)
        self._heights = np.array(np.broadcast_to(np.asarray(height_m, dtype=np.float64), self._ranges.shape))
        self._sizes = np.asarray(data_sizes, dtype=np.int64)
        self._ranks = np.arange(len(self._ranges)) if ranks is None else ranks

    @property
    def ranges_m(self) -> NDArray[np.float64]:
        """float64[n]: how far each robot's packets go; 0 for one that is silent."""
        return self._ranges

    @property
    def heights_m(self) -> NDArray[np.float64]:
        """float64[n]: the antennas over the floor."""
        return self._heights

    def silence(self, robot: int) -> None:
        """Nobody hears this robot any more; it still hears the others."""
        self._ranges[robot] = 0.0

    def exchange(self, poses: NDArray[np.float64], occluder: Occluder | None = None) -> Links:
        """Who hears whom: one receives another's packet if nothing is between and it is nearer than the sender's range.

        poses: float64[n, 3], x, y in m, unwrapped angle in rad. A robot whose pose is not known (NaN) hears and is
        heard by nobody. Without an occluder nothing blocks.
        """
        antennas, pairs = _near_pairs(poses, self._heights, self._ranges, self._sizes, self._ranks)
        blocked = _ALL_FREE if occluder is None or not len(pairs) else occluder(antennas, pairs)
        return Links(*_links(poses, antennas, pairs, blocked, self._ranges))


@kernel_part
def _distance(antennas: NDArray[np.float64], i: int, j: int) -> float:
    dx, dy, dz = antennas[i, 0] - antennas[j, 0], antennas[i, 1] - antennas[j, 1], antennas[i, 2] - antennas[j, 2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel_part
def _is_place(x: float, y: float) -> bool:
    """Whether an antenna is where it has a cell; not if its place is not known (nan)."""
    return abs(x) + abs(y) < _FARTHEST


@kernel_part
def _bounds(antennas: NDArray[np.float64]) -> tuple[float, float, float]:
    """Left and bottom of all known antennas, and the larger of width and height."""
    left, right, bottom, top = np.inf, -np.inf, np.inf, -np.inf
    for i in range(len(antennas)):
        x, y = antennas[i, 0], antennas[i, 1]
        if _is_place(x, y):
            left, right, bottom, top = min(left, x), max(right, x), min(bottom, y), max(top, y)
    return left, bottom, max(right - left, top - bottom, 0.0)


@array_part
def _chains(
    antennas: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Antennas by cells at least `reach` wide: the last of each cell, the one before each, each one's cell.

    tails: int64[rows, columns]; before: int64[n]; cells: int64[n, 2]; -1 ends a chain, and is the cell of an
    antenna whose place is not known.
    """
    left, bottom, extent = _bounds(antennas)
    size = max(min(reach, 2.0 * extent), extent / MOST_CELLS_A_SIDE, 1e-3)
    side = int(extent / size) + 1
    tails, before, cells = np.full((side, side), -1), np.full(len(antennas), -1), np.full((len(antennas), 2), -1)
    for i in range(len(antennas)):
        x, y = antennas[i, 0], antennas[i, 1]
        if _is_place(x, y):
            row, column = int((y - bottom) / size), int((x - left) / size)
            cells[i, 0], cells[i, 1] = row, column
            before[i] = tails[row, column]
            tails[row, column] = i
    return tails, before, cells


@array_part
def _with_room(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same pairs and as many free rows. Copied one by one: that compiles ten times as fast as a slice."""
    more = np.empty((2 * len(pairs), 2), dtype=np.int64)
    for k in range(len(pairs)):
        more[k, 0], more[k, 1] = pairs[k, 0], pairs[k, 1]
    return more


@kernel_part
def _add_pairs(
    i: int,
    antennas: NDArray[np.float64],
    chains: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    ranges: NDArray[np.float64],
    sizes: NDArray[np.int64],
    ranks: NDArray[np.int64],
    pairs: NDArray[np.int64],
    count: int,
) -> int:
    """Add the pairs of antenna i with later ones behind the first `count`, and return how many there are now.

    Every candidate is written, and overwritten if it is none: one in three is a pair, which no processor foresees.
    """
    tails, before, cells = chains
    for row in range(max(cells[i, 0] - 1, 0), min(cells[i, 0] + 2, len(tails))):
        for column in range(max(cells[i, 1] - 1, 0), min(cells[i, 1] + 2, len(tails))):
            j = tails[row, column]
            while j > i:
                pairs[count, 0], pairs[count, 1] = (i, j) if ranks[i] < ranks[j] else (j, i)
                count += sizes[i] == sizes[j] and _distance(antennas, i, j) < max(ranges[i], ranges[j])
                j = before[j]
    return count


@kernel
def _near_pairs(
    poses: NDArray[np.float64],
    heights: NDArray[np.float64],
    ranges: NDArray[np.float64],
    sizes: NDArray[np.int64],
    ranks: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The antennas, and int64[m, 2]: all pairs of which at least one is in the other's range and whose packets are of
    one size.

    The one of lower rank first; pairs in order of the one created first.
    """
    antennas, reach, n = antennas_of(poses, heights), 0.0, len(poses)
    for i in range(n):
        reach = max(reach, ranges[i])
    chains = _chains(antennas, reach)
    pairs, count = np.empty((_PAIRS_A_ROBOT * n, 2), dtype=np.int64), 0
    for i in range(n):
        if chains[2][i, 0] >= 0:
            if len(pairs) < count + n:
                pairs = _with_room(pairs)
            count = _add_pairs(i, antennas, chains, ranges, sizes, ranks, pairs, count)
    return antennas, pairs[:count]


@array_part
def _free(pairs: NDArray[np.int64], blocked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The pairs that are not blocked, moved to the front; no `blocked`: all."""
    if len(blocked) == 0:
        return pairs
    count = 0
    for k in range(len(pairs)):
        if not blocked[k]:
            pairs[count, 0], pairs[count, 1] = pairs[k, 0], pairs[k, 1]
            count += 1
    return pairs[:count]


@array_part
def _by_later(pairs: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """int64[m]: the pairs in order of the one created later."""
    places, order = np.zeros(n + 1, dtype=np.int64), np.empty(len(pairs), dtype=np.int64)
    for k in range(len(pairs)):
        places[max(pairs[k, 0], pairs[k, 1]) + 1] += 1
    for i in range(n):
        places[i + 1] += places[i]
    for k in range(len(pairs)):
        later = max(pairs[k, 0], pairs[k, 1])
        order[places[later]] = k
        places[later] += 1
    return order


@array_part
def _senders(
    antennas: NDArray[np.float64], pairs: NDArray[np.int64], ranges: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of senders for each receiver: starts and senders of Links.

    A row is ascending without sorting: the pairs in order of the earlier one give a receiver its earlier senders, then
    in order of the later one its later senders.
    """
    n = len(antennas)
    starts = np.zeros(n + 2, dtype=np.int64)
    for k in range(len(pairs)):
        distance = _distance(antennas, pairs[k, 0], pairs[k, 1])
        for end in range(2):
            starts[pairs[k, end] + 2] += distance < ranges[pairs[k, 1 - end]]
    for i in range(1, n + 1):
        starts[i + 1] += starts[i]
    senders, order = np.empty(starts[n + 1], dtype=np.int64), _by_later(pairs, n)
    for turn in range(2):
        for place in range(len(pairs)):
            k = place if turn == 0 else order[place]
            earlier, later = min(pairs[k, 0], pairs[k, 1]), max(pairs[k, 0], pairs[k, 1])
            sender, receiver = (earlier, later) if turn == 0 else (later, earlier)
            if _distance(antennas, sender, receiver) < ranges[sender]:
                senders[starts[receiver + 1]] = sender
                starts[receiver + 1] += 1
    return starts[: n + 1], senders


@kernel
def _links(
    poses: NDArray[np.float64],
    antennas: NDArray[np.float64],
    pairs: NDArray[np.int64],
    blocked: NDArray[np.bool_],
    ranges: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The fields of Links: both directions of each pair that is free, as far as they are in range."""
    starts, senders = _senders(antennas, _free(pairs, blocked), ranges)
    distances, azimuths, elevations = np.empty(len(senders)), np.empty(len(senders)), np.empty(len(senders))
    for i in range(len(antennas)):
        w, q = facing(poses[i, 2])
        for place in range(starts[i], starts[i + 1]):
            j = senders[place]
            vx, vy, vz = (
                antennas[j, 0] - antennas[i, 0],
                antennas[j, 1] - antennas[i, 1],
                antennas[j, 2] - antennas[i, 2],
            )
            distances[place], azimuths[place], elevations[place] = bearings(vx, vy, vz, w, q)
    return starts, senders, distances, azimuths, elevations
