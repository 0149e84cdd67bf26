"""The rules of `heightmap_rules` compiled for the CPU: the same arithmetic in the same order, beam after beam."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import inlined_part, kernel

__all__ = ["exact_beams", "march_beams"]

Floats = NDArray[Any]
"""float32 or float64; all arrays of one call but the heights are of one kind."""


@inlined_part
def _turned(direction: Floats, turn: Floats) -> tuple[float, float]:
    return direction[0] * turn[0] - direction[1] * turn[1], direction[0] * turn[1] + direction[1] * turn[0]


@kernel
def march_beams(
    positions: Floats,
    heights: Floats,
    directions: Floats,
    turns: Floats,
    reaches: Floats,
    shares: Floats,
    frame: Floats,
    values: Floats,
    cells: NDArray[np.int64],
) -> None:
    """Fill values (B, N, K) and, unless it has no beams, cells (B, N, K): x Y + y of the cell that was hit, or -1.

    turns (B, N, 2): cosine and sine of each robot's heading, or (0, 0, 2). reaches, shares (S + 1): how far each sample
    is from the robot in m and as a share of the range. frame: X / 2, Y / 2, 1 / cell.
    """
    half_x, half_y, scale = frame
    columns, rows = heights.shape[1], heights.shape[2]
    told, turning = cells.shape[2] > 0, len(turns) > 0
    for b in range(positions.shape[0]):
        ground = heights[b]
        for n in range(positions.shape[1]):
            x, y, z = positions[b, n]
            for k in range(len(directions)):
                dx, dy = directions[k]
                if turning:
                    dx, dy = _turned(directions[k], turns[b, n])
                value, where, was_inside = shares[0], -1, False
                for s in range(1, len(reaches)):
                    column = ((x + dx * reaches[s]) + half_x) * scale
                    row = ((y + dy * reaches[s]) + half_y) * scale
                    if column >= 0 and row >= 0 and column < columns and row < rows:
                        was_inside = True
                        i, j = int(column), int(row)
                        if z <= ground[i, j]:
                            value, where = shares[s], i * rows + j
                            break
                    elif was_inside:
                        break
                values[b, n, k] = value
                if told:
                    cells[b, n, k] = where


@kernel
def exact_beams(
    positions: Floats,
    heights: Floats,
    directions: Floats,
    turns: Floats,
    most: Floats,
    frame: Floats,
    values: Floats,
    cells: NDArray[np.int64],
) -> None:
    """The same by traversal of the cells (Amanatides and Woo 1987); most: the range in m, 1 and infinity.

    No beam crosses more than `steps` borders, from places too where the next cell's number is the same.
    """
    half_x, half_y, scale = frame
    reach, one, never = most
    zero = one - one
    steps = math.ceil(float(reach) * float(scale) * math.sqrt(2.0)) + 4
    columns, rows = heights.shape[1], heights.shape[2]
    told, turning = cells.shape[2] > 0, len(turns) > 0
    for b in range(positions.shape[0]):
        ground = heights[b]
        for n in range(positions.shape[1]):
            gx, gy = (positions[b, n, 0] + half_x) * scale, (positions[b, n, 1] + half_y) * scale
            z = positions[b, n, 2]
            for k in range(len(directions)):
                dx, dy = directions[k]
                if turning:
                    dx, dy = _turned(directions[k], turns[b, n])
                i, j = np.floor(gx), np.floor(gy)
                ahead_x, ahead_y = one if dx > 0 else zero, one if dy > 0 else zero
                step_x, step_y = one if dx > 0 else -one, one if dy > 0 else -one
                pace_x, pace_y = one / (dx * scale), one / (dy * scale)
                at, value, where = zero, one, -1
                for _ in range(steps):
                    if not at <= reach:
                        break
                    if i >= 0 and j >= 0 and i < columns and j < rows and z <= ground[int(i), int(j)]:
                        value, where = at / reach, int(i) * rows + int(j)
                        break
                    to_x = ((i + ahead_x) - gx) * pace_x if dx != 0 else never
                    to_y = ((j + ahead_y) - gy) * pace_y if dy != 0 else never
                    if to_x <= to_y:
                        at = to_x
                        i += step_x
                    else:
                        at = to_y
                        j += step_y
                values[b, n, k] = value
                if told:
                    cells[b, n, k] = where
