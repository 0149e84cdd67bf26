"""When two bodies overlap, and what happens to those that do."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pybuzz.sim.bodies import BOX, CIRCLE, BodySpec, box_body, cylinder_body
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA

_sizes = st.floats(0.05, 1.0)
_places = st.floats(-1.0, 1.0)


@st.composite
def _specs(draw: st.DrawFn, name: str) -> BodySpec:
    x, y, angle = draw(_places), draw(_places), draw(st.floats(-pi, pi))
    movable = draw(st.booleans())
    if draw(st.booleans()):
        return cylinder_body(name, draw(_sizes), 1.0, x, y, angle, movable=movable)
    return box_body(name, (draw(_sizes), draw(_sizes), 1.0), x, y, angle, movable=movable)


def _world_with(*specs: BodySpec) -> World:
    world = World(0.1)
    for spec in specs:
        world.add(spec)
    return world


def _corners(box: BodySpec) -> np.ndarray:
    own = np.array([(sx * box.half_x, sy * box.half_y) for sx in (-1, 1) for sy in (-1, 1)])
    return own @ _turned(box.angle).T + (box.x, box.y)


def _turned(angle: float) -> np.ndarray:
    return np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])


def _gap(a: BodySpec, b: BodySpec) -> float:
    """How far two outlines are apart, in m, by textbook geometry; negative when they overlap."""
    if a.kind == b.kind == CIRCLE:
        return hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius
    if a.kind == b.kind == BOX:
        axes = np.vstack([_turned(a.angle).T, _turned(b.angle).T])
        p, q = axes @ _corners(a).T, axes @ _corners(b).T
        return float(np.maximum(p.min(axis=1) - q.max(axis=1), q.min(axis=1) - p.max(axis=1)).max())
    circle, box = (a, b) if a.kind == CIRCLE else (b, a)
    x, y = _turned(-box.angle) @ (circle.x - box.x, circle.y - box.y)
    return hypot(max(abs(x) - box.half_x, 0.0), max(abs(y) - box.half_y, 0.0)) - circle.radius


def _corner_on_a_side(a: BodySpec, b: BodySpec) -> bool:
    """Whether a corner of one box lies on a side of the other (or its continuation), where rounding decides.

    ARGoS's narrow phase needs a corner that is inside; two boxes in the very same place may have none.
    """
    if not a.kind == b.kind == BOX:
        return False
    return any(
        np.abs(np.abs((_corners(one) - (other.x, other.y)) @ _turned(other.angle)) - (other.half_x, other.half_y)).min()
        < 1e-9
        for one, other in ((a, b), (b, a))
    )


@settings(deadline=None)
@given(_specs("a"), _specs("b"))
def test_overlap_is_what_geometry_says(a: BodySpec, b: BodySpec) -> None:
    gap = _gap(a, b)
    assume(abs(gap) > 1e-9 and not _corner_on_a_side(a, b))
    assert _world_with(a).overlaps(b) == (gap < 0.0)
    assert _world_with(b).overlaps(a) == (gap < 0.0)


def test_circles_that_just_touch_do_not_overlap() -> None:
    world = _world_with(cylinder_body("a", 0.25, 1.0, 0.0, 0.0))
    assert not world.overlaps(cylinder_body("b", 0.25, 1.0, 0.5, 0.0))
    assert world.overlaps(cylinder_body("b", 0.25, 1.0, 0.499999, 0.0))


def test_crossed_boxes_overlap_though_no_corner_is_inside() -> None:
    world = _world_with(box_body("a", (2.0, 0.1, 1.0), 0.0, 0.0, 0.0))
    assert world.overlaps(box_body("b", (2.0, 0.1, 1.0), 0.0, 0.0, pi / 2))


def test_heights_do_not_count() -> None:
    world = _world_with(box_body("slab", (1.0, 1.0, 0.01), 0.0, 0.0, 0.0))
    assert world.overlaps(cylinder_body("c", 0.1, 1.0, 0.0, 0.0))


def test_a_circle_beside_a_box_corner_is_measured_from_the_corner() -> None:
    world = _world_with(box_body("b", (1.0, 1.0, 1.0), 0.0, 0.0, 0.0))
    away = 0.5 + 0.1 / sqrt(2.0)
    assert not world.overlaps(cylinder_body("c", 0.1, 1.0, away + 1e-6, away + 1e-6))
    assert world.overlaps(cylinder_body("c", 0.1, 1.0, away - 1e-6, away - 1e-6))


def test_an_overlap_deeper_than_ten_centimetres_is_pushed_out_to_that() -> None:
    world = _world_with(box_body("wall", (2.0, 2.0, 0.5), 0.0, 0.0, 0.0))
    world.add_robot("r", 0.8, 0.0, 0.0, **KHEPERA)
    for _ in range(40):
        world.step(np.zeros((1, 2)))
    overlap = 1.0 + KHEPERA["radius"] - world.poses[0, 0]
    assert overlap == pytest.approx(0.1, abs=1e-4)


def test_a_shallower_overlap_stays() -> None:
    world = _world_with(box_body("wall", (2.0, 2.0, 0.5), 0.0, 0.0, 0.0))
    world.add_robot("r", 1.0, 0.0, 0.0, **KHEPERA)
    for _ in range(10):
        world.step(np.zeros((1, 2)))
    assert world.poses[0, 0] == 1.0


def test_a_heap_of_robots_in_one_place_is_pushed_apart() -> None:
    """Far more pairs and contacts than the pools begin with."""
    world = World(0.1)
    rng = np.random.default_rng(1)
    for index in range(70):
        x, y = rng.uniform(-0.01, 0.01, 2)
        world.add_robot(f"r{index}", x, y, 0.0, **KHEPERA)
    before = np.abs(world.poses[:, :2]).max()
    for _ in range(20):
        world.step(np.zeros((70, 2)))
    assert np.isfinite(world.poses).all()
    assert np.abs(world.poses[:, :2]).max() > 3 * before
