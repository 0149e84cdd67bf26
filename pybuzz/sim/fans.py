"""Scanners seen from the bodies' side: which of a fan's evenly spread beams can meet a body, and where they do.

A laser has hundreds of beams from one centre and few bodies in reach that are as high as it. So instead of walking
the grid along every beam, each body near a scanner is met with the beams that point at it: one or two meetings a beam.
Where a beam meets a body is computed as in `rays`, operation by operation, so distances are the same to the last bit.
Of a map, every beam walks the cells up to the nearest body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import inlined_part, kernel, kernel_part
from pybuzz.sim.bodies import BOX
from pybuzz.sim.grid import HIGH, KIND, LOW, NOWHERE, RADIUS, SIDES, X, Y, spread
from pybuzz.sim.map_rays import map_hit
from pybuzz.sim.maps import Frame
from pybuzz.sim.rays import beams_to, turn

__all__ = ["Fan", "cast_fan", "scan"]

_NEVER = math.inf
_NEAR = 1e-4
"""Nearer to an outline than this (m), a scanner tries all its beams: angles of what is so near are not worth much."""
_WIDER = 1e-6
"""By how much (rad) bodies are taken for wider than they look, far above rounding, _ROUNDING of a scanner's angle."""
_ROUNDING = 1e-15
_TURN = 2.0 * math.pi


@dataclass(frozen=True, slots=True)
class Fan:
    """Level beams float64[m, 6] (as `cast` takes them) from one centre, m > 1, in directions first + j step, rad.

    columns: float64[6, m], the same numbers, those of one kind together: so processors take several beams at once.
    """

    beams: NDArray[np.float64]
    columns: NDArray[np.float64]
    first: float
    step: float

    @classmethod
    def to(cls, angles_rad: NDArray[np.float64], radius: float, length: float, height: float) -> Fan:
        """Beams as of `beams_to`, in ascending directions of equal steps that go round once at most."""
        step = (angles_rad[-1] - angles_rad[0]) / (len(angles_rad) - 1)
        beams = beams_to(angles_rad, radius, length, height)
        return cls(beams, np.ascontiguousarray(beams.T), float(angles_rad[0]), float(step))


@kernel_part
def _sight_of_box(outlines: NDArray[np.float64], b: int, x: float, y: float) -> tuple[float, float]:
    """From which direction (rad, in the world) over which angle box b is seen from a point; a turn if from inside."""
    inside = True
    for i in range(4):
        side = SIDES + 5 * i
        if x * outlines[b, side] + y * outlines[b, side + 1] > outlines[b, side + 2] + _NEAR:
            inside = False
    if inside:
        return 0.0, _TURN
    cx, cy = outlines[b, X] - x, outlines[b, Y] - y
    low, high = 0.0, 0.0
    for i in range(4):
        side = SIDES + 10 * (i // 2)
        nx, ny, place = outlines[b, side], outlines[b, side + 1], outlines[b, side + 3 + i % 2]
        px, py = nx * outlines[b, side + 2] + ny * place - x, ny * outlines[b, side + 2] - nx * place - y
        off = math.atan2(cx * py - cy * px, cx * px + cy * py)
        low, high = min(low, off), max(high, off)
    return math.atan2(cy, cx) + low, high - low


@kernel_part
def _sight_of_circle(outlines: NDArray[np.float64], b: int, x: float, y: float) -> tuple[float, float]:
    """The same for a cylinder or robot."""
    cx, cy, radius = outlines[b, X] - x, outlines[b, Y] - y, outlines[b, RADIUS]
    distance = math.sqrt(cx * cx + cy * cy)
    if distance < radius + _NEAR:
        return 0.0, _TURN
    half = math.asin(radius / distance)
    return math.atan2(cy, cx) - half, 2.0 * half


@inlined_part
def _meet_box(
    outlines: NDArray[np.float64],
    b: int,
    x: float,
    y: float,
    start: float,
    lines: NDArray[np.float64],
    first: int,
    last: int,
    nearest: NDArray[np.float64],
) -> None:
    """Let beams first to last meet a box. Sides turned away from all of them are left out."""
    faces = 0
    for i in range(4):
        side = SIDES + 5 * i
        if x * outlines[b, side] + y * outlines[b, side + 1] + start + _NEAR >= outlines[b, side + 2]:
            faces |= 1 << i
    for j in range(first, last + 1):
        ax, ay, bx, by = lines[0, j], lines[1, j], lines[2, j], lines[3, j]
        entry = _NEVER
        for i in range(4):
            if not faces >> i & 1:
                continue
            side = SIDES + 5 * i
            nx, ny, offset = outlines[b, side], outlines[b, side + 1], outlines[b, side + 2]
            before = ax * nx + ay * ny
            if offset > before:
                continue
            behind = bx * nx + by * ny
            if behind > offset:
                continue
            t = (offset - before) / (behind - before)
            px, py = ax * (1.0 - t) + bx * t, ay * (1.0 - t) + by * t
            if outlines[b, side + 3] <= -(nx * py - ny * px) <= outlines[b, side + 4]:
                entry = t
        nearest[j] = min(nearest[j], entry)


@inlined_part
def _meet_circle(
    outlines: NDArray[np.float64],
    b: int,
    lines: NDArray[np.float64],
    first: int,
    last: int,
    nearest: NDArray[np.float64],
) -> None:
    """Let beams first to last meet a cylinder or robot."""
    x, y, radius = outlines[b, X], outlines[b, Y], outlines[b, RADIUS]
    for j in range(first, last + 1):
        ax, ay, bx, by = lines[0, j] - x, lines[1, j] - y, lines[2, j] - x, lines[3, j] - y
        aa, ab, bb = ax * ax + ay * ay, ax * bx + ay * by, bx * bx + by * by
        qa, qb, qc = aa - 2.0 * ab + bb, -2.0 * aa + 2.0 * ab, aa - radius * radius
        inside_root = qb * qb - 4.0 * qa * qc
        if inside_root >= 0.0:
            t = (-qb - math.sqrt(inside_root)) / (2.0 * qa)
            if 0.0 <= t <= 1.0:
                nearest[j] = min(nearest[j], t)


@kernel_part
def _meet(
    outlines: NDArray[np.float64],
    b: int,
    pose: tuple[float, float, float],
    start: float,
    step: float,
    lines: NDArray[np.float64],
    nearest: NDArray[np.float64],
) -> None:
    """Let the beams that point at a body meet it. pose: x, y of the scanner and the direction of its first beam."""
    x, y, angle = pose
    is_box = outlines[b, KIND] == BOX
    if is_box:
        direction, width = _sight_of_box(outlines, b, x, y)
    else:
        direction, width = _sight_of_circle(outlines, b, x, y)
    wider = _WIDER + _ROUNDING * abs(angle)
    direction -= angle + wider
    direction -= _TURN * np.floor(direction / _TURN)
    width = min(width + 2.0 * wider, _TURN)
    for _ in range(2):
        first = int(min(max(np.ceil(direction / step), 0.0), float(lines.shape[1])))
        last = int(max(min(np.floor((direction + width) / step), lines.shape[1] - 1.0), -1.0))
        if is_box:
            _meet_box(outlines, b, x, y, start, lines, first, last, nearest)
        else:
            _meet_circle(outlines, b, lines, first, last, nearest)
        # The same sight from a turn before: beams after the first one of the fan may see the end of it.
        direction -= _TURN


@inlined_part
def _meet_all(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    pose: tuple[float, float, float],
    z: float,
    between: tuple[float, float],
    step: float,
    own: int,
    seen: NDArray[np.int64],
    scanner: int,
    lines: NDArray[np.float64],
    nearest: NDArray[np.float64],
) -> None:
    """Let beams at height z meet all bodies but `own`. between: how far from the scanner (m) they begin and end.

    seen: int64[bodies], of each the last scanner that has met it.
    """
    left, bottom, cell, columns, rows = spread(lattice)
    (x, y, _), (start, reach) = pose, between
    low_row, high_row = max((y - reach - bottom) / cell, 0.0), min((y + reach - bottom) / cell, rows - 1.0)
    low, high = max((x - reach - left) / cell, 0.0), min((x + reach - left) / cell, columns - 1.0)
    for row in range(int(low_row), int(high_row) + 1):
        for here in range(row * columns + int(low), row * columns + int(high) + 1):
            if not tallest[here] >= z:
                continue
            for place in range(starts[here], starts[here + 1]):
                b = items[place]
                if outlines[b, HIGH] < z:
                    break
                if seen[b] != scanner and b != own and outlines[b, LOW] <= z:
                    seen[b] = scanner
                    _meet(outlines, b, pose, start, step, lines, nearest)


@kernel_part
def _lay(columns: NDArray[np.float64], x: float, y: float, angle: float, lines: NDArray[np.float64]) -> float:
    """Fill lines float64[4, m] with starts and ends in the world; returns their height."""
    w, q = math.cos(0.5 * angle), math.sin(0.5 * angle)
    for end in range(2):
        for j in range(columns.shape[1]):
            turned_x, turned_y, _ = turn(columns[3 * end, j], columns[3 * end + 1, j], columns[3 * end + 2, j], w, q)
            lines[2 * end, j], lines[2 * end + 1, j] = turned_x + x, turned_y + y
    return turn(columns[0, 0], columns[1, 0], columns[2, 0], w, q)[2]


@kernel_part
def _measure(lines: NDArray[np.float64], nearest: NDArray[np.float64], distances: NDArray[np.float64]) -> None:
    """From parameters to lengths of the way; infinity where nothing was met. The beams are level."""
    for j in range(len(nearest)):
        t = nearest[j]
        dx, dy = t * (lines[2, j] - lines[0, j]), t * (lines[3, j] - lines[1, j])
        distances[j] = math.sqrt(dx * dx + dy * dy) if t < 1.0 else _NEVER


@kernel_part
def _cast_fan(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    columns: NDArray[np.float64],
    first: float,
    step: float,
    seen: NDArray[np.int64],
    lines: NDArray[np.float64],
    nearest: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> None:
    """See cast_fan; seen, lines and nearest are scratch."""
    between = math.hypot(columns[0, 0], columns[1, 0]), math.hypot(columns[3, 0], columns[4, 0]) + _NEAR
    for i in range(len(own)):
        x, y, angle = poses[i, 0], poses[i, 1], poses[i, 2]
        if not (abs(x) + abs(y) < NOWHERE and abs(angle) < math.inf):
            distances[i] = _NEVER
            continue
        nearest[:] = 1.0
        z = _lay(columns, x, y, angle, lines)
        pose = (x, y, angle + first)
        _meet_all(lattice, tallest, starts, items, outlines, pose, z, between, step, own[i], seen, i, lines, nearest)
        _measure(lines, nearest, distances[i])


@kernel
def cast_fan(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    columns: NDArray[np.float64],
    first: float,
    step: float,
    distances: NDArray[np.float64],
) -> None:
    """Fill distances float64[k, m] as `rays.cast` does, to the last bit, with the beams of a Fan, by its columns.

    The first seven arguments are a Scene without a map.
    """
    seen, lines, nearest = np.full(len(outlines), -1), np.empty((4, columns.shape[1])), np.empty(columns.shape[1])
    scene = (lattice, tallest, starts, items, outlines)
    _cast_fan(*scene, own, poses, columns, first, step, seen, lines, nearest, distances)


@kernel_part
def _level(part: float) -> float:
    """A part of a direction; none where rounding alone has left one, so that a ray along an axis keeps to its line."""
    return part if abs(part) > 1e-14 else 0.0


@kernel_part
def _scan(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    origins: NDArray[np.float64],
    yaws: NDArray[np.float64],
    directions: NDArray[np.float64],
    length: float,
    seen: NDArray[np.int64],
    lines: NDArray[np.float64],
    nearest: NDArray[np.float64],
    distances: NDArray[np.float64],
    points: NDArray[np.float64],
) -> None:
    """See scan; seen, lines and nearest are scratch."""
    count = len(directions)
    step = (directions[-1] - directions[0]) / (count - 1) if count > 1 else _TURN
    for i in range(len(own)):
        x, y, z = origins[i]
        for j in range(count):
            c, s = math.cos(yaws[i] + directions[j]), math.sin(yaws[i] + directions[j])
            points[i, j, 0], points[i, j, 1] = c, s
            lines[0, j], lines[1, j], lines[2, j], lines[3, j] = x, y, x + length * _level(c), y + length * _level(s)
        nearest[:] = 1.0
        if abs(x) + abs(y) + length < NOWHERE and abs(yaws[i]) < math.inf:
            pose, between = (x, y, yaws[i] + directions[0]), (0.0, length + _NEAR)
            _meet_all(
                lattice, tallest, starts, items, outlines, pose, z, between, step, own[i], seen, i, lines, nearest
            )
        for j in range(count):
            t, bx, by = nearest[j], lines[2, j], lines[3, j]
            if len(cells) > 0:
                t = min(t, map_hit(frame, cells, x, y, z, bx, by, z, t))
            distances[i, j] = t * length
            points[i, j, 0] = x + distances[i, j] * points[i, j, 0]
            points[i, j, 1] = y + distances[i, j] * points[i, j, 1]


@kernel
def scan(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    origins: NDArray[np.float64],
    yaws: NDArray[np.float64],
    directions: NDArray[np.float64],
    length: float,
    distances: NDArray[np.float64],
    points: NDArray[np.float64],
) -> None:
    """Fill distances float64[k, m]: how far (m) the level beam from origins[i] along yaws[i] + directions[j] goes.

    At most `length`; and points float64[k, m, 2], where it ends. The first seven arguments are a Scene. own: int64[k],
    the bodies that are looked through, -1 for none. origins: float64[k, 3] in m. directions: float64[m], in rad, of
    equal steps, ascending, that go round once at most.
    """
    count = len(directions)
    seen, lines, nearest = np.full(len(outlines), -1), np.empty((4, count)), np.empty(count)
    scene = (lattice, tallest, starts, items, outlines, frame, cells)
    _scan(*scene, own, origins, yaws, directions, length, seen, lines, nearest, distances, points)
