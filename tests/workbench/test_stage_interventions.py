"""Runs that are changed by hand, and done again up to a tick with the same changes; and what must do no harm."""

from __future__ import annotations

import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stage_driver import PATIENCE_S, staged

from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.pipe import pack, unpack
from pybuzz.workbench.stage import serve

SCRIPT = """
function init() { speed = 8.0 }
function step() {
  set_wheels(speed * proximity[3].value + math.rng.uniform(speed), speed)
  neighbors.broadcast("where", math.rng.uniform(100))
  set_leds(id, math.rng.uniform(200), 0)
}
function destroy() { }
"""
ROOM = """
experiment: {length: 20}
arena: {size: [4, 4], walls: true}
obstacles: [{cylinder: {radius: 0.1, height: 0.5}, at: [0.2, 0.2], movable: true, mass: 0.5}]
lights: [{at: [0, 0, 1]}]
robots:
  - {kind: kheperaiv, count: 4, script: robot.bzz, place: {uniform: [[-1, -1], [1, 1]]},
     sensors: {proximity: {noise: 0.2}}}
radio: {range: 1.5, loss: 0.2}
"""
CHANGES: list[tuple[int, dict[str, Any]]] = [
    (2, {"type": "move", "name": "kh1", "x": 1.2, "y": -1.2, "yaw": 2.0}),
    (2, {"type": "add", "item": {"kind": "kheperaiv", "x": 1.6, "y": 1.6, "yaw": 1.0}}),
    (4, {"type": "add", "item": {"kind": "box", "x": 0.0, "y": 1.7, "size": [0.3, 0.1]}}),
    (4, {"type": "add", "item": {"kind": "kheperaiv", "x": 1.2, "y": -1.2}}),  # no room there
    (5, {"type": "remove", "name": "kh2"}),
    (6, {"type": "set", "robot": "kh3", "name": "speed", "value": 20.0}),
    (6, {"type": "add", "item": {"kind": "light", "x": 1.0, "y": 0.0}}),
    (7, {"type": "add", "item": {"kind": "cylinder", "x": -1.7, "y": 0.0, "radius": 0.05}}),
]


def test_a_run_that_was_changed_by_hand_is_done_again_to_the_last_bit(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        for tick in range(1, 11):
            driver.step(1, to=tick)
            for change in [change for at, change in CHANGES if at == tick]:
                driver.tell(
                    **{"kind": change["type"], **{key: value for key, value in change.items() if key != "type"}}
                )
        driver.tell("pause")
        driver.until_paused(10)
        first, told = dict(driver.frames), driver.of("globals")
        driver.frames.clear()
        driver.messages.clear()
        driver.tell("continue_from", tick=8)
        driver.until_loaded()
        driver.until_paused(8)
        assert {tick: frame == first[tick] for tick, frame in driver.frames.items()} == dict.fromkeys(range(9), True)
        assert driver.of("globals") == [message for message in told if message["tick"] <= 8]
        assert [(one["tick"], one["request"]) for one in driver.of("intervened")] == CHANGES
        # From there it goes on as it did, as long as nothing else is changed.
        driver.step(2, to=10)
        assert driver.frames[10] == first[10]
        scene = driver.of("scene")[-1]
    assert [robot["name"] for robot in scene["robots"]] == ["kh1", "kh3", "kh4", "kh5"]
    assert len(scene["lights"]) == 2


def test_changes_after_the_tick_from_which_it_is_continued_are_forgotten(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.step(3, to=3)
        unchanged = driver.frames[3]
        driver.tell("move", name="kh1", x=1.5, y=1.5, yaw=0.0)
        driver.step(1, to=4)
        driver.tell("continue_from", tick=2)
        driver.until_paused(2)
        driver.step(1, to=3)
        assert driver.frames[3] == unchanged


def test_what_is_only_moved_needs_no_new_scene(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.tell("move", name="kh1", x=1.5, y=1.5, yaw=0.5)
        driver.tell("pause")
        driver.until_paused(0)
        assert len(driver.of("scene")) == 1
        np.testing.assert_allclose(driver.poses(0)[0], [1.5, 1.5, 0.5])


def test_a_new_process_does_a_run_again_from_what_an_earlier_one_told(tmp_path: Path) -> None:
    move = {"type": "move", "name": "kh1", "x": 1.5, "y": 1.5, "yaw": 0.0}
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.step(3, to=3)
        driver.tell("move", name="kh1", x=1.5, y=1.5, yaw=0.0)
        driver.step(1, to=4)
        first = driver.frames[4]
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.tell("continue_from", tick=4, interventions=[{"tick": 3, "request": move}, {"tick": "x"}, 5])
        driver.until_paused(4)
        assert driver.frames[4] == first


def test_running_again_can_be_broken_off(tmp_path: Path) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.step(1, to=1)
        driver.tell("continue_from", tick=199)
        driver.until("state", lambda state: state["busy"].startswith("running again"))
        driver.tell("move", name="kh1", x=0.0, y=0.0, yaw=0.0)
        assert driver.until("refused")["request"] == "move"
        driver.tell("pause")
        state = driver.until("state", lambda state: not state["playing"])
        assert state["tick"] < 199
        driver.tell("play")
        driver.until("state", lambda state: state["ended"])


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"kind": "move", "name": "kh9", "x": 0, "y": 0, "yaw": 0}, "kh9"),
        ({"kind": "move", "name": "kh1", "x": "left", "y": 0, "yaw": 0}, "number"),
        ({"kind": "remove", "name": "nobody"}, "nobody"),
        ({"kind": "add", "item": {"kind": "elephant", "x": 0, "y": 0}}, "kheperaiv"),
        ({"kind": "add", "item": {"kind": "box", "x": 0, "y": 0, "size": [0, -1]}}, "size"),
        ({"kind": "add", "item": 7}, "item"),
        ({"kind": "set", "robot": "kh1", "name": "sped", "value": 1}, "speed"),
        ({"kind": "set", "robot": "kh1", "name": "speed", "value": 2**40}, "32-bit"),
        ({"kind": "speed", "factor": -1}, "speed"),
        ({"kind": "step", "ticks": 0}, "1 or more"),
        ({"kind": "continue_from", "tick": "x"}, "tick"),
        ({"kind": "layers", "names": 3}, "list"),
        ({"kind": "dance"}, "no such request"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_done_is_refused_with_the_reason(tmp_path: Path, request_: dict[str, Any], words: str) -> None:
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.tell(**request_)
        refused = driver.until("refused")
        driver.tell("pause")
        driver.until_paused(0)
    assert refused["request"] == request_["kind"]
    assert words in refused["text"]


def test_a_float_with_a_whole_value_stays_a_float_when_it_is_set(tmp_path: Path) -> None:
    script = "W = 5.0\nfunction init() {}\nfunction step() { half = W / 2 }\nfunction destroy() {}\n"
    with staged(tmp_path, script, ROOM) as driver:
        driver.until_loaded()
        driver.tell("select", robot="kh1")
        shown = {}
        for tick, kind in enumerate(("float", "int", None), start=1):
            driver.tell("set", robot="kh1", name="W", value=5, value_kind=kind)
            driver.step(1, to=tick)
            seen = next(one for one in driver.of("inspection") if one["tick"] == tick and one["live"])
            shown[kind] = {node["name"]: (node["kind"], node["text"]) for node in seen["variables"]}
    assert (shown["float"]["W"], shown["float"]["half"]) == (("float", "5.0"), ("float", "2.5"))
    assert (shown["int"]["W"], shown["int"]["half"]) == (("int", "5"), ("int", "2"))
    assert shown[None]["W"] == ("int", "5")


def test_hooks_that_add_and_remove_robots_change_the_scene(tmp_path: Path) -> None:
    (tmp_path / "hooks.py").write_text(
        "from dataclasses import replace\n"
        "import pybuzz\n"
        "class Coming(pybuzz.Hooks):\n"
        "    def post_step(self, experiment):\n"
        "        if experiment.tick == 2:\n"
        "            experiment.remove('kh1')\n"
        "            experiment.remove('kh2')\n"
    )
    with staged(tmp_path, SCRIPT, ROOM, hooks=str(tmp_path / "hooks.py")) as driver:
        driver.until_loaded()
        driver.step(3, to=3)
        assert [len(driver.lights(tick)) for tick in range(4)] == [4, 4, 2, 2]
        assert [robot["name"] for robot in driver.of("scene")[-1]["robots"]] == ["kh3", "kh4"]


def test_ten_thousand_junk_messages_do_no_harm(tmp_path: Path) -> None:
    noise = np.random.default_rng(1)
    with staged(tmp_path, SCRIPT, ROOM) as driver:
        driver.until_loaded()
        driver.tell("speed", factor=1.0)
        driver.tell("play")
        for number in range(10_000):
            junk = [b"", b"{", b"[1]", b'{"type": []}', b'{"type": "move"}', b"\0\0\0", noise.bytes(40)][number % 7]
            driver.connection.send_bytes(junk)
            while driver.connection.poll(0):
                driver.next_message()
        driver.tell("pause")
        state = driver.until("state", lambda state: not state["playing"])
        driver.step(1, to=state["tick"] + 1)
        assert len(driver.of("refused")) == 10_000


def test_a_hook_that_hangs_leaves_the_process_to_be_killed(tmp_path: Path) -> None:
    (tmp_path / "robot.bzz").write_text(SCRIPT)
    (tmp_path / "hooks.py").write_text(
        "import pybuzz\n"
        "class Endless(pybuzz.Hooks):\n"
        "    def pre_step(self, experiment):\n"
        "        while True:\n"
        "            pass\n"
    )
    context = get_context("spawn")
    connection, other = context.Pipe()
    options = StageOptions(str(tmp_path / "robot.bzz"), str(tmp_path), hooks=str(tmp_path / "hooks.py"), seed=1)
    process = context.Process(target=serve, args=(other, options))
    process.start()
    other.close()
    while True:
        assert connection.poll(PATIENCE_S)
        message = unpack(connection.recv_bytes())
        if isinstance(message, dict) and message["type"] == "state" and not message["busy"]:
            break
    connection.send_bytes(pack({"type": "play"}))
    time.sleep(0.3)
    connection.send_bytes(pack({"type": "pause"}))
    assert process.is_alive()
    process.kill()
    process.join(10.0)
    assert process.exitcode is not None


def test_the_only_robot_of_a_recorded_run_can_be_taken_out(tmp_path: Path) -> None:
    room = "experiment: {length: 20}\narena: {size: [4, 4]}\nrobots: [{name: kh1, script: robot.bzz, at: [0, 0]}]\n"
    record = {"record": str(tmp_path / "rec"), "record_sensors": ("proximity",), "record_globals": ("speed",)}
    with staged(tmp_path, SCRIPT, room, **record) as driver:
        driver.until_loaded()
        driver.tell("remove", name="kh1")
        driver.step(2, to=2)
        assert driver.of("scene")[-1]["robots"] == []
        assert not driver.of("refused")
