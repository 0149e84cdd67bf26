"""Rays: which body a segment meets first, by the rules of ARGoS 3's dynamics2d engine (Chipmunk 6 outlines).

A segment meets a body where it enters its outline from outside, at a height between the body's base and top; a
segment that starts inside an outline does not meet that body. One that passes above may still come down on the roof.
The occupancy grid of a scene has rules of its own, see map_rays.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import inlined_part, kernel, kernel_part
from pybuzz.sim.bodies import BOX
from pybuzz.sim.grid import HIGH, KIND, LOW, NOWHERE, RADIUS, SIDES, X, Y, spread
from pybuzz.sim.map_rays import map_hit
from pybuzz.sim.maps import Frame

__all__ = ["beams_to", "blocked_pairs", "cast", "first_hit", "turn"]

_NEVER = math.inf
_STILL = 1e-290
"""A step along an axis (m) below which there is none: its inverse times a cell would be infinite, or no number."""
_ASIDE = 1e-6
"""By how much (m) more than beams reach is looked at when it is asked whether anything is near."""
_HEIGHT_MARGIN = 1e-9
"""Bodies lower than a ray by more than this (m) are passed over without looking; rounding stays far below it."""


@inlined_part
def turn(x: float, y: float, z: float, w: float, q: float) -> tuple[float, float, float]:
    """Rotate a vector by the quaternion (w, 0, 0, q), with ARGoS's order of operations."""
    k, l, m, o = -q * z, w * x - q * y, w * y + q * x, w * z  # noqa: E741
    return l * w - m * q, l * q + m * w, o * w - k * q


@inlined_part
def _circle_entry(ax: float, ay: float, bx: float, by: float, radius: float) -> float:
    """Parameter at which the segment from a to b enters a circle about the origin, or infinity."""
    aa, ab, bb = ax * ax + ay * ay, ax * bx + ay * by, bx * bx + by * by
    qa, qb, qc = aa - 2.0 * ab + bb, -2.0 * aa + 2.0 * ab, aa - radius * radius
    inside_root = qb * qb - 4.0 * qa * qc
    if inside_root >= 0.0:
        t = (-qb - math.sqrt(inside_root)) / (2.0 * qa)
        if 0.0 <= t <= 1.0:
            return t
    return _NEVER


@inlined_part
def _box_entry(outlines: NDArray[np.float64], b: int, ax: float, ay: float, bx: float, by: float) -> float:
    """Parameter at which the segment from a to b enters box b, or infinity."""
    entry = _NEVER
    for i in range(4):
        side = SIDES + 5 * i
        nx, ny, offset = outlines[b, side], outlines[b, side + 1], outlines[b, side + 2]
        start = ax * nx + ay * ny
        if offset > start:
            continue
        end = bx * nx + by * ny
        if end > offset:
            continue
        t = (offset - start) / (end - start)
        x, y = ax * (1.0 - t) + bx * t, ay * (1.0 - t) + by * t
        if outlines[b, side + 3] <= -(nx * y - ny * x) <= outlines[b, side + 4]:
            entry = t
    return entry


@kernel_part
def _covers(outlines: NDArray[np.float64], b: int, x: float, y: float) -> bool:
    """Whether a point lies in the outline of body b."""
    if outlines[b, KIND] != BOX:
        x, y, radius = x - outlines[b, X], y - outlines[b, Y], outlines[b, RADIUS]
        return bool(x * x + y * y < radius * radius)
    for i in range(4):
        side = SIDES + 5 * i
        if outlines[b, side] * x + outlines[b, side + 1] * y - outlines[b, side + 2] > 0.0:
            return False
    return True


@inlined_part
def _entry(
    outlines: NDArray[np.float64], b: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> float:
    """Parameter at which the segment meets body b, or infinity: its side, or from above its roof."""
    if outlines[b, KIND] == BOX:
        t = _box_entry(outlines, b, ax, ay, bx, by)
    else:
        x, y = outlines[b, X], outlines[b, Y]
        t = _circle_entry(ax - x, ay - y, bx - x, by - y, outlines[b, RADIUS])
    if t == _NEVER:
        return t
    z = t * (bz - az) + az
    if outlines[b, LOW] <= z <= outlines[b, HIGH]:
        return t
    if z > outlines[b, HIGH]:
        t = float((outlines[b, HIGH] - az) / (bz - az))
        if 0.0 <= t <= 1.0 and _covers(outlines, b, t * (bx - ax) + ax, t * (by - ay) + ay):
            return t
    return _NEVER


@kernel_part
def _clip(start: float, step: float, low: float, high: float, first: float, last: float) -> tuple[float, float]:
    """The part of [first, last] for whose parameters t start + t step lies in [low, high]; first > last if none."""
    if low <= start <= high and low <= start + step <= high:
        return first, last
    if step == 0.0:
        return 1.0, 0.0
    one, other = (low - start) / step, (high - start) / step
    return max(first, min(one, other)), min(last, max(one, other))


@kernel_part
def _walk(cell: int, step: float, corner: float, size: float, start: float) -> tuple[int, float, float]:
    """Along one axis: direction, parameter of the next border, parameters per cell."""
    if abs(step) < _STILL:
        return 0, _NEVER, 0.0
    per_unit = 1.0 / step
    return (1 if step > 0.0 else -1), (corner + (cell + (step > 0.0)) * size - start) * per_unit, abs(size * per_unit)


@inlined_part
def _first_hit(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    ignored: int,
) -> tuple[float, int]:
    """See first_hit. Walks the cells along the segment (Amanatides and Woo, 1987) until a hit lies before
    the far border of a cell. Rounding may carry it one cell too far, no farther than into the empty border.
    """
    nearest, hit = 1.0, -1
    dx, dy = bx - ax, by - ay
    if not abs(ax) + abs(ay) + abs(bx) + abs(by) < NOWHERE:
        # Also if one is no number: a walk would not end.
        return _NEVER, -1
    if len(cells) > 0:
        t = map_hit(frame, cells, ax, ay, az, bx, by, bz, 1.0)
        if t < nearest:
            nearest, hit = t, len(outlines)
    left, bottom, cell, columns, rows = spread(lattice)
    first, last = _clip(ax, dx, left + cell, left + (columns - 1) * cell, 0.0, nearest)
    first, last = _clip(ay, dy, bottom + cell, bottom + (rows - 1) * cell, first, last)
    if first > last:
        return (nearest, hit) if hit >= 0 else (_NEVER, -1)
    column = min(max(int((ax + first * dx - left) / cell), 1), columns - 2)
    row = min(max(int((ay + first * dy - bottom) / cell), 1), rows - 2)
    here = row * columns + column
    step_x, next_x, per_x = _walk(column, dx, left, cell, ax)
    step_y, next_y, per_y = _walk(row, dy, bottom, cell, ay)
    step_y *= columns
    lowest = min(az, bz) - _HEIGHT_MARGIN
    while True:
        if tallest[here] >= lowest:
            for place in range(starts[here], starts[here + 1]):
                b = items[place]
                if outlines[b, HIGH] < lowest:
                    break
                if b != ignored:
                    t = _entry(outlines, b, ax, ay, az, bx, by, bz)
                    if t < nearest:
                        nearest, hit = t, b
                        last = min(last, t)
        across = next_x < next_y
        if (next_x if across else next_y) >= last:
            break
        here += step_x if across else step_y
        next_x += per_x if across else 0.0
        next_y += 0.0 if across else per_y
    return (nearest, hit) if hit >= 0 else (_NEVER, -1)


@kernel_part
def first_hit(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    ignored: int,
) -> tuple[float, int]:
    """The smallest parameter t < 1 at which the segment from a to b meets a body, and which; (infinity, -1) if none.

    The first seven arguments are a Scene; a hit on its map has the number after the last body. The body `ignored` is
    looked through.
    """
    return _first_hit(lattice, tallest, starts, items, outlines, frame, cells, ax, ay, az, bx, by, bz, ignored)


@kernel_part
def _span(beams: NDArray[np.float64]) -> tuple[float, float]:
    """How far from their robot's centre beams reach, and their least height (m)."""
    reach, lowest = 0.0, math.inf
    for j in range(len(beams)):
        reach = max(reach, math.hypot(beams[j, 0], beams[j, 1]), math.hypot(beams[j, 3], beams[j, 4]))
        lowest = min(lowest, beams[j, 2], beams[j, 5])
    return reach + _ASIDE, lowest - _HEIGHT_MARGIN


@kernel_part
def _is_alone(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    x: float,
    y: float,
    reach: float,
    lowest: float,
    own: int,
) -> bool:
    """Whether nothing but body `own` is as high as `lowest` and as near as `reach`; boxes are taken for round."""
    left, bottom, cell, columns, rows = spread(lattice)
    low_row, high_row = max((y - reach - bottom) / cell, 0.0), min((y + reach - bottom) / cell, rows - 1.0)
    low, high = max((x - reach - left) / cell, 0.0), min((x + reach - left) / cell, columns - 1.0)
    for row in range(int(low_row), int(high_row) + 1):
        for here in range(row * columns + int(low), row * columns + int(high) + 1):
            if not tallest[here] >= lowest:
                continue
            for place in range(starts[here], starts[here + 1]):
                b = items[place]
                if outlines[b, HIGH] < lowest:
                    break
                dx, dy, touch = outlines[b, X] - x, outlines[b, Y] - y, reach + outlines[b, RADIUS]
                if b != own and dx * dx + dy * dy < touch * touch:
                    return False
    return True


@kernel_part
def _cast(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    beams: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> None:
    """See cast."""
    reach, lowest = _span(beams)
    short = reach < lattice[2] and len(cells) == 0
    for i in range(len(own)):
        x, y, half = poses[i, 0], poses[i, 1], 0.5 * poses[i, 2]
        may_be_alone = short and abs(x) + abs(y) < NOWHERE
        if may_be_alone and _is_alone(lattice, tallest, starts, items, outlines, x, y, reach, lowest, own[i]):
            for j in range(len(beams)):
                distances[i, j] = _NEVER
            continue
        w, q = math.cos(half), math.sin(half)
        for j in range(len(beams)):
            ax, ay, az = turn(beams[j, 0], beams[j, 1], beams[j, 2], w, q)
            bx, by, bz = turn(beams[j, 3], beams[j, 4], beams[j, 5], w, q)
            ax, ay, bx, by = ax + x, ay + y, bx + x, by + y
            t, hit = _first_hit(lattice, tallest, starts, items, outlines, frame, cells, ax, ay, az, bx, by, bz, own[i])
            if hit >= 0:
                dx, dy, dz = t * (bx - ax), t * (by - ay), t * (bz - az)
                distances[i, j] = math.sqrt(dx * dx + dy * dy + dz * dz)
            else:
                distances[i, j] = _NEVER


@kernel
def cast(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    beams: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> None:
    """Fill distances float64[k, m]: how far (m) beam j of robot i goes before it meets a body; infinity if it does not.

    The first seven arguments are a Scene. own: int64[k], the robots' bodies. poses: float64[k, 3], x, y, unwrapped
    angle. beams: float64[m, 6], start and end of each beam in the robot's frame, heights over the floor. Most robots
    have nothing in reach of short beams: none of theirs is cast.
    """
    _cast(lattice, tallest, starts, items, outlines, frame, cells, own, poses, beams, distances)


@kernel_part
def _mark_blocked(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    points: NDArray[np.float64],
    pairs: NDArray[np.int64],
    blocked: NDArray[np.bool_],
) -> None:
    """See blocked_pairs."""
    for k in range(len(pairs)):
        i, j = pairs[k, 0], pairs[k, 1]
        ax, ay, az, bx, by, bz = points[i, 0], points[i, 1], points[i, 2], points[j, 0], points[j, 1], points[j, 2]
        _, hit = _first_hit(lattice, tallest, starts, items, outlines, frame, cells, ax, ay, az, bx, by, bz, own[i])
        blocked[k] = hit >= 0 and hit != own[j]


@kernel
def blocked_pairs(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    points: NDArray[np.float64],
    pairs: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """bool[m]: whether the way from point pairs[k, 0] to pairs[k, 1] meets a body that belongs to neither.

    The first seven arguments are a Scene. own: int64[n], the body of each point; points: float64[n, 3]. If the body at
    the far end is met before any other, the way is free.
    """
    blocked = np.empty(len(pairs), dtype=np.bool_)
    _mark_blocked(lattice, tallest, starts, items, outlines, frame, cells, own, points, pairs, blocked)
    return blocked


def beams_to(angles_rad: NDArray[np.float64], radius: float, length: float, height: float) -> NDArray[np.float64]:
    """float64[m, 6]: beams that start `radius` from the centre (m), in these directions, `length` m long."""
    cosines = np.array([math.cos(angle) for angle in angles_rad])
    sines = np.array([math.sin(angle) for angle in angles_rad])
    beams = np.empty((len(angles_rad), 6))
    beams[:, 0], beams[:, 1] = radius * cosines, radius * sines
    beams[:, 3], beams[:, 4] = beams[:, 0] + length * cosines, beams[:, 1] + length * sines
    beams[:, 2] = beams[:, 5] = height
    return beams
