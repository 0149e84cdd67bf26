"""The stage, driven over its pipe: what it runs, what it tells, and what it does with what is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from stage_driver import staged

import pybuzz
from pybuzz.recording import Recording

WANDER = """
function init() { count = 0; name = "start" }
function step() {
  count = count + 1
  set_wheels(5.0 + id, 10.0)
  set_leds(10 * count, id, 0)
  if(count == 3 and id == 2) { log("third") }
}
function destroy() { }
"""

THREE = """
experiment: {length: 3}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, count: 3, script: robot.bzz, place: {uniform: [[-1.5, -1.5], [1.5, 1.5]]}}
"""


def test_it_shows_every_tick_as_the_experiment_runs_by_itself(tmp_path: Path) -> None:
    with staged(tmp_path, WANDER, THREE) as driver:
        welcome = driver.until_loaded()
        driver.step(5, to=5)
        experiment = pybuzz.load(tmp_path / "experiment.yaml", seed=7)
        recording = experiment.run(ticks=5)
        for tick in range(6):
            np.testing.assert_array_equal(driver.poses(tick)[:3], recording.poses[tick].astype(np.float32))
            np.testing.assert_array_equal(driver.lights(tick)[:, :3], recording.leds[tick])
    assert welcome["seed"] == 7
    assert welcome["scripts"] == ["robot.bzz"]
    scene = driver.of("scene")[0]
    assert [robot["name"] for robot in scene["robots"]] == list(recording.robots)
    assert len(scene["objects"]) == 4


def test_globals_are_told_when_they_change(tmp_path: Path) -> None:
    with staged(tmp_path, WANDER, THREE) as driver:
        driver.until_loaded()
        driver.step(2, to=2)
        told = driver.of("globals")
    names = [f"kh{number}" for number in (1, 2, 3)]
    assert told[0] == {"type": "globals", "tick": 0, "changed": {name: {"count": 0, "name": "start"} for name in names}}
    assert told[1]["changed"] == {name: {"count": 1} for name in names}
    assert [message["tick"] for message in told] == [0, 1, 2]


def test_log_lines_come_with_their_tick_and_errors_with_their_line(tmp_path: Path) -> None:
    script = WANDER.replace('log("third")', 'log("third"); count = nil + 1')
    with staged(tmp_path, script, THREE) as driver:
        driver.until_loaded()
        driver.step(4, to=4)
        lines = [line for message in driver.of("log") for line in message["lines"]]
        assert driver.lights(3)[:, 3].tolist() == [0, 1, 0]
    assert lines[0] == {"tick": 3, "robot": "kh2", "text": "third", "error": False, "file": None, "line": None}
    assert lines[1]["error"]
    assert (lines[1]["file"], lines[1]["line"], lines[1]["tick"]) == ("robot.bzz", 7, 3)


def test_the_end_is_told_with_its_reason(tmp_path: Path) -> None:
    with staged(tmp_path, WANDER, THREE.replace("length: 3", "length: 1")) as driver:
        driver.until_loaded()
        driver.tell("play")
        state = driver.until("state", lambda state: state["ended"])
        driver.tell("play")
        again = driver.until("state")
    assert (state["tick"], state["reason"], state["playing"]) == (10, "all ticks were run", False)
    assert (again["tick"], again["playing"]) == (10, False)


def test_a_script_that_does_not_compile_is_marked_and_loads_once_it_is_mended(tmp_path: Path) -> None:
    with staged(tmp_path, "function init() {\n  x = = 1\n}\n", THREE) as driver:
        problems = driver.until("problems")
        state = driver.until("state", lambda state: state["ended"])
        driver.tell("play")
        refused = driver.until("refused")
        (tmp_path / "robot.bzz").write_text(WANDER)
        driver.tell("reset")
        driver.until_loaded()
        driver.step(1, to=1)
    assert problems["file"] == "robot.bzz"
    assert problems["problems"][0]["line"] == 2
    assert "robot.bzz:2" in state["reason"]
    assert refused["request"] == "play"


def test_reset_takes_the_files_as_they_are_now_and_the_same_seed(tmp_path: Path) -> None:
    with staged(tmp_path, WANDER, THREE, seed=None) as driver:
        first = driver.until_loaded()
        driver.step(2, to=2)
        before = dict(driver.frames)
        (tmp_path / "robot.bzz").write_text(WANDER.replace("10 * count", "99"))
        driver.tell("reset")
        second = driver.until_loaded()
        driver.step(2, to=2)
        assert driver.lights(1)[:, 0].tolist() == [0, 0, 0]
        assert driver.lights(2)[:, 0].tolist() == [99, 99, 99]
        assert driver.frames[0] == before[0]
    assert first["seed"] == second["seed"]


def test_the_recording_is_complete_when_the_run_ends_and_interrupted_when_it_is_left(tmp_path: Path) -> None:
    short = THREE.replace("length: 3", "length: 1")
    with staged(tmp_path, WANDER, short, record=str(tmp_path / "whole")) as driver:
        driver.until_loaded()
        driver.tell("play")
        driver.until("state", lambda state: state["ended"])
        whole = Recording.open(tmp_path / "whole")
    with staged(tmp_path, WANDER, short, record=str(tmp_path / "part")) as driver:
        driver.until_loaded()
        driver.step(4, to=4)
    part = Recording.open(tmp_path / "part")
    assert (whole.status, whole.ticks) == ("completed", 10)
    assert (part.status, part.ticks) == ("interrupted", 4)


def test_a_hook_that_fails_ends_the_run_and_not_the_stage(tmp_path: Path) -> None:
    (tmp_path / "hooks.py").write_text(
        "import pybuzz\n"
        "class Failing(pybuzz.Hooks):\n"
        "    def post_step(self, experiment):\n"
        "        if experiment.tick == 2:\n"
        "            raise ValueError('enough')\n"
    )
    with staged(tmp_path, WANDER, THREE, hooks=str(tmp_path / "hooks.py")) as driver:
        driver.until_loaded()
        driver.tell("play")
        state = driver.until("state", lambda state: state["ended"])
        driver.tell("reset")
        driver.until_loaded()
        driver.step(1, to=1)
    assert "hooks.py:5" in state["reason"]
    assert "enough" in state["reason"]
