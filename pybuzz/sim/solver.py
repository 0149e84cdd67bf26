"""One tick of ARGoS's dynamics2d, as compiled kernels: Chipmunk 6.0.1's arithmetic to the last bit.

Each robot is tied to an invisible body that moves as its wheels ask, each movable object to the ground: by a pivot that
matches velocities and a gear that matches turning rates, both of limited force. A body's pivot and gear touch no other
body, so only the order of contacts matters, which is that of the trees.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.contacts import MOST, Shapes, find_contacts, place_shape
from pybuzz.sim.trees import NONE, Floats, Ints, Record, Records, grown, rehang_movable, report_pairs

__all__ = ["TOUCH", "Motion", "advance"]

TOUCH = np.dtype([(name, np.int64) for name in ("a", "b", "start", "count", "seen", "fresh", "next")])
"""Two bodies in contact: where their contacts are, the sub-step of the last, whether it is the first of a series."""


class Motion(NamedTuple):
    """State and constants of all bodies, one row each."""

    x: Floats
    y: Floats
    angle: Floats
    yaw: Floats
    vx: Floats
    vy: Floats
    spin: Floats
    bias_vx: Floats
    bias_vy: Floats
    bias_spin: Floats
    inverse_mass: Floats
    inverse_moment: Floats
    grip: Floats
    max_force: Floats
    max_torque: Floats
    axle: Floats
    pull_x: Floats
    """pull_x, pull_y, turn: impulses of the pivot and the gear so far."""
    pull_y: Floats
    turn: Floats
    target_vx: Floats
    target_vy: Floats
    target_spin: Floats
    robot: NDArray[np.int64]
    movable: NDArray[np.bool_]


@kernel
def _set_targets(motion: Motion, movers: Ints, wheel_speeds: Floats) -> None:
    for row in movers:
        robot = motion.robot[row]
        if robot >= 0:
            left, right = wheel_speeds[robot, 0], wheel_speeds[robot, 1]
            speed = (right + left) * 0.5
            motion.target_vx[row] = speed * cos(motion.angle[row])
            motion.target_vy[row] = speed * sin(motion.angle[row])
            motion.target_spin[row] = (right - left) / motion.axle[row]


@kernel
def _move(motion: Motion, shapes: Shapes, movers: Ints, h: float) -> None:
    for row in movers:
        motion.x[row] += (motion.vx[row] + motion.bias_vx[row]) * h
        motion.y[row] += (motion.vy[row] + motion.bias_vy[row]) * h
        motion.angle[row] += (motion.spin[row] + motion.bias_spin[row]) * h
        motion.bias_vx[row] = motion.bias_vy[row] = motion.bias_spin[row] = 0.0
        place_shape(shapes, row)


@kernel
def _holder(motion: Motion, a: int, b: int) -> int:
    """The movable body in whose chain a touch is kept, the same whichever of the two comes first."""
    if motion.movable[a] and (not motion.movable[b] or a < b):
        return a
    return b


@kernel
def _chain(motion: Motion, touches: Records, count: int, chain: Ints) -> None:
    for i in range(count):
        holder = _holder(motion, touches[i].a, touches[i].b)
        touches[i].next = chain[holder]
        chain[holder] = i


@kernel
def _inherit(touch: Record, contacts: Records, old: Record, old_contacts: Records) -> None:
    """Take over the impulses of contacts with equal keys; of several, the last one's."""
    for i in range(touch.start, touch.start + touch.count):
        contacts[i].normal_impulse = contacts[i].tangent_impulse = 0.0
        if old.count:
            for j in range(old.start, old.start + old.count):
                if old_contacts[j].key == contacts[i].key:
                    contacts[i].normal_impulse = old_contacts[j].normal_impulse
                    contacts[i].tangent_impulse = old_contacts[j].tangent_impulse


@kernel
def _prepare(motion: Motion, contact: Record, a: int, b: int, h: float, bias: float, slop: float) -> None:
    nx, ny = contact.nx, contact.ny
    contact.a, contact.b = a, b
    contact.r1x, contact.r1y = contact.x - motion.x[a], contact.y - motion.y[a]
    contact.r2x, contact.r2y = contact.x - motion.x[b], contact.y - motion.y[b]
    across_a = contact.r1x * ny - contact.r1y * nx
    across_b = contact.r2x * ny - contact.r2y * nx
    along_a = contact.r1x * nx - contact.r1y * -ny
    along_b = contact.r2x * nx - contact.r2y * -ny
    mass_a, mass_b = motion.inverse_mass[a], motion.inverse_mass[b]
    moment_a, moment_b = motion.inverse_moment[a], motion.inverse_moment[b]
    contact.normal_mass = 1.0 / ((mass_a + moment_a * across_a * across_a) + (mass_b + moment_b * across_b * across_b))
    contact.tangent_mass = 1.0 / ((mass_a + moment_a * along_a * along_a) + (mass_b + moment_b * along_b * along_b))
    contact.bias = -bias * min(0.0, contact.depth + slop) / h
    contact.bias_impulse = 0.0
    contact.friction = motion.grip[a] * motion.grip[b]


@kernel
def _push(motion: Motion, row: int, rx: float, ry: float, jx: float, jy: float) -> None:
    motion.vx[row] += jx * motion.inverse_mass[row]
    motion.vy[row] += jy * motion.inverse_mass[row]
    motion.spin[row] += motion.inverse_moment[row] * (rx * jy - ry * jx)


@kernel
def _push_apart(motion: Motion, contact: Record, normal: float, tangent: float) -> None:
    jx = contact.nx * normal - contact.ny * tangent
    jy = contact.nx * tangent + contact.ny * normal
    _push(motion, contact.a, contact.r1x, contact.r1y, -jx, -jy)
    _push(motion, contact.b, contact.r2x, contact.r2y, jx, jy)


@kernel
def _push_bias(motion: Motion, row: int, rx: float, ry: float, jx: float, jy: float) -> None:
    motion.bias_vx[row] += jx * motion.inverse_mass[row]
    motion.bias_vy[row] += jy * motion.inverse_mass[row]
    motion.bias_spin[row] += motion.inverse_moment[row] * (rx * jy - ry * jx)


@kernel
def _separate(motion: Motion, contact: Record) -> None:
    """The bias part of an iteration: bias velocities move bodies out of an overlap deeper than the slop."""
    a, b = contact.a, contact.b
    nx, ny = contact.nx, contact.ny
    apart_x = (motion.bias_vx[b] + -contact.r2y * motion.bias_spin[b]) - (
        motion.bias_vx[a] + -contact.r1y * motion.bias_spin[a]
    )
    apart_y = (motion.bias_vy[b] + contact.r2x * motion.bias_spin[b]) - (
        motion.bias_vy[a] + contact.r1x * motion.bias_spin[a]
    )
    before = contact.bias_impulse
    contact.bias_impulse = max(before + (contact.bias - (apart_x * nx + apart_y * ny)) * contact.normal_mass, 0.0)
    impulse = contact.bias_impulse - before
    jx, jy = nx * impulse, ny * impulse
    _push_bias(motion, a, contact.r1x, contact.r1y, -jx, -jy)
    _push_bias(motion, b, contact.r2x, contact.r2y, jx, jy)


@kernel
def _iterate_contact(motion: Motion, contact: Record) -> None:
    _separate(motion, contact)
    a, b = contact.a, contact.b
    nx, ny = contact.nx, contact.ny
    apart_x = (motion.vx[b] + -contact.r2y * motion.spin[b]) - (motion.vx[a] + -contact.r1y * motion.spin[a])
    apart_y = (motion.vy[b] + contact.r2x * motion.spin[b]) - (motion.vy[a] + contact.r1x * motion.spin[a])
    normal, tangent = contact.normal_impulse, contact.tangent_impulse
    contact.normal_impulse = max(normal - (apart_x * nx + apart_y * ny) * contact.normal_mass, 0.0)
    most = contact.friction * contact.normal_impulse
    wanted = tangent - (apart_x * -ny + apart_y * nx) * contact.tangent_mass
    contact.tangent_impulse = min(max(wanted, -most), most)
    _push_apart(motion, contact, contact.normal_impulse - normal, contact.tangent_impulse - tangent)


@kernel
def _warm_joints(motion: Motion, row: int) -> None:
    motion.vx[row] += motion.pull_x[row] * motion.inverse_mass[row]
    motion.vy[row] += motion.pull_y[row] * motion.inverse_mass[row]
    motion.spin[row] += motion.turn[row] * motion.inverse_moment[row]


@kernel
def _iterate_joints(motion: Motion, row: int, h: float) -> bool:
    """Pivot, then gear. Returns whether anything changed; if not, further iterations change nothing either."""
    mass, moment = motion.inverse_mass[row], motion.inverse_moment[row]
    factor = mass * (1.0 / (mass * mass))
    pull_x = motion.pull_x[row] + (motion.target_vx[row] - motion.vx[row]) * factor
    pull_y = motion.pull_y[row] + (motion.target_vy[row] - motion.vy[row]) * factor
    limit = motion.max_force[row] * h
    squared = pull_x * pull_x + pull_y * pull_y
    if squared > limit * limit:
        scale = 1.0 / sqrt(squared)
        pull_x, pull_y = (pull_x * scale) * limit, (pull_y * scale) * limit
    more_x, more_y = pull_x - motion.pull_x[row], pull_y - motion.pull_y[row]
    motion.vx[row] += more_x * mass
    motion.vy[row] += more_y * mass
    motion.pull_x[row], motion.pull_y[row] = pull_x, pull_y
    limit = motion.max_torque[row] * h
    turn = motion.turn[row] + (motion.target_spin[row] - motion.spin[row]) * (1.0 / moment)
    turn = min(max(turn, -limit), limit)
    more = turn - motion.turn[row]
    motion.spin[row] += more * moment
    motion.turn[row] = turn
    return bool(more_x != 0.0 or more_y != 0.0 or more != 0.0)


@kernel
def _solve_free(motion: Motion, row: int, h: float, iterations: int) -> None:
    _warm_joints(motion, row)
    for _ in range(iterations):
        if not _iterate_joints(motion, row, h):
            return


@kernel
def _solve_touching(
    motion: Motion, touches: Records, fresh_count: int, contacts: Records, rows: Ints, h: float, iterations: int
) -> None:
    total = 0
    for i in range(fresh_count):
        total += touches[i].count
        if not touches[i].fresh:
            for j in range(touches[i].start, touches[i].start + touches[i].count):
                _push_apart(motion, contacts[j], contacts[j].normal_impulse, contacts[j].tangent_impulse)
    for row in rows:
        _warm_joints(motion, row)
    for _ in range(iterations):
        for i in range(total):
            _iterate_contact(motion, contacts[i])
        for row in rows:
            _iterate_joints(motion, row, h)


@kernel
def _collide(
    motion: Motion,
    shapes: Shapes,
    reports: Ints,
    touches: Records,
    contacts: Records,
    forest: Records,
    chain: Ints,
    new_touches: Records,
    new_contacts: Records,
) -> tuple[Records, Records, int, int]:
    """Contacts of all reported pairs, in order, with the impulses that they inherit."""
    state = forest[0]
    _chain(motion, touches, state.touches, chain)
    count = at = 0
    for r in range(len(reports)):
        if at + MOST > len(new_contacts):
            new_contacts = grown(new_contacts, at + MOST)
        if count == len(new_touches):
            new_touches = grown(new_touches, count + 1)
        found, a, b = find_contacts(shapes, reports[r, 0], reports[r, 1], new_contacts, at)
        if found == 0:
            continue
        touch = new_touches[count]
        touch.a, touch.b, touch.start, touch.count, touch.seen = a, b, at, found, state.steps
        touch.fresh = 1
        for i in range(at, at + found):
            new_contacts[i].normal_impulse = new_contacts[i].tangent_impulse = 0.0
        i = chain[_holder(motion, a, b)]
        while i != NONE:
            old = touches[i]
            if (old.a == a and old.b == b) or (old.a == b and old.b == a):
                _inherit(touch, new_contacts, old, contacts)
                if old.seen == state.steps - 1:
                    touch.fresh = 0
                old.count = 0
                break
            i = old.next
        count += 1
        at += found
    for i in range(state.touches):
        chain[_holder(motion, touches[i].a, touches[i].b)] = NONE
    return new_touches, new_contacts, count, at


@kernel
def _carry(
    touches: Records, contacts: Records, forest: Records, persistence: int, new_touches: Records,
    new_contacts: Records, count: int, at: int,
) -> tuple[Records, Records]:  # fmt: skip
    """Keep the touches that were not seen now but lately, behind those that were."""
    state = forest[0]
    for i in range(state.touches):
        old = touches[i]
        if old.count == 0 or state.steps - old.seen >= persistence:
            continue
        if at + MOST > len(new_contacts):
            new_contacts = grown(new_contacts, at + MOST)
        if count == len(new_touches):
            new_touches = grown(new_touches, count + 1)
        new_touches[count] = old
        new_touches[count].start = at
        new_contacts[at : at + old.count] = contacts[old.start : old.start + old.count]
        at += old.count
        count += 1
    state.touches = count
    return new_touches, new_contacts


@kernel
def _touching_rows(motion: Motion, touches: Records, count: int, touched: Ints, mark: int) -> Ints:
    """Movable bodies with a contact, each once; sets touched[row] to `mark`."""
    rows = np.empty(2 * count, np.int64)
    found = 0
    for i in range(count):
        for row in (touches[i].a, touches[i].b):
            if motion.movable[row] and touched[row] != mark:
                touched[row] = mark
                rows[found] = row
                found += 1
    return rows[:found]


@kernel
def advance(
    motion: Motion,
    shapes: Shapes,
    nodes: Records,
    forest: Records,
    pairs: Records,
    reports: Ints,
    touches: Records,
    contacts: Records,
    spare_touches: Records,
    spare_contacts: Records,
    movers: Ints,
    scratch: Ints,
    wheel_speeds: Floats,
    h: float,
    iterations: int,
    bias: float,
    slop: float,
    persistence: int,
) -> tuple[Records, Ints, Records, Records, Records, Records]:
    """One tick of `iterations` sub-steps of h seconds. Returns the pools and lists, some of them grown or swapped.

    scratch: int64[4, at least nodes]; row 2 is NONE in all places between calls, row 3 holds sub-step numbers.
    """
    state = forest[0]
    stack, walk, chain, touched = scratch[0], scratch[1], scratch[2], scratch[3]
    _set_targets(motion, movers, wheel_speeds)
    for _ in range(iterations):
        state.steps += 1
        _move(motion, shapes, movers, h)
        leaf = state.list_head
        while leaf != NONE:
            row = nodes[leaf].row
            rehang_movable(nodes, pairs, forest, leaf, shapes.bounds[row], motion.vx[row], motion.vy[row])
            leaf = nodes[leaf].after
        pairs, reports, reported = report_pairs(nodes, pairs, forest, stack, walk, reports)
        spare_touches, spare_contacts, count, at = _collide(
            motion, shapes, reports[:reported], touches, contacts, forest, chain, spare_touches, spare_contacts
        )
        spare_touches, spare_contacts = _carry(
            touches, contacts, forest, persistence, spare_touches, spare_contacts, count, at
        )
        touches, spare_touches = spare_touches, touches
        contacts, spare_contacts = spare_contacts, contacts
        for i in range(count):
            for j in range(touches[i].start, touches[i].start + touches[i].count):
                _prepare(motion, contacts[j], touches[i].a, touches[i].b, h, bias, slop)
        rows = _touching_rows(motion, touches, count, touched, state.steps)
        for row in movers:
            if touched[row] != state.steps:
                _solve_free(motion, row, h, iterations)
        _solve_touching(motion, touches, count, contacts, rows, h, iterations)
    for row in movers:
        w, z = cos(motion.angle[row] * 0.5), sin(motion.angle[row] * 0.5)
        motion.yaw[row] = atan2(2.0 * (w * z), w * w - z * z)
    return pairs, reports, touches, contacts, spare_touches, spare_contacts
