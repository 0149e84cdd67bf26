"""One tick of ARGoS's dynamics2d, as compiled kernels: Chipmunk 6.0.1's arithmetic to the last bit.

Each robot is tied to an invisible body that moves as its wheels ask, each movable object to the ground: by a pivot that
matches velocities and a gear that matches turning rates, both of limited force. A body's pivot and gear touch no other
body, so only the order of contacts matters, which is that of the trees.
"""

from __future__ import annotations

from math import atan2, cos, isfinite, sin, sqrt

import numpy as np

from pybuzz.compiled import array_part, kernel, kernel_part
from pybuzz.sim.bodies import CIRCLE
from pybuzz.sim.contacts import MOST, circle_first, find_contacts, place_box, place_circle
from pybuzz.sim.trees import NONE, Floats, Ints, Record, Records, grown, keeps_in
from pybuzz.sim.trees_pairs import rehang, report_pairs

__all__ = ["TOUCH", "advance"]

TOUCH = np.dtype([(name, np.int64) for name in ("a", "b", "start", "count", "seen", "fresh", "next")])
"""Two bodies in contact: where their contacts are, the sub-step of the last, whether it is the first of a series."""


@kernel_part
def _set_targets(bodies: Records, movers: Ints, wheel_speeds: Floats) -> None:
    """The velocities that the wheels ask for, in the direction in which a robot heads as the tick begins.

    A speed that is no finite number asks for rest: else one robot's NaN would spread to all that it touches.
    """
    for row in movers:
        body = bodies[row]
        if body.robot >= 0:
            left, right = wheel_speeds[body.robot, 0], wheel_speeds[body.robot, 1]
            speed, spin = (right + left) * 0.5, (right - left) / body.axle
            if not (isfinite(speed) and isfinite(spin)):
                speed, spin = 0.0, 0.0
            body.target_vx = speed * cos(body.angle)
            body.target_vy = speed * sin(body.angle)
            body.target_spin = spin


@kernel_part
def _move(bodies: Records, sides: Records, movers: Ints, h: float) -> None:
    for row in movers:
        body = bodies[row]
        body.x += (body.vx + body.bias_vx) * h
        body.y += (body.vy + body.bias_vy) * h
        body.angle += (body.spin + body.bias_spin) * h
        body.bias_vx, body.bias_vy, body.bias_spin = 0.0, 0.0, 0.0
        if body.kind == CIRCLE:
            place_circle(body)
        else:
            place_box(body, sides[row])


@kernel_part
def _holder(bodies: Records, a: int, b: int) -> int:
    """The movable body in whose chain a touch is kept, the same whichever of the two comes first."""
    if bodies[a].movable and (not bodies[b].movable or a < b):
        return a
    return b


@kernel_part
def _chain_up(bodies: Records, touches: Records, count: int, chain: Ints) -> None:
    for i in range(count):
        touch = touches[i]
        holder = _holder(bodies, touch.a, touch.b)
        touch.next = chain[holder]
        chain[holder] = i


@kernel_part
def _unchain(bodies: Records, touches: Records, count: int, chain: Ints) -> None:
    for i in range(count):
        chain[_holder(bodies, touches[i].a, touches[i].b)] = NONE


@kernel_part
def _inherit(touch: Record, contacts: Records, old: Record, old_contacts: Records) -> None:
    """Take over the impulses of contacts with equal keys; of several, the last one's."""
    for i in range(touch.start, touch.start + touch.count):
        contact = contacts[i]
        for j in range(old.start, old.start + old.count):
            if old_contacts[j].key == contact.key:
                contact.normal_impulse = old_contacts[j].normal_impulse
                contact.tangent_impulse = old_contacts[j].tangent_impulse


@kernel_part
def _continue(
    bodies: Records, touch: Record, contacts: Records, touches: Records, old_contacts: Records, chain: Ints
) -> None:
    """Join a touch to what is remembered of the same two bodies; what is taken over is emptied."""
    for i in range(touch.start, touch.start + touch.count):
        contacts[i].normal_impulse, contacts[i].tangent_impulse = 0.0, 0.0
    touch.fresh = 1
    i = chain[_holder(bodies, touch.a, touch.b)]
    while i != NONE:
        old = touches[i]
        if (old.a == touch.a and old.b == touch.b) or (old.a == touch.b and old.b == touch.a):
            _inherit(touch, contacts, old, old_contacts)
            if old.seen == touch.seen - 1:
                touch.fresh = 0
            old.count = 0
            return
        i = old.next


@kernel_part
def _collide(
    bodies: Records, sides: Records, reports: Ints, touches: Records, contacts: Records, forest: Records, chain: Ints,
    new_touches: Records, new_contacts: Records,
) -> tuple[int, int]:  # fmt: skip
    """Touches and contacts of all reported pairs, in order, with the impulses that they inherit; returns how many."""
    state = forest[0]
    _chain_up(bodies, touches, state.touches, chain)
    count = at = 0
    for r in range(state.reports):
        a, b = circle_first(bodies, reports[r, 0], reports[r, 1])
        found = find_contacts(bodies, sides, a, b, new_contacts, at)
        if found:
            touch = new_touches[count]
            touch.a, touch.b, touch.start, touch.count, touch.seen = a, b, at, found, state.steps
            _continue(bodies, touch, new_contacts, touches, contacts, chain)
            count += 1
            at += found
    _unchain(bodies, touches, state.touches, chain)
    return count, at


@kernel_part
def _carry(
    touches: Records, contacts: Records, forest: Records, persistence: int, new_touches: Records,
    new_contacts: Records, count: int, at: int,
) -> None:  # fmt: skip
    """Keep the touches that were not seen now but lately, behind those that were."""
    state = forest[0]
    for i in range(state.touches):
        old = touches[i]
        if old.count == 0 or state.steps - old.seen >= persistence:
            continue
        new_touches[count] = old
        new_touches[count].start = at
        for j in range(old.start, old.start + old.count):
            new_contacts[at] = contacts[j]
            at += 1
        count += 1
    state.touches = count


@kernel_part
def _prepare(a: Record, b: Record, contact: Record, h: float, bias: float, slop: float) -> None:
    nx, ny = contact.nx, contact.ny
    r1x, r1y, r2x, r2y = contact.x - a.x, contact.y - a.y, contact.x - b.x, contact.y - b.y
    across_a, across_b = r1x * ny - r1y * nx, r2x * ny - r2y * nx
    along_a, along_b = r1x * nx - r1y * -ny, r2x * nx - r2y * -ny
    contact.normal_mass = 1.0 / (
        (a.inverse_mass + a.inverse_moment * across_a * across_a)
        + (b.inverse_mass + b.inverse_moment * across_b * across_b)
    )
    contact.tangent_mass = 1.0 / (
        (a.inverse_mass + a.inverse_moment * along_a * along_a)
        + (b.inverse_mass + b.inverse_moment * along_b * along_b)
    )
    contact.r1x, contact.r1y, contact.r2x, contact.r2y = r1x, r1y, r2x, r2y
    contact.bias = -bias * min(0.0, contact.depth + slop) / h
    contact.bias_impulse = 0.0
    contact.friction = a.grip * b.grip


@kernel_part
def _prepare_all(
    bodies: Records, touches: Records, count: int, contacts: Records, h: float, bias: float, slop: float
) -> bool:
    """Returns whether a contact is deep enough to be pushed out."""
    deep = False
    for i in range(count):
        touch = touches[i]
        for j in range(touch.start, touch.start + touch.count):
            contacts[j].a, contacts[j].b = touch.a, touch.b
            _prepare(bodies[touch.a], bodies[touch.b], contacts[j], h, bias, slop)
            deep = deep or contacts[j].bias > 0.0
    return deep


@kernel_part
def _push(body: Record, rx: float, ry: float, jx: float, jy: float) -> None:
    body.vx += jx * body.inverse_mass
    body.vy += jy * body.inverse_mass
    body.spin += body.inverse_moment * (rx * jy - ry * jx)


@kernel_part
def _push_apart(a: Record, b: Record, contact: Record, normal: float, tangent: float) -> None:
    jx = contact.nx * normal - contact.ny * tangent
    jy = contact.nx * tangent + contact.ny * normal
    _push(a, contact.r1x, contact.r1y, -jx, -jy)
    _push(b, contact.r2x, contact.r2y, jx, jy)


@kernel_part
def _push_bias(body: Record, rx: float, ry: float, jx: float, jy: float) -> None:
    body.bias_vx += jx * body.inverse_mass
    body.bias_vy += jy * body.inverse_mass
    body.bias_spin += body.inverse_moment * (rx * jy - ry * jx)


@kernel_part
def _separate(a: Record, b: Record, contact: Record) -> None:
    """The bias part of an iteration: bias velocities move bodies out of an overlap deeper than the slop."""
    apart_x = (b.bias_vx + -contact.r2y * b.bias_spin) - (a.bias_vx + -contact.r1y * a.bias_spin)
    apart_y = (b.bias_vy + contact.r2x * b.bias_spin) - (a.bias_vy + contact.r1x * a.bias_spin)
    before = contact.bias_impulse
    wanted = before + (contact.bias - (apart_x * contact.nx + apart_y * contact.ny)) * contact.normal_mass
    contact.bias_impulse = max(wanted, 0.0)
    more = contact.bias_impulse - before
    jx, jy = contact.nx * more, contact.ny * more
    _push_bias(a, contact.r1x, contact.r1y, -jx, -jy)
    _push_bias(b, contact.r2x, contact.r2y, jx, jy)


@kernel_part
def _iterate_contact(a: Record, b: Record, contact: Record) -> None:
    nx, ny = contact.nx, contact.ny
    apart_x = (b.vx + -contact.r2y * b.spin) - (a.vx + -contact.r1y * a.spin)
    apart_y = (b.vy + contact.r2x * b.spin) - (a.vy + contact.r1x * a.spin)
    normal, tangent = contact.normal_impulse, contact.tangent_impulse
    contact.normal_impulse = max(normal - (apart_x * nx + apart_y * ny) * contact.normal_mass, 0.0)
    most = contact.friction * contact.normal_impulse
    wanted = tangent - (apart_x * -ny + apart_y * nx) * contact.tangent_mass
    contact.tangent_impulse = min(max(wanted, -most), most)
    _push_apart(a, b, contact, contact.normal_impulse - normal, contact.tangent_impulse - tangent)


@kernel_part
def _warm_joints(body: Record) -> None:
    body.vx += body.pull_x * body.inverse_mass
    body.vy += body.pull_y * body.inverse_mass
    body.spin += body.turn * body.inverse_moment


@kernel_part
def _iterate_joints(body: Record, h: float) -> bool:
    """Pivot, then gear. Returns whether anything changed; if not, more iterations change nothing either."""
    pull_x = body.pull_x + (body.target_vx - body.vx) * body.pull_factor
    pull_y = body.pull_y + (body.target_vy - body.vy) * body.pull_factor
    limit = body.max_force * h
    squared = pull_x * pull_x + pull_y * pull_y
    if squared > limit * limit:
        scale = 1.0 / sqrt(squared)
        pull_x, pull_y = (pull_x * scale) * limit, (pull_y * scale) * limit
    more_x, more_y = pull_x - body.pull_x, pull_y - body.pull_y
    body.vx += more_x * body.inverse_mass
    body.vy += more_y * body.inverse_mass
    limit = body.max_torque * h
    turn = min(max(body.turn + (body.target_spin - body.spin) * body.turn_factor, -limit), limit)
    more = turn - body.turn
    body.spin += more * body.inverse_moment
    body.pull_x, body.pull_y, body.turn = pull_x, pull_y, turn
    return bool(more_x != 0.0 or more_y != 0.0 or more != 0.0)


@kernel_part
def _solve_free(bodies: Records, movers: Ints, touched: Ints, step: int, h: float, iterations: int) -> None:
    """Velocities of the bodies that touch nothing: each by itself, until nothing changes."""
    for row in movers:
        if touched[row] != step:
            body = bodies[row]
            _warm_joints(body)
            for _ in range(iterations):
                if not _iterate_joints(body, h):
                    break


@kernel_part
def _solve_touching(
    bodies: Records, touches: Records, count: int, contacts: Records, rows: Ints, h: float, iterations: int, deep: bool
) -> None:
    """Velocities of the bodies in contact: all contacts in order, then the joints, again and again."""
    total = 0
    for i in range(count):
        touch = touches[i]
        total += touch.count
        if not touch.fresh:
            for j in range(touch.start, touch.start + touch.count):
                contact = contacts[j]
                a, b = bodies[touch.a], bodies[touch.b]
                _push_apart(a, b, contact, contact.normal_impulse, contact.tangent_impulse)
    for row in rows:
        _warm_joints(bodies[row])
    for _ in range(iterations):
        for i in range(total):
            contact = contacts[i]
            a, b = bodies[contact.a], bodies[contact.b]
            if deep:
                _separate(a, b, contact)
            _iterate_contact(a, b, contact)
        for row in rows:
            _iterate_joints(bodies[row], h)


@array_part
def _touching_rows(bodies: Records, touches: Records, count: int, touched: Ints, step: int) -> Ints:
    """Movable bodies in contact, each once; sets touched[row] to the sub-step."""
    rows = np.empty(2 * count, np.int64)
    found = 0
    for i in range(count):
        for row in (touches[i].a, touches[i].b):
            if bodies[row].movable and touched[row] != step:
                touched[row] = step
                rows[found] = row
                found += 1
    return rows[:found]


@kernel_part
def _publish(bodies: Records, movers: Ints, motion: Floats) -> None:
    """Copy what moved into motion, float64[7, rows]: x, y, angle, yaw, vx, vy, spin."""
    for row in movers:
        body = bodies[row]
        w, z = cos(body.angle * 0.5), sin(body.angle * 0.5)
        motion[0, row], motion[1, row], motion[2, row] = body.x, body.y, body.angle
        motion[3, row] = atan2(2.0 * (w * z), w * w - z * z)
        motion[4, row], motion[5, row], motion[6, row] = body.vx, body.vy, body.spin


@kernel_part
def _room(
    pairs: Records, reports: Ints, touches: Records, contacts: Records, spare_touches: Records, spare_contacts: Records
) -> int:
    """Of all that may grow together."""
    records = len(touches) + len(contacts) + len(spare_touches) + len(spare_contacts)
    return len(pairs) + len(reports) + records


@kernel
def advance(
    bodies: Records, sides: Records, motion: Floats, nodes: Records, forest: Records, pairs: Records, reports: Ints,
    touches: Records, contacts: Records, spare_touches: Records, spare_contacts: Records, movers: Ints, scratch: Ints,
    wheel_speeds: Floats, h: float, iterations: int, bias: float, slop: float, persistence: int,
) -> tuple[Records, Ints, Records, Records, Records, Records] | None:  # fmt: skip
    """One tick of `iterations` sub-steps of h seconds, after each of which `touches` and `contacts` change places with
    the spare ones. Returns the pools and lists, changed places and all, if one of them had to grow: to hand arrays of
    records to Python takes longer than a tick of few robots.

    scratch: int64[4, nodes]; row 2 is NONE in all places between calls, row 3 holds numbers of sub-steps.
    """
    state = forest[0]
    room = _room(pairs, reports, touches, contacts, spare_touches, spare_contacts)
    stack, order, chain, touched = scratch[0], scratch[1], scratch[2], scratch[3]
    _set_targets(bodies, movers, wheel_speeds)
    for _ in range(iterations):
        state.steps += 1
        _move(bodies, sides, movers, h)
        leaf = state.list_head
        while leaf != NONE:
            body = bodies[nodes[leaf].row]
            if not keeps_in(nodes[leaf], body):
                rehang(nodes, pairs, forest, leaf, body)
            leaf = nodes[leaf].after
        pairs, reports = report_pairs(nodes, pairs, forest, stack, order, reports)
        most = state.reports + state.touches
        if len(spare_touches) < most:
            spare_touches = grown(spare_touches, 0, most)
        if len(spare_contacts) < MOST * most:
            spare_contacts = grown(spare_contacts, 0, MOST * most)
        count, at = _collide(bodies, sides, reports, touches, contacts, forest, chain, spare_touches, spare_contacts)
        _carry(touches, contacts, forest, persistence, spare_touches, spare_contacts, count, at)
        touches, spare_touches = spare_touches, touches
        contacts, spare_contacts = spare_contacts, contacts
        deep = _prepare_all(bodies, touches, count, contacts, h, bias, slop)
        rows = _touching_rows(bodies, touches, count, touched, state.steps)
        _solve_free(bodies, movers, touched, state.steps, h, iterations)
        _solve_touching(bodies, touches, count, contacts, rows, h, iterations, deep)
    _publish(bodies, movers, motion)
    if _room(pairs, reports, touches, contacts, spare_touches, spare_contacts) == room:
        return None
    return pairs, reports, touches, contacts, spare_touches, spare_contacts
