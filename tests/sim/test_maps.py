"""Occupancy grids: how they are read, and how robots meet them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pybuzz.errors import InputError
from pybuzz.sim.bodies import box_body, cylinder_body
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA

RADIUS = KHEPERA["radius"]


def image(path: Path, pixels: list[list[int]]) -> Path:
    Image.fromarray(np.array(pixels, dtype=np.uint8)).save(path)
    return path


def test_dark_pixels_are_occupied_and_the_last_row_is_the_lowest(tmp_path: Path) -> None:
    grid = OccupancyGrid.from_image(image(tmp_path / "a.png", [[0, 255], [255, 255], [100, 200]]), resolution=0.1)
    assert grid.cells.tolist() == [[True, False], [False, False], [True, False]]
    assert grid.size == pytest.approx((0.2, 0.3))


def test_the_threshold_is_a_share_of_white(tmp_path: Path) -> None:
    path = image(tmp_path / "a.png", [[100, 200]])
    assert OccupancyGrid.from_image(path, resolution=1.0, threshold=0.9).cells.tolist() == [[True, True]]
    assert OccupancyGrid.from_image(path, resolution=1.0, threshold=0.3).cells.tolist() == [[False, False]]


def test_what_is_transparent_is_free(tmp_path: Path) -> None:
    Image.new("RGBA", (1, 1), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert not OccupancyGrid.from_image(tmp_path / "a.png", resolution=1.0).cells.any()


def test_a_place_is_occupied_as_its_cell_is() -> None:
    grid = OccupancyGrid.from_text(["#.", ".#"], resolution=0.5, origin=(-1.0, 2.0))
    x, y = np.array([-0.9, -0.4, -0.9, -0.4, 5.0, -1.1]), np.array([2.1, 2.1, 2.6, 2.6, 2.1, 2.6])
    assert grid.occupied(x, y).tolist() == [False, True, True, False, False, False]


@pytest.mark.parametrize("resolution", [0.0, -0.1, math.nan, math.inf])
def test_a_resolution_must_be_above_0(resolution: float) -> None:
    with pytest.raises(InputError, match=r"the resolution .* must be above 0"):
        OccupancyGrid(np.zeros((2, 2)), resolution)
    with pytest.raises(InputError, match=r"the resolution 1e-300 is too fine"):
        OccupancyGrid(np.zeros((2, 2)), 1e-300)


@pytest.mark.parametrize(("shape", "text"), [((0, 3), "are no map"), ((4,), "are no map"), ((2, 2, 3), "are no map")])
def test_cells_must_be_a_table(shape: tuple[int, ...], text: str) -> None:
    with pytest.raises(InputError, match=text):
        OccupancyGrid(np.zeros(shape), 0.1)


def test_an_origin_that_is_no_point_is_refused() -> None:
    with pytest.raises(InputError, match="is no point"):
        OccupancyGrid(np.zeros((2, 2)), 0.1, (math.nan, 0.0))


def test_a_missing_image_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.png: missing file: there is no such image"):
        OccupancyGrid.from_image(tmp_path / "nothing.png", resolution=0.1)


def test_what_is_no_image_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("hello")
    with pytest.raises(InputError, match=r"a\.png: wrong image: this is not an image"):
        OccupancyGrid.from_image(tmp_path / "a.png", resolution=0.1)


def test_a_grey_level_as_threshold_is_answered_with_the_share(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"as a share of white, 0\.5"):
        OccupancyGrid.from_image(image(tmp_path / "a.png", [[0]]), resolution=0.1, threshold=127.5)


@pytest.mark.parametrize(
    ("rows", "text"), [(["##", "#"], "not equally long"), (["#x"], "'x' is no cell"), ([], "rows")]
)
def test_drawn_maps_have_equal_rows_of_known_signs(rows: list[str], text: str) -> None:
    with pytest.raises(InputError, match=text):
        OccupancyGrid.from_text(rows, resolution=0.1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 0.95))
def test_the_rectangles_cover_each_occupied_cell_once(seed: int, rows: int, columns: int, share: float) -> None:
    cells = np.random.default_rng(seed).random((rows, columns)) < share
    covered = np.zeros((rows, columns), dtype=int)
    for column, row, wide, deep, _ in OccupancyGrid(cells, 1.0).rectangles().tolist():
        covered[row : row + deep, column : column + wide] += 1
    assert np.array_equal(covered, cells.astype(int))


def test_only_outward_corners_of_the_whole_are_corners() -> None:
    """An L of two rectangles: two of the lower bar's upper corners, and one of the column's lower, are none."""
    grid = OccupancyGrid.from_text(["#..", "#..", "###"], resolution=1.0)
    assert grid.rectangles().tolist() == [[0, 0, 3, 1, 0b0010], [0, 1, 1, 2, 0b1001]]


def test_cells_that_touch_at_a_corner_keep_it() -> None:
    assert OccupancyGrid.from_text(["#.", ".#"], resolution=1.0).rectangles()[:, 4].tolist() == [0, 0]


# -- robots and maps -------------------------------------------------------------------------------------------------


def driven(world: World, ticks: int, left: float = 0.1, right: float = 0.1) -> np.ndarray:
    """float64[ticks, 3]: the pose of the only robot."""
    poses = []
    for _ in range(ticks):
        world.step(np.array([[left, right]]))
        poses.append(world.poses[0])
    return np.array(poses)


def test_a_robot_stops_at_an_occupied_cell() -> None:
    world = World(0.1)
    world.set_map(OccupancyGrid.from_text(["#"], resolution=0.2, origin=(0.5, -0.1)))
    world.add_robot("kh", 0.0, 0.0, 0.0, **KHEPERA)
    assert driven(world, 100)[-1, 0] == pytest.approx(0.5 - RADIUS, abs=0.01)


def test_a_robot_slides_along_a_wall_of_many_rectangles_as_along_one_box() -> None:
    """The wall's back is ragged, so that it is cut into ten pieces; its face is straight."""
    ragged = ["#" * 20, "##.." * 5]
    ways = []
    for pieces in (True, False):
        world = World(0.1)
        if pieces:
            world.set_map(OccupancyGrid.from_text(ragged, resolution=0.1, origin=(0.0, -0.2)))
            assert len(world.bodies) > 5
        else:
            world.add_box("wall", (2.0, 0.2, 0.5), 1.0, -0.1, 0.0)
        world.add_robot("kh", 0.2, RADIUS + 0.01, math.radians(-20), **KHEPERA)
        ways.append(driven(world, 120))
    assert ways[0][-1, 0] > 0.9
    assert ways[0] == pytest.approx(ways[1], abs=1e-9)


def test_a_robot_that_passes_seams_in_the_face_is_not_braked() -> None:
    """Bars beneath each other cut the face into pieces at every second cell."""
    cells = np.zeros((6, 20), dtype=bool)
    cells[5] = True
    cells[:5, ::4] = True
    turned = OccupancyGrid(cells.T, 0.1, (-0.6, 0.0))
    assert len(turned.rectangles()) > 5
    ways = []
    for world in (World(0.1), World(0.1)):
        if not ways:
            world.set_map(turned)
        else:
            world.add_box("wall", (0.1, 2.0, 0.5), -0.05, 1.0, 0.0)
        world.add_robot("kh", RADIUS + 0.01, 0.2, math.radians(110), **KHEPERA)
        ways.append(driven(world, 120))
    assert ways[0] == pytest.approx(ways[1], abs=1e-9)


def test_nothing_can_be_placed_on_an_occupied_cell() -> None:
    world = World(0.1)
    world.set_map(OccupancyGrid.from_text(["##", ".#"], resolution=0.5))
    assert world.overlaps(cylinder_body("a", 0.05, 0.1, 0.75, 0.75))
    assert world.overlaps(box_body("b", (0.1, 0.1, 0.1), 0.45, 0.5, 0.3))
    assert not world.overlaps(cylinder_body("c", 0.05, 0.1, 0.25, 0.25))


def test_a_new_map_takes_the_place_of_the_old_one() -> None:
    world = World(0.1)
    world.set_map(OccupancyGrid.from_text(["#.#.#"], resolution=0.5))
    world.add_cylinder("pillar", 0.1, 0.5, 5.0, 5.0)
    world.set_map(OccupancyGrid.from_text(["#"], resolution=0.5))
    assert world.bodies.names == ["pillar", "map 1"]
    world.set_map(None)
    assert world.map is None
    assert world.bodies.names == ["pillar"]


def test_a_part_of_a_map_cannot_be_moved_or_removed_by_itself() -> None:
    world = World(0.1)
    world.set_map(OccupancyGrid.from_text(["#"], resolution=0.5))
    for change in (lambda: world.remove("map 1"), lambda: world.move("map 1", 0.0, 0.0, 0.0)):
        with pytest.raises(InputError, match="part of the map"):
            change()


# -- robots that pass through each other -----------------------------------------------------------------------------


@pytest.mark.parametrize("collision", [True, False])
def test_robots_pass_through_each_other_only_if_told_so(collision: bool) -> None:
    world = World(0.1, PhysicsSettings(robot_collision=collision))
    world.add_robot("left", -0.3, 0.0, 0.0, **KHEPERA)
    world.add_robot("right", 0.3, 0.0, math.pi, **KHEPERA)
    for _ in range(60):
        world.step(np.full((2, 2), 0.1))
    assert (world.poses[0, 0] > world.poses[1, 0]) == (not collision)
    assert world.overlaps(cylinder_body("pillar", 0.05, 0.1, *world.poses[0, :2]))


def test_robots_that_pass_through_each_other_still_meet_walls() -> None:
    world = World(0.1, PhysicsSettings(robot_collision=False))
    world.add_box("wall", (0.1, 1.0, 0.5), 0.5, 0.0, 0.0)
    world.add_robot("kh", 0.0, 0.0, 0.0, **KHEPERA)
    assert driven(world, 100)[-1, 0] < 0.45


def test_robots_that_pass_through_each_other_make_no_pairs() -> None:
    world = World(0.1, PhysicsSettings(robot_collision=False))
    for number in range(64):
        world.add_robot(f"kh{number}", 0.0, 0.0, 0.0, **KHEPERA)
    world.step(np.full((64, 2), 0.06))
    assert world._engine._forest[["pairs_used", "reports"]].tolist() == [(0, 0)]
    # One box that all of them push, and one wall that all of them meet.
    world.add_box("crate", (0.1, 0.1, 0.1), 0.1, 0.0, 0.0, movable=True, mass=0.1)
    world.add_box("wall", (0.1, 0.1, 0.1), -0.1, 0.0, 0.0)
    world.step(np.full((64, 2), 0.06))
    assert world._engine._forest["reports"].tolist() == [2 * 64]
    world.remove("crate")
    world.remove("kh0")
    world.step(np.full((63, 2), 0.06))
    assert world._engine._forest[["solid", "reports"]].tolist() == [(0, 63)]


def test_robots_that_pass_through_each_other_push_together_what_they_meet() -> None:
    def pushed(order: list[int]) -> float:
        world = World(0.1, PhysicsSettings(robot_collision=False))
        world.add_box("crate", (0.1, 0.1, 0.1), 0.15, 0.0, 0.0, movable=True, mass=0.1)
        for number in order:
            world.add_robot(f"kh{number}", 0.0, 0.0, 0.0, **KHEPERA)
        for _ in range(20):
            world.step(np.full((len(order), 2), 0.1))
        return float(world.bodies.x[world.row_of("crate")])

    assert pushed([0, 1, 2]) > pushed([0]) > 0.2
