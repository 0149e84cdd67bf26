"""The physics engine of a world: owns the solver's arrays, and calls its kernels once per tick."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.bodies import BOX, Bodies, BodySpec, moment_of_inertia
from pybuzz.sim.contacts import (
    BODY,
    CONTACT,
    MOST,
    SIDE,
    circle_first,
    find_contacts,
    pass_through,
    place_shape,
    set_sides,
)
from pybuzz.sim.physics import BIAS_PER_SECOND, FIXED_GRIP, MOVABLE_GRIP, PERSISTENCE, SLOP, PhysicsSettings
from pybuzz.sim.solver import TOUCH, advance
from pybuzz.sim.trees import (
    FOREST,
    GROWTH,
    NODE,
    NONE,
    Ints,
    Records,
    give_node,
    new_leaf,
    overlapping_leaves,
    reverse_leaf_list,
    set_box,
)  # fmt: skip
from pybuzz.sim.trees_pairs import (
    PAIR,
    hang_movable,
    hang_static,
    rehang_by_hand,
    unhang_movable,
    unhang_static,
    with_room,
)  # fmt: skip

__all__ = ["ContactSolver"]


@kernel
def _hang(
    bodies: Records, sides: Records, nodes: Records, pairs: Records, forest: Records, row: int, leaf: int,
    scratch: Ints, reports: Ints,
) -> tuple[Records, int]:  # fmt: skip
    """Hang a body where it is, a new one if `leaf` is NONE; returns the pairs, perhaps grown, and the leaf."""
    place_shape(bodies, sides, row)
    pairs = with_room(pairs, forest, len(nodes))
    body, stack = bodies[row], scratch[0]
    is_new = leaf == NONE
    if is_new:
        leaf = new_leaf(nodes, forest, row)
        nodes[leaf].passes = forest[0].robots_pass and body.robot >= 0
    if not body.movable:
        if not is_new:
            unhang_static(nodes, pairs, forest, leaf)
        hang_static(nodes, pairs, forest, leaf, body, stack)
    elif is_new:
        hang_movable(nodes, pairs, forest, leaf, body, stack, reports)
    else:
        rehang_by_hand(nodes, pairs, forest, leaf, body, stack, reports)
    return pairs, leaf


@kernel
def _unhang(nodes: Records, pairs: Records, forest: Records, leaf: int, movable: bool) -> None:
    if movable:
        unhang_movable(nodes, pairs, forest, leaf)
    else:
        unhang_static(nodes, pairs, forest, leaf)
    give_node(nodes, forest, leaf)


@kernel
def _overlaps(
    bodies: Records, sides: Records, nodes: Records, forest: Records, row: int, scratch: Ints, contacts: Records
) -> bool:
    """Whether the body of a row, which has no leaf, touches any that has one."""
    place_shape(bodies, sides, row)
    box = nodes[len(nodes) - 1]
    set_box(box, bodies[row])
    at = len(contacts) - MOST
    for root in (forest[0].static_root, forest[0].movable_root):
        count = overlapping_leaves(nodes, root, box, scratch[0], scratch[1])
        for i in range(count):
            a, b = circle_first(bodies, row, scratch[1, i])
            if forest[0].robots_pass and pass_through(bodies, a, b):
                continue
            if find_contacts(bodies, sides, a, b, contacts, at):
                return True
    return False


class ContactSolver:
    """ARGoS's dynamics2d with a solver of our own; a `PhysicsEngine`."""

    def __init__(self, bodies: Bodies, tick_seconds: float, settings: PhysicsSettings) -> None:
        self._bodies = bodies
        self._settings = settings
        self._h = tick_seconds / settings.iterations
        self._bias = 1.0 - BIAS_PER_SECOND**self._h
        self._states: Records = np.zeros(0, dtype=BODY)
        self._sides: Records = np.zeros((0, 4), dtype=SIDE)
        self._leaves: Ints = np.zeros(0, dtype=np.int64)
        self._movers: Ints = np.zeros(0, dtype=np.int64)
        self._nodes: Records = np.zeros(0, dtype=NODE)
        self._pairs: Records = np.zeros(64, dtype=PAIR)
        self._reports: Ints = np.zeros((0, 2), dtype=np.int64)
        self._touches: list[Records] = [np.zeros(16, dtype=TOUCH) for _ in range(2)]
        self._contacts: list[Records] = [np.zeros(MOST * 16, dtype=CONTACT) for _ in range(2)]
        self._forest: Records = np.zeros(1, dtype=FOREST)
        for name in ("static_root", "movable_root", "list_head", "free_node", "free_pair"):
            self._forest[name] = NONE
        self._forest["capacity"] = GROWTH[0]
        self._forest["robots_pass"] = not settings.robot_collision
        self._make_room()

    def add(self, spec: BodySpec) -> None:
        """Take over the body of the last row, just appended."""
        self._make_room()
        row = len(self._bodies) - 1
        self._fill(row, spec)
        self._leaves = np.append(self._leaves, NONE if spec.flies else self._hang(row, NONE))
        if spec.movable:
            self._movers = np.append(self._movers, row)
            self._let_list_grow(int(self._forest["leaves"][0]))

    def remove(self, row: int) -> None:
        """Forget a row that is about to be deleted; the later ones move up."""
        if self._leaves[row] != NONE:
            _unhang(self._nodes, self._pairs, self._forest, self._leaves[row], bool(self._bodies.movable[row]))
        self._leaves = np.delete(self._leaves, row)
        rows = self._nodes["row"]
        rows[rows > row] -= 1
        robots = self._states["robot"]
        robots[robots > robots[row]] -= 1 if robots[row] >= 0 else 0
        for column in (self._states, self._sides):
            column[row:-1] = column[row + 1 :]
        self._forget_touches(row)
        self._movers = np.flatnonzero(np.delete(self._bodies.movable, row))

    def move(self, row: int) -> None:
        """Follow a body whose x, y or angle was set by hand."""
        for name in ("x", "y", "angle"):
            self._states[name][row] = getattr(self._bodies, name)[row]
        if self._leaves[row] != NONE:
            self._hang(row, int(self._leaves[row]))

    def overlaps(self, spec: BodySpec) -> bool:
        """Whether a new body would overlap one that is there; heights do not count."""
        row = len(self._bodies)
        self._outline(row, spec)
        return _overlaps(self._states, self._sides, self._nodes, self._forest, row, self._scratch, self._contacts[1])

    def fail_trial(self, spec: BodySpec) -> None:
        """Count a body that was tried and taken out again: in ARGoS that can change the order of contacts."""
        self._forest["stamp"] += 1
        if spec.movable:
            self._let_list_grow(int(self._forest["leaves"][0]) + 1)

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        """Advance all bodies by one tick. wheel_speeds: float64[robots, 2], left and right, in m/s."""
        grown = advance(
            self._states, self._sides, self._bodies.motion, self._nodes, self._forest, self._pairs, self._reports,
            self._touches[0], self._contacts[0], self._touches[1], self._contacts[1],
            self._movers, self._scratch, wheel_speeds,
            self._h, self._settings.iterations, self._bias, SLOP, PERSISTENCE,
        )  # fmt: skip
        if grown is not None:
            (
                self._pairs, self._reports, self._touches[0], self._contacts[0], self._touches[1], self._contacts[1],
            ) = grown  # fmt: skip
        elif self._settings.iterations % 2:
            self._touches.reverse()
            self._contacts.reverse()

    def _hang(self, row: int, leaf: int) -> int:
        self._pairs, leaf = _hang(
            self._states, self._sides, self._nodes, self._pairs, self._forest, row, leaf, self._scratch, self._reports
        )
        return leaf

    def _make_room(self) -> None:
        """Room for one body more than there are: it is the one that is tried."""
        room = len(self._states)
        if len(self._bodies) < room:
            return
        room = 2 * room + 16
        self._states = _lengthened(self._states, room)
        self._sides = _lengthened(self._sides, room)
        self._nodes = _lengthened(self._nodes, 2 * room + 1)
        self._reports = _lengthened(self._reports, 2 * room + 1)
        self._scratch: Ints = np.zeros((4, 2 * room + 1), dtype=np.int64)
        self._scratch[2] = NONE

    def _outline(self, row: int, spec: BodySpec) -> None:
        """Shape and place of a body."""
        state = self._states[row]
        for name in ("x", "y", "angle", "radius", "kind", "smooth"):
            state[name] = getattr(spec, name)
        state["robot"] = 0 if spec.robot else -1
        if spec.kind == BOX:
            set_sides(self._sides[row], spec.half_x, spec.half_y)

    def _fill(self, row: int, spec: BodySpec) -> None:
        """A body at rest."""
        self._states[row] = 0
        self._outline(row, spec)
        state = self._states[row]
        for name in ("axle", "max_force", "max_torque", "movable"):
            state[name] = getattr(spec, name)
        state["robot"] = self._bodies.robot[row]
        state["grip"] = FIXED_GRIP
        if spec.movable:
            inverse_mass, inverse_moment = 1.0 / spec.mass, 1.0 / moment_of_inertia(spec)
            state["grip"] = MOVABLE_GRIP
            state["inverse_mass"], state["inverse_moment"] = inverse_mass, inverse_moment
            state["pull_factor"] = inverse_mass * (1.0 / (inverse_mass * inverse_mass))
            state["turn_factor"] = 1.0 / inverse_moment

    def _forget_touches(self, row: int) -> None:
        """Drop what is remembered of a body's contacts; the rows above it move down."""
        count = int(self._forest["touches"][0])
        touches = self._touches[0][:count]
        kept = touches[(touches["a"] != row) & (touches["b"] != row)]
        for name in ("a", "b"):
            kept[name][kept[name] > row] -= 1
        self._touches[0][: len(kept)] = kept
        self._forest["touches"] = len(kept)

    def _let_list_grow(self, leaves: int) -> None:
        if leaves >= self._forest["capacity"][0]:
            self._forest["capacity"] = next(size for size in GROWTH if size > leaves)
            reverse_leaf_list(self._nodes, self._forest)


def _lengthened(column: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros((max(length, len(column)), *column.shape[1:]), dtype=column.dtype)
    longer[: len(column)] = column
    return longer
