"""A computer that slept or was frozen: the robot does not drive on as if nothing had been."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import Share, driving, keeper_of, run, since, start, wait_until, wait_until_driving, write_fleet

from pybuzz.emulator.process import EmulatorProcess

FORWARD = "function init() { }\nfunction step() { set_wheels(12.0, 12.0) x = proximity[0].value }\n"


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 22)


@pytest.fixture(autouse=True)
def _free(emulator: Share, tmp_path: Path) -> Iterator[None]:
    (tmp_path / "forward.bzz").write_text(FORWARD)
    yield
    emulator.clear()
    run("stop", "--fleet", write_fleet(tmp_path, emulator.urls, emulator.starts))
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


@pytest.mark.parametrize("resumes", [False, True])
def test_after_a_pause_the_robot_is_stopped_and_drives_on_only_by_resume(
    emulator: Share, tmp_path: Path, resumes: bool
) -> None:
    begin = time.monotonic()
    fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, f"safety: {{resume: {str(resumes).lower()}}}")
    process = start("deploy", tmp_path / "forward.bzz", "--fleet", fleet)
    wait_until_driving(emulator, process, 12, begin)
    keeper = keeper_of(process)
    os.kill(keeper, signal.SIGSTOP)
    time.sleep(1.5)
    going_on = time.monotonic()
    os.kill(keeper, signal.SIGCONT)
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "this computer paused for 1." in errors
    assert process.returncode == 3
    after = [entry for entry in since(emulator, going_on) if entry.kind == "received" and entry.letter == "D"]
    assert after[0].line == "D,0,0"
    drives = driving(after, 22)
    assert bool(drives) is resumes
    assert not drives or max(abs(int(drives[0].line.split(",")[1])), 0) <= 30


def test_a_jump_of_the_encoders_that_no_order_explains_leaves_the_pose(emulator: Share, tmp_path: Path) -> None:
    begin = time.monotonic()
    fleet = write_fleet(tmp_path, emulator.urls, emulator.starts)
    process = start("deploy", tmp_path / "forward.bzz", "--fleet", fleet)
    wait_until_driving(emulator, process, 12, begin)
    emulator.fault("22:jump=3000")
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.count("impossible encoders") == 1
    assert process.returncode == 130
