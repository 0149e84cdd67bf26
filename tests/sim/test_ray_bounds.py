"""No ray leaves the arrays it walks, whatever its numbers: a step too far reads foreign memory, or ends the process."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pybuzz.sim.fans import Fan, cast_fan, scan
from pybuzz.sim.grid import Grid, Scene
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.rays import cast
from pybuzz.sim.world import World
from tests.oracles.single_rays import first_hit

NAN, INF = math.nan, math.inf
small = [0.0, -0.0, 5e-324, -5e-324, 1e-310, -1e-310, 0.25, -0.5, 0.5, 1.0]
large = [2.0**40, -1e13, 1e17, -1e17, 1e300, -1e300, 1.7e308, -1.7e308, NAN, INF, -INF]
strange = st.sampled_from(small) | st.sampled_from(large)
numbers = strange | st.floats(-3.0, 3.0) | st.floats()
segments = st.lists(st.tuples(*[numbers] * 6), min_size=1, max_size=40)


def scene_of(*, bodies: bool, cells: np.ndarray, size: float) -> Scene:
    world = World(0.1)
    world.set_map(OccupancyGrid(cells, size, (-0.5 * size, 0.0)))
    if bodies:
        world.add_box("box", (0.5, 0.5, 0.5), 1.0, 0.25, 0.3)
        world.add_cylinder("post", 0.2, 0.5, -1.0, 0.5)
    return Grid(world.bodies).scene()


FREE, ONE_WALL = np.zeros((40, 3), dtype=bool), np.eye(4, 7, dtype=bool)
SCENES = [
    scene_of(bodies=bodies, cells=cells, size=size)
    for bodies in (False, True)
    for cells in (FREE, ONE_WALL)
    for size in (0.1, 1e-6, 1e300)
]


@settings(max_examples=60, deadline=None)
@example([(0.0, 0.0, 0.1, 1.0, -1e-310, 0.1)])  # down by less than can be divided by, from a border of the lattice
@example([(-1e17, 0.1, 0.1, 1e17, 0.1, 0.1)])  # from where one cell more is no other place
@example([(0.3, 0.2, 0.1, 0.3, 0.2 + 1e-310, 0.1)])
@given(segments)
def test_a_ray_of_any_numbers_ends(rays: list[tuple[float, ...]]) -> None:
    for scene in SCENES:
        for ax, ay, az, bx, by, bz in rays:
            t, hit = first_hit(*scene, ax, ay, az, bx, by, bz, -1)
            assert (t, hit) == (INF, -1) or (0.0 <= t <= 1.0 and 0 <= hit <= len(scene.outlines))


@settings(max_examples=40, deadline=None)
@example([(1e300, 0.0, 0.0)], 1.0)
@example([(-1e300, 1e300, 1.0)], 1.0)
@example([(0.0, 0.0, 1e300)], 1e-300)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=10), st.sampled_from([1e-300, 1e-9, 1.0]))
def test_a_scanner_at_any_place_ends(poses: list[tuple[float, float, float]], opening: float) -> None:
    own, places = np.full(len(poses), -1), np.array(poses)
    origins = np.column_stack((places[:, :2], np.full(len(poses), 0.1)))
    directions = np.linspace(-opening, opening, 9)
    fan = Fan.to(directions, 0.05, 4.0, 0.1)
    for scene in SCENES:
        found, points = np.full((len(poses), 9), -1.0), np.empty((len(poses), 9, 2))
        cast_fan(*scene, own, places, fan.columns, fan.first, fan.step, found)
        assert (found >= 0.0).all()
        cast(*scene, own, places, fan.beams, found)
        assert (found >= 0.0).all()
        scan(*scene, own, origins, places[:, 2].copy(), directions, 4.0, found, points)
        assert ((found >= 0.0) & (found <= 4.0)).all()


@pytest.mark.parametrize("place", [(NAN, 0.0), (0.0, INF), (1e308, 0.0), (-1.7e308, 1.7e308), (1e10, 0.0)])
def test_bodies_that_are_nowhere_leave_the_others_seen(place: tuple[float, float]) -> None:
    world = World(0.1)
    near = world.add_cylinder("near", 0.1, 1.0, 1.0, 0.0)
    for name in ("one", "two"):
        lost = world.add_cylinder(name, 0.1, 1.0, 0.0, 0.0)
        world.bodies.x[lost], world.bodies.y[lost] = place
        place = (-place[0], -place[1])
    assert first_hit(*Grid(world.bodies).scene(), 0.5, 0.0, 0.5, 2.0, 0.0, 0.5, -1)[1] == near
