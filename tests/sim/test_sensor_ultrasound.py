"""Ultrasound as documented (worked by hand) and as ARGoS simulates it."""

from __future__ import annotations

import math

import pytest

from tests.oracles.sensing import lonely_robot, sense


def test_distances_count_from_the_hull_in_every_direction() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 1.0704 + 0.05, 0, 0)
    values = sense(world, "ultrasound")[0]
    assert values == pytest.approx([1.0, 1.0704 * math.sqrt(2) - 0.0704, 2.0, 2.0, 1.0704 * math.sqrt(2) - 0.0704])
    assert 100 * values[1] == pytest.approx(144.3374, abs=1e-3)


def test_what_is_too_near_reads_as_the_nearest_distance() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 0.2704 + 0.05, 0, 0)
    assert sense(world, "ultrasound")[0, 0] == 0.25


def test_a_slab_below_the_sensors_is_not_seen_as_documented_but_by_argos() -> None:
    world = lonely_robot()
    world.add_box("slab", (0.1, 10, 0.01), 1.0, 0, 0)
    assert sense(world, "ultrasound")[0, 0] == 2.0
    assert sense(world, "ultrasound", exact=True)[0, 0] == pytest.approx((0.95 - 0.3204 - 0.25) / 1.75)


def test_in_argos_what_covers_the_start_of_a_ray_is_invisible() -> None:
    world = lonely_robot()
    world.add_box("near", (0.2, 0.2, 0.5), 0.32, 0, 0)
    assert sense(world, "ultrasound", exact=True)[0, 0] == 0.0
    assert sense(world, "ultrasound")[0, 0] == 0.25


def test_noise_is_a_part_of_the_measured_span() -> None:
    """First uniform draw of seed 1 is 1791095845 / 4294967295 = 0.417022."""
    world = lonely_robot()
    world.add_box("wall", (0.1, 10, 1), 1.0704 + 0.05, 0, 0)
    noisy = sense(world, "ultrasound", noise={"noise_level": 0.1}, seed=1)[0]
    assert noisy[0] == pytest.approx(1.0 + 1.75 * (0.2 * 0.4170220047 - 0.1))
