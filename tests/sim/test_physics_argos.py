"""The published runs of ARGoS 3, recomputed from their wheel speeds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.argos_scene import case_names, read_case


@pytest.mark.parametrize("name", case_names())
def test_poses_equal_argos_to_the_last_bit(name: str) -> None:
    case = read_case(name)
    np.testing.assert_array_equal(case.run(case.world()), case.poses)
