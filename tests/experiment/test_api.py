"""Experiments from Python: load, look, change, run, record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.experiment import Experiment
from pybuzz.experiment.plan import Box, Robot

CASES = Path(__file__).parent.parent / "data" / "argos-cases"

QUIET = "function init() {}\nfunction step() {}\n"

PAIR = """\
experiment: {{ticks_per_second: 10, length: {length}}}
arena: {{size: [4, 4], walls: true}}
robots:
  - {{kind: kheperaiv, name: first, script: demo.bzz, at: [0, 0], yaw: 0}}
  - {{kind: kheperaiv, name: second, script: demo.bzz, at: [1, 0], yaw: 90}}
radio: {{range: 1.5, data_size: 100}}
"""


def _pair(folder: Path, script: str, *, length: float = 1, **options: Any) -> Experiment:
    (folder / "demo.bzz").write_text(script, encoding="utf-8")
    (folder / "demo.yaml").write_text(PAIR.format(length=length), encoding="utf-8")
    return pybuzz.load(folder / "demo.yaml", seed=1, **options)


def test_a_script_alone_runs_on_ten_robots_in_a_walled_arena(tmp_path: Path) -> None:
    script = tmp_path / "drive.bzz"
    script.write_text("function init() {}\nfunction step() { set_wheels(10.0, 10.0) }\n", encoding="utf-8")
    experiment = pybuzz.load(script, seed=3, ticks=100)
    assert [view.number for view in experiment.robots.values()] == list(range(1, 11))
    recording = experiment.run()
    assert recording.poses.shape == (101, 10, 3)
    assert np.abs(recording.poses[:, :, :2]).max() < 2.0


def test_an_experiment_is_stepped_until_it_is_over(tmp_path: Path) -> None:
    with _pair(tmp_path, "function init() {}\nfunction step() { set_wheels(10, 10) }\n") as experiment:
        ticks = []
        while experiment.step():
            ticks.append(experiment.tick)
        assert ticks == list(range(1, 11))
        assert experiment.ended
        assert experiment.reason == "all ticks were run"
        # What was asked in tick 1 acts in tick 2, which covers 8.125 mm while the robot gets up to 10 cm/s.
        assert experiment.robots["first"].pose == pytest.approx((0.008125 + 8 * 0.01, 0.0, 0.0), abs=1e-9)


def test_poses_start_with_the_layout(tmp_path: Path) -> None:
    recording = _pair(tmp_path, QUIET).run()
    assert recording.robots == ["first", "second"]
    assert recording.poses[0].tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, pytest.approx(np.pi / 2)]]


def test_init_runs_when_every_robot_has_run_its_code_outside_functions(tmp_path: Path) -> None:
    script = 'log("global ", id)\nfunction init() { log("init ", id) }\nfunction step() {}\n'
    lines: list[str] = []
    _pair(tmp_path, script, on_log=lambda line: lines.append(line.text))
    assert lines == ["global 1", "global 2", "init 1", "init 2"]


def test_globals_are_read_and_written_from_python(tmp_path: Path) -> None:
    script = "role = 0\nfunction init() { places = {.home = 1.5} }\nfunction step() { seen = role }\n"
    with _pair(tmp_path, script) as experiment:
        first = experiment.robots["first"].globals
        first["role"] = 7
        experiment.step()
        assert first["seen"] == 7
        assert experiment.robots["second"].globals["seen"] == 0
        assert first["places"] == {"home": 1.5}


def test_settings_overwrite_what_the_script_says_outside_functions(tmp_path: Path) -> None:
    script = "SPEED = 1.0\nfunction init() { seen = SPEED }\nfunction step() {}\n"
    experiment = _pair(tmp_path, script, set={"buzz.SPEED": 5.0})
    assert experiment.robots["first"].globals["seen"] == 5.0


def test_a_setting_that_no_script_uses_is_answered_with_the_nearest_global(tmp_path: Path) -> None:
    script = "SPEED = 1.0\nfunction init() {}\nfunction step() { set_wheels(SPEED, SPEED) }\n"
    with pytest.raises(InputError, match="did you mean 'SPEED'"):
        _pair(tmp_path, script, set={"buzz.SPED": 5.0})


def test_an_unknown_robot_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="did you mean 'first'"):
        _pair(tmp_path, QUIET).robots["frst"]


def test_the_same_seed_gives_the_same_run(tmp_path: Path) -> None:
    script = "function init() {}\nfunction step() { gotoc(math.rng.uniform(-9.0, 9.0), math.rng.uniform(-9.0, 9.0)) }\n"
    first, again = (_pair(tmp_path, script).run().poses for _ in range(2))
    assert np.array_equal(first, again)
    assert len({tuple(pose) for pose in first[-1]}) == 2


def test_without_a_seed_one_is_drawn_and_recorded(tmp_path: Path) -> None:
    (tmp_path / "demo.bzz").write_text(QUIET, encoding="utf-8")
    experiments = [pybuzz.load(tmp_path / "demo.bzz") for _ in range(2)]
    assert experiments[0].seed != experiments[1].seed
    assert experiments[0].run(ticks=1).description.seed == experiments[0].seed


def test_an_endless_run_is_refused_and_says_how_to_end_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no end[^\n]*\n  hint: say how long"):
        _pair(tmp_path, QUIET, length=0).run()


def test_a_run_may_be_shorter_than_the_file_says(tmp_path: Path) -> None:
    assert _pair(tmp_path, QUIET, length=0).run(ticks=3).ticks == 3
    assert _pair(tmp_path, QUIET, seconds=0.4).run().ticks == 4


def test_an_experiment_runs_once(tmp_path: Path) -> None:
    experiment = _pair(tmp_path, QUIET)
    experiment.run()
    assert not experiment.step()
    with pytest.raises(InputError, match=r"run already, which closed it\n  hint: to run in parts, call step\(\)"):
        experiment.run()


def test_sensors_and_globals_are_recorded_as_the_script_saw_them(tmp_path: Path) -> None:
    script = "function init() { n = 0 }\nfunction step() { n = n + 1\n near = proximity[0].value }\n"
    recording = _pair(tmp_path, script, record_globals=["n", "near"], record_sensors=["proximity"]).run()
    assert recording.sensors["proximity"].shape == (11, 2, 8)
    assert recording.globals["n"][:, 0].tolist() == list(range(11))
    assert recording.globals["near"][1:, 1].tolist() == recording.sensors["proximity"][1:, 1, 0].tolist()


def test_log_lines_are_recorded_with_tick_and_robot(tmp_path: Path) -> None:
    script = 'function init() { t = 0 }\nfunction step() { t = t + 1\n if(t == 2) log("x=", 0.5, " ", nil) }\n'
    log = _pair(tmp_path, script).run().log
    assert [(line.tick, line.robot, line.text) for line in log] == [
        (2, "first", "x=0.5 [nil]"),
        (2, "second", "x=0.5 [nil]"),
    ]


def test_destroy_runs_last_and_its_lines_are_kept(tmp_path: Path) -> None:
    script = 'function init() {}\nfunction step() {}\nfunction destroy() { log("bye ", id) }\n'
    assert [line.text for line in _pair(tmp_path, script).run().log] == ["bye 2", "bye 1"]


FAILING = """\
function init() { t = 0
  neighbors.listen("a", function(topic, value, robot) { heard = value }) }
function step() { t = t + 1
  near = neighbors.count()
  neighbors.broadcast("a", t)
  set_leds(255, 0, 0)
  set_wheels(10.0, 10.0)
  if(id == 1 and t == 3) x = nil + 1 }
"""


def test_a_failed_robot_stops_and_falls_silent_while_the_run_goes_on(tmp_path: Path) -> None:
    with _pair(tmp_path, FAILING) as experiment:
        for _ in range(8):
            experiment.step()
        first, second = experiment.robots["first"], experiment.robots["second"]
        assert [(failure.tick, failure.robot) for failure in experiment.failures] == [(3, "first")]
        assert not first.alive
        assert first.leds == (0, 0, 0)
        assert first.command.left_m_s == 0.0
        assert second.globals["heard"] == 2
        assert second.globals["near"] == 0
        assert second.alive


def test_an_exact_failed_robot_keeps_its_speed_and_its_packet(tmp_path: Path) -> None:
    with _pair(tmp_path, FAILING, exact=True) as experiment:
        for _ in range(8):
            experiment.step()
        assert experiment.robots["first"].command.left_m_s == pytest.approx(0.1)
        assert experiment.robots["first"].leds == (255, 0, 0)
        packet = experiment.simulation.air.packets[0]
        assert packet.data[:2] == b"\0\1"
        assert any(packet.data[2:])


def test_a_failed_script_may_stop_the_run(tmp_path: Path) -> None:
    experiment = _pair(tmp_path, FAILING, on_error="stop-run")
    recording = experiment.run()
    assert recording.ticks == 3
    assert experiment.reason == "a script failed"
    assert recording.status == "failed"
    assert [event.kind for event in recording.events] == ["failed"]


def test_a_script_that_never_ends_its_step_fails_by_its_budget(tmp_path: Path) -> None:
    script = "function init() {}\nfunction step() { while(1) { x = 1 } }\n"
    (tmp_path / "demo.bzz").write_text(script, encoding="utf-8")
    experiment = pybuzz.load(tmp_path / "demo.bzz", seed=1, robots=1, budget=10_000)
    experiment.step()
    assert "budget exceeded" in str(experiment.failures[0].error)


class Counting:
    """Hooks of three lines: what a script calls and what it reads."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def names(self, robot: Any) -> Mapping[str, Any]:
        return {"tell": lambda text: self.calls.append(f"{robot.name} {text}"), "arm": {"length": 0.3}}

    def pre_step(self, experiment: Experiment) -> None:
        self.calls.append(f"pre {experiment.tick}")

    def post_step(self, experiment: Experiment) -> None:
        self.calls.append(f"post {experiment.tick}")

    def is_finished(self, experiment: Experiment) -> bool:
        return experiment.tick == 2


def test_hooks_run_around_the_scripts_and_end_the_run(tmp_path: Path) -> None:
    hooks = Counting()
    experiment = _pair(tmp_path, 'function init() {}\nfunction step() { tell("here") }\n', hooks=hooks)
    recording = experiment.run()
    assert recording.ticks == 2
    assert experiment.reason == "the hooks said so"
    assert hooks.calls == [
        "pre 1", "first here", "second here", "post 1",
        "pre 2", "first here", "second here", "post 2",
    ]  # fmt: skip


def test_scripts_read_tables_that_hooks_give(tmp_path: Path) -> None:
    script = "reach = arm.length\nfunction init() {}\nfunction step() {}\n"
    experiment = _pair(tmp_path, script, hooks=Counting())
    assert experiment.robots["first"].globals["reach"] == 0.3


class Stripes:
    def floor_color(self, x: float, y: float) -> tuple[float, float, float]:
        return (0.0, 0.0, 0.0) if x < 0.5 else (255.0, 255.0, 255.0)


def test_hooks_paint_the_floor(tmp_path: Path) -> None:
    experiment = _pair(tmp_path, "function init() {}\nfunction step() { g = ground[0].value }\n", hooks=Stripes())
    experiment.step()
    assert [view.globals["g"] for view in experiment.robots.values()] == [0.0, 1.0]


def test_an_interrupted_run_keeps_what_was_recorded(tmp_path: Path) -> None:
    def interrupted() -> None:
        with _pair(tmp_path, QUIET, record=tmp_path / "kept") as experiment:
            experiment.step()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    recording = pybuzz.Recording.open(tmp_path / "kept")
    assert (recording.status, recording.ticks) == ("interrupted", 1)


def test_two_recordings_of_one_seed_are_equal_in_every_byte(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _pair(tmp_path, QUIET, record=tmp_path / name, record_sensors=["proximity"]).run()
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


MEETING = "function init() { n = 0 }\nfunction step() { n = n + 1\n near = neighbors.count()\n set_wheels(5.0, 5.0) }\n"


def _third(experiment: Experiment, **changes: Any) -> Robot:
    planned = next(item for item in experiment.plan.items if getattr(item, "name", "") == "second")
    assert isinstance(planned, Robot)
    return replace(planned, **{"name": "third", "number": 3, "position": (0.0, 1.0, 0.0), **changes})


def test_a_robot_comes_into_the_running_experiment(tmp_path: Path) -> None:
    with _pair(tmp_path, MEETING, record_globals=["n"]) as experiment:
        for _ in range(3):
            experiment.step()
        experiment.add(_third(experiment))
        for _ in range(2):
            experiment.step()
        assert experiment.robots["third"].globals["n"] == 2
        assert [view.globals["near"] for view in experiment.robots.values()] == [2, 2, 2]
        recording = experiment.close()
    assert recording.robots == ["first", "second", "third"]
    assert np.isnan(recording.poses[:4, 2]).all()
    assert recording.globals["n"][:, 2].tolist() == [None, None, None, None, 1, 2]


def test_a_robot_leaves_and_the_others_go_on(tmp_path: Path) -> None:
    alone = _pair(tmp_path, MEETING).run().poses
    with _pair(tmp_path, MEETING) as experiment:
        for _ in range(3):
            experiment.step()
        experiment.remove("first")
        while experiment.step():
            pass
        assert list(experiment.robots) == ["second"]
        assert experiment.robots["second"].globals["near"] == 0
        recording = experiment.close()
    assert np.isnan(recording.poses[4:, 0]).all()
    assert np.array_equal(recording.poses[:, 1], alone[:, 1])
    assert [event.kind for event in recording.events] == ["removed"]


class Replacing:
    """Takes a robot out and puts another in, from a hook in the middle of a tick."""

    def pre_step(self, experiment: Experiment) -> None:
        if experiment.tick == 2:
            experiment.remove("first")
            experiment.add(_third(experiment))


def test_hooks_add_and_remove_in_the_middle_of_a_tick(tmp_path: Path) -> None:
    with _pair(tmp_path, MEETING, hooks=Replacing()) as experiment:
        experiment.step()
        experiment.step()
        assert list(experiment.robots) == ["second", "third"]
        assert [view.globals["n"] for view in experiment.robots.values()] == [2, 1]
        assert [view.globals["near"] for view in experiment.robots.values()] == [1, 1]


def test_what_comes_must_have_room(tmp_path: Path) -> None:
    with _pair(tmp_path, MEETING) as experiment:
        with pytest.raises(InputError, match="something where it should stand"):
            experiment.add(_third(experiment, position=(0.05, 0.0, 0.0)))
        experiment.add(Box("crate", (0.2, 0.2, 0.3), (0.0, -1.0, 0.0)))
        assert "crate" in experiment.simulation.world.bodies.names
        experiment.remove("crate")
        with pytest.raises(InputError, match="no body of that name"):
            experiment.remove("crate")


def test_noise_and_charge_go_on_when_a_robot_leaves(tmp_path: Path) -> None:
    text = (CASES / "noise_all" / "scene.argos").read_text(encoding="utf-8")
    assert "noise_level" in text
    readings = []
    for leaving in (False, True):
        with pybuzz.load(CASES / "noise_all" / "scene.argos", exact=True) as experiment:
            experiment.step()
            *_, last = experiment.robots
            if leaving:
                experiment.remove(last)
            experiment.step()
            view = next(iter(experiment.robots.values()))
            readings.append([view.read(sensor)[0] for sensor in ("light", "battery", "ground", "ultrasound")])
    assert readings[0] == readings[1]
