"""Laser scanners that do not answer, or answer with other scans: told before the run, and a stop during it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import rehearse, run_here, start, wait_until, wait_until_driving, write_fleet, write_scene

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link.addresses import parse_address
from pybuzz.link.fleet import FleetRobot, PoseSource
from pybuzz.link.readings import RawReadings
from pybuzz.link.sensor_watch import SensorWatch

READS_LIDAR = "function init() { }\nfunction step() { set_wheels(8.0, 6.0) x = lidar[340] }\n"
SCENE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, id: 1, script: script.bzz, sensors: {lidar: {}}, at: [0, 0], yaw: 90}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lasers")


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[EmulatorProcess]:
    with rehearse(write_scene(folder, READS_LIDAR, scene=SCENE), folder, "--laser-port", "0") as emulator:
        yield emulator


@pytest.fixture
def emulator(running: EmulatorProcess) -> Iterator[EmulatorProcess]:
    yield running
    running.ask("clear")
    wait_until(lambda: not any(robot["connected"] for robot in running.ask("state")["robots"]))


@pytest.fixture(scope="module")
def fleet(folder: Path, running: EmulatorProcess) -> Path:
    return write_fleet(folder, running.urls, running.starts, laser=running.lasers[1])


@pytest.mark.parametrize("fault", ["1:lasersilent", "1:laservalues=600", "1:laservalues=0"])
def test_a_scanner_without_scans_stops_the_robot_that_reads_it(
    emulator: EmulatorProcess, folder: Path, fleet: Path, fault: str
) -> None:
    begin = time.monotonic()
    process = start("deploy", folder / "script.bzz", "--fleet", fleet, "--seconds", "20")
    wait_until_driving(emulator, process, begin=begin)
    emulator.fault(fault)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert errors.count("no scan of its laser for 0.5 s") == 1
    assert "no robot drives any more" in errors
    assert not any(map(abs, emulator.ask("state")["robots"][0]["speeds"]))


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("1:lasersilent", "no reply to"),
        ("1:laservalues=600", "a scan of 600 values in place of 682"),
    ],
)
def test_the_checks_and_robots_ask_the_scanner(
    emulator: EmulatorProcess, folder: Path, fleet: Path, fault: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    emulator.fault(fault)
    done = run_here(capsys, "deploy", folder / "script.bzz", "--fleet", fleet, "--dry-run")
    assert done.returncode == 3
    assert text in done.stderr
    wait_until(lambda: not any(robot["connected"] for robot in emulator.ask("state")["robots"]))
    assert text in run_here(capsys, "robots", "--fleet", fleet).stdout


def test_a_scanner_that_nothing_reads_only_warns(
    emulator: EmulatorProcess, folder: Path, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = folder / "blind.bzz"
    script.write_text("function init() { }\nfunction step() { }\n")
    emulator.fault("1:lasersilent")
    done = run_here(capsys, "deploy", script, "--fleet", fleet, "--dry-run")
    assert done.returncode == 0
    assert "warning: robot 1" in done.stderr
    assert "gives no scan" in done.stderr


ROBOT = FleetRobot(1, "kh1", parse_address("tcp://a:1"), laser=parse_address("tcp://a:2"))


def test_a_scan_is_too_old_after_half_a_second_and_told_once() -> None:
    watch = SensorWatch(ROBOT, PoseSource(), ["lidar"], depends_on_pose=False)
    assert list(watch.ages(10.4, pose_at=0.0, scan_at=10.0)) == []
    (event,) = watch.ages(10.6, pose_at=0.0, scan_at=10.0)
    assert (event.kind, event.fails) == ("laser", True)
    assert list(watch.ages(10.7, pose_at=0.0, scan_at=10.0)) == []


def test_infrared_sensors_that_say_the_same_ten_times_more_are_frozen() -> None:
    watch = SensorWatch(ROBOT, PoseSource(), ["proximity"], depends_on_pose=False)
    same, other = RawReadings(proximity=(110.0,) * 8, ground=(900.0,) * 4), RawReadings(proximity=(111.0,) * 8)
    assert not [event for _ in range(10) for event in watch.infrared(same)]
    assert not [*watch.infrared(other)]
    events = [event for _ in range(30) for event in watch.infrared(same)]
    assert [(event.kind, event.fails) for event in events] == [("frozen", True)]
    assert not [event for _ in range(30) for event in watch.infrared(RawReadings())]
