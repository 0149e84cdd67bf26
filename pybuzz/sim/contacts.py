"""Where two bodies touch: the narrow phase, with Chipmunk 6.0.1's arithmetic to the last bit.

Normals point from the first body to the second. A contact's key tells it apart from the others of its pair.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from pybuzz.compiled import kernel_part
from pybuzz.sim.bodies import BOX, CIRCLE
from pybuzz.sim.trees import Record, Records

__all__ = [
    "BODY",
    "CONTACT",
    "MOST",
    "SIDE",
    "circle_first",
    "find_contacts",
    "pass_through",
    "place_box",
    "place_circle",
    "place_shape",
    "set_sides",
]

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
BODY = np.dtype(
    [
        (name, np.float64)
        for name in (
            "vx", "vy", "spin", "bias_vx", "bias_vy", "bias_spin", "inverse_mass", "inverse_moment",
            "x", "y", "angle", "radius", "grip", "left", "bottom", "right", "top",
            "target_vx", "target_vy", "target_spin", "pull_x", "pull_y", "turn",
            "pull_factor", "turn_factor", "max_force", "max_torque", "axle",
        )
    ]
    + [(name, np.int64) for name in ("kind", "movable", "robot", "smooth")]
)  # fmt: skip
"""A body as the solver keeps it: state, bounds, constants; pull and turn are the impulses of its two joints so far.

Bit i of smooth: a circle does not touch the box at corner i, because another box goes on there.
"""
SIDE = np.dtype(
    [
        (name, np.float64)
        for name in ("own_x", "own_y", "own_nx", "own_ny", "own_offset", "x", "y", "nx", "ny", "offset")
    ]
)  # fmt: skip
"""Side i of a box, from corner i, which is at (x, y), to i + 1: outward normal and offset; first in its own frame.

The corners: (-,-), (-,+), (+,+), (+,-).
"""


def set_sides(sides: Records, half_x: float, half_y: float) -> None:
    """Fill a box's four sides in its own frame; Chipmunk normalises them with this arithmetic."""
    corners = [(-half_x, -half_y), (-half_x, half_y), (half_x, half_y), (half_x, -half_y)]
    for i, (x, y) in enumerate(corners):
        along_x, along_y = corners[(i + 1) % 4][0] - x, corners[(i + 1) % 4][1] - y
        scale = 1.0 / sqrt(along_x * along_x + along_y * along_y)
        nx, ny = -along_y * scale, along_x * scale
        sides[i] = (x, y, nx, ny, nx * x + ny * y, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel_part
def place_circle(body: Record) -> None:
    """Carry a circle's bounds to where it is."""
    x, y, r = body.x, body.y, body.radius
    body.left, body.bottom, body.right, body.top = x - r, y - r, x + r, y + r


@kernel_part
def place_box(body: Record, sides: Records) -> None:
    """Carry a box's sides[4] and bounds to where it is."""
    x, y, c, s = body.x, body.y, cos(body.angle), sin(body.angle)
    left, bottom, right, top = np.inf, np.inf, -np.inf, -np.inf
    for i in range(4):
        side = sides[i]
        side.x = x + (side.own_x * c - side.own_y * s)
        side.y = y + (side.own_x * s + side.own_y * c)
        left, bottom = min(left, side.x), min(bottom, side.y)
        right, top = max(right, side.x), max(top, side.y)
        side.nx = side.own_nx * c - side.own_ny * s
        side.ny = side.own_nx * s + side.own_ny * c
        side.offset = (x * side.nx + y * side.ny) + side.own_offset
    body.left, body.bottom, body.right, body.top = left, bottom, right, top


@kernel_part
def place_shape(bodies: Records, sides: Records, row: int) -> None:
    """Carry a body's outline and bounds to where the body is."""
    if bodies[row].kind == CIRCLE:
        place_circle(bodies[row])
    else:
        place_box(bodies[row], sides[row])


@kernel_part
def _write(contact: Record, x: float, y: float, nx: float, ny: float, depth: float, key: int) -> None:
    contact.x, contact.y = x, y
    contact.nx, contact.ny = nx, ny
    contact.depth = depth
    contact.key = key


@kernel_part
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


@kernel_part
def _circle_box(circle: Record, sides: Records, smooth: int, contact: Record) -> int:
    """A circle and the sides[4] of a box."""
    x, y, r = circle.x, circle.y, circle.radius
    best, least = 0, -np.inf
    for i in range(4):
        distance = (sides[i].nx * x + sides[i].ny * y) - sides[i].offset - r
        if distance > 0.0:
            return 0
        if distance > least:
            best, least = i, distance
    after = (best + 1) % 4
    side, following = sides[best], sides[after]
    nx, ny = side.nx, side.ny
    across = nx * y - ny * x
    if across < nx * following.y - ny * following.x:
        return 0 if (smooth >> after) & 1 else _circles(contact, x, y, r, following.x, following.y, 0.0)
    if across < nx * side.y - ny * side.x:
        inward = r + least / 2.0
        _write(contact, x - nx * inward, y - ny * inward, -nx, -ny, least, 0)
        return 1
    return 0 if (smooth >> best) & 1 else _circles(contact, x, y, r, side.x, side.y, 0.0)


@kernel_part
def _least_separation(sides: Records, other: Records) -> tuple[int, float]:
    """The side of one box that the other one passes least, and by how much; -1 if they are apart."""
    best, least = -1, -np.inf
    for i in range(4):
        nx, ny = sides[i].nx, sides[i].ny
        nearest = np.inf
        for j in range(4):
            nearest = min(nearest, nx * other[j].x + ny * other[j].y)
        distance = nearest - sides[i].offset
        if distance > 0.0:
            return -1, distance
        if distance > least:
            best, least = i, distance
    return best, least


@kernel_part
def _inside(sides: Records, x: float, y: float, nx: float, ny: float) -> bool:
    """Whether a point is within the sides of a box that do not face away from (nx, ny); (0, 0): within all."""
    for i in range(4):
        side = sides[i]
        if side.nx * nx + side.ny * ny >= 0.0 and (side.nx * x + side.ny * y) - side.offset > 0.0:
            return False
    return True


@kernel_part
def _corners_inside(
    box: Records, other: Records, nx: float, ny: float, sign: float, depth: float, contacts: Records, count: int
) -> int:
    """Add contacts at the corners of one box inside the other; sign * n chooses the sides that count."""
    for i in range(4):
        if _inside(other, box[i].x, box[i].y, sign * nx, sign * ny):
            count = min(count + 1, MOST)
            _write(contacts[count - 1], box[i].x, box[i].y, nx, ny, depth, i)
    return count


@kernel_part
def _boxes(a: Records, b: Records, contacts: Records) -> int:
    """The sides[4] of two boxes. Crossed boxes have no corner inside; a weaker test finds theirs."""
    side_a, depth_a = _least_separation(a, b)
    if side_a < 0:
        return 0
    side_b, depth_b = _least_separation(b, a)
    if side_b < 0:
        return 0
    if depth_a > depth_b:
        nx, ny, depth = a[side_a].nx, a[side_a].ny, depth_a
    else:
        nx, ny, depth = -b[side_b].nx, -b[side_b].ny, depth_b
    count = 0
    for strength in (0.0, 1.0):
        count = _corners_inside(a, b, nx, ny, -strength, depth, contacts, count)
        count = _corners_inside(b, a, nx, ny, strength, depth, contacts, count)
        if count:
            break
    return count


@kernel_part
def circle_first(bodies: Records, a: int, b: int) -> tuple[int, int]:
    """Two bodies in the order that their contacts take them in."""
    if bodies[a].kind == BOX and bodies[b].kind == CIRCLE:
        return b, a
    return a, b


@kernel_part
def pass_through(bodies: Records, a: int, b: int) -> bool:
    """Whether two bodies are both robots."""
    return bool(bodies[a].robot >= 0 and bodies[b].robot >= 0)


@kernel_part
def find_contacts(bodies: Records, sides: Records, a: int, b: int, contacts: Records, at: int) -> int:
    """Write the contacts of two bodies, at most four, into `contacts` from `at` on; returns their number.

    a and b are in the order of `circle_first`.
    """
    p, q = bodies[a], bodies[b]
    if p.left > q.right or q.left > p.right or p.bottom > q.top or q.bottom > p.top:
        return 0
    if q.kind == CIRCLE:
        return _circles(contacts[at], p.x, p.y, p.radius, q.x, q.y, q.radius)
    if p.kind == CIRCLE:
        return _circle_box(p, sides[b], q.smooth, contacts[at])
    return _boxes(sides[a], sides[b], contacts[at : at + MOST])
