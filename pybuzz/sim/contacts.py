"""Where two bodies touch: the narrow phase, with Chipmunk 6.0.1's arithmetic to the last bit.

Normals point from the first body to the second. A contact's key tells it apart from the others of its pair.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.bodies import BOX, CIRCLE
from pybuzz.sim.trees import Floats, Record, Records

__all__ = ["CONTACT", "Shapes", "box_sides", "find_contacts", "place_shape"]

CONTACT = np.dtype(
    [
        (name, np.float64)
        for name in (
            "x", "y", "nx", "ny", "depth", "r1x", "r1y", "r2x", "r2y", "normal_mass", "tangent_mass", "bias",
            "bias_impulse", "normal_impulse", "tangent_impulse", "friction",
        )
    ]
    + [(name, np.int64) for name in ("key", "a", "b")]
)  # fmt: skip
"""Point, normal from body a to b, depth (negative when overlapping), and what the solver keeps with them."""
MOST = 4
"""Contacts of one pair; a fifth takes the place of the fourth."""


class Shapes(NamedTuple):
    """Outlines of all bodies, one row each."""

    kind: NDArray[np.int8]
    x: Floats
    y: Floats
    angle: Floats
    radius: Floats
    half_x: Floats
    half_y: Floats
    sides: Floats
    """[n, 4, 3]: outward normal and offset of a box's sides in its own frame."""
    corners: Floats
    """[n, 4, 2] in the world: (-,-), (-,+), (+,+), (+,-)."""
    planes: Floats
    """[n, 4, 3]: normals and offsets of the sides in the world; side i runs from corner i to i + 1."""
    bounds: Floats
    """[n, 4]: left, bottom, right, top."""


def box_sides(half_x: float, half_y: float) -> Floats:
    """float64[4, 3]: outward normal and offset of each side of a box in its own frame."""
    corners = np.array([(-half_x, -half_y), (-half_x, half_y), (half_x, half_y), (half_x, -half_y)])
    along = np.roll(corners, -1, axis=0) - corners
    normals = np.column_stack([-along[:, 1], along[:, 0]]) * (1.0 / np.abs(along).max(axis=1))[:, None]
    offsets = normals[:, 0] * corners[:, 0] + normals[:, 1] * corners[:, 1]
    return np.column_stack([normals, offsets])


@kernel
def place_shape(shapes: Shapes, row: int) -> None:
    """Carry a body's outline to where the body is."""
    x, y = shapes.x[row], shapes.y[row]
    bounds = shapes.bounds[row]
    if shapes.kind[row] == CIRCLE:
        r = shapes.radius[row]
        bounds[0], bounds[1], bounds[2], bounds[3] = x - r, y - r, x + r, y + r
        return
    c, s = cos(shapes.angle[row]), sin(shapes.angle[row])
    bounds[0], bounds[1], bounds[2], bounds[3] = np.inf, np.inf, -np.inf, -np.inf
    for i in range(4):
        corner_x = -shapes.half_x[row] if i < 2 else shapes.half_x[row]
        corner_y = shapes.half_y[row] if i in (1, 2) else -shapes.half_y[row]
        world_x = x + (corner_x * c - corner_y * s)
        world_y = y + (corner_x * s + corner_y * c)
        shapes.corners[row, i, 0], shapes.corners[row, i, 1] = world_x, world_y
        bounds[0], bounds[1] = min(bounds[0], world_x), min(bounds[1], world_y)
        bounds[2], bounds[3] = max(bounds[2], world_x), max(bounds[3], world_y)
        nx, ny, offset = shapes.sides[row, i]
        world_nx, world_ny = nx * c - ny * s, nx * s + ny * c
        shapes.planes[row, i, 0], shapes.planes[row, i, 1] = world_nx, world_ny
        shapes.planes[row, i, 2] = (x * world_nx + y * world_ny) + offset


@kernel
def _write(contact: Record, x: float, y: float, nx: float, ny: float, depth: float, key: int) -> None:
    contact.x, contact.y = x, y
    contact.nx, contact.ny = nx, ny
    contact.depth = depth
    contact.key = key


@kernel
def _circles(contact: Record, x1: float, y1: float, r1: float, x2: float, y2: float, r2: float) -> int:
    reach = r1 + r2
    dx, dy = x2 - x1, y2 - y1
    squared = dx * dx + dy * dy
    if squared >= reach * reach:
        return 0
    distance = sqrt(squared)
    part = 0.5 + (r1 - 0.5 * reach) / (distance if distance else np.inf)
    nx, ny = 1.0, 0.0
    if distance:
        nx, ny = dx * (1.0 / distance), dy * (1.0 / distance)
    _write(contact, x1 + dx * part, y1 + dy * part, nx, ny, distance - reach, 0)
    return 1


@kernel
def _circle_box(shapes: Shapes, circle: int, box: int, contact: Record) -> int:
    x, y, r = shapes.x[circle], shapes.y[circle], shapes.radius[circle]
    best, least = 0, -np.inf
    for i in range(4):
        nx, ny, offset = shapes.planes[box, i]
        distance = (nx * x + ny * y) - offset - r
        if distance > 0.0:
            return 0
        if distance > least:
            best, least = i, distance
    nx, ny = shapes.planes[box, best, 0], shapes.planes[box, best, 1]
    ex, ey = shapes.corners[box, best]
    fx, fy = shapes.corners[box, (best + 1) % 4]
    across = nx * y - ny * x
    if across < nx * fy - ny * fx:
        return _circles(contact, x, y, r, fx, fy, 0.0)
    if across < nx * ey - ny * ex:
        inward = r + least / 2.0
        _write(contact, x - nx * inward, y - ny * inward, -nx, -ny, least, 0)
        return 1
    return _circles(contact, x, y, r, ex, ey, 0.0)


@kernel
def _least_separation(shapes: Shapes, of: int, other: int) -> tuple[int, float]:
    """The side of one box that the other one passes least, and by how much; -1 if they are apart."""
    best, least = -1, -np.inf
    for i in range(4):
        nx, ny, offset = shapes.planes[of, i]
        nearest = np.inf
        for j in range(4):
            nearest = min(nearest, nx * shapes.corners[other, j, 0] + ny * shapes.corners[other, j, 1])
        distance = nearest - offset
        if distance > 0.0:
            return -1, distance
        if distance > least:
            best, least = i, distance
    return best, least


@kernel
def _inside(shapes: Shapes, box: int, x: float, y: float, nx: float, ny: float) -> bool:
    """Whether a point is within the sides of a box that do not face away from (nx, ny); (0, 0): within all."""
    for i in range(4):
        side_x, side_y, offset = shapes.planes[box, i]
        if side_x * nx + side_y * ny >= 0.0 and (side_x * x + side_y * y) - offset > 0.0:
            return False
    return True


@kernel
def _corners_inside(
    shapes: Shapes, a: int, b: int, nx: float, ny: float, depth: float, weak: float, contacts: Records, at: int
) -> int:
    """Contacts at the corners of each box inside the other; `weak` 0 or 1 is the strength of the sides' choice."""
    count = 0
    for turn in range(2):
        box, other = (a, b) if turn == 0 else (b, a)
        sign = -weak if turn == 0 else weak
        for i in range(4):
            x, y = shapes.corners[box, i]
            if _inside(shapes, other, x, y, sign * nx, sign * ny):
                count = min(count + 1, MOST)
                _write(contacts[at + count - 1], x, y, nx, ny, depth, i)
    return count


@kernel
def _boxes(shapes: Shapes, a: int, b: int, contacts: Records, at: int) -> int:
    side_a, depth_a = _least_separation(shapes, a, b)
    if side_a < 0:
        return 0
    side_b, depth_b = _least_separation(shapes, b, a)
    if side_b < 0:
        return 0
    if depth_a > depth_b:
        nx, ny, depth = shapes.planes[a, side_a, 0], shapes.planes[a, side_a, 1], depth_a
    else:
        nx, ny, depth = -shapes.planes[b, side_b, 0], -shapes.planes[b, side_b, 1], depth_b
    count = _corners_inside(shapes, a, b, nx, ny, depth, 0.0, contacts, at)
    if count:
        return count
    return _corners_inside(shapes, a, b, nx, ny, depth, 1.0, contacts, at)


@kernel
def find_contacts(shapes: Shapes, a: int, b: int, contacts: Records, at: int) -> tuple[int, int, int]:
    """Write the contacts of two bodies from contacts[at] on; at most four.

    Returns their number, and the bodies in the order that the contacts take them in: a circle before a box.
    """
    p, q = shapes.bounds[a], shapes.bounds[b]
    if p[0] > q[2] or q[0] > p[2] or p[1] > q[3] or q[1] > p[3]:
        return 0, a, b
    if shapes.kind[a] == BOX and shapes.kind[b] == CIRCLE:
        a, b = b, a
    if shapes.kind[b] == CIRCLE:
        contact = contacts[at]
        count = _circles(
            contact, shapes.x[a], shapes.y[a], shapes.radius[a], shapes.x[b], shapes.y[b], shapes.radius[b]
        )
    elif shapes.kind[a] == CIRCLE:
        count = _circle_box(shapes, a, b, contacts[at])
    else:
        count = _boxes(shapes, a, b, contacts, at)
    return count, a, b
