"""One session on an emulated robot whose replies fail; and the pace of orders of a whole deployment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from rehearsals import FORWARD, Share, driving, rehearse, run, write_fleet, write_scene

from pybuzz.emulator.assertions import longest_gap, stands_since
from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link import protocol
from pybuzz.link.addresses import parse_address
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.session import Session

PERIOD_S = 0.2
"""Twice that of the link's kind: robots do not halt when the machine that runs all of this is busy."""


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, *range(12, 20))


_robots = count(12)


@pytest.fixture
def session(emulator: Share) -> Iterator[tuple[Session, str]]:
    """A connected robot whose encoders both read 5000, and the beginning of its faults."""
    number = next(_robots)
    emulator.fault(f"{number}:jump=5000")
    session = Session(parse_address(emulator.urls[number]))
    session.connect()
    yield session, f"{number}:"
    session.close()


@pytest.mark.parametrize(
    "fault", ["partial;count=1", "garble;count=2", "stray;count=2", "double;count=2", "letter;count=2"]
)
def test_only_the_right_value_is_taken_and_the_others_are_counted(
    emulator: Share, session: tuple[Session, str], fault: str
) -> None:
    line, robot = session
    emulator.fault(robot + fault)
    assert [line.ask(protocol.encoders()).values for _ in range(4)] == [(5000, 5000)] * 4
    counters = line.counters
    assert counters.rejected + counters.strays + counters.timeouts > 0


def test_a_late_reply_is_not_taken_for_the_answer_to_a_later_request(
    emulator: Share, session: tuple[Session, str]
) -> None:
    """The encoders jump again while the reply with the old count is on its way."""
    line, robot = session
    emulator.fault(f"{robot}late=0.5;on=R")
    with pytest.raises(ExchangeError):
        line.ask(protocol.encoders(), tries=1)
    emulator.fault(f"{robot}jump=1000")
    assert line.ask(protocol.encoders()).values == (6000, 6000)


def test_a_stop_is_repeated_until_it_is_acknowledged(emulator: Share, session: tuple[Session, str]) -> None:
    line, robot = session
    line.ask(protocol.speed_order(100, 100))
    emulator.fault(f"{robot}ignore;on=D;count=3")
    assert line.stop().stopped
    time.sleep(0.5)
    log, number = emulator.log(), int(robot[:-1])
    zeros = [entry for entry in log if entry.robot == number and entry.kind == "received" and entry.line == "D,0,0"]
    assert len(zeros) >= 4
    assert stands_since(log, number, 0.0) is not None


@pytest.mark.long
def test_orders_come_in_every_period_and_gyroscopes_are_never_asked(tmp_path: Path) -> None:
    """Never a pause of more than two periods while a script runs."""
    with rehearse(write_scene(tmp_path, FORWARD, 2), tmp_path) as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, period=str(PERIOD_S))
        done = run("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 5)
        log = emulator.log()
    assert done.returncode == 0, done.stderr
    for robot in (1, 2):
        driven = [entry.t for entry in driving(log, robot)]
        assert longest_gap(log, robot, driven[0], driven[-1]) < 2 * PERIOD_S
    assert not {entry.letter for entry in log if entry.kind == "received"} & set("STXFLAZ")
