"""What a deployment makes of every fault of the specification of fake robots, judged by the emulator's log.

All robots of a rehearsal drive bends far from each other; each has a fault of its own while they drive.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import pytest
from rehearsals import run, start, wait_for_orders, write_fleet, write_scene

from pybuzz.emulator.assertions import Bounds, faults, longest_gap, stands_since, zero_since
from pybuzz.emulator.journal import Entry
from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link import protocol
from pybuzz.link.addresses import parse_address
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.session import Session
from pybuzz.recording import Recording

SCENE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [8, 8], walls: true}
robots:
  - {kind: kheperaiv, script: script.bzz, drive: bridge, count: COUNT,
     place: {grid: {center: [0, 0], distances: [1, 1], layout: [5, 5]}}, yaw: 90}
"""
BENDS = "function init() {}\nfunction step() { set_wheels(4.0, 6.0) near = proximity[0].value }\n"

LONG = pytest.mark.long

PERIOD_S = 0.2
"""Twice that of the link's kind: robots do not halt when the machine that runs all of this is busy."""

BOUNDS = Bounds(limit=295, change=60, timeout_s=0.15)
"""The ramp of a period: 30 units in 100 ms. After 0.5 s without a reply a link counts as lost, and the time-out of the
last request is cut short by that."""


@dataclass
class Rehearsal:
    """A deployment that is over: its fault of each robot, and when they began."""

    numbers: Mapping[str, int]
    faulty_at: float
    log: Sequence[Entry]
    recording: Recording
    exit_code: int
    errors: str
    ends: Mapping[int, tuple[float, float, float]]

    def own(self, fault: str) -> list[Entry]:
        return [entry for entry in self.log if entry.robot == self.numbers[fault]]

    def events(self, fault: str) -> list[str]:
        name = f"kh{self.numbers[fault]}"
        return [event.kind for event in self.recording.events if event.robot == name]

    def orders_at_the_end(self, fault: str) -> list[str]:
        """Those of the last two seconds before the stop."""
        orders = [entry for entry in self.own(fault) if entry.kind == "received" and entry.letter == "D"]
        last = max(entry.t for entry in self.log if entry.kind == "received" and entry.line == "D,59,88")
        return [entry.line for entry in orders if last - 2.0 < entry.t <= last]

    def drift_m(self, fault: str) -> float:
        """How far the odometry's last pose is from the truth."""
        row = self.recording.robots.index(f"kh{self.numbers[fault]}")
        x, y, _ = self.ends[self.numbers[fault]]
        recorded = self.recording.poses[-1, row]
        return float(((recorded[0] - x) ** 2 + (recorded[1] - y) ** 2) ** 0.5)


def rehearse(folder: Path, chosen: Sequence[str], extra: str) -> Rehearsal:
    scene = write_scene(folder, BENDS, len(chosen), SCENE)
    numbers = {fault: number for number, fault in enumerate(chosen, start=1)}
    with EmulatorProcess(scene, folder) as emulator:
        fleet = write_fleet(folder, emulator.urls, emulator.starts, extra, period=str(PERIOD_S))
        deploy = start("deploy", folder / "script.bzz", "--fleet", fleet, "--seconds", 10, "--record", folder / "run")
        wait_for_orders(emulator, len(chosen))
        faulty_at = time.monotonic()
        for fault, number in numbers.items():
            emulator.fault(f"{number}:{fault}")
        _, errors = deploy.communicate(timeout=60)
        time.sleep(0.2)
        return Rehearsal(
            numbers, faulty_at, emulator.log(), Recording.open(folder / "run"), deploy.returncode, errors,
            emulator.poses(),
        )  # fmt: skip


WORKS = [
    "terminator=lfcr",
    "terminator=lf",
    "terminator=cr",
    "pieces=1;count=40",
    "kernel;count=20",
    "frozen",
    "mute;count=1;on=D",
]
RETRIED = [
    "partial;count=1", "garble;count=1", "stray;count=10", "double;count=10", "letter;count=1", "ignore;count=1;on=D",
]  # fmt: skip
LOST = ["silent;for=1.5", "late=1.5;on=R", "close=1", "reset=1;on=R", "ignore;for=1.5"]
HARDWARE = ["refuse;count=1;on=N", "microreset;after=3", "jump=50000", "slow=0.25;for=1.5", "stuck=left"]
CLOSED = ("close=1", "reset=1;on=R")


def also_long(faults_: Sequence[str], *more: str) -> list[object]:
    """The faults of the long rehearsal, then those of the usual one."""
    return [*(pytest.param(fault, marks=LONG) for fault in faults_), *more]


class Rehearsals:
    """One for each half of the faults, run when first asked for. Robots whose link comes back drive on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._over: dict[str, Rehearsal] = {}

    def of(self, fault: str) -> Rehearsal:
        if fault not in self._over:
            chosen = next(half for half in ([*WORKS, *RETRIED], [*LOST, *HARDWARE]) if fault in half)
            folder = Path(mkdtemp(dir=self._folder))
            over = rehearse(folder, chosen, "safety: {resume: true}")
            self._over |= dict.fromkeys(chosen, over)
        return self._over[fault]


@pytest.fixture(scope="module")
def rehearsals_(tmp_path_factory: pytest.TempPathFactory) -> Rehearsals:
    return Rehearsals(tmp_path_factory.mktemp("faults"))


@pytest.fixture
def rehearsal(rehearsals_: Rehearsals, request: pytest.FixtureRequest) -> Rehearsal:
    """That in which the fault of the test is; without one, the links and the hardware fail."""
    parameters = getattr(request.node, "callspec", None)
    return rehearsals_.of(parameters.params["fault"] if parameters else LOST[0])


@pytest.mark.parametrize("fault", also_long([*WORKS, *RETRIED], *LOST, *HARDWARE))
def test_the_rules_are_kept_under_every_fault(rehearsal: Rehearsal, fault: str) -> None:
    """Orders within limit and ramp, one request at a time, nothing careless, and standing at the end."""
    assert faults(rehearsal.own(fault), BOUNDS, loses_links=fault in CLOSED) == []
    assert zero_since(rehearsal.log, rehearsal.numbers[fault], 0.0) is not None
    assert stands_since(rehearsal.log, rehearsal.numbers[fault], 0.0) is not None


@pytest.mark.parametrize("fault", also_long(RETRIED, *LOST, *HARDWARE))
def test_the_fault_did_act(rehearsal: Rehearsal, fault: str) -> None:
    kinds = [entry.details["fault"] for entry in rehearsal.own(fault) if entry.kind == "fault"]
    states = ("silent", "stuck")
    assert kinds or fault.startswith(states)


@pytest.mark.parametrize("fault", also_long([*WORKS, *RETRIED]))
def test_a_bad_reply_now_and_then_costs_no_link(rehearsal: Rehearsal, fault: str) -> None:
    assert "link lost" not in rehearsal.events(fault)
    assert "D,59,88" in rehearsal.orders_at_the_end(fault)


@pytest.mark.parametrize("fault", also_long([*WORKS, *RETRIED], "microreset;after=3", "slow=0.25;for=1.5"))
def test_no_wrong_value_gets_into_the_odometry(rehearsal: Rehearsal, fault: str) -> None:
    """The last pose of the recording is half a period older than the stop: 5 cm/s for some 100 ms. After a lost link
    the encoders may have been reset, so what the wheels did meanwhile is not known."""
    assert rehearsal.drift_m(fault) < 0.02


@pytest.mark.parametrize("fault", LOST)
def test_a_lost_link_is_told_stopped_set_up_again_and_drives_on(rehearsal: Rehearsal, fault: str) -> None:
    events = rehearsal.events(fault)
    assert "link lost" in events
    assert "reconnected" in events
    assert "D,59,88" in rehearsal.orders_at_the_end(fault)
    received = [entry.line for entry in rehearsal.own(fault) if entry.kind == "received"]
    after = received[received.index("M", received.index("D,59,88")) :]
    assert [line for line in after if line[0] in "MU"][:2] == ["M", "U,0"]


@pytest.mark.parametrize("fault", CLOSED)
def test_after_a_reconnection_the_first_order_is_to_stop(rehearsal: Rehearsal, fault: str) -> None:
    own = rehearsal.own(fault)
    again = [place for place, entry in enumerate(own) if entry.kind == "connected"][1]
    orders = [entry.line for entry in own[again:] if entry.kind == "received" and entry.letter in "DFLA"]
    assert orders[0] == "D,0,0"


def test_an_open_line_that_is_silent_is_noticed_within_a_second(rehearsal: Rehearsal) -> None:
    """0.5 s without a valid reply, counted from the last one, then orders to stop."""
    zero = min(
        entry.t for entry in rehearsal.own("silent;for=1.5")
        if entry.kind == "received" and entry.line == "D,0,0" and entry.t > rehearsal.faulty_at
    )  # fmt: skip
    assert zero - rehearsal.faulty_at < 1.0


def test_a_refusal_is_told_with_the_command_and_the_run_goes_on(rehearsal: Rehearsal) -> None:
    assert "refused" in rehearsal.events("refuse;count=1;on=N")
    assert "the robot refused N" in rehearsal.errors
    assert "D,59,88" in rehearsal.orders_at_the_end("refuse;count=1;on=N")


def test_a_reset_of_the_micro_controller_is_told_and_the_set_up_repeated(rehearsal: Rehearsal) -> None:
    assert "reset" in rehearsal.events("microreset;after=3")
    own = rehearsal.own("microreset;after=3")
    reset_at = next(entry.t for entry in own if entry.kind == "fault")
    lines = [entry.line for entry in own if entry.t > reset_at]
    assert lines.index("M") < lines.index("U,0")
    assert "D,59,88" in rehearsal.orders_at_the_end("microreset;after=3")


def test_a_jump_of_the_encoders_is_told_and_not_taken_for_a_way(rehearsal: Rehearsal) -> None:
    """50000 pulses are 34 cm; what was driven while they were doubted is lost, some periods at 5 cm/s."""
    assert "jump" in rehearsal.events("jump=50000")
    assert rehearsal.drift_m("jump=50000") < 0.08


def test_slow_replies_are_told_as_an_overrun_and_no_queue_builds_up(rehearsal: Rehearsal) -> None:
    assert "overrun" in rehearsal.events("slow=0.25;for=1.5")
    assert "D,59,88" in rehearsal.orders_at_the_end("slow=0.25;for=1.5")


def test_a_stuck_wheel_is_told_and_that_robot_stopped(rehearsal: Rehearsal) -> None:
    number = rehearsal.numbers["stuck=left"]
    assert "stuck" in rehearsal.events("stuck=left")
    since = zero_since(rehearsal.log, number, rehearsal.faulty_at)
    assert since is not None
    assert since - rehearsal.faulty_at < 3.0


def test_a_run_in_which_links_were_lost_ends_with_3_and_standing_robots(rehearsal: Rehearsal) -> None:
    assert rehearsal.exit_code == 3
    count_ = len(rehearsal.numbers)
    assert f"{count_} of {count_} robots confirmed their stop" in rehearsal.errors


def test_a_weak_battery_is_told_and_an_empty_one_ends_the_run(tmp_path: Path) -> None:
    scene = write_scene(tmp_path, BENDS, 2, SCENE)
    weak = ("--fault", "1:battery=15")
    with EmulatorProcess(scene, tmp_path, *weak) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts)
        deploy = start("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 30)
        wait_for_orders(emulator, 2)
        emulator.fault("1:battery=8")
        _, errors = deploy.communicate(timeout=60)
        log = emulator.log()
    assert deploy.returncode == 3
    assert "the battery is low: 15 %" in errors
    assert "the battery is at 8 %" in errors
    assert faults(log, BOUNDS) == []
    assert all(stands_since(log, robot, 0.0) is not None for robot in (1, 2))


@LONG
def test_a_link_that_must_not_fail_ends_the_run_for_all(tmp_path: Path) -> None:
    scene = write_scene(tmp_path, BENDS, 2, SCENE)
    with EmulatorProcess(scene, tmp_path) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, "safety: {link_lost: end}")
        deploy = start("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 60)
        wait_for_orders(emulator, 2)
        emulator.fault("1:silent;for=3")
        deploy.communicate(timeout=30)
        log = emulator.log()
    assert deploy.returncode == 3
    assert faults([entry for entry in log if entry.robot == 2], BOUNDS) == []
    assert stands_since(log, 2, 0.0) is not None


@LONG
def test_orders_come_in_every_period_and_gyroscopes_are_never_asked(tmp_path: Path) -> None:
    """A pause of two periods is the most while a script runs, and the stop of a missing step repeats the order."""
    scene = write_scene(tmp_path, BENDS, 2, SCENE)
    with EmulatorProcess(scene, tmp_path) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, period=str(PERIOD_S))
        done = run("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 5)
        log = emulator.log()
    assert done.returncode == 0, done.stderr
    for robot in (1, 2):
        driven = [
            entry.t for entry in log if entry.robot == robot and entry.line.startswith("D,") and entry.line != "D,0,0"
        ]
        assert longest_gap(log, robot, driven[0], driven[-1]) < 2 * PERIOD_S + 0.05
    assert not {entry.letter for entry in log if entry.kind == "received"} & set("STXFLAZ")


# -- one session -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatorProcess]:
    folder = tmp_path_factory.mktemp("sessions")
    with EmulatorProcess(write_scene(folder, BENDS, 12, SCENE), folder) as running:
        yield running


_robots = count(1)


@pytest.fixture
def session(emulator: EmulatorProcess) -> Iterator[tuple[Session, str]]:
    """A connected robot whose encoders both read 5000, and the beginning of its faults."""
    number = next(_robots)
    emulator.fault(f"{number}:jump=5000")
    time.sleep(0.05)
    session = Session(parse_address(emulator.urls[number]))
    session.connect()
    yield session, f"{number}:"
    session.close()


@pytest.mark.parametrize(
    "fault", ["partial;count=1", "garble;count=2", "stray;count=2", "double;count=2", "letter;count=2"]
)
def test_only_the_right_value_is_taken_and_the_others_are_counted(
    emulator: EmulatorProcess, session: tuple[Session, str], fault: str
) -> None:
    line, robot = session
    emulator.fault(robot + fault)
    assert [line.ask(protocol.encoders()).values for _ in range(4)] == [(5000, 5000)] * 4
    counters = line.counters
    assert counters.rejected + counters.strays + counters.timeouts > 0


def test_a_late_reply_is_not_taken_for_the_answer_to_a_later_request(
    emulator: EmulatorProcess, session: tuple[Session, str]
) -> None:
    """The encoders jump again while the reply with the old count is on its way."""
    line, robot = session
    emulator.fault(f"{robot}late=0.5;on=R")
    with pytest.raises(ExchangeError):
        line.ask(protocol.encoders(), tries=1)
    emulator.fault(f"{robot}jump=1000")
    time.sleep(0.05)
    assert line.ask(protocol.encoders()).values == (6000, 6000)


def test_a_stop_is_repeated_until_it_is_acknowledged(emulator: EmulatorProcess, session: tuple[Session, str]) -> None:
    line, robot = session
    line.ask(protocol.speed_order(100, 100))
    emulator.fault(f"{robot}ignore;on=D;count=3")
    assert line.stop().stopped
    time.sleep(0.3)
    log = emulator.log()
    number = int(robot[:-1])
    zeros = [entry for entry in log if entry.robot == number and entry.kind == "received" and entry.line == "D,0,0"]
    assert len(zeros) >= 4
    assert stands_since(log, number, 0.0) is not None
