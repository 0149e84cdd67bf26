"""A slow look at every cell of an occupancy grid, in fractions: no rounding, no walking."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from pybuzz.sim.maps import OccupancyGrid

Interval = tuple[Fraction, Fraction]


def distance_in_map(grid: OccupancyGrid, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Parameter in [0, 1) at which the segment comes into the inside of the occupied region, or infinity."""
    gx, gy = (Fraction((a - o) / grid.resolution) for a, o in zip(start, grid.origin, strict=True))
    dx, dy = (Fraction((b - a) / grid.resolution) for a, b in zip(start, end, strict=True))
    rows, columns = grid.cells.shape
    entries = []
    for row, column in itertools.product(range(rows), range(columns)):
        if not grid.cells[row, column]:
            continue
        across, up = _within(gx, dx, column), _within(gy, dy, row)
        first, last = max(across[0], up[0], Fraction(0)), min(across[1], up[1])
        if first < last and first < 1 and _inside(grid, gx, dx, column, gy, dy, row):
            entries.append(first)
    return float(min(entries)) if entries else math.inf


def _within(start: Fraction, step: Fraction, cell: int) -> Interval:
    """The parameters at which start + t step lies in [cell, cell + 1]."""
    if step == 0:
        forever = Fraction(10**9)
        return (-forever, forever) if cell <= start <= cell + 1 else (forever, -forever)
    one, other = (cell - start) / step, (cell + 1 - start) / step
    return min(one, other), max(one, other)


def _inside(grid: OccupancyGrid, gx: Fraction, dx: Fraction, column: int, gy: Fraction, dy: Fraction, row: int) -> bool:
    """Along an edge of the cell both of its sides must be occupied."""
    if dx == 0 and gx in (column, column + 1):
        return _occupied(grid, column - 1 if gx == column else column + 1, row)
    if dy == 0 and gy in (row, row + 1):
        return _occupied(grid, column, row - 1 if gy == row else row + 1)
    return True


def _occupied(grid: OccupancyGrid, column: int, row: int) -> bool:
    rows, columns = grid.cells.shape
    return 0 <= column < columns and 0 <= row < rows and bool(grid.cells[row, column])
