"""The example in ARGoS's format does what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pybuzz
from pybuzz.experiment.reading import check_experiment_file

EXAMPLE = Path(__file__).parents[2] / "scripts" / "examples" / "light_seeking"


def test_the_example_has_no_faults() -> None:
    assert check_experiment_file(EXAMPLE) == []


def test_robots_drive_to_the_light() -> None:
    poses = pybuzz.load(EXAMPLE).run(ticks=400).poses
    distances = np.hypot(poses[:, :, 0] - 1.5, poses[:, :, 1])
    assert distances[0].min() > 2.0
    assert np.median(distances[-1]) < 0.6
