"""Rays against a slow look at every body, and the rules of a hit one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.sim.grid import Grid
from pybuzz.sim.rays import beams_to, cast
from pybuzz.sim.world import World
from tests.oracles.single_rays import first_hit

Point = tuple[float, float, float]


def hit(world: World, start: Point, end: Point, ignored: int = -1) -> tuple[float, int]:
    return first_hit(*Grid(world.bodies).scene(), *map(float, start), *map(float, end), ignored)


def test_a_ray_meets_the_nearest_of_several_bodies() -> None:
    world = World(0.1)
    world.add_box("far", (0.2, 0.2, 1), 3, 0, 0)
    near = world.add_cylinder("near", 0.5, 1, 2, 0)
    t, body = hit(world, (0, 0, 0.5), (4, 0, 0.5))
    assert body == near
    assert t == pytest.approx(1.5 / 4)


def test_a_ray_that_starts_inside_an_outline_passes_out_of_it() -> None:
    world = World(0.1)
    world.add_box("around", (1, 1, 1), 0, 0, 0)
    world.add_cylinder("too", 0.4, 1, 0, 0)
    assert hit(world, (0, 0, 0.5), (2, 0, 0.5)) == (math.inf, -1)


def test_an_end_on_the_outline_is_no_hit() -> None:
    world = World(0.1)
    world.add_box("wall", (1, 1, 1), 1.5, 0, 0)
    assert hit(world, (0, 0, 0.5), (1, 0, 0.5))[1] == -1
    assert hit(world, (0, 0, 0.5), (1.0001, 0, 0.5))[1] == 0


def test_a_body_is_looked_through_if_it_is_the_rays_own() -> None:
    world = World(0.1)
    world.add_cylinder("own", 0.1, 1, 1, 0)
    other = world.add_cylinder("other", 0.1, 1, 2, 0)
    assert hit(world, (0, 0, 0.5), (4, 0, 0.5), ignored=0)[1] == other


@pytest.mark.parametrize(("height", "seen"), [(0.5, True), (1.0, True), (1.0000001, False)])
def test_a_level_ray_meets_what_is_at_least_as_high(height: float, seen: bool) -> None:
    world = World(0.1)
    world.add_box("box", (1, 1, 1), 2, 0, 0)
    assert (hit(world, (0, 0, height), (4, 0, height))[1] == 0) == seen


def test_a_falling_ray_comes_down_on_a_roof() -> None:
    world = World(0.1)
    world.add_box("box", (2, 2, 1), 2, 0, 0)
    world.add_cylinder("cylinder", 1, 1, 2, 5)
    for y in (0, 5):
        t, body = hit(world, (0, y, 2), (4, y, 0))
        assert body == (0 if y == 0 else 1)
        assert t == pytest.approx(0.5)


def test_a_falling_ray_that_passes_the_roof_lands_behind_it() -> None:
    world = World(0.1)
    world.add_box("box", (0.5, 2, 1), 1, 0, 0)
    assert hit(world, (0, 0, 3), (4, 0, 0))[1] == -1


def test_a_vertical_ray_meets_nothing() -> None:
    world = World(0.1)
    world.add_cylinder("below", 1, 0.5, 0, 0)
    assert hit(world, (0, 0, 2), (0, 0, 0))[1] == -1


def test_an_empty_world_stops_no_ray() -> None:
    assert hit(World(0.1), (0, 0, 0), (5, 5, 0)) == (math.inf, -1)


places = st.floats(-6, 6)
bodies = st.lists(
    st.tuples(st.booleans(), places, places, st.floats(0.02, 1.5), st.floats(0.02, 3), st.floats(-4, 4)),
    min_size=1,
    max_size=15,
)


@settings(max_examples=150, deadline=None)
@given(bodies, st.lists(st.tuples(places, places, places, places), min_size=5, max_size=20))
def test_the_grid_finds_what_a_look_at_every_body_finds(
    made: list[tuple[bool, float, float, float, float, float]], rays: list[tuple[float, float, float, float]]
) -> None:
    worlds = [World(0.1) for _ in range(len(made) + 1)]
    for place, (box, x, y, one, two, angle) in enumerate(made):
        for world in (worlds[0], worlds[place + 1]):
            if box:
                world.add_box(f"b{place}", (one, two, 1), x, y, angle)
            else:
                world.add_cylinder(f"b{place}", one, 1, x, y)
    scenes = [Grid(world.bodies).scene() for world in worlds]
    for ax, ay, bx, by in rays:
        found = [first_hit(*scene, ax, ay, 0.5, bx, by, 0.5, -1)[0] for scene in scenes]
        assert found[0] == min(found[1:])


def test_a_far_stray_body_leaves_the_grid_small() -> None:
    world = World(0.1)
    world.add_cylinder("near", 0.1, 1, 1, 0)
    world.add_cylinder("stray", 0.1, 1, 1e7, -3e6)
    scene = Grid(world.bodies).scene()
    assert len(scene.starts) < 1 << 19
    assert first_hit(*scene, 0.0, 0.0, 0.5, 2.0, 0.0, 0.5, -1)[1] == 0


def test_a_tall_body_in_place_of_a_low_one_is_not_hidden_among_low_ones() -> None:
    world = World(0.1)
    world.add_cylinder("a", 0.1, 0.5, 1, 0)
    world.add_cylinder("b", 0.1, 0.1, 1.2, 0.1)
    grid = Grid(world.bodies)
    grid.scene()
    world.remove("a")
    world.add_cylinder("c", 0.1, 0.9, 1, 0)
    grid.move()
    assert first_hit(*grid.scene(), 0.0, 0.0, 0.3, 4.0, 0.0, 0.3, -1)[1] == world.row_of("c")


def test_a_moved_body_is_seen_in_its_new_place_only_after_the_grid_is_told() -> None:
    world = World(0.1)
    world.add_cylinder("c", 0.1, 1, 1, 0)
    grid = Grid(world.bodies)
    before = first_hit(*grid.scene(), 0.0, 0.0, 0.5, 4.0, 0.0, 0.5, -1)[0]
    world.move("c", 2, 0, 0)
    grid.move()
    after = first_hit(*grid.scene(), 0.0, 0.0, 0.5, 4.0, 0.0, 0.5, -1)[0]
    assert np.array([before, after]) == pytest.approx([0.9 / 4, 1.9 / 4])


def test_a_grid_that_was_built_for_less_sees_all_that_came() -> None:
    world = World(0.1)
    grid = Grid(world.bodies)
    for k in range(60):
        world.add_box(f"box{k}", (1.5, 0.1, 1), 0.9 * k, 0, 0.05 * k)
        grid.move()
        kept, new = grid.scene(), Grid(world.bodies).scene()
        cells, listed = int(new.lattice[3] * new.lattice[4]), new.starts[int(new.lattice[3] * new.lattice[4])]
        assert kept.lattice.tolist() == new.lattice.tolist()
        assert kept.tallest[:cells].tolist() == new.tallest[:cells].tolist()
        assert kept.starts[: cells + 1].tolist() == new.starts[: cells + 1].tolist()
        assert kept.items[:listed].tolist() == new.items[:listed].tolist()
        assert kept.outlines.tobytes() == new.outlines.tobytes()


@settings(max_examples=60, deadline=None)
@given(bodies, st.lists(st.tuples(places, places, st.floats(-9, 9)), min_size=1, max_size=10), st.floats(0.0, 0.45))
def test_short_beams_end_where_they_do_in_the_company_of_a_long_one(
    made: list[tuple[bool, float, float, float, float, float]], poses: list[tuple[float, float, float]], reach: float
) -> None:
    world = World(0.1)
    for place, (box, x, y, one, two, angle) in enumerate(made):
        if box:
            world.add_box(f"b{place}", (one, two, 1), x, y, angle)
        else:
            world.add_cylinder(f"b{place}", one, 0.2, x, y)
    beams = beams_to(np.linspace(-3.0, 3.0, 8), 0.01, reach, 0.2)
    far = beams_to(np.zeros(1), 0.01, 2.0, 0.2)
    scene, own = Grid(world.bodies).scene(), np.full(len(poses), -1)
    found, each = np.empty((len(poses), 8)), np.empty((len(poses), 9))
    cast(*scene, own, np.array(poses), beams, found)
    cast(*scene, own, np.array(poses), np.vstack([beams, far]), each)
    assert found.tolist() == each[:, :8].tolist()
