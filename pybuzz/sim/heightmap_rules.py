"""How beams meet a height map, written once for every array library of the array API standard.

march   the sampled rule: of the places s range / S along a beam, s = 1 .. S, the first that lies over a cell no lower
        than the robot counts; the distance is s / S. Thin walls between two samples are missed.
exact   the beam's true way through the cells; the distance is that of the cell's border over the range.

Places off the map are clear. All arithmetic is done in the kind of numbers of the positions, in the order written here;
`heightmap_kernels` does the same, so that both agree to the last bit.
"""

from __future__ import annotations

import math
from typing import Any

from pybuzz.sim.heightmap_arrays import Array, as_integers, device_of

__all__ = ["exact", "march"]


def march(
    xp: Any,
    positions: Array,
    heights: Array,
    directions: tuple[Array, Array],
    reaches: Array,
    shares: Array,
    frame: Array,
) -> tuple[Array, Array]:
    """Distances and cells, each (B, N, K). directions: x and y of the beams, (1 or B, 1 or N, K).

    reaches, shares (S + 1): how far each sample is, in m and as a share. frame: X / 2, Y / 2, 1 / cell.
    """
    ground = _Ground(xp, positions, heights)
    x, y, z = (positions[..., axis : axis + 1] for axis in range(3))
    shape = (*positions.shape[:2], directions[0].shape[-1])
    samples = xp.zeros(shape, dtype=xp.int64, device=device_of(positions))
    cells = samples - 1
    for s in range(reaches.shape[0] - 1, 0, -1):
        column = xp.floor(((x + directions[0] * reaches[s]) + frame[0]) * frame[2])
        row = xp.floor(((y + directions[1] * reaches[s]) + frame[1]) * frame[2])
        hit, cell = ground.blocks(column, row, z)
        samples = xp.where(hit, samples * 0 + s, samples)
        cells = xp.where(hit, cell, cells)
    return xp.reshape(xp.take(shares, xp.reshape(samples, (-1,))), shape), cells


def exact(
    xp: Any, positions: Array, heights: Array, directions: tuple[Array, Array], most: Array, frame: Array
) -> tuple[Array, Array]:
    """The same by traversal of the cells (Amanatides and Woo 1987). most: the range in m, 1 and infinity."""
    ground = _Ground(xp, positions, heights)
    reach, one = most[0], most[1]
    z = positions[..., 2:3]
    walks = [_Walk(xp, (positions[..., a : a + 1] + frame[a]) * frame[2], directions[a], frame[2], one) for a in (0, 1)]
    at = 0 * (walks[0].cell + walks[1].cell)
    walks[0].cell, walks[1].cell = walks[0].cell + at, walks[1].cell + at
    value, where = at + one, xp.full(at.shape, -1, dtype=xp.int64, device=device_of(positions))
    open_ = at <= reach
    for _ in range(math.ceil(float(reach) * float(frame[2]) * math.sqrt(2.0)) + 4):
        hit, cell = ground.blocks(walks[0].cell, walks[1].cell, z)
        hit = hit & open_
        value, where = xp.where(hit, at / reach, value), xp.where(hit, cell, where)
        to_x, to_y = walks[0].next_border(), walks[1].next_border()
        across = to_x <= to_y
        at = xp.where(across, to_x, to_y)
        walks[0].advance(across)
        walks[1].advance(~across)
        open_ = open_ & ~hit & (at <= reach)
    return value, where


class _Ground:
    """The heights of all maps in one row, and where each map begins."""

    def __init__(self, xp: Any, positions: Array, heights: Array) -> None:
        self._xp = xp
        maps, self._columns, self._rows = heights.shape
        self._flat = xp.reshape(heights, (-1,))
        first = xp.arange(maps, dtype=xp.int64, device=device_of(positions)) * (self._columns * self._rows)
        self._first = xp.reshape(first, (-1, 1, 1))

    def blocks(self, column: Array, row: Array, z: Array) -> tuple[Array, Array]:
        """Whether each cell is on the map and no lower than z, and its number x Y + y. column, row: whole floats."""
        xp = self._xp
        inside = (column >= 0) & (column < self._columns) & (row >= 0) & (row < self._rows)
        i, j = (as_integers(xp, xp.where(inside, place, place * 0)) for place in (column, row))
        cell = i * self._rows + j
        found = xp.take(self._flat, xp.reshape(cell + self._first, (-1,)))
        return inside & (z <= xp.reshape(found, cell.shape)), cell


class _Walk:
    """The way along one axis: the cell it is in, and how far it is to the next border."""

    def __init__(self, xp: Any, start: Array, direction: Array, scale: Array, one: Array) -> None:
        self._xp = xp
        self._start = start
        rises, falls = direction > 0, direction < 0
        zero = direction * 0
        self._moves = rises | falls
        self._ahead = xp.where(rises, zero + one, zero)
        self._step = self._ahead - xp.where(falls, zero + one, zero)
        self._pace = one / (xp.where(self._moves, direction, zero + one) * scale)
        self.cell = xp.floor(start)

    def next_border(self) -> Array:
        """m from the start of the beam; infinity if it never comes."""
        distance = ((self.cell + self._ahead) - self._start) * self._pace
        return self._xp.where(self._moves, distance, distance * 0 + math.inf)

    def advance(self, mask: Array) -> None:
        self.cell = self._xp.where(mask, self.cell + self._step, self.cell)
