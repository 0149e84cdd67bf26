"""Breakpoints and steps in the script of the selected robot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stage_driver import Driver, staged

import pybuzz

SCRIPT = """include "helpers.bzz"
total = 0
limit = 3

function init() {
  neighbors.listen("word", function(topic, value, robot) {
    last = value
    total = total + 1
  })
  ready = 1
}

function step() {
  neighbors.broadcast("word", id)
  var i = 0
  while(i < limit) {
    i = i + 1
    if(i == 2) total = total + 10
  }
  var list = {.a = 1, .b = 2}
  foreach(list, function(key, value) {
    total = total + value

    # nothing here
    total = total + i
  })
  for(i = 0, i < 2, i = i + 1) { total = total - 1 }
  if(total > 1000)
    total = 0
  else
    total = add(total,
                twice(1))
  set_wheels(1.0, 1.0)
}

function destroy() { }
"""
HELPERS = """function add(a, b) {
  var sum = a + b
  return sum
}

function twice(x) { return 2 * x }
"""
TWO = """
experiment: {length: 100}
arena: {size: [4, 4], walls: true}
robots: [{kind: kheperaiv, count: 2, script: robot.bzz, place: {uniform: [[-1, -1], [1, 1]]}}]
radio: {range: 5}
"""


def debugged(driver: Driver, *lines: int, file: str = "robot.bzz") -> list[dict[str, Any]]:
    """Select the second robot, break at these lines; where they hold."""
    driver.until_loaded()
    driver.tell("select", robot="kh2")
    driver.tell("breakpoints", lines=[{"file": file, "line": line} for line in lines])
    held: list[dict[str, Any]] = driver.until("breakpoints")["lines"]
    return held


def go_on(driver: Driver, action: str) -> int:
    """The line of the next stop."""
    driver.tell("debug", action=action)
    stopped = driver.until("stopped")
    line: int = stopped["line"]
    return line


def play_to_stop(driver: Driver) -> dict[str, Any]:
    driver.tell("play")
    return driver.until("stopped")


def write_helpers(folder: Path) -> None:
    (folder / "helpers.bzz").write_text(HELPERS)


@pytest.mark.parametrize(
    ("line", "hits"),
    [(14, 1), (16, 4), (17, 3), (18, 3), (21, 1), (22, 2), (25, 2), (27, 3), (28, 1), (31, 1), (33, 1)],
    ids=lambda value: str(value),
)
def test_it_stops_at_every_kind_of_line_as_often_as_that_is_reached(tmp_path: Path, line: int, hits: int) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        (held,) = debugged(driver, line)
        assert held["at"] == line
        driver.tell("step", ticks=1)
        counted, standing, ended = 0, False, False
        while not ended:
            message = driver.next_message()
            if message["type"] == "stopped":
                assert (message["robot"], message["line"], message["reason"]) == ("kh2", line, "breakpoint")
                counted, standing = counted + 1, True
                driver.tell("debug", action="continue")
            elif message["type"] == "resumed":
                standing = False
            ended = message["type"] == "state" and not (message["playing"] or standing)
    assert counted == hits


def test_a_line_without_code_means_the_next_one_with_code(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        held = debugged(driver, 24, 99)
        stopped = play_to_stop(driver)
    assert [(one["line"], one["at"]) for one in held] == [(24, 25), (99, None)]
    assert stopped["line"] == 25


def test_the_stack_has_the_calls_and_their_locals_by_their_buzz_names(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 3, file="helpers.bzz")
        stopped = play_to_stop(driver)
    inner, outer = stopped["stack"]
    assert (inner["function"], inner["file"], inner["line"]) == ("add", "helpers.bzz", 3)
    assert (outer["function"], outer["file"], outer["line"]) == ("step", "robot.bzz", 31)
    shown = {variable["name"]: variable["text"] for variable in inner["variables"]}
    assert shown == {"a": "17", "b": "2", "sum": "19"}
    assert {variable["name"] for variable in outer["variables"]} >= {"i", "list"}


def test_closures_show_what_they_captured(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 22)
        stopped = play_to_stop(driver)
    shown = {variable["name"]: variable["text"] for variable in stopped["stack"][0]["variables"]}
    assert shown == {"key": '"a"', "value": "1", "i": "3"}


def test_data_of_a_neighbour_are_a_table_even_where_none_is_made(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    walk = "neighbors.foreach(function(robot, data) {\n    near = data.distance\n  })\n"
    script = SCRIPT.replace("set_wheels(1.0, 1.0)", walk)
    line = script.split("\n").index("    near = data.distance") + 1
    with staged(tmp_path, script, TWO) as driver:
        debugged(driver, line)
        stopped = play_to_stop(driver)
    data, robot = stopped["stack"][0]["variables"]
    assert (robot["name"], robot["text"]) == ("robot", "1")
    assert (data["name"], data["kind"]) == ("data", "table")
    assert [child["name"] for child in data["children"]] == ["azimuth", "distance", "elevation"]


def test_listeners_stop_too(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 7)
        stopped = play_to_stop(driver)
        driver.until("state", lambda state: not state["playing"] and state["tick"] == 2)
    shown = {variable["name"]: variable["text"] for variable in stopped["stack"][0]["variables"]}
    assert shown["value"] == "1"
    assert driver.lights(2)[:, 3].tolist() == [0, 2]


def test_code_that_runs_while_loading_stops_after_a_reset(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 3, 10)
        driver.tell("reset")
        assert driver.until("stopped")["line"] == 3
        assert go_on(driver, "continue") == 10
        driver.tell("debug", action="continue")
        driver.until_loaded()
        driver.step(2, to=2)


def test_steps_go_into_over_and_out_of_functions_and_on_to_the_next_tick(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 28)
        play_to_stop(driver)
        driver.tell("breakpoints", lines=[])
        assert go_on(driver, "over") == 31
        driver.tell("debug", action="into")
        stopped = driver.until("stopped")
        assert (stopped["file"], stopped["line"], stopped["reason"]) == ("helpers.bzz", 6, "step")
        driver.tell("debug", action="into")
        stopped = driver.until("stopped")
        assert (stopped["file"], stopped["line"]) == ("helpers.bzz", 2)
        assert go_on(driver, "out") == 33
        # Over the end of the step to the next tick, which begins with the listener.
        assert go_on(driver, "over") == 7
        driver.tell("pause")
        driver.tell("debug", action="continue")
        driver.until_paused(2)


def test_over_does_not_stop_in_what_is_called(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 20)
        play_to_stop(driver)
        assert go_on(driver, "over") == 21
        assert go_on(driver, "over") == 27


def test_debugging_changes_nothing_in_the_run(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 14)
        play_to_stop(driver)
        for _ in range(20):
            go_on(driver, "into")
        driver.tell("breakpoints", lines=[])
        driver.tell("pause")
        driver.tell("debug", action="continue")
        state = driver.until("state", lambda state: state["tick"] in driver.frames and not state["playing"])
        driver.step(5, to=state["tick"] + 5)
        tick = state["tick"] + 5
    recording = pybuzz.load(tmp_path / "experiment.yaml", seed=7).run(ticks=tick)
    np.testing.assert_array_equal(driver.poses(tick)[:2], recording.poses[tick].astype(np.float32))


def test_a_run_that_stands_at_a_line_can_be_reset_and_left(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 14)
        play_to_stop(driver)
        driver.tell("move", name="kh1", x=0, y=0, yaw=0)
        assert driver.until("refused")["request"] == "move"
        driver.tell("reset")
        driver.until_loaded()
        assert play_to_stop(driver)["line"] == 14
    assert sys.gettrace() is None


def test_without_breakpoints_no_robot_is_traced(tmp_path: Path) -> None:
    (tmp_path / "robot.bzz").write_text("function init() { }\nfunction step() { x = 1 }\nfunction destroy() { }\n")
    from pybuzz.workbench.debugger import Debugger

    robot = pybuzz.load(tmp_path / "robot.bzz", seed=1).simulation.robots[0]
    debugger = Debugger(lambda stop: "continue")
    debugger.follow(robot)
    assert robot.observer is None
    debugger.set_breakpoints([(str(tmp_path / "robot.bzz"), 2)])
    assert robot.observer is not None
    debugger.set_breakpoints([])
    assert robot.observer is None


def test_it_stops_in_code_that_was_exchanged_because_a_global_got_another_type(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO, single_precision=True) as driver:
        debugged(driver, 22)
        driver.tell("set", robot="kh2", name="total", value=1.5)
        driver.until("intervened")
        stopped = play_to_stop(driver)
        assert [entry["line"] for entry in stopped["stack"]] == [22, 21]
        assert go_on(driver, "over") == 25


@pytest.mark.parametrize("single_precision", [False, True])
def test_one_statement_with_calls_on_one_line_is_stepped_over_at_once(tmp_path: Path, single_precision: bool) -> None:
    statements = (
        "total = add(total, 1) + add(total, 2)",
        "total = total + 0.5 + 1",
        "if(add(total, 1) > 2 and add(total, 2) > 2) total = add(total, add(1, 2))",
        "total = total + data.x + math.sqrt(total) + data.y",
        "data.x = add(data.x, total) + data.y * total",
    )
    lines = "".join(f"  {statement}\n" for statement in statements)
    script = f"""function add(a, b) {{ return a + b }}
function init() {{ total = 3  data = {{.x = 1, .y = 2.5}} }}
function step() {{
{lines}}}
"""
    with staged(tmp_path, script, TWO, single_precision=single_precision) as driver:
        debugged(driver, 4)
        play_to_stop(driver)
        for action, line in (("over", 5), ("over", 6), ("over", 7), ("over", 8), ("continue", 4)):
            driver.tell("debug", action=action)
            stopped = driver.until("stopped")
            assert stopped["line"] == line


@pytest.mark.parametrize("head", ["for(i = 0, i < 3, i = i + 1)", "while(i < 3)"])
def test_a_long_loop_on_one_line_is_reached_once_a_turn(tmp_path: Path, head: str) -> None:
    body = "total = add(total, i) " * 60 + ("i = i + 1" if head.startswith("while") else "")
    script = f"""function add(a, b) {{ return a + b }}
function init() {{ total = 0 }}
function step() {{
  i = 0
  {head} {{ {body} }}
  i = 2
}}
"""
    with staged(tmp_path, script, TWO) as driver:
        debugged(driver, 4)
        play_to_stop(driver)
        assert [go_on(driver, "over") for _ in range(5)] == [5, 5, 5, 5, 6]


def test_while_it_stands_other_robots_can_be_looked_at(tmp_path: Path) -> None:
    write_helpers(tmp_path)
    with staged(tmp_path, SCRIPT, TWO) as driver:
        debugged(driver, 14)
        play_to_stop(driver)
        driver.tell("select", robot="kh1")
        driver.until("inspection", lambda told: told["robot"] == "kh1")
        # Breakpoints hold for that robot from now on, whose step comes first: in the next tick.
        driver.tell("debug", action="continue")
        assert driver.until("stopped")["robot"] == "kh1"
