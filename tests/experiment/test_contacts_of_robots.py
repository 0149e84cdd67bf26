"""What robots touch: from Python at any moment, and as events of a recording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pybuzz
from pybuzz.experiment.contacts import Contact

FORWARD = "function init() {}\nfunction step() { set_wheels(10.0, 10.0) }\nfunction destroy() {}\n"
SCENE = """\
experiment: {length: 3, seed: 1}
arena: {size: [4, 4]}
obstacles: [{name: crate, box: [0.2, 0.4, 0.5], at: [0.3, 0]}]
robots:
  - {kind: kheperaiv, name: kh1, script: forward.bzz, at: [0, 0]}
  - {kind: kheperaiv, name: kh2, script: forward.bzz, at: [0, 1]}
  - {kind: kheperaiv, name: kh3, script: null, at: [0.2, 1]}
  - {kind: kheperaiv, name: kh4, script: null, at: [-1, -1]}
record: {contacts: true}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    (tmp_path / "forward.bzz").write_text(FORWARD)
    (tmp_path / "scene.yaml").write_text(SCENE)
    return tmp_path / "scene.yaml"


def contacts(experiment: pybuzz.Experiment) -> dict[str, list[Contact]]:
    return {name: robot.contacts for name, robot in experiment.robots.items()}


def test_a_robot_touches_what_it_has_driven_into(scene: Path) -> None:
    experiment = pybuzz.load(scene)
    assert contacts(experiment) == {"kh1": [], "kh2": [], "kh3": [], "kh4": []}
    while experiment.step():
        pass
    assert contacts(experiment) == {
        "kh1": [Contact("obstacle", "crate")],
        "kh2": [Contact("robot", "kh3")],
        "kh3": [Contact("robot", "kh2")],
        "kh4": [],
    }


def test_the_cells_of_a_map_are_a_grid(scene: Path) -> None:
    scene.write_text("""\
experiment: {length: 5, seed: 1}
arena: {size: [2, 2], walls: false}
map: {rows: ["####", "#..#", "#..#", "####"], resolution: 0.5}
robots: [{kind: kheperaiv, name: kh1, script: forward.bzz, at: [0, 0.2]}]
""")
    experiment = pybuzz.load(scene)
    while experiment.step():
        pass
    assert {contact.kind for contact in experiment.robots["kh1"].contacts} == {"grid"}


def test_the_beginning_of_each_contact_is_an_event(scene: Path) -> None:
    recording = pybuzz.load(scene).run()
    found = [(event.robot, json.loads(event.text)) for event in recording.events if event.kind == "contact"]
    assert sorted((robot, text["name"]) for robot, text in found) == [("kh1", "crate"), ("kh2", "kh3"), ("kh3", "kh2")]
    ticks = [event.tick for event in recording.events if event.kind == "contact"]
    assert min(ticks) > 5


def test_nothing_is_watched_unless_the_file_asks(scene: Path) -> None:
    scene.write_text(SCENE.replace("record: {contacts: true}\n", ""))
    assert [event for event in pybuzz.load(scene).run().events if event.kind == "contact"] == []
