"""The positioning sensor."""

from __future__ import annotations

import math

import pytest

from tests.oracles.sensing import lonely_robot, sense

DRAWS = [1791095845 / 4294967295, 4282876139 / 4294967295, 3093770124 / 4294967295]
"""The first uniform draws of seed 1, printed by ARGoS."""


def test_without_noise_it_tells_the_truth() -> None:
    world = lonely_robot(angle=2.5)
    world.move("kh0", 3.0, -4.0, 2.5)
    assert sense(world, "pose")[0].tolist() == [3.0, -4.0, 0.0, 2.5, 0.0, 0.0]


def test_noise_on_the_position_is_drawn_z_first() -> None:
    values = sense(lonely_robot(), "pose", ranges={"pos_noise_range": (0.0, 1.0)}, seed=1)[0]
    assert values[:3] == pytest.approx([DRAWS[2], DRAWS[1], DRAWS[0]])
    assert values[3:] == pytest.approx([0, 0, 0])


def test_noise_on_the_angle_turns_about_the_upright_axis() -> None:
    values = sense(lonely_robot(angle=1.0), "pose", ranges={"angle_noise_range": (0.5, 0.5000001)}, seed=1)[0]
    assert values[3] == pytest.approx(1.5, abs=1e-6)
    assert values[4:] == pytest.approx([0, 0])


def test_noise_on_the_axis_tilts_the_robot() -> None:
    tilted = sense(lonely_robot(angle=1.0), "pose", ranges={"axis_noise_range": (0.1, 0.1000001)}, seed=1)[0]
    x, y, z = (math.sin(0.5) * part for part in (0.1, 0.1, 1.1))
    w = math.cos(0.5)
    assert tilted[4] == pytest.approx(math.asin(2 * (x * z + w * y)), abs=1e-6)
    assert tilted[5] == pytest.approx(math.atan2(2 * (w * x - y * z), w * w - x * x - y * y + z * z), abs=1e-6)
