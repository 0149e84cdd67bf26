"""Bodies as arrays, and what is computed from their measures."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, pi

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.sim.bodies import Bodies, BodySpec, body_angle, box_body, cylinder_body, moment_of_inertia, robot_body
from tests.oracles.argos_scene import KHEPERA


def _filled(count: int) -> Bodies:
    bodies = Bodies()
    for index in range(count):
        bodies.append(
            robot_body(f"r{index}", index, 0.0, 0.0, **KHEPERA)
            if index % 2
            else box_body(f"b{index}", (0.2, 0.4, 0.6), index, 0.0, 0.0)
        )
    return bodies


def test_rows_come_in_order_of_creation_however_many_there_are() -> None:
    bodies = _filled(50)
    assert bodies.x.tolist() == list(range(50))
    assert bodies.robot[1::2].tolist() == list(range(25))
    assert set(bodies.robot[0::2].tolist()) == {-1}


def test_a_deleted_row_moves_later_ones_and_later_robots_up() -> None:
    bodies = _filled(6)
    bodies.delete(1)
    assert bodies.names == ["b0", "b2", "r3", "b4", "r5"]
    assert bodies.x.tolist() == [0, 2, 3, 4, 5]
    assert bodies.robot.tolist() == [-1, -1, 0, -1, 1]


def test_a_box_has_half_its_size_to_each_side_and_stands_on_the_floor() -> None:
    spec = box_body("b", (0.2, 0.4, 0.6), 0.0, 0.0, 0.0)
    assert (spec.half_x, spec.half_y, spec.bottom, spec.top) == (0.1, 0.2, 0.0, 0.6)


def test_the_moment_of_a_circle_is_that_of_twice_the_radius_as_argos_has_it() -> None:
    spec = robot_body("r", 0.0, 0.0, 0.0, **KHEPERA)
    assert moment_of_inertia(spec) == pytest.approx(0.003964928, abs=1e-9)


def test_the_moment_of_a_box_is_a_twelfth_of_mass_times_the_squared_diagonal() -> None:
    spec = box_body("b", (0.3, 0.4, 1.0), 0.0, 0.0, 0.0, movable=True, mass=2.0)
    assert isclose(moment_of_inertia(spec), 2.0 * (0.09 + 0.16) / 12.0)


def test_a_cylinder_is_as_high_as_asked() -> None:
    assert cylinder_body("c", 0.1, 0.5, 1.0, 2.0).top == 0.5


@pytest.mark.parametrize(
    ("orientation", "angle"),
    [
        ((0.3, 0.0, 0.0), 0.3),
        ((3.5, 0.0, 0.0), 3.5 - 2 * pi),
        ((0.0, 0.2, 0.0), 0.0),
        ((0.4, 0.0, pi), 0.4),
        ((0.4, pi, 0.0), 0.4 - pi),
        ((0.7, pi / 2, 0.0), 0.7),
    ],
)
def test_only_the_yaw_of_an_orientation_is_left(orientation: tuple[float, float, float], angle: float) -> None:
    np.testing.assert_allclose(body_angle(orientation), angle, atol=1e-12)


@pytest.mark.parametrize(
    "make",
    [
        lambda: box_body("b", (0.0, 1.0, 1.0), 0.0, 0.0, 0.0),
        lambda: cylinder_body("b", -0.1, 1.0, 0.0, 0.0),
        lambda: box_body("b", (1.0, 1.0, 1.0), 0.0, 0.0, 0.0, movable=True, mass=0.0),
        lambda: robot_body("b", 0.0, 0.0, 0.0, **{**KHEPERA, "axle": float("nan")}),
    ],
)
def test_a_body_that_cannot_exist_is_refused(make: Callable[[], BodySpec]) -> None:
    with pytest.raises(InputError, match="must be above 0"):
        make()
