"""A script that fails outside functions or in `init` is told as one that fails later."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.experiment import load
from pybuzz.experiment.hooks import Hooks
from pybuzz.experiment.plan import Robot
from pybuzz.recording import Recording

WAYS = {
    "an operation": "x = nil + 1\n",
    "an index": "x = y.z\n",
    "a function": "function start() { x = nil + 1 }\nstart()\n",
    "a file": 'f = io.fopen("a", "r")\n',
}
REST = "function init() { }\nfunction step() { set_wheels(10.0, 10.0) }\nfunction destroy() { }\n"
YAML = "experiment: {length: 1, seed: 1}\narena: {size: [4, 4]}\nrobots: [{name: kh1, script: top.bzz, at: [0, 0]}]\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "top.bzz").write_text(WAYS["an operation"] + REST, encoding="utf-8")
    (tmp_path / "top.yaml").write_text(YAML, encoding="utf-8")
    return tmp_path / "top.yaml"


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_an_error_outside_functions_is_explained_once_and_ends_with_1(pybuzz, write, text: str) -> None:
    write("top.bzz", text + REST)
    result = pybuzz("run", "top.bzz", "--ticks", "3", "--seed", "1", "--record", "rec")
    assert result.code == 1
    assert "[kh1] tick 0: its script failed" in result.err
    assert "top.bzz:" in result.err
    assert "10 failed" in result.err
    assert [event.kind for event in Recording.open("rec").events] == ["failed"] * 10


def test_a_run_that_errors_stop_ends_before_the_first_tick(file: Path) -> None:
    experiment = load(file, on_error="stop-run")
    assert (experiment.step(), experiment.reason) == (False, "a script failed")
    recording = experiment.close()
    assert (recording.status, recording.ticks) == ("failed", 0)


def test_a_robot_that_comes_later_and_fails_at_once_is_told(file: Path) -> None:
    class Adding(Hooks):
        def pre_step(self, experiment):
            if experiment.tick == 3:
                experiment.add(Robot("late", next(iter(experiment.plan.controllers)), position=(1.0, 1.0, 0.0)))

    experiment = load(file, hooks=Adding())
    recording = experiment.run()
    assert [(failure.tick, failure.robot) for failure in experiment.failures] == [(0, "kh1"), (3, "late")]
    assert [(event.tick, event.robot) for event in recording.events if event.kind == "failed"] == [
        (0, "kh1"),
        (3, "late"),
    ]


def test_an_error_in_destroy_is_an_event_too(file: Path) -> None:
    script = "function init() { }\nfunction step() { }\nfunction destroy() { x = nil + 1 }\n"
    (file.parent / "top.bzz").write_text(script, encoding="utf-8")
    recording = load(file).run()
    assert [(event.tick, event.kind) for event in recording.events] == [(10, "failed")]
    assert recording.status == "completed"


def test_a_run_without_end_is_refused_before_a_seed_is_drawn(pybuzz, write) -> None:
    write("top.bzz", REST)
    write("top.yaml", YAML.replace("length: 1, seed: 1", "length: 0"))
    result = pybuzz("run", "top.yaml")
    assert result.code == 2
    assert "has no end" in result.err
    assert "seed" not in result.err


def test_ticks_with_seconds_is_a_usage_error(pybuzz, write) -> None:
    write("top.bzz", REST)
    result = pybuzz("run", "top.bzz", "--ticks", "3", "--seconds", "2")
    assert (result.code, "both say how long to run" in result.err) == (2, True)


def test_a_recording_that_is_replaced_is_named(pybuzz, write) -> None:
    write("top.bzz", REST)
    first, second = (
        pybuzz("run", "top.bzz", "--ticks", "3", "--seed", seed, "--record", "rec").err for seed in ("1", "2")
    )
    assert "replaced" not in first
    assert "rec: warning: replaced: a recording of seed 1, 3 ticks" in second
    assert "other text" not in second


def test_a_replaced_recording_of_another_script_of_the_same_name_is_told(pybuzz, write, tmp_path) -> None:
    write("top.bzz", REST)
    (tmp_path / "other").mkdir()
    write("other/top.bzz", REST + "# another script\n")
    pybuzz("run", "top.bzz", "--ticks", "3", "--seed", "1", "--record", "rec")
    told = pybuzz("run", "other/top.bzz", "--ticks", "3", "--seed", "1", "--record", "rec").err
    assert "a recording of seed 1, 3 ticks; its experiment or scripts had other text" in told
