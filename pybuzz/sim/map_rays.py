"""Rays through an occupancy grid, cell by cell (Amanatides and Woo, 1987), with leaps where all around is free.

A ray meets the map where it comes into the inside of what is occupied, cells that touch taken together: one that runs
along a wall's face or only touches a corner passes, one between two occupied rows does not. One that starts in there
is stopped at once. What borders are compared by is exact for short binary fractions, so that ties on crossings of grid
lines are seen as such.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel_part
from pybuzz.sim.maps import Frame

__all__ = ["map_hit"]

_NEVER = math.inf
_FAR = 1e12
"""Rays over so many cells meet nothing: their rounding would be off by a thousandth of a cell."""
_WORTH_A_LEAP = 4
"""Clearance from which on a leap costs less than the single steps."""


@kernel_part
def _entry(start: float, step: float, count: int) -> float:
    """Parameter at which a ray is within [-1, count + 1] along one axis."""
    if -1.0 <= start <= count + 1.0:
        return 0.0
    if start < -1.0:
        return (-1.0 - start) / step if step > 0.0 else _NEVER
    return (count + 1.0 - start) / step if step < 0.0 else _NEVER


@kernel_part
def _cell(start: float, step: float, at: float) -> int:
    """The cell in which a ray goes on from a parameter; on a border the one ahead."""
    place = start + at * step
    cell = math.floor(place)
    return int(cell - 1 if step < 0.0 and cell == place else cell)


@kernel_part
def _borders(cell: int, start: float, step: float, count: int, until: float) -> tuple[int, float, float]:
    """Along one axis: direction, cells from the start to the next border, and from where on no border is crossed.

    That is at the parameter `until`, or half a cell short of leaving: sums of ones may be off by their rounding.
    """
    if step > 0.0:
        ahead = cell + 1.0 - start
        return 1, ahead, min(step * until, ahead + (count - cell) - 0.5)
    if step < 0.0:
        ahead = start - cell
        return -1, ahead, min(-step * until, ahead + (cell + 0.5))
    return 0, _NEVER, _NEVER


@kernel_part
def _roof(top: float, az: float, bz: float, at: float, until: float) -> float:
    """Where within [at, until] a ray is no higher than the map: there it meets it."""
    if az + at * (bz - az) <= top:
        return at
    if bz >= az:
        return _NEVER
    down = float((top - az) / (bz - az))
    return down if down <= until else _NEVER


@kernel_part
def map_hit(
    frame: Frame,
    cells: NDArray[np.uint8],
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    until: float,
) -> float:
    """Parameter, below `until` (at most 1), at which the segment from a to b meets the map, or infinity.

    cells: OccupancyGrid.clearance. All coordinates are finite.
    """
    left, bottom, size, columns, rows, top = frame
    x, y, dx, dy = (ax - left) / size, (ay - bottom) / size, (bx - ax) / size, (by - ay) / size
    wide, deep = abs(dx), abs(dy)
    if min(az, bz) > top or wide + deep == 0.0 or not abs(x) + abs(y) + wide + deep < _FAR:
        return _NEVER
    at = max(_entry(x, dx, columns), _entry(y, dy, rows))
    line = columns + 2
    twin = 0
    if dx == 0.0 and x == math.floor(x):
        twin = -1
    elif dy == 0.0 and y == math.floor(y):
        twin = -line
    if at >= until:
        return _NEVER
    column, row = min(max(_cell(x, dx, at), -1), columns), min(max(_cell(y, dy, at), -1), rows)
    per_cell = 1.0 / max(wide, deep)
    clear = cells[(row + 1) * line + column + 1]
    while True:
        while clear >= _WORTH_A_LEAP:
            # Two cells short of what is known to be free: rounding cannot put the end into an occupied cell.
            at += (clear - 2.0) * per_cell
            if at >= until:
                return _NEVER
            column, row = int(x + at * dx + 2.0) - 2, int(y + at * dy + 2.0) - 2
            if not (-1 <= column <= columns and -1 <= row <= rows):
                return _NEVER
            clear = cells[(row + 1) * line + column + 1]
        step_x, across, last_x = _borders(column, x, dx, columns, until)
        step_y, up, last_y = _borders(row, y, dy, rows, until)
        step_y *= line
        here = (row + 1) * line + column + 1
        one, other = across * deep, up * wide
        while clear < _WORTH_A_LEAP:
            # On a grid line both sides must be occupied.
            if clear == 0 and cells[here + twin] == 0:
                met = _roof(top, az, bz, at, min(across / wide, up / deep))
                if met < until:
                    return met
            moves_x, moves_y = one <= other, other <= one
            if (moves_x & (across >= last_x)) | (moves_y & (up >= last_y)):
                return _NEVER
            here += (step_x if moves_x else 0) + (step_y if moves_y else 0)
            one += deep if moves_x else 0.0
            other += wide if moves_y else 0.0
            across += 1.0 if moves_x else 0.0
            up += 1.0 if moves_y else 0.0
            clear = cells[here]
            if clear == 0:
                at = (across - 1.0) / wide if moves_x else (up - 1.0) / deep
        if wide > 0.0:
            at = max(at, (across - 1.0) / wide)
        if deep > 0.0:
            at = max(at, (up - 1.0) / deep)
