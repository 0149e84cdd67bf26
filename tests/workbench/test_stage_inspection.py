"""What the stage tells of the selected robot, and the layers drawn over the arena."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stage_driver import Driver, staged

import pybuzz

SCRIPT = """
function init() {
  words = {.one = 1, .nested = {.deep = "yes"}}
  words.itself = words
  group = swarm.create(3)
  group.join()
  shared = stigmergy.create(5)
  neighbors.listen("hello", function(topic, value, robot) { heard = value })
}
function step() {
  front = proximity[0].value
  if(id == 2) {
    shared.put("key", 42)
    neighbors.broadcast("hello", "from two")
    debug.print("I am two")
    debug.rays.add(255, 0, 0, 1.0, 0.0, 0.0)
  }
  set_wheels(0.0, 0.0)
}
function destroy() { }
"""
AT = "{{kind: kheperaiv, name: kh{0}, script: robot.bzz, at: [{1}, {2}], sensors: {{proximity: {{noise: 0.1}}}}}}"
ROOM = f"""
experiment: {{length: 10}}
arena: {{size: [4, 4], walls: true}}
obstacles: [{{box: [0.1, 1.0, 0.5], at: [0.5, 0], movable: false}}]
robots:
  - {AT.format(1, 0, 0)}
  - {AT.format(2, 0, 0.5)}
  - {AT.format(3, 1, 0)}
radio: {{range: 1.5, data_size: 60}}
"""


def node(tree: list[dict[str, Any]], *names: str) -> dict[str, Any]:
    """The node that names lead to."""
    (found,) = (one for one in tree if one["name"] == names[0])
    return node(found["children"], *names[1:]) if names[1:] else found


def inspected(driver: Driver, robot: str, ticks: int = 3) -> dict[str, Any]:
    driver.until_loaded()
    driver.tell("select", robot=robot)
    driver.until("inspection")
    driver.step(ticks, to=ticks)
    return driver.of("inspection")[-1]


def test_variables_are_a_tree_with_swarms_stigmergies_and_neighbours_as_people_think_of_them(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        told = inspected(driver, "kh1")
    tree = told["variables"]
    assert (told["tick"], told["live"], told["error"]) == (3, True, None)
    assert node(tree, "words", "nested", "deep")["text"] == '"yes"'
    assert node(tree, "words", "itself")["children"] == []
    assert node(tree, "heard")["text"] == '"from two"'
    assert node(tree, "group")["text"] == "swarm 3, a member, with 1 other"  # the third is behind the box
    assert node(tree, "shared", "key")["text"].startswith("42  (robot 2, clock ")
    assert node(tree, "stigmergy", "5", "key")["kind"] == "int"
    assert node(tree, "neighbors", "2", "distance")["text"] == "50"
    assert [one["name"] for one in tree][:5] == ["front", "group", "heard", "shared", "words"]
    assert node(tree, "proximity", "0")["children"][1]["name"] == "value"


def test_messages_are_told_with_their_size_and_why_they_did_not_come(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        told = inspected(driver, "kh3")
        driver.tell("select", robot="kh2")
        sender = driver.until("inspection")
    # The box stands between the third robot and the others.
    assert {message["robot"]: message["lost"] for message in told["messages_in"]}["kh2"] == "occlusion"
    out = {message["robot"]: message for message in sender["messages_out"]}
    assert (out["kh1"]["lost"], out["kh3"]["lost"]) == (None, "occlusion")
    assert "hello: from two" in out["kh1"]["texts"]
    assert 10 < out["kh1"]["size"] <= 60


def test_a_message_that_no_packet_can_hold_is_told(tmp_path: Path) -> None:
    script = SCRIPT.replace('"from two"', '"012345678901234567890123456789012345678901234567890123456789"')
    with staged(tmp_path, script, ROOM) as driver:
        told = inspected(driver, "kh2")
    assert told["messages_out"][0]["lost"] == "too large for a packet"


def test_sensors_show_what_scripts_would_read_whether_they_do_or_not(tmp_path: Path) -> None:
    def sensed(script: str) -> dict[str, list[float]]:
        with staged(tmp_path, script, ROOM) as driver:
            sensors: dict[str, list[float]] = inspected(driver, "kh1")["sensors"]
            return sensors

    read, unread = sensed(SCRIPT), sensed(SCRIPT.replace("proximity[0].value", "1"))
    assert read["proximity"] == unread["proximity"]
    assert any(read["proximity"])
    assert {"light", "ultrasound", "ground", "lidar", "battery", "pose"} <= set(read)


def test_looking_closely_changes_nothing_in_the_run(tmp_path: Path) -> None:
    script = SCRIPT.replace("set_wheels(0.0, 0.0)", "set_wheels(20.0 * proximity[2].value, 5.0)")
    layers = ["rays", "links", "messages", "notes", "commands"]
    with staged(tmp_path, script, ROOM) as driver:
        driver.until_loaded()
        driver.tell("layers", names=layers)
        driver.tell("select", robot="kh3")
        for tick in range(1, 6):
            driver.step(1, to=tick)
    recording = pybuzz.load(tmp_path / "experiment.yaml", seed=7).run(ticks=5)
    np.testing.assert_array_equal(driver.poses(5)[:3], recording.poses[5].astype(np.float32))


def test_layers_show_rays_links_messages_notes_and_commands(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.tell("layers", names=["rays", "links", "messages", "notes", "commands", "nonsense"])
        driver.tell("select", robot="kh1")
        driver.step(3, to=3)
        told = driver.of("overlay")[-1]
    assert told["tick"] == 3
    assert told["links"] == [[0, 1]]
    assert {"from": "kh2", "to": "kh3", "lost": "occlusion"} in told["messages"]
    (note,) = told["notes"]
    assert (note["robot"], note["text"]) == ("kh2", "I am two")
    np.testing.assert_allclose(note["rays"][0]["line"], [0.0, 0.5, 1.0, 0.5], atol=1e-3)
    assert told["commands"] == [[0.0, 0.0]] * 3
    rays = {(ray["robot"], ray["sensor"]): ray["lines"] for ray in told["rays"]}
    ahead = rays["kh1", "proximity"][0]
    assert ahead[:2] == pytest.approx([0.0704, 0.0], abs=0.03)
    hits = [line for line in rays["kh1", "ultrasound"] if line[4]]
    assert any(line[2] == pytest.approx(0.45, abs=1e-3) for line in hits)
