"""Light as documented, worked by hand; the law of ARGoS is compared with ARGoS's own runs."""

from __future__ import annotations

import math

import pytest

from tests.oracles.sensing import lonely_robot, sense


def test_a_light_ahead_follows_the_inverse_square_from_each_sensor() -> None:
    world = lonely_robot()
    world.add_light("lamp", (1.0704, 0, 0.0145), 0.5)
    values = sense(world, "light")[0]
    assert values[0] == pytest.approx(0.25)
    assert values[1] == pytest.approx(0.112287, abs=1e-6)
    assert values[7] == pytest.approx(0.112287, abs=1e-6)
    assert values[2:7].tolist() == [0, 0, 0, 0, 0]


def test_turning_the_robot_moves_the_light_to_another_sensor() -> None:
    world = lonely_robot(angle=math.pi / 2)
    world.add_light("lamp", (1.0704, 0, 0.0145), 0.5)
    assert sense(world, "light")[0, 6] == pytest.approx(0.25)


def test_height_counts_for_the_distance_but_not_for_the_angle() -> None:
    world = lonely_robot()
    world.add_light("lamp", (1.0704, 0, 1.0145), 1.0)
    assert sense(world, "light")[0, 0] == pytest.approx(0.5)


def test_a_near_light_saturates_and_two_lights_add_up_to_at_most_one() -> None:
    world = lonely_robot()
    world.add_light("a", (1.0704, 0, 0.0145), 3.0)
    assert sense(world, "light")[0, 0] == 1.0
    world.add_light("b", (1.0704, 0, 0.0145), 0.5)
    assert sense(world, "light")[0, 0] == 1.0


def test_two_weak_lights_add_up() -> None:
    world = lonely_robot()
    for name in ("a", "b"):
        world.add_light(name, (1.0704, 0, 0.0145), 0.5)
    assert sense(world, "light")[0, 0] == pytest.approx(0.5)


def test_a_body_between_the_sensor_and_the_light_hides_it_and_a_low_one_does_not() -> None:
    world = lonely_robot()
    world.add_light("lamp", (1.0704, 0, 0.3), 0.5)
    free = sense(world, "light")[0, 0]
    world.add_box("low", (0.1, 1, 0.014), 0.6, 0, 0)
    assert sense(world, "light")[0, 0] == free
    world.add_box("screen", (0.1, 1, 0.3), 0.5, 0, 0)
    assert sense(world, "light")[0, 0] == 0.0


def test_a_light_without_intensity_or_no_light_at_all_is_dark() -> None:
    world = lonely_robot()
    for exact in (False, True):
        assert not sense(world, "light", exact=exact).any()
    world.add_light("off", (1, 0, 0.1), 0.0)
    for exact in (False, True):
        assert not sense(world, "light", exact=exact).any()


def test_argos_gives_nothing_to_any_sensor_for_a_light_at_ninety_degrees() -> None:
    """Its choice of sensors counts in 15-degree steps: 4, 5, 6, 7 and 0, none of which faces the light."""
    world = lonely_robot()
    world.add_light("lamp", (0, 1, 0), 1.0)
    assert not sense(world, "light", exact=True).any()
    assert sense(world, "light")[0, 2] > 0.9


def test_argos_law_straight_ahead_is_exponential_from_the_centre() -> None:
    world = lonely_robot()
    world.add_light("lamp", (1, 0, 0), 2.0)
    assert sense(world, "light", exact=True)[0, 0] == pytest.approx(math.exp(-1.0))
