"""Every fault of a robot and its line, in one deployment of many robots, each with its own; who notices, who goes on.

The table of faults and what is expected of a bridge: specification of fake robots, Khepera IV reference.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rehearsals import (
    MAX_ORDER,
    RAMP,
    assert_safe,
    driving,
    orders,
    rehearse,
    start,
    wait_until,
    wait_until_driving,
    write_fleet,
    write_scene,
)

from pybuzz.emulator.assertions import Bounds, carelessness, excessive_orders, zero_since
from pybuzz.emulator.journal import Entry
from pybuzz.recording import Recording

CIRCLE = "function init() {}\nfunction step() { set_wheels(6.0, 4.0) x = proximity[0].value }\n"
FAULTY_S = 6.0


@dataclass(frozen=True)
class Case:
    """fault: given while the robot drives. says: what a person is told. drives: whether it goes on to the end."""

    fault: str
    says: str = ""
    drives: bool = True
    loses_link: bool = False


CASES = (
    Case("terminator=lfcr"),
    Case("terminator=lf"),
    Case("terminator=cr"),
    Case("pieces=2"),
    Case("partial;count=1"),
    Case("garble;count=1;on=NR"),
    Case("stray;count=1"),
    Case("double;count=20"),
    Case("letter;count=1"),
    Case("kernel;count=20"),
    Case("refuse;count=1;on=N", "the robot refused N"),
    Case("ignore;count=1;on=D"),
    Case("mute;count=1;on=D"),
    Case("slow=0.12", "further ones are only counted"),
    Case("late=1.5", "the link is lost", drives=False, loses_link=True),
    Case("close=1.5", "it is called until it answers again", drives=False, loses_link=True),
    Case("reset=1.5", "the link is lost", drives=False, loses_link=True),
    Case("silent;for=2", "the link is lost", drives=False, loses_link=True),
    Case("stuck=left", "the left wheel does not turn", drives=False),
    Case("microreset", "the micro-controller was reset: set up again"),
    Case("jump=100000", "impossible encoders"),
    Case("battery=15", "the battery is low: 15 %"),
    Case("frozen", "its infrared sensors have said the same 11 times", drives=False),
    Case("terminator=crlf", "the battery is at 8 % 8.1"),
)
LAST = len(CASES)
"""This one's battery becomes empty when all others have had their time, which ends the run."""


@dataclass
class Rehearsal:
    log: list[Entry]
    errors: str
    code: int
    faulty_at: float
    stopped_at: float
    poses: dict[int, tuple[float, float, float]]
    recording: Recording


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    folder = tmp_path_factory.mktemp("faults")
    scene = write_scene(folder, CIRCLE, robots=len(CASES), scene=SCENE)
    with rehearse(scene, folder) as emulator:
        fleet = write_fleet(folder, emulator.urls, emulator.starts)
        process = start("deploy", folder / "script.bzz", "--fleet", fleet, "--record", folder / "run")
        wait_until_driving(emulator, process, 15)
        faulty_at = time.monotonic()
        for robot, case in enumerate(CASES, start=1):
            emulator.fault(f"{robot}:{case.fault}")
        time.sleep(FAULTY_S)
        emulator.fault(f"{LAST}:battery=8")
        _, errors = process.communicate(timeout=60)
        log = emulator.log()
        stopped_at = zero_since(log, LAST, faulty_at)
        assert stopped_at is not None
        yield Rehearsal(
            log, errors, process.returncode, faulty_at, stopped_at, emulator.poses(), Recording.open(folder / "run")
        )


SCENE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [6, 6], walls: true}
robots:
  - {kind: kheperaiv, script: script.bzz, count: COUNT, yaw: 90,
     place: {grid: {center: [0, 0], distances: [0.9, 0.9], layout: [5, 5]}}}
"""

robots = pytest.mark.parametrize(
    ("robot", "case"), list(enumerate(CASES, start=1)), ids=[case.fault.replace(";", " ") for case in CASES]
)


def of(rehearsal: Rehearsal, robot: int) -> list[Entry]:
    return [entry for entry in rehearsal.log if entry.robot in (0, robot)]


@robots
def test_a_fault_is_survived_or_the_robot_is_stopped(rehearsal: Rehearsal, robot: int, case: Case) -> None:
    last_second = [entry for entry in driving(rehearsal.log, robot) if entry.t > rehearsal.stopped_at - 1.0]
    assert bool(last_second) is case.drives


@robots
def test_a_person_is_told(rehearsal: Rehearsal, robot: int, case: Case) -> None:
    own = [line for line in rehearsal.errors.splitlines() if line.startswith(f"robot {robot} ")]
    if case.says:
        assert any(case.says in line for line in own), own
    else:
        assert not [line for line in own if "lost" in line or "stuck" in line or "impossible" in line]


@robots
def test_the_log_keeps_all_rules(rehearsal: Rehearsal, robot: int, case: Case) -> None:
    log = of(rehearsal, robot)
    if case.fault.startswith("pieces"):
        # CR already ends a reply: the next request may pass its LF, which the log counts as not yet sent.
        assert excessive_orders(log, Bounds(MAX_ORDER, RAMP)) + carelessness(log) == []
    else:
        assert_safe(log, loses_links=case.loses_link)


@robots
def test_the_robot_stands_at_the_end(rehearsal: Rehearsal, robot: int, case: Case) -> None:
    assert orders(rehearsal.log, robot)[-1].line == "D,0,0"


@pytest.mark.parametrize("fault", ["microreset", "jump=100000", "garble;count=1;on=NR", "double;count=20", "late=1.5"])
def test_no_wrong_value_reaches_the_pose(rehearsal: Rehearsal, fault: str) -> None:
    """The pose by encoders is the true one, within what the wheels ran on between two readings."""
    robot = [case.fault for case in CASES].index(fault) + 1
    x, y, _ = rehearsal.poses[robot]
    assert rehearsal.recording.poses[-1, robot - 1, :2] == pytest.approx((x, y), abs=0.03)


def test_the_set_up_is_repeated_after_a_reset_of_the_micro_controller(rehearsal: Rehearsal) -> None:
    robot = [case.fault for case in CASES].index("microreset") + 1
    after = [entry.line for entry in of(rehearsal, robot) if entry.kind == "received" and entry.t > rehearsal.faulty_at]
    assert "M" in after[: after.index("K,0,0,0,0,0,0,0,0,0") + 1]


@pytest.mark.parametrize("fault", ["close=1.5", "reset=1.5"])
def test_a_robot_that_comes_back_is_stopped_first_and_set_up(rehearsal: Rehearsal, fault: str) -> None:
    robot = [case.fault for case in CASES].index(fault) + 1
    own = of(rehearsal, robot)
    again = max(index for index, entry in enumerate(own) if entry.kind == "connected")
    lines = [entry.line for entry in own[again:] if entry.kind == "received" and entry.line != "R"]
    assert lines[:3] == ["B", "D,0,0", "M"]
    assert f"robot {robot} kh{robot}" in rehearsal.errors
    assert "the link is back: the robot stays stopped" in rehearsal.errors


def test_a_silent_link_is_noticed_in_half_a_second(rehearsal: Rehearsal) -> None:
    robot = [case.fault for case in CASES].index("silent;for=2") + 1
    told = [
        entry.t for entry in orders(rehearsal.log, robot) if entry.line == "D,0,0" and entry.t > rehearsal.faulty_at
    ]
    assert told[0] - rehearsal.faulty_at < 0.5 + 0.3


def test_links_that_failed_make_the_exit_code_3(rehearsal: Rehearsal) -> None:
    assert rehearsal.code == 3


def test_what_happened_is_in_the_recording(rehearsal: Rehearsal) -> None:
    kinds = {event.kind for event in rehearsal.recording.events}
    assert {"link lost", "reconnected", "stuck", "reset", "jump", "battery", "refused", "overrun"} <= kinds


def test_an_empty_battery_stops_all_robots_and_ends_the_run(rehearsal: Rehearsal) -> None:
    stops = [
        zero_since(rehearsal.log, robot, rehearsal.faulty_at) for robot, case in enumerate(CASES, 1) if case.drives
    ]
    assert max(stop for stop in stops if stop is not None) - rehearsal.stopped_at < 0.3
    (told,) = [line for line in rehearsal.errors.splitlines() if "confirmed their stop" in line]
    assert told.startswith(f"robot {LAST}: the battery is at 8 %")


@pytest.mark.long
def test_a_fleet_that_says_resume_drives_on_after_a_reconnection(tmp_path: Path) -> None:
    with rehearse(write_scene(tmp_path, CIRCLE), tmp_path) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, "safety: {resume: true}")
        process = start("deploy", tmp_path / "script.bzz", "--fleet", fleet)
        wait_until_driving(emulator, process)
        emulator.fault("1:close=1")
        closed = time.monotonic()
        wait_until(lambda: any(entry.t > closed + 1.0 for entry in driving(emulator.log(), 1)))
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
        assert "the link is back: it drives on" in errors
        assert_safe(emulator.log(), loses_links=True)


@pytest.mark.long
def test_a_fleet_that_says_end_stops_all_when_one_link_is_lost(tmp_path: Path) -> None:
    with rehearse(write_scene(tmp_path, CIRCLE, robots=2), tmp_path) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, "safety: {link_lost: end}")
        process = start("deploy", tmp_path / "script.bzz", "--fleet", fleet)
        wait_until_driving(emulator, process, 5)
        emulator.fault("1:close=30")
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 3
        assert ": not reached: " in errors
        assert orders(emulator.log(), 2)[-1].line == "D,0,0"
