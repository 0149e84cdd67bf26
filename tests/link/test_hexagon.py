"""A script that lives from its neighbours, on emulated robots and in simulation: the same lattice."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path

import numpy as np
import pytest
from rehearsals import LEAST_TIMEOUT_S, rehearse, run, write_fleet

import pybuzz
from pybuzz.emulator.assertions import Bounds, faults
from pybuzz.shipped import scripts_folder

SECONDS = 15
RADIO = "radio: {range: 1.5, data_size: 100, occlusion: true}"


def write_scene(folder: Path) -> Path:
    """Five robots, about a third too far from each other for the lattice and turned at random."""
    script = scripts_folder() / "examples" / "hexagon" / "hexagon.bzz"
    (folder / "hexagon.bzz").write_text(script.read_text())
    places = ((-0.6, 0.0), (0.0, 0.0), (0.6, 0.0), (-0.3, 0.52), (0.3, 0.52))
    robots = "\n".join(
        f"  - {{kind: kheperaiv, script: hexagon.bzz, drive: bridge, count: 1, yaw: {{uniform: [-180, 180]}},\n"
        f"     place: {{gaussian: [[{x}, {y}], [0.03, 0.03]]}}}}"
        for x, y in places
    )
    path = folder / "hexagon.yaml"
    path.write_text(
        f"experiment: {{ticks_per_second: 10, length: {SECONDS}}}\narena: {{size: [4, 4], walls: true}}\n"
        f"robots:\n{robots}\nradio: {{range: 1.5, data_size: 100}}\n"
    )
    return path


def distances(poses: object) -> list[float]:
    """Between all pairs of robots, sorted; m."""
    return sorted(dist(one[:2], other[:2]) for one, other in combinations(poses, 2))  # type: ignore[call-overload]


def simulated(scene: Path, seed: int) -> list[float]:
    with pybuzz.load(scene, seed=seed) as experiment:
        experiment.run()
        return distances([robot.pose for robot in experiment.robots.values()])


def deployed(scene: Path, folder: Path, seed: int) -> list[float]:
    with rehearse(scene, folder, "--seed", str(seed)) as emulator:
        fleet = write_fleet(folder, emulator.urls, emulator.starts, RADIO)
        done = run("deploy", scene.with_suffix(".bzz"), "--fleet", fleet, "--seconds", SECONDS)
        assert done.returncode == 0, done.stderr
        assert faults(emulator.log(), Bounds(limit=295, change=30, timeout_s=LEAST_TIMEOUT_S)) == []
        return distances(emulator.poses().values())


@pytest.mark.long
def test_the_lattice_of_emulated_robots_is_that_of_simulated_ones_within_3_cm(tmp_path: Path) -> None:
    """Sorted distances of all pairs at the end, mean over 5 seeds."""
    scene = write_scene(tmp_path)
    differences = [np.subtract(deployed(scene, tmp_path, seed), simulated(scene, seed)) for seed in range(1, 6)]
    print(np.round(100 * np.array(differences), 1))
    assert np.abs(np.mean(differences, axis=0)).max() < 0.03
    assert np.mean(np.abs(differences)) < 0.03
