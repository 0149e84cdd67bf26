"""The physics engine of a world: owns the solver's arrays, and calls its kernels once per tick."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.bodies import BOX, Bodies, BodySpec, moment_of_inertia
from pybuzz.sim.contacts import CONTACT, Shapes, box_sides, find_contacts, place_shape
from pybuzz.sim.physics import BIAS_PER_SECOND, FIXED_GRIP, MOVABLE_GRIP, PERSISTENCE, SLOP, PhysicsSettings
from pybuzz.sim.solver import TOUCH, Motion, advance
from pybuzz.sim.trees import (
    FOREST,
    GROWTH,
    NODE,
    NONE,
    PAIR,
    Ints,
    Records,
    drop_leaf,
    hang_movable,
    hang_static,
    leaf_box,
    move_leaf,
    new_leaf,
    overlapping_leaves,
    reverse_leaf_list,
    with_room,
)  # fmt: skip

__all__ = ["ContactSolver"]

_SHARED = frozenset(Bodies().storage)
_WIDTHS: dict[str, tuple[int, ...]] = {"sides": (4, 3), "corners": (4, 2), "planes": (4, 3), "bounds": (4,)}


@kernel
def _hang(
    shapes: Shapes, nodes: Records, pairs: Records, forest: Records, row: int, movable: bool, scratch: Ints,
    reports: Ints,
) -> tuple[Records, int]:  # fmt: skip
    """Give a body its leaf; returns the pool of pairs, perhaps grown, and the leaf."""
    place_shape(shapes, row)
    pairs = with_room(pairs, forest, len(nodes))
    leaf = new_leaf(nodes, forest, row, shapes.bounds[row])
    if movable:
        leaf_box(shapes.bounds[row], 0.0, 0.0, nodes[leaf])
        hang_movable(nodes, pairs, forest, leaf, scratch[0], reports)
    else:
        hang_static(nodes, pairs, forest, leaf, scratch[0])
    return pairs, leaf


@kernel
def _rehang(
    shapes: Shapes, motion: Motion, nodes: Records, pairs: Records, forest: Records, row: int, leaf: int,
    scratch: Ints, reports: Ints,
) -> Records:  # fmt: skip
    """Follow a body that was put elsewhere; returns the pool of pairs, perhaps grown."""
    place_shape(shapes, row)
    pairs = with_room(pairs, forest, len(nodes))
    bounds, vx, vy = shapes.bounds[row], motion.vx[row], motion.vy[row]
    move_leaf(nodes, pairs, forest, leaf, bounds, vx, vy, motion.movable[row], scratch[0], reports)
    return pairs


@kernel
def _overlaps(shapes: Shapes, nodes: Records, forest: Records, row: int, scratch: Ints, contacts: Records) -> bool:
    """Whether the body of a row, which has no leaf, touches any that has one."""
    place_shape(shapes, row)
    spare = len(nodes) - 1
    box, bounds = nodes[spare], shapes.bounds[row]
    box.left, box.bottom, box.right, box.top = bounds[0], bounds[1], bounds[2], bounds[3]
    for root in (forest[0].static_root, forest[0].movable_root):
        count = overlapping_leaves(nodes, root, box, scratch[0], scratch[1])
        for i in range(count):
            if find_contacts(shapes, row, scratch[1, i], contacts, 0)[0] > 0:
                return True
    return False


class ContactSolver:
    """ARGoS's dynamics2d with its own solver; a `PhysicsEngine`."""

    def __init__(self, bodies: Bodies, tick_seconds: float, settings: PhysicsSettings) -> None:
        self._bodies = bodies
        self._settings = settings
        self._h = tick_seconds / settings.iterations
        self._bias = 1.0 - BIAS_PER_SECOND**self._h
        self._own = {
            name: np.zeros((1, *_WIDTHS.get(name, ())))
            for name in (*Motion._fields, *Shapes._fields)
            if name not in _SHARED
        }
        self._leaves: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._nodes = np.zeros(1, dtype=NODE)
        self._pairs: Records = np.zeros(64, dtype=PAIR)
        self._reports: Ints = np.zeros((1, 2), dtype=np.int64)
        self._touches: list[Records] = [np.zeros(16, dtype=TOUCH) for _ in range(2)]
        self._contacts: list[Records] = [np.zeros(32, dtype=CONTACT) for _ in range(2)]
        self._forest = np.zeros(1, dtype=FOREST)
        for name in ("static_root", "movable_root", "list_head", "free_node", "free_pair"):
            self._forest[name] = NONE
        self._forest["capacity"] = GROWTH[0]
        self._refresh()

    def add(self, row: int) -> None:
        """Take over the last row, just appended."""
        bodies = self._bodies
        self._refresh()
        self._fill(row)
        movable = bool(bodies.movable[row])
        self._pairs, leaf = _hang(
            self._shapes, self._nodes, self._pairs, self._forest, row, movable, self._scratch, self._reports
        )
        self._leaves = np.append(self._leaves, leaf)
        if movable:
            self._let_list_grow(int(self._forest["leaves"][0]))

    def remove(self, row: int) -> None:
        """Forget a row that is about to be deleted; the later ones move up."""
        drop_leaf(self._nodes, self._pairs, self._forest, self._leaves[row], bool(self._bodies.movable[row]))
        self._leaves = np.delete(self._leaves, row)
        rows = self._nodes["row"]
        rows[rows > row] -= 1
        for column in self._own.values():
            column[row:-1] = column[row + 1 :]
        self._forget_touches(row)
        self._movers = np.flatnonzero(np.delete(self._bodies.movable, row))

    def move(self, row: int) -> None:
        """Follow a body whose x, y or angle was set by hand."""
        self._pairs = _rehang(
            self._shapes, self._motion, self._nodes, self._pairs, self._forest, row, self._leaves[row],
            self._scratch, self._reports,
        )  # fmt: skip

    def overlaps(self, spec: BodySpec) -> bool:
        """Whether a new body would overlap one that is there; heights do not count."""
        row = len(self._bodies)
        self._bodies.write(row, spec)
        if spec.kind == BOX:
            self._own["sides"][row] = box_sides(spec.half_x, spec.half_y)
        return _overlaps(self._shapes, self._nodes, self._forest, row, self._scratch, self._contacts[1])

    def fail_trial(self, spec: BodySpec) -> None:
        """Count a body that was tried and taken out again: in ARGoS that can change the order of contacts."""
        self._forest["stamp"] += 1
        if spec.movable:
            self._let_list_grow(int(self._forest["leaves"][0]) + 1)

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        """Advance all bodies by one tick. wheel_speeds: float64[robots, 2], left and right, in m/s."""
        (
            self._pairs, self._reports, self._touches[0], self._contacts[0], self._touches[1], self._contacts[1],
        ) = advance(
            self._motion, self._shapes, self._nodes, self._forest, self._pairs, self._reports,
            self._touches[0], self._contacts[0], self._touches[1], self._contacts[1],
            self._movers, self._scratch, wheel_speeds,
            self._h, self._settings.iterations, self._bias, SLOP, PERSISTENCE,
        )  # fmt: skip

    def _refresh(self) -> None:
        """Bring the arrays to the size of the bodies' storage, and collect them for the kernels."""
        room = len(self._bodies.storage["x"])
        self._movers = np.flatnonzero(self._bodies.movable)
        if room == len(self._own["grip"]):
            return
        self._own = {name: _lengthened(column, room) for name, column in self._own.items()}
        self._nodes = _lengthened(self._nodes, 2 * room + 1)
        self._reports = _lengthened(self._reports, 2 * room + 1)
        self._scratch: Ints = np.zeros((4, 2 * room + 1), dtype=np.int64)
        self._scratch[2] = NONE
        columns = {**self._bodies.storage, **self._own}
        self._motion = Motion(*(columns[name] for name in Motion._fields))
        self._shapes = Shapes(*(columns[name] for name in Shapes._fields))

    def _fill(self, row: int) -> None:
        """Constants of a new body, at rest."""
        bodies, own = self._bodies, self._own
        kind, mass, half_x, half_y = bodies.kind[row], bodies.mass[row], bodies.half_x[row], bodies.half_y[row]
        for column in own.values():
            column[row] = 0.0
        own["grip"][row] = FIXED_GRIP
        if bodies.movable[row]:
            own["inverse_mass"][row] = 1.0 / mass
            own["inverse_moment"][row] = 1.0 / moment_of_inertia(kind, mass, bodies.radius[row], half_x, half_y)
            own["grip"][row] = MOVABLE_GRIP
        if kind == BOX:
            own["sides"][row] = box_sides(half_x, half_y)

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
