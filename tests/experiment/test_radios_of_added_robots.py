"""A robot that is added to a running experiment talks with the robots that are there."""

from __future__ import annotations

from pathlib import Path

import pybuzz
from pybuzz.experiment.plan import Robot

SCRIPT = "function init() { n = -1 }\nfunction step() { n = neighbors.count() }\n"
GROUPS = """\
experiment: {length: 1, seed: 1}
arena: {size: [6, 6]}
radio: {range: 2.0, data_size: 60}
robots:
  - {kind: kheperaiv, count: 3, script: count.bzz, place: {grid: {center: [0, 0], distances: [1, 1], layout: [3, 1]}}}
  - {kind: kheperaiv, name: far, script: count.bzz, at: [2, 2], radio: {range: 0.5, data_size: 40}}
"""


def experiment_in(folder: Path) -> pybuzz.Experiment:
    (folder / "count.bzz").write_text(SCRIPT)
    (folder / "groups.yaml").write_text(GROUPS)
    return pybuzz.load(folder / "groups.yaml")


def test_an_added_robot_has_the_radio_of_its_controllers_robots(tmp_path: Path) -> None:
    with experiment_in(tmp_path) as experiment:
        experiment.add(Robot("guest", "robots[1]", 9, position=(0.0, 0.6, 0.0)))
        experiment.add(Robot("near", "robots[2]", 10, position=(2.0, 1.7, 0.0)))
        experiment.step()
        experiment.step()
        heard = {name: robot.globals["n"] for name, robot in experiment.robots.items()}
    assert heard["guest"] == 3
    assert (heard["near"], heard["far"]) == (1, 1)


def test_a_radio_that_is_given_is_kept(tmp_path: Path) -> None:
    with experiment_in(tmp_path) as experiment:
        experiment.add(Robot("guest", "robots[1]", 9, position=(0.0, 0.6, 0.0), radio_range=0.1))
        experiment.step()
        experiment.step()
        assert experiment.robots["kh2"].globals["n"] == 2, "the guest reaches nobody; its packets go 0.1 m"
