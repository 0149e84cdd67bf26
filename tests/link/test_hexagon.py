"""A script that lives from its neighbours, on emulated robots and in simulation: the same lattice."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rehearsals import CALM_PERIOD_S, CALM_RAMP, assert_safe, rehearse, run_in_step, write_fleet

import pybuzz
from pybuzz.shipped import scripts_folder

SECONDS = 15
SHAKEN = "SHAKE = 10.0"
"""Random motion would part the two runs long before the lattice is there."""
ATTEMPTS = 3
RADIO = "radio: {range: 1.5, data_size: 100, occlusion: true}"
NEAR_THE_LATTICE = "".join(
    f"  - {{kind: kheperaiv, script: hexagon.bzz, drive: bridge, count: 1, yaw: {{uniform: [-180, 180]}},\n"
    f"     place: {{gaussian: [[{x}, {y}], [0.01, 0.01]]}}}}\n"
    for x, y in ((-0.45, 0.0), (0.0, 0.0), (0.45, 0.0), (-0.225, 0.39), (0.225, 0.39))
)
"""Five robots, about an eighth too far from each other and turned at random."""
ANYWHERE = """\
  - {kind: kheperaiv, script: hexagon.bzz, drive: bridge, count: 5, place: {uniform: [[-0.7, -0.7], [0.7, 0.7]]}}
"""

both_links = pytest.mark.parametrize("terminals", [False, True], ids=["tcp", "pty"])


def write_scene(folder: Path, robots: str) -> Path:
    script = (scripts_folder() / "examples" / "hexagon" / "hexagon.bzz").read_text()
    assert SHAKEN in script
    (folder / "hexagon.bzz").write_text(script.replace(SHAKEN, "SHAKE = 0.0"))
    path = folder / "hexagon.yaml"
    path.write_text(
        f"experiment: {{ticks_per_second: 4, length: {SECONDS}}}\narena: {{size: [4, 4], walls: true}}\n"
        f"robots:\n{robots}radio: {{range: 1.5, data_size: 100}}\n"
    )
    return path


def distances(poses: object) -> list[float]:
    """Between all pairs of robots, sorted; m."""
    return sorted(dist(one[:2], other[:2]) for one, other in combinations(poses, 2))  # type: ignore[call-overload]


def simulated(scene: Path, seed: int) -> list[float]:
    with pybuzz.load(scene, seed=seed) as experiment:
        experiment.run()
        return distances([robot.pose for robot in experiment.robots.values()])


def deployed(scene: Path, folder: Path, seed: int, *, terminals: bool) -> list[float]:
    """A machine that stands still for half a second stops the robots, which says nothing about the lattice."""
    for _ in range(ATTEMPTS):
        with rehearse(scene, folder, "--stepped", "--seed", str(seed), terminals=terminals) as emulator:
            fleet = write_fleet(folder, emulator.urls, emulator.starts, RADIO, period=str(CALM_PERIOD_S))
            done = run_in_step(emulator, "deploy", scene.with_suffix(".bzz"), "--fleet", fleet, "--seconds", SECONDS)
            if done.returncode == 3:
                continue
            assert done.returncode == 0, done.stderr
            assert_safe(emulator.log(), ramp=CALM_RAMP)
            return distances(emulator.poses().values())
    pytest.fail(done.stderr)


def differences(folder: Path, robots: str, *, terminals: bool) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Of the sorted distances of all pairs at the end, emulated from simulated; float64[5 seeds, pairs], m."""
    scene = write_scene(folder, robots)
    found = [
        np.subtract(deployed(scene, folder, seed, terminals=terminals), simulated(scene, seed)) for seed in range(1, 6)
    ]
    print(np.round(100 * np.array(found), 1))
    return np.array(found)


@pytest.mark.long
@both_links
def test_the_lattice_of_emulated_robots_is_that_of_simulated_ones_within_3_cm(tmp_path: Path, terminals: bool) -> None:
    found = differences(tmp_path, NEAR_THE_LATTICE, terminals=terminals)
    assert np.abs(found.mean(axis=0)).max() < 0.03
    assert np.abs(found).mean() < 0.03


@pytest.mark.long
@both_links
def test_from_anywhere_it_is_the_same_lattice_within_3_cm_in_the_mean(tmp_path: Path, terminals: bool) -> None:
    """One of the starts is at a watershed: 1 mm elsewhere, and simulation itself ends in another lattice, 22 cm off."""
    assert np.abs(differences(tmp_path, ANYWHERE, terminals=terminals)).mean() < 0.03
