"""A world from outside: adding, trying, moving, removing, stepping."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.sim.bodies import BodySpec, box_body, cylinder_body, robot_body
from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.solver_engine import ContactSolver
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA
from tests.oracles.pymunk_engine import PymunkEngine

Generator = np.random.Generator


def _spec(rng: Generator, name: str, half: float) -> BodySpec:
    x, y, angle = rng.uniform(-half, half), rng.uniform(-half, half), rng.uniform(-3, 3)
    kind = rng.integers(5)
    if kind == 0:
        return box_body(name, rng.uniform(0.05, 0.3, 3), x, y, angle)
    if kind == 1:
        return box_body(name, rng.uniform(0.05, 0.3, 3), x, y, angle, movable=True, mass=0.3)
    if kind == 2:
        return cylinder_body(name, 0.1, 0.5, x, y, angle, movable=bool(rng.integers(2)))
    return robot_body(name, x, y, angle, **KHEPERA)


def _crowd(seed: int, count: int, refuse: Callable[[World, BodySpec], None], *, iterations: int = 10) -> World:
    """Bodies tried at random places; `refuse` books those that do not fit."""
    rng = np.random.default_rng(seed)
    world = World(0.1, PhysicsSettings(iterations, box_linear_friction=0.3, box_angular_friction=0.02))
    half = 0.13 * count**0.5
    for name, x, y in (("e", half, 0), ("w", -half, 0)):
        world.add_box(name, (0.1, 2 * half, 0.5), x, y, 0.0)
    for name, x, y in (("n", 0, half), ("s", 0, -half)):
        world.add_box(name, (2 * half, 0.1, 0.5), x, y, 0.0)
    while len(world.bodies) < count:
        spec = _spec(rng, f"b{len(world.bodies)}", half)
        if world.overlaps(spec):
            refuse(world, spec)
        else:
            world.add(spec)
    return world


def _run(world: World, seed: int, ticks: int) -> np.ndarray:
    """Every robot drives straight, or nearly so, until it is stopped."""
    speeds = np.random.default_rng(seed).uniform(0.1, 0.3, (len(world.robots), 1))
    for _ in range(ticks):
        world.step(speeds * (1.0, 1.05))
    return world.bodies.motion[:, : len(world.bodies)].copy()


def _count(world: World, spec: BodySpec) -> None:
    assert not world.trial(spec)


def _add_and_remove(world: World, spec: BodySpec) -> None:
    world.add(spec)
    world.remove(spec.name)


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_failed_trial_leaves_what_a_body_put_in_and_taken_out_leaves(seed: int) -> None:
    """In these crowds the last bits would differ if failed trials did not count."""
    counted, carried_out = _crowd(seed, 200, _count), _crowd(seed, 200, _add_and_remove)
    np.testing.assert_array_equal(_run(counted, 1, 200), _run(carried_out, 1, 200))


def test_the_same_world_moves_the_same_way_again() -> None:
    np.testing.assert_array_equal(_run(_crowd(5, 50, _count), 1, 30), _run(_crowd(5, 50, _count), 1, 30))


def test_a_crowd_pushed_together_does_not_sink_into_each_other() -> None:
    world = _crowd(7, 80, _count)
    _run(world, 3, 100)
    robots = world.poses[:, :2]
    gaps = np.linalg.norm(robots[:, None] - robots[None], axis=2)[np.triu_indices(len(robots), 1)]
    assert gaps.min() > 2 * KHEPERA["radius"] - 0.02


@pytest.mark.parametrize("iterations", [9, 10])
def test_a_tick_in_which_lists_grow_moves_bodies_as_any_other(iterations: int) -> None:
    usual, growing = (_crowd(7, 40, _count, iterations=iterations) for _ in range(2))
    engine = growing._engine
    assert isinstance(engine, ContactSolver)
    for _ in range(20):
        engine._reports = engine._reports[:0]
        assert _run(growing, 3, 1).tobytes() == _run(usual, 3, 1).tobytes()


def test_reports_that_have_more_room_than_they_need_hide_no_growth_of_the_pairs() -> None:
    """Had they given up as much room as the pairs took, nothing would seem to have grown."""
    usual, growing = (_crowd(7, 40, _count) for _ in range(2))
    assert _run(growing, 3, 20).tobytes() == _run(usual, 3, 20).tobytes()
    engine = growing._engine
    assert isinstance(engine, ContactSolver)
    pairs, nodes = int(engine._forest["pairs_used"][0]), len(engine._nodes)
    engine._pairs = engine._pairs[:pairs].copy()
    engine._reports = np.zeros((pairs + 4 * nodes + 2, 2), dtype=np.int64)
    assert _run(growing, 3, 1).tobytes() == _run(usual, 3, 1).tobytes()
    assert len(engine._pairs) > pairs


def _change(world: World, spec: BodySpec, tick: int) -> None:
    """Bodies come, go and are put elsewhere."""
    if not world.overlaps(spec):
        world.add(spec)
    if tick % 7 == 3:
        world.remove(world.bodies.names[tick // 3])
    if tick % 5 == 2:
        world.move(world.bodies.names[-1], 3.0 + tick, 0.0, 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_bodies_come_and_go_while_running_and_pymunk_agrees(seed: int) -> None:
    worlds = [World(0.1), World(0.1, engine=PymunkEngine)]
    rng = np.random.default_rng(seed)
    for tick in range(60):
        spec = _spec(rng, f"b{tick}", 0.9)
        wheels = rng.uniform(-0.1, 0.2, (100, 2))
        for world in worlds:
            _change(world, spec, tick)
            world.step(wheels[: len(world.robots)])
        ours, theirs = (world.bodies.motion[:, : len(world.bodies)] for world in worlds)
        np.testing.assert_allclose(ours, theirs, atol=2e-3)


def test_overlap_is_found_after_bodies_have_moved() -> None:
    world = World(0.1)
    world.add_robot("r", 0.0, 0.0, 0.0, **KHEPERA)
    for _ in range(20):
        world.step(np.full((1, 2), 0.1))
    x = world.poses[0, 0]
    assert world.overlaps(cylinder_body("c", 0.01, 1.0, x, 0.0))
    assert not world.overlaps(cylinder_body("c", 0.01, 1.0, 0.0, 0.0))


def test_a_body_moved_by_hand_stands_and_blocks_where_it_was_put() -> None:
    world = World(0.1)
    world.add_robot("r", 0.0, 0.0, 0.0, **KHEPERA)
    world.add_box("wall", (0.1, 1.0, 0.5), 3.0, 0.0, 0.0)
    world.move("wall", 0.3, 0.0, 0.0)
    world.move("r", 0.1, 0.0, 0.0)
    for _ in range(30):
        world.step(np.full((1, 2), 0.1))
    assert world.poses[0, 0] == pytest.approx(0.25 - KHEPERA["radius"], abs=2e-3)


def test_a_removed_wall_no_longer_blocks() -> None:
    world = World(0.1)
    world.add_box("wall", (0.1, 1.0, 0.5), 0.3, 0.0, 0.0)
    world.add_robot("r", 0.0, 0.0, 0.0, **KHEPERA)
    for tick in range(60):
        if tick == 30:
            world.remove("wall")
        world.step(np.full((1, 2), 0.1))
    assert world.poses[0, 0] > 0.4


def test_robots_keep_their_wheels_when_an_earlier_one_is_removed() -> None:
    world = World(0.1)
    for index, name in enumerate("abc"):
        world.add_robot(name, 0.0, index, 0.0, **KHEPERA)
    world.remove("b")
    world.step(np.array([[0.1, 0.1], [-0.1, -0.1]]))
    assert world.robots == ["a", "c"]
    assert world.robot_bodies.tolist() == [0, 1]
    assert world.poses[0, 0] > 0 > world.poses[1, 0]


def test_a_robot_at_rest_stays_exactly_where_it_is() -> None:
    world = World(0.1)
    world.add_robot("r", 0.123, 4.567, 0.0, **KHEPERA)
    world.step(np.zeros((1, 2)))
    assert world.poses.tolist() == [[0.123, 4.567, 0.0]]


def test_the_first_tick_from_rest_covers_what_argos_covers() -> None:
    world = World(0.1)
    world.add_robot("r", 0.0, 0.0, 0.0, **KHEPERA)
    steps = []
    for _ in range(2):
        before = world.poses[0, 0]
        world.step(np.full((1, 2), 0.1))
        steps.append(world.poses[0, 0] - before)
    assert steps == pytest.approx([0.008125, 0.01], abs=1e-9)


def test_other_kinds_of_robots_are_given_by_their_measures() -> None:
    world = World(0.1)
    foot_bot = {"radius": 0.085036758, "mass": 1.6, "axle": 0.14, "top": 0.146899733}
    world.add_robot("f", 0.0, 0.0, 0.0, **foot_bot, max_force=15.0, max_torque=150.0)
    world.step(np.array([[-0.05, 0.05]]))
    world.step(np.array([[-0.05, 0.05]]))
    assert world.bodies.spin[0] == pytest.approx(0.1 / 0.14)
    assert world.bodies.top[0] == 0.146899733


@pytest.mark.parametrize("speed", [float("nan"), float("inf"), 1e308])
def test_a_speed_that_is_no_number_stops_its_robot_and_nobody_else(speed: float) -> None:
    world = World(0.1)
    world.add_robot("bad", 0.0, 0.0, 0.0, **KHEPERA)
    world.add_robot("good", 0.2, 0.0, 0.0, **KHEPERA)
    for _ in range(10):
        world.step(np.array([[speed, speed], [0.1, 0.1]]))
    assert world.poses[0].tolist() == [0.0, 0.0, 0.0]
    assert world.poses[1, 0] > 0.29


@pytest.mark.parametrize("order", ["F", "readonly", "list"])
def test_wheel_speeds_may_come_in_any_layout(order: str) -> None:
    speeds = np.array([[0.1, 0.1], [0.2, 0.2]], order="F" if order == "F" else "C")
    speeds.setflags(write=order != "readonly")
    world = World(0.1)
    for index in range(2):
        world.add_robot(f"r{index}", 0.0, index, 0.0, **KHEPERA)
    world.step(speeds.tolist() if order == "list" else speeds)
    faster_each_sub_step = [0.0375, 0.075, 0.1125, 0.15, 0.1875, 0.2, 0.2, 0.2, 0.2]
    assert world.poses[1, 0] == pytest.approx(0.01 * sum(faster_each_sub_step), abs=1e-9)


def test_yaw_stays_within_a_turn_while_the_angle_runs_on() -> None:
    world = World(0.1)
    world.add_robot("r", 0.0, 0.0, 3.0, **KHEPERA)
    for _ in range(20):
        world.step(np.array([[-0.1, 0.1]]))
    turned = world.bodies.angle[0]
    assert turned > 6.0
    assert world.poses[0, 2] == pytest.approx((turned + np.pi) % (2 * np.pi) - np.pi)


def test_lights_have_no_body() -> None:
    world = World(0.1)
    world.add_light("l", [1.0, 2.0, 3.0], 0.5)
    world.add_light("m", [4.0, 5.0, 6.0], 1.0)
    world.remove("l")
    assert world.lights.names == ["m"]
    assert world.lights.positions.tolist() == [[4.0, 5.0, 6.0]]
    assert len(world.bodies) == 0


def test_a_name_is_taken_once() -> None:
    world = World(0.1)
    world.add_light("a", [0.0, 0.0, 1.0], 1.0)
    with pytest.raises(InputError, match="already has something of that name"):
        world.add_robot("a", 0.0, 0.0, 0.0, **KHEPERA)


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="no body of that name"):
        World(0.1).move("ghost", 0.0, 0.0, 0.0)


@pytest.mark.parametrize("place", [(math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (0.0, 0.0, math.nan)])
def test_nothing_stands_nowhere(place: tuple[float, float, float]) -> None:
    world = World(0.1)
    with pytest.raises(InputError, match="no place to stand"):
        world.add_cylinder("nowhere", 0.1, 0.5, *place)
    world.add_cylinder("pillar", 0.1, 0.5, 0.0, 0.0)
    with pytest.raises(InputError, match="no place to stand"):
        world.move("pillar", *place)
