"""Rays through occupancy grids against the slow oracle in fractions, and the rules of degenerate rays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pybuzz.sim.grid import Grid
from pybuzz.sim.lidar import Lidar
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.world import World
from tests.oracles.map_rays import distance_in_map
from tests.oracles.single_rays import first_hit

Flat = tuple[float, float]

L_SHAPE = ("......", ".##...", ".##...", ".####.", ".####.", "......")


def hit(world: World, start: Flat, end: Flat, z: float = 0.1, z_end: float | None = None) -> tuple[float, int]:
    (ax, ay), (bx, by) = start, end
    return first_hit(*Grid(world.bodies).scene(), ax, ay, z, bx, by, z if z_end is None else z_end, -1)


def world_of(grid: OccupancyGrid) -> World:
    world = World(0.1)
    world.set_map(grid)
    return world


def drawn(rows: tuple[str, ...], resolution: float = 0.5, origin: Flat = (0.0, 0.0)) -> OccupancyGrid:
    return OccupancyGrid.from_text(rows, resolution=resolution, origin=origin, height=0.5)


def test_a_ray_goes_as_far_as_the_first_occupied_cell() -> None:
    world = world_of(drawn(L_SHAPE))
    t, body = hit(world, (0.0, 1.25), (2.0, 1.25))
    assert t == pytest.approx(0.25)
    assert body == len(world.bodies)


@pytest.mark.parametrize(
    ("start", "end", "entry"),
    [
        ((0.0, 1.0), (3.0, 1.0), 0.5 / 3.0),  # along the line between two occupied rows
        ((0.0, 0.5), (3.0, 0.5), math.inf),  # along the lower face
        ((0.0, 2.5), (3.0, 2.5), math.inf),  # along the upper face
        ((0.5, 3.0), (0.5, 0.0), math.inf),  # down along the left face
        ((1.0, 3.0), (1.0, 0.0), 0.5 / 3.0),  # down between two occupied columns
        ((1.5, 3.0), (1.5, 0.0), 1.5 / 3.0),  # down along a face, then into a seam
        ((0.5, 1.25), (2.0, 1.25), 0.0),  # from the border into a cell
        ((0.5, 1.25), (0.0, 1.25), math.inf),  # from the border away
        ((0.75, 0.75), (0.0, 0.75), 0.0),  # from inside
        ((0.0, 0.0), (3.0, 3.0), 0.5 / 3.0),  # through a corner into the block
        ((0.0, 1.0), (1.0, 0.0), math.inf),  # touches the corner at 0.5, 0.5
        ((-1.0, 1.25), (9.0, 1.25), 0.15),  # from outside the map
        ((9.0, 1.25), (-1.0, 1.25), 0.65),
        ((2.75, 1.25), (9.0, 1.25), math.inf),  # leaves the map
        ((-1.0, -1.0), (-2.0, 5.0), math.inf),  # never comes near
        ((-1.0, 0.75), (-1.0, 4.0), math.inf),  # parallel to the map's side, outside
    ],
)
def test_degenerate_rays(start: Flat, end: Flat, entry: float) -> None:
    grid = drawn(L_SHAPE)
    assert distance_in_map(grid, start, end) == pytest.approx(entry)
    assert hit(world_of(grid), start, end)[0] == pytest.approx(entry, abs=1e-15)


eighths = st.integers(-16, 80).map(lambda eighth: eighth / 8.0)
maps = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).random((7, 8)) < 0.3)


@settings(max_examples=400, deadline=None)
@given(maps, eighths, eighths, eighths, eighths, st.sampled_from([0.25, 1.0, 2.0]))
def test_rays_on_and_off_grid_lines_are_those_of_the_oracle(
    cells: np.ndarray, ax: float, ay: float, bx: float, by: float, size: float
) -> None:
    assume((ax, ay) != (bx, by))
    grid = OccupancyGrid(cells, size, (-size, 2.0 * size))
    start, end = (ax * size, ay * size), (bx * size, by * size)
    assert hit(world_of(grid), start, end)[0] == pytest.approx(distance_in_map(grid, start, end), abs=1e-9)


coordinates = st.floats(-2.0, 6.0, width=32)


@settings(max_examples=200, deadline=None)
@given(maps, coordinates, coordinates, st.floats(-math.pi, math.pi), st.floats(0.1, 12.0))
def test_any_rays_are_those_of_the_oracle(cells: np.ndarray, x: float, y: float, angle: float, length: float) -> None:
    grid = OccupancyGrid(cells, 0.37, (0.1, -0.3))
    end = (x + length * math.cos(angle), y + length * math.sin(angle))
    assert hit(world_of(grid), (x, y), end)[0] == pytest.approx(distance_in_map(grid, (x, y), end), abs=1e-9)


wild = st.one_of(coordinates, st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e-280, 1e-280))


@settings(max_examples=300, deadline=None)
@given(maps, wild, wild, wild, wild)
def test_rays_between_any_two_places_end(cells: np.ndarray, ax: float, ay: float, bx: float, by: float) -> None:
    """However small or large the numbers: a walk that misses the border of the arena crashes, or does not end."""
    world = world_of(OccupancyGrid(cells, 0.37, (0.0, 0.0)))
    world.add_cylinder("post", 0.2, 0.5, 1.0, 3.5)
    t, body = hit(world, (ax, ay), (bx, by))
    assert (0.0 <= t < 1.0) == (body >= 0)


@pytest.mark.parametrize("step", [5e-324, 2.2e-308, 1e-300, 1e-290, 1e-200, 1e-17])
def test_a_ray_that_all_but_keeps_to_an_axis_is_one_that_does(step: float) -> None:
    """The inverse of such a step is infinite, and nothing times infinity is no number."""
    world = world_of(drawn(L_SHAPE))
    along = hit(world, (0.0, 0.0), (3.0, 0.0))
    assert hit(world, (0.0, 0.0), (3.0, step)) == hit(world, (0.0, 0.0), (3.0, -step)) == along
    assert hit(world, (0.0, 0.0), (step, 3.0)) == hit(world, (0.0, 0.0), (-step, 3.0)) == along


def test_a_ray_above_the_map_passes_and_one_that_falls_meets_its_roof() -> None:
    world = world_of(drawn(L_SHAPE))
    assert hit(world, (0.0, 1.25), (3.0, 1.25), 0.51)[0] == math.inf
    t, _ = hit(world, (0.0, 0.75), (3.0, 0.75), 0.8, 0.2)
    assert t == pytest.approx(0.5)


def test_the_nearer_of_map_and_body_is_met() -> None:
    world = world_of(drawn(L_SHAPE))
    near = world.add_cylinder("near", 0.1, 0.5, 0.25, 1.25)
    assert hit(world, (0.0, 1.25), (3.0, 1.25))[1] == near
    assert hit(world, (3.0, 1.25), (0.0, 1.25))[1] == len(world.bodies)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_ray_from_nowhere_meets_nothing(bad: float) -> None:
    world = world_of(drawn(L_SHAPE))
    assert hit(world, (bad, 1.0), (2.0, 1.0))[0] == math.inf
    assert hit(world, (0.0, 1.0), (2.0, bad))[0] == math.inf


def test_rays_through_large_maps_are_those_of_the_oracle() -> None:
    """Long leaps through free space, and long walks along walls, from anywhere to anywhere."""
    random = np.random.default_rng(3)
    cells = np.zeros((60, 70), dtype=bool)
    cells[random.integers(0, 60, 12), random.integers(0, 70, 12)] = True
    cells[30, 5:60] = True
    grid = OccupancyGrid(cells, 0.05, (-1.7, 0.3))
    scene = Grid(world_of(grid).bodies).scene()
    for _ in range(150):
        (ax, bx), (ay, by) = random.uniform(-2.5, 2.5, 2), random.uniform(-0.5, 4.0, 2)
        found, _ = first_hit(*scene, ax, ay, 0.1, bx, by, 0.1, -1)
        assert found == pytest.approx(distance_in_map(grid, (ax, ay), (bx, by)), abs=1e-9)


def test_no_ray_leaves_the_cells_it_may_look_at() -> None:
    """A million rays through a free map, where each goes from border to border; a step too far would crash."""
    world, random = world_of(OccupancyGrid(np.zeros((50, 37)), 0.1, (0.3, 0.7))), np.random.default_rng(4)
    count = 1000
    yaws, lidar = (
        np.append(random.uniform(-math.pi, math.pi, count - 8), np.arange(8) * math.pi / 4.0),
        Lidar(1001, 20.0),
    )
    poses = np.column_stack((random.uniform(-1, 5, count), random.uniform(-1, 7, count), yaws))
    assert (lidar.scan(Grid(world.bodies).scene(), poses, np.full(count, -1)).distances == 20.0).all()
