"""The floor and the map as recordings keep them."""

import numpy as np
import pytest

import pybuzz
from pybuzz.experiment.hooks import Hooks
from pybuzz.experiment.views_from_above import LONG_SIDE, views_from_above
from pybuzz.recording import ArenaMark, Recording
from pybuzz.sim.floors import ImageFloor, PaintedFloor
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.world import World

ARENA = ArenaMark((4.0, 2.0), (1.0, 0.0))


def world(floor=None, grid=None) -> World:
    made = World(0.1)
    made.set_floor(floor)
    made.set_map(grid)
    return made


def test_a_white_floor_without_a_map_is_no_picture() -> None:
    assert views_from_above(world(), ARENA) == {}


def test_a_small_floor_image_is_kept_as_it_is_and_where_it_lies() -> None:
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    view = views_from_above(world(ImageFloor(pixels, (4.0, 2.0), (-1.0, -1.0))), ARENA)["floor"]
    np.testing.assert_array_equal(view.pixels, pixels)
    assert (view.corner, view.size, view.upper_right) == ((-1.0, -1.0), (4.0, 2.0), (3.0, 1.0))


def test_a_large_floor_image_becomes_smaller_in_its_proportions() -> None:
    pixels = np.zeros((1500, 3000, 3), dtype=np.uint8)
    pixels[:, 1500:] = 200
    view = views_from_above(world(ImageFloor(pixels, (4.0, 2.0))), ARENA)["floor"]
    assert view.pixels.shape == (LONG_SIDE // 2, LONG_SIDE, 3)
    assert (view.pixels[:, LONG_SIDE // 2 :] == 200).all()
    assert not view.pixels[:, : LONG_SIDE // 2].any()


def test_a_painted_floor_is_its_function_at_every_pixel_but_asked_at_few_places() -> None:
    asked = []

    def brightness(x: float, y: float) -> float:
        asked.append((x, y))
        return 1.0 if (x - 1.3) ** 2 + (y + 0.2) ** 2 < 0.25 else 0.0

    view = views_from_above(world(PaintedFloor(brightness)), ARENA)["floor"]
    rows, columns = view.pixels.shape[:2]
    assert (rows, columns) == (256, 512)
    x = -1.0 + (np.arange(columns) + 0.5) / columns * 4.0
    y = 1.0 - (np.arange(rows) + 0.5) / rows * 2.0
    disc = (x[None, :] - 1.3) ** 2 + (y[:, None] + 0.2) ** 2 < 0.25
    np.testing.assert_array_equal(view.pixels, np.repeat(disc[..., None], 3, axis=2) * 255)
    assert len(asked) < rows * columns / 6


def test_a_map_is_a_pixel_for_each_cell_and_free_cells_are_transparent() -> None:
    grid = OccupancyGrid.from_text(["#..", "..#"], resolution=0.5, origin=(-1.0, 2.0))
    view = views_from_above(world(grid=grid), ARENA)["map"]
    assert (view.pixels[..., 3] > 0).tolist() == [[True, False, False], [False, False, True]]
    assert (view.corner, view.size) == ((-1.0, 2.0), (1.5, 1.0))


def test_a_large_map_keeps_its_thinnest_walls() -> None:
    cells = np.zeros((10, 2 * LONG_SIDE + 1), dtype=bool)
    cells[4, 5] = cells[9, -1] = True
    view = views_from_above(world(grid=OccupancyGrid(cells, 0.01)), ARENA)["map"]
    assert view.pixels.shape == (4, 683, 4)  # three cells are a pixel
    occupied = np.argwhere(view.pixels[::-1, :, 3] > 0)  # from the bottom
    assert occupied.tolist() == [[1, 1], [3, 682]]
    assert view.size == pytest.approx((683 * 0.03, 4 * 0.03))


class Painted(Hooks):
    def floor_color(self, x, y):
        return (255, 120, 0) if x > 0 else (0, 0, 255)


def test_a_floor_that_hooks_paint_is_recorded_in_its_colours(tmp_path) -> None:
    (tmp_path / "still.bzz").write_text("function init() { }\nfunction step() { }\n")
    run = tmp_path / "run"
    recording = pybuzz.load(tmp_path / "still.bzz", robots=1, seed=1, ticks=1, hooks=Painted(), record=run).run()
    in_memory = pybuzz.load(tmp_path / "still.bzz", robots=1, seed=1, ticks=1, hooks=Painted()).run()
    for one in (recording, Recording.open(run), in_memory):
        view = one.views["floor"]
        assert view.pixels[0, 0].tolist() == [0, 0, 255]
        assert view.pixels[0, -1].tolist() == [255, 120, 0]
        assert (view.corner, view.size) == ((-2.0, -2.0), (4.0, 4.0))
