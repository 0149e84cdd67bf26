"""Two crowds in which ARGoS found one radio link more than its rule gives, and why no program can repeat that.

A pair is looked along from one end only. Other Khepera IVs end at the very height of the rays, so rounding decides
whether one blocks, and the two ends may disagree. ARGoS remembers the pairs it looked along under the exclusive or of
two addresses in memory. Where two pairs of a crowd share that number, it forgets one and looks along it again, from
the other end.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import pybuzz
from pybuzz.radio import antennas_of
from pybuzz.sim.sensors.surroundings import Surroundings

CROWDS = Path(__file__).parents[1] / "data" / "radio-links"


@pytest.mark.parametrize(
    ("crowd", "tick", "ends"), [("s1092", 202, ("d0_20", "d1_18")), ("s1147", 299, ("d0_11", "d3_0"))]
)
def test_the_only_other_link_is_of_a_pair_whose_ends_disagree(crowd: str, tick: int, ends: tuple[str, str]) -> None:
    experiment = pybuzz.load(CROWDS / crowd / "scene.argos", exact=True)
    for _ in range(tick):
        experiment.step()
    with (CROWDS / crowd / "expected.csv").open(newline="") as file:
        expected = {row["id"]: row for row in csv.DictReader(file)}
    simulation = experiment.simulation
    names = [robot.name for robot in simulation.robots]
    links = simulation.air.links
    assert links is not None
    for name, row in expected.items():
        assert experiment.robots[name].pose == pytest.approx([float(row[key]) for key in ("x", "y", "yaw")], abs=1e-12)
    more = {name: int(row["rab_count"]) - _count(links.of(names.index(name))) for name, row in expected.items()}
    assert {name: count for name, count in more.items() if count} == dict.fromkeys(ends, 1)
    here, there = (names.index(name) for name in ends)
    around = Surroundings(simulation.world, threads=1)
    antennas = antennas_of(around.poses, np.full(len(names), 0.0577))
    blocked = around.blocked(antennas, np.array([[here, there], [there, here]]))
    assert blocked.tolist() == [True, False]


def _count(links: slice) -> int:
    return int(links.stop - links.start)
