"""The radio medium: which robots hear each other, from their poses (ARGoS 3's range_and_bearing medium)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.radio.antennas import antennas_of, bearings
from pybuzz.radio.links import Links

__all__ = ["Occluder", "Radio"]

MOST_CELLS_A_SIDE = 256


class Occluder(Protocol):
    """Says what stands between two antennas."""

    def __call__(self, antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[m]: whether something blocks pair k, looking from antenna pairs[k, 0] to pairs[k, 1]."""


class Radio:
    """A fleet's radios, in order of creation.

    ranges_m: how far each one's packets go. data_sizes: bytes of a packet; only radios of one size understand each
    other. height_m: of the antennas over the floor. ranks: the end from which a pair is looked along is the one of
    lower rank (`ranks_in_table`); by default the one created first.
    """

    def __init__(
        self,
        ranges_m: Sequence[float],
        data_sizes: Sequence[int],
        *,
        height_m: float = 0.0577,
        ranks: NDArray[np.int64] | None = None,
    ) -> None:
        self.height_m = height_m
        self._ranges = np.array(ranges_m, dtype=np.float64)
        self._sizes = np.asarray(data_sizes, dtype=np.int64)
        self._ranks = np.arange(len(self._ranges)) if ranks is None else ranks

    def silence(self, robot: int) -> None:
        """Nobody hears this robot any more; it still hears the others."""
        self._ranges[robot] = 0.0

    def exchange(self, poses: NDArray[np.float64], occluder: Occluder | None = None) -> Links:
        """Who hears whom: one receives another's packet if nothing is between and it is nearer than the sender's range.

        poses: float64[n, 3], x, y in m, unwrapped angle in rad. A robot whose pose is not known (NaN) hears and is
        heard by nobody. Without an occluder nothing blocks.
        """
        antennas = antennas_of(poses, self.height_m)
        pairs = _near_pairs(antennas, self._ranges, self._sizes, self._ranks)
        if occluder is not None and len(pairs):
            pairs = pairs[~occluder(antennas, pairs)]
        return Links(*_links(poses, antennas, pairs, self._ranges))


@kernel
def _distance(antennas: NDArray[np.float64], i: int, j: int) -> float:
    dx, dy, dz = antennas[i, 0] - antennas[j, 0], antennas[i, 1] - antennas[j, 1], antennas[i, 2] - antennas[j, 2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def _chains(
    antennas: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Antennas by cells at least `reach` wide: each one's cell or -1, the first of each cell, the next of each one.

    cells: int64[n, 2]; heads: int64[rows, columns]; following: int64[n]; -1 ends a chain.
    """
    n = len(antennas)
    known = np.array([i for i in range(n) if not math.isnan(antennas[i].sum())], dtype=np.int64)
    cells, following = np.full((n, 2), -1), np.full(n, -1)
    if len(known) == 0:
        return cells, np.full((1, 1), -1), following
    left, bottom = antennas[known, 0].min(), antennas[known, 1].min()
    extent = max(antennas[known, 0].max() - left, antennas[known, 1].max() - bottom)
    cell = max(min(reach, 2.0 * extent), extent / MOST_CELLS_A_SIDE, 1e-3)
    side = int(extent / cell) + 1
    heads = np.full((side, side), -1)
    for i in known[::-1]:
        row, column = int((antennas[i, 1] - bottom) / cell), int((antennas[i, 0] - left) / cell)
        cells[i, 0], cells[i, 1] = row, column
        following[i] = heads[row, column]
        heads[row, column] = i
    return cells, heads, following


@kernel
def _near_pairs(
    antennas: NDArray[np.float64], ranges: NDArray[np.float64], sizes: NDArray[np.int64], ranks: NDArray[np.int64]
) -> NDArray[np.int64]:
    """int64[m, 2]: all pairs of which at least one is in the other's range and whose packets are of one size."""
    reach = ranges.max() if len(ranges) else 0.0
    cells, heads, following = _chains(antennas, reach)
    pairs, count = np.empty((64, 2), dtype=np.int64), 0
    for i in range(len(antennas)):
        if cells[i, 0] < 0:
            continue
        for row in range(max(cells[i, 0] - 1, 0), min(cells[i, 0] + 2, len(heads))):
            for column in range(max(cells[i, 1] - 1, 0), min(cells[i, 1] + 2, len(heads))):
                j = heads[row, column]
                while j >= 0:
                    if j > i and sizes[i] == sizes[j] and _distance(antennas, i, j) < max(ranges[i], ranges[j]):
                        if count == len(pairs):
                            pairs = np.concatenate((pairs, np.empty_like(pairs)))
                        first = ranks[i] < ranks[j]
                        pairs[count, 0], pairs[count, 1] = (i, j) if first else (j, i)
                        count += 1
                    j = following[j]
    return pairs[:count].copy()


@kernel
def _senders(
    antennas: NDArray[np.float64], pairs: NDArray[np.int64], ranges: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of senders for each receiver, ascending: starts and senders of Links."""
    hears = np.zeros((len(pairs), 2), dtype=np.bool_)
    starts = np.zeros(len(antennas) + 1, dtype=np.int64)
    for k in range(len(pairs)):
        distance = _distance(antennas, pairs[k, 0], pairs[k, 1])
        for end in range(2):
            if distance < ranges[pairs[k, 1 - end]]:
                hears[k, end] = True
                starts[pairs[k, end] + 1] += 1
    starts = np.cumsum(starts)
    places, senders = starts.copy(), np.empty(starts[-1], dtype=np.int64)
    for k in range(len(pairs)):
        for end in range(2):
            if hears[k, end]:
                receiver = pairs[k, end]
                senders[places[receiver]] = pairs[k, 1 - end]
                places[receiver] += 1
    for receiver in range(len(antennas)):
        senders[starts[receiver] : starts[receiver + 1]].sort()
    return starts, senders


@kernel
def _links(
    poses: NDArray[np.float64], antennas: NDArray[np.float64], pairs: NDArray[np.int64], ranges: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The fields of Links: both directions of each pair, as far as they are in range."""
    starts, senders = _senders(antennas, pairs, ranges)
    distances, azimuths, elevations = np.empty(len(senders)), np.empty(len(senders)), np.empty(len(senders))
    for i in range(len(antennas)):
        for place in range(starts[i], starts[i + 1]):
            j = senders[place]
            vx, vy, vz = (
                antennas[j, 0] - antennas[i, 0],
                antennas[j, 1] - antennas[i, 1],
                antennas[j, 2] - antennas[i, 2],
            )
            distances[place], azimuths[place], elevations[place] = bearings(vx, vy, vz, poses[i, 2])
    return starts, senders, distances, azimuths, elevations
