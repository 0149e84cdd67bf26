"""Runs that go wrong beside the robots: their stop is told all the same, and the exit code says what failed."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import Share, run, run_here, start, wait_until, wait_until_driving, write_fleet

from pybuzz.emulator.process import EmulatorProcess

FORWARD = "function init() { }\nfunction step() { set_wheels(8.0, 8.0) }\n"


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 22)


@pytest.fixture
def fleet(tmp_path: Path, emulator: Share) -> Iterator[Path]:
    yield write_fleet(tmp_path, emulator.urls, emulator.starts)
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


def test_a_recording_that_cannot_be_written_stops_the_robots_and_tells_it(emulator: Share, fleet: Path) -> None:
    begin = time.monotonic()
    script, folder = fleet.parent / "forward.bzz", fleet.parent / "recorded"
    script.write_text(FORWARD)
    process = start("deploy", script, "--fleet", fleet, "--record", folder)
    wait_until_driving(emulator, process, begin=begin)
    shutil.rmtree(folder)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1, errors
    assert "cannot write here" in errors
    assert "the recording failed; 1 of 1 robots confirmed their stop" in errors
    assert not any(abs(speed) > 3.0 for robot in emulator.states() for speed in robot["speeds"])


def test_an_error_in_destroy_is_told(fleet: Path) -> None:
    script = fleet.parent / "destroyed.bzz"
    script.write_text(FORWARD + "function destroy() { x = nil x.y = 1 }\n")
    done = run("deploy", script, "--fleet", fleet, "--seconds", 1)
    assert done.returncode == 1, done.stderr
    assert "destroyed.bzz:3" in done.stderr
    assert "1 of 1 robots confirmed their stop" in done.stderr


def test_a_script_without_init_is_refused_before_the_run(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = fleet.parent / "no_init.bzz"
    script.write_text("function step() { set_wheels(8.0, 8.0) }\n")
    done = run_here(capsys, "deploy", script, "--fleet", fleet, "--dry-run")
    assert done.returncode == 3
    assert "its script cannot run: there is no function init()" in done.stderr
