"""Ground sensors over white, painted and pictured floors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.sim.floors import ImageFloor, PaintedFloor, load_floor
from tests.oracles.sensing import lonely_robot, sense


def test_a_floor_nobody_painted_is_white() -> None:
    assert sense(lonely_robot(), "ground").tolist() == [[1, 1, 1, 1]]


def test_each_sensor_sees_the_place_below_it() -> None:
    """Front left, left, right, front right at (61.4, 10), (20.6, 59), (20.6, -59), (61.4, -10) mm."""
    world = lonely_robot()
    world.set_floor(PaintedFloor(lambda x, y: x + 10 * y + 0.6))
    assert sense(world, "ground")[0] == pytest.approx([0.7614, 1.0, 0.0306, 0.5614])
    turned = lonely_robot(angle=math.pi)
    turned.set_floor(PaintedFloor(lambda x, y: 0.5 + x))
    assert sense(turned, "ground")[0] == pytest.approx([0.4386, 0.4794, 0.4794, 0.4386])


def test_an_image_lies_with_its_bottom_row_at_the_smallest_y_and_is_white_outside() -> None:
    pixels = np.zeros((2, 2, 3), dtype=np.uint8)
    pixels[0, 1] = 255
    floor = ImageFloor(pixels, (2.0, 2.0))
    x, y = np.array([0.5, 0.5, -0.5, 1.5]), np.array([0.5, -0.5, 0.5, 0.0])
    assert floor.brightness(x, y).tolist() == [1, 0, 0, 1]


def test_colours_weigh_as_the_eye_sees_them() -> None:
    pixels = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], dtype=np.uint8)
    floor = ImageFloor(pixels, (3.0, 1.0))
    x = np.array([-1.0, 0.0, 1.0])
    assert floor.brightness(x, np.zeros(3)) == pytest.approx([0.299, 0.587, 0.114], abs=1e-6)


def test_a_missing_image_is_an_input_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no_such"):
        load_floor(tmp_path / "no_such.png", (1.0, 1.0))


def test_noise_is_limited_to_black_and_white() -> None:
    """First uniform draws of seed 1: 0.417022, 0.997185, 0.720324, 0.932557."""
    world = lonely_robot()
    world.set_floor(PaintedFloor(lambda x, y: 0.5))
    values = sense(world, "ground", noise={"noise_level": 0.8}, seed=1)[0]
    assert values == pytest.approx([0.5 + 1.6 * 0.4170220 - 0.8, 1.0, 0.5 + 1.6 * 0.7203245 - 0.8, 1.0])
