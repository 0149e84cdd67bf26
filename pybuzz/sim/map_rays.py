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

from pybuzz.compiled import inlined_part, kernel_part
from pybuzz.sim.maps import Frame

__all__ = ["map_hit"]

_NEVER = math.inf
_FAR = 1e12
"""Rays over so many cells meet nothing: their rounding would be off by a thousandth of a cell."""
_STILL = 1e-150
"""A step along an axis (cells) below this is none: products of two of them would be off."""
_WORTH_A_LEAP = 3
"""Clearance from which on a leap costs less than the single steps."""
_BITS = 32
"""Leaps are reckoned in whole numbers of 2^-32 of a cell, which takes less than half the time."""
_SHORT = 1.0 - 2.0**-12
"""The part of a leap that is done, so that rounding leads none out of the free cells: it is less in a million cells."""


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
def _borders(cell: int, start: float, step: float, count: int) -> tuple[int, float, float]:
    """Along one axis: direction, cells from the start to the next border, and to where the ray is out of the map.

    That is in the middle of the ring around it: sums may be off by their rounding.
    """
    if step > 0.0:
        ahead = cell + 1.0 - start
        return 1, ahead, ahead + (count - cell) - 0.5
    if step < 0.0:
        ahead = start - cell
        return -1, ahead, ahead + (cell + 0.5)
    return 0, _NEVER, _NEVER


@inlined_part
def _whole(place: float) -> int:
    """A place in units of leaps."""
    return int(min(max(place, -2.0), 2.0**27) * 2.0**_BITS)


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
    left, bottom, size, columns, rows, top = frame[0], frame[1], frame[2], int(frame[3]), int(frame[4]), frame[5]
    x, y, dx, dy = (ax - left) / size, (ay - bottom) / size, (bx - ax) / size, (by - ay) / size
    dx, dy = dx if abs(dx) > _STILL else 0.0, dy if abs(dy) > _STILL else 0.0
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
    per_cell = _SHORT / max(wide, deep)
    leap_x, leap_y = _whole(dx * per_cell), _whole(dy * per_cell)
    # Along the ray places are counted in `unit`s of its parameter, so that the next border is found without a division.
    per_x, per_y = deep if deep > 0.0 else 1.0, wide if wide > 0.0 else 1.0
    unit = per_x * per_y
    here = (row + 1) * line + column + 1
    while True:
        if cells[here] >= _WORTH_A_LEAP:
            far_x, far_y = _whole(x + at * dx), _whole(y + at * dy)
            while cells[here] >= _WORTH_A_LEAP:
                # Into the last of the cells that are known to be free.
                cleared = int(cells[here]) - 1
                far_x, far_y, at = far_x + cleared * leap_x, far_y + cleared * leap_y, at + cleared * per_cell
                column, row = far_x >> _BITS, far_y >> _BITS
                if not (-1 <= column <= columns and -1 <= row <= rows) or at >= until:
                    return _NEVER
                here = (row + 1) * line + column + 1
        step_x, across, out_x = _borders(column, x, dx, columns)
        step_y, up, out_y = _borders(row, y, dy, rows)
        step_y *= line
        next_x, next_y = across * per_x, up * per_y
        end = min(until * unit, out_x * per_x, out_y * per_y)
        clear, border = cells[here], 0.0
        while clear < _WORTH_A_LEAP:
            border = min(next_x, next_y)
            # On a grid line both sides must be occupied.
            if clear == 0 and cells[here + twin] == 0:
                met = _roof(top, az, bz, at, border / unit)
                if met < until:
                    return met
            if border >= end:
                return _NEVER
            here += (step_x if next_x <= border else 0) + (step_y if next_y <= border else 0)
            next_x += per_x if next_x <= border else 0.0
            next_y += per_y if next_y <= border else 0.0
            if not 0 <= here < len(cells):
                return _NEVER
            clear = cells[here]
            if clear == 0:
                at = border / unit
        at = max(at, border / unit)
