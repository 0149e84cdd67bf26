"""The infrared ring. Values worked by hand from the law 4.14 exp(-33 d) - 0.085."""

from __future__ import annotations

import math

import pytest

from tests.oracles.sensing import lonely_robot, sense


@pytest.mark.parametrize("exact", [False, True])
def test_a_wall_ahead_gives_the_documented_response(exact: bool) -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 0.1304 + 0.05, 0, 0)
    values = sense(world, "proximity", exact=exact)[0]
    assert values[0] == pytest.approx(0.486607, abs=1e-6)
    assert values[1] == pytest.approx(0.011159, abs=1e-6)
    assert values[7] == pytest.approx(0.011159, abs=1e-6)
    assert values[2:7].tolist() == [0, 0, 0, 0, 0]


def test_nearer_than_four_centimetres_it_is_one() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 0.0704 + 0.0399 + 0.05, 0, 0)
    assert sense(world, "proximity")[0, 0] == 1.0


def test_between_11_8_and_12_centimetres_the_law_is_negative_and_the_value_zero() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 0.0704 + 0.119 + 0.05, 0, 0)
    assert sense(world, "proximity")[0, 0] == 0.0


def test_what_is_lower_than_the_sensor_is_not_seen() -> None:
    world = lonely_robot()
    world.add_box("slab", (0.1, 10, 0.014), 0.0704 + 0.03 + 0.05, 0, 0)
    assert not sense(world, "proximity").any()


def test_noise_is_added_to_the_unlimited_response_and_then_limited() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 0.1, 1), 0.0704 + 0.03 + 0.05, 0, 0)
    values = sense(world, "proximity", noise={"noise_level": 0.1}, seed=1)[0]
    first = 2 * 0.1 * 1791095845 / 4294967295 - 0.1
    second = 2 * 0.1 * 4282876139 / 4294967295 - 0.1
    assert values[0] == pytest.approx(1 + first)
    assert values[1] == pytest.approx(second)
    assert math.isclose(values[1], 0.0994373, abs_tol=1e-6)


def test_a_reading_that_nobody_took_has_drawn_its_noise_as_well() -> None:
    noise = {"noise_level": 0.1}
    always = sense(lonely_robot(), "proximity", noise=noise, seed=5, ticks=100)
    seldom = sense(lonely_robot(), "proximity", noise=noise, seed=5, ticks=100, read_every=100)
    assert always.tolist() == seldom.tolist()
