"""Robots that refuse or lose orders: a stop is claimed only when it was seen. The truth is the emulator's wheels."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import Share, keeper_of, run, since, start, wait_until, wait_until_driving, write_fleet

from pybuzz.emulator.process import EmulatorProcess

STANDS = 3.0
"""Units of speed under which a wheel stands."""

FORWARD = """\
function init() { t = 0 }
function step() { t = t + 1 set_wheels(15.0, 15.0) }
"""
CHANGING = """\
function init() { t = 0 }
function step() { t = t + 1 set_wheels(10.0 + t % 5, 10.0 + t % 3) }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("refused")


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 23, 24)


@pytest.fixture(scope="module")
def fleet(folder: Path, emulator: Share) -> Path:
    return write_fleet(folder, emulator.urls, emulator.starts)


@pytest.fixture(autouse=True)
def _free(emulator: Share, fleet: Path) -> Iterator[None]:
    """Every test begins and ends with robots that stand and that nobody holds."""
    yield
    emulator.clear()
    run("stop", "--fleet", fleet)
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


def deployed(folder: Path, fleet: Path, script: str = FORWARD, *options: str) -> subprocess.Popen[str]:
    path = folder / "running.bzz"
    path.write_text(script)
    return start("deploy", path, "--fleet", fleet, *options, start_new_session=True)


def turning(emulator: Share) -> list[int]:
    """The robots whose wheels turn."""
    return [robot["robot"] for robot in emulator.states() if max(map(abs, robot["speeds"])) > STANDS]


def test_a_stop_that_the_robot_refuses_is_not_called_a_stop(emulator: Share, folder: Path, fleet: Path) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    emulator.fault("24:refuse;on=DM")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert turning(emulator) == [24]
    assert process.returncode == 3, errors
    assert "1 of 2 robots" in errors
    done = run("stop", "--fleet", fleet, "--json")
    assert done.returncode == 3
    assert {one["robot"]: one["outcome"] for one in json.loads(done.stdout)} == {23: "stopped", 24: "not confirmed"}


def test_motors_idle_stops_a_robot_that_loses_its_zero_orders(emulator: Share, folder: Path, fleet: Path) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    emulator.fault("24:ignore;on=D")
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert turning(emulator) == [], errors
    idle = [
        entry
        for entry in since(emulator, sent)
        if entry.robot == 24 and entry.kind == "received" and entry.letter == "M"
    ]
    assert idle


def test_orders_that_are_refused_during_a_run_stop_the_robot_and_fail_the_run(
    emulator: Share, folder: Path, fleet: Path
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet, CHANGING, "--seconds", "6")
    wait_until_driving(emulator, process, begin=begin)
    emulator.fault("24:refuse;on=D")
    _, errors = process.communicate(timeout=60)
    assert turning(emulator) == []
    assert process.returncode == 3, errors
    assert len([line for line in errors.splitlines() if "refused" in line]) <= 4, errors
    idle = [
        entry
        for entry in since(emulator, begin)
        if entry.robot == 24 and entry.kind == "received" and entry.letter == "M"
    ]
    assert len(idle) >= 2  # one sets the robot up


def test_readings_that_are_refused_are_told_once_and_fail_the_run(emulator: Share, folder: Path, fleet: Path) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet, FORWARD, "--seconds", "5")
    wait_until_driving(emulator, process, begin=begin)
    emulator.fault("24:refuse;on=R")
    _, errors = process.communicate(timeout=60)
    emulator.clear()
    assert turning(emulator) == []
    assert process.returncode == 3, errors
    assert len([line for line in errors.splitlines() if "refused" in line]) <= 3, errors


def test_the_death_of_the_keeper_is_answered_at_once_by_direct_stops(
    emulator: Share, folder: Path, fleet: Path
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    killed = time.monotonic()
    os.kill(keeper_of(process), signal.SIGKILL)
    process.communicate(timeout=60)
    zeros = {}
    for entry in since(emulator, killed):
        if entry.kind == "received" and entry.line == "D,0,0":
            zeros.setdefault(entry.robot, entry.t - killed)
    assert set(zeros) == {23, 24}
    assert max(zeros.values()) < 4.0  # it was 6 s and more for the first, another for each behind it
    assert turning(emulator) == []
