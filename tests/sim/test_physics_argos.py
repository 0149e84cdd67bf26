"""The published runs of ARGoS 3, recomputed from their wheel speeds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.argos_scene import case_names, read_case
from tests.oracles.pymunk_engine import PymunkEngine


@pytest.mark.parametrize("name", case_names())
def test_poses_equal_argos_to_the_last_bit(name: str) -> None:
    case = read_case(name)
    np.testing.assert_array_equal(case.run(case.world()), case.poses)


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("free_acceleration", 0.0),
        ("iterations_and_rate", 1e-15),
        ("wall_hit", 1e-15),
        ("corner_and_pillar", 1e-15),
        ("robot_robot", 1e-14),
        ("push_box", 1e-14),
        ("push_box_lowfriction", 1e-3),
        ("crowd_pen", 1e-4),
    ],
)
def test_a_stock_library_behind_the_same_protocol_agrees(name: str, tolerance: float) -> None:
    """pymunk's own deviations grow with the number of bodies in contact; see docs/physics.md."""
    case = read_case(name)
    np.testing.assert_allclose(case.run(case.world(engine=PymunkEngine)), case.poses, rtol=0.0, atol=tolerance)
