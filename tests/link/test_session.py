"""Connecting, asking and stopping over real sockets and ptys."""

from __future__ import annotations

import os
import pty
import signal
import socket
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import pytest
from fake_robot import FakeRobot, good_reply

from pybuzz.link import protocol
from pybuzz.link.addresses import parse_address
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.session import HandshakeError, Session, StopReport
from pybuzz.link.transports import LinkLostError


@pytest.fixture
def robot() -> Iterator[FakeRobot]:
    made = FakeRobot()
    yield made
    made.close()


def session_to(robot: FakeRobot) -> Session:
    return Session(parse_address(robot.url))


def test_a_session_begins_with_a_handshake_that_tells_the_firmware(robot: FakeRobot) -> None:
    session = session_to(robot)
    session.connect()
    assert session.firmware == "B 5"
    assert session.ask(protocol.encoders()).values == (0, 0)
    session.close()


def test_a_robot_is_found_on_a_pty_too() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)

    def serve() -> None:
        with suppress(OSError):  # The other end is closed.
            while line := os.read(master, 100):
                os.write(master, good_reply(line.decode().strip()))

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    session = Session(parse_address(os.ttyname(slave)))
    session.connect()
    assert session.firmware == "B 5"
    with pytest.raises(LinkLostError, match="another program uses this line"):
        Session(session.address).connect()
    session.close()
    os.close(slave)
    server.join()
    os.close(master)


def test_a_port_where_nobody_listens_is_refused(robot: FakeRobot) -> None:
    robot.close()
    with pytest.raises(LinkLostError, match="refused"):
        session_to(robot).connect()


def test_a_login_prompt_is_no_kh4server(robot: FakeRobot) -> None:
    robot.answer = lambda line: b"khepera4 login: \r\n"
    with pytest.raises(HandshakeError) as raised:
        session_to(robot).connect()
    assert raised.value.kind == "foreign"


def test_a_banner_before_the_first_reply_does_no_harm(robot: FakeRobot) -> None:
    banner = iter([b"[    3.14] usb 1-1: new device\r\n"])
    robot.answer = lambda line: next(banner, b"") + good_reply(line)
    session = session_to(robot)
    session.connect()
    assert session.counters.rejected == 1
    session.close()


def test_a_stop_is_repeated_until_it_is_acknowledged(robot: FakeRobot) -> None:
    losses = iter([b"", b""])
    robot.answer = lambda line: next(losses, good_reply(line)) if line == "D,0,0" else good_reply(line)
    session = session_to(robot)
    session.connect()
    assert session.stop() == StopReport("stopped")
    assert robot.lines.count("D,0,0") >= 3
    assert [line for line in robot.lines if line != "R"][-3:] == ["M", "K,0,0,0,0,0,0,0,0,0", "U,0"]
    assert robot.lines[robot.lines.index("U,0") - 2] == "R"  # that the wheels stand is read back after motors idle
    session.close()


def test_a_refused_stop_is_repeated_for_a_second_and_is_not_confirmed_while_wheels_turn(robot: FakeRobot) -> None:
    pulses = iter(range(0, 10**9, 700))

    def answer(line: str) -> bytes:
        if line.startswith("R"):
            return b"r,%d,0\r\n" % next(pulses)
        return b"$\r\n" if line[0] in "DM" else good_reply(line)

    robot.answer = answer
    session = session_to(robot)
    session.connect()
    report = session.stop()
    times = [moment for moment, line in robot.log if line == "D,0,0"]
    assert report.outcome == "not confirmed"
    assert "its wheels still turn" in report.text
    assert times[-1] - times[0] >= 0.9
    assert len(times) >= 5
    assert min(after - before for before, after in pairwise(times)) >= 0.04  # a busy bus needs time
    session.close()


def test_motors_idle_is_sent_though_the_zero_order_is_never_acknowledged(robot: FakeRobot) -> None:
    robot.answer = lambda line: b"" if line.startswith("D") else good_reply(line)
    session = session_to(robot)
    session.connect()
    begin = time.monotonic()
    report = session.stop()
    assert (report.outcome, report.text) == ("stopped", "no acknowledgement of the zero order")  # the wheels were seen
    first_idle = next(moment for moment, line in robot.log if line == "M")
    assert first_idle - begin < 1.0
    assert len([line for line in robot.lines if line == "M"]) >= 2
    session.close()


def test_wheels_that_stand_though_every_order_is_refused_are_not_called_stopped(robot: FakeRobot) -> None:
    """Something may hold them: the motors go on by their last order as soon as it lets go."""
    robot.answer = lambda line: b"$\r\n" if line[0] in "DM" else good_reply(line)
    session = session_to(robot)
    session.connect()
    report = session.stop()
    assert report.outcome == "not confirmed"
    assert "its wheels stand, or are held" in report.text
    session.close()


def test_wheels_that_cannot_be_read_are_not_called_standing(robot: FakeRobot) -> None:
    robot.answer = lambda line: b"" if line.startswith("R") else good_reply(line)
    session = session_to(robot)
    session.connect()
    assert session.stop() == StopReport("not confirmed", "its wheels cannot be read")
    session.close()


def test_motors_idle_waits_for_standing_wheels(robot: FakeRobot) -> None:
    """Idle wheels roll on: the braking must not be cut off."""
    left = iter([700, 1200, 1500, 1600])
    robot.answer = lambda line: b"r,%d,0\r\n" % next(left, 1600) if line.startswith("R") else good_reply(line)
    session = session_to(robot)
    session.connect()
    assert session.stop().stopped
    assert robot.lines[robot.lines.index("D,0,0") + 1 : robot.lines.index("M")] == ["R"] * 5
    session.close()


def test_an_exchange_that_anything_interrupts_does_not_keep_the_robot_from_being_stopped(robot: FakeRobot) -> None:
    silent = iter([b""])
    robot.answer = lambda line: next(silent, good_reply(line)) if line == "D,74,0" else good_reply(line)
    session = session_to(robot)
    session.connect()

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            session.ask(protocol.speed_order(74, 0))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert session.stop().stopped
    assert robot.lines[-1] == "U,0"
    session.close()


def test_a_line_on_which_somebody_talks_without_end_is_told_and_hangs_nothing() -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def babble() -> None:
        with suppress(OSError):
            client, _ = listener.accept()
            while True:
                client.sendall(b"y\n" * 2000)

    threading.Thread(target=babble, daemon=True).start()
    session = Session(parse_address(f"tcp://127.0.0.1:{listener.getsockname()[1]}"))
    with pytest.raises(HandshakeError, match="another program talks on this line"):
        session.connect()
    listener.close()


def test_a_stop_that_is_never_acknowledged_says_so(robot: FakeRobot) -> None:
    robot.answer = lambda line: good_reply(line) if line == "B" else b""
    session = session_to(robot)
    session.connect()
    report = session.stop()
    assert report.outcome == "not confirmed"  # it still answers B, which late answers are told apart by
    assert robot.lines.count("D,0,0") >= 5
    assert "M" in robot.lines
    session.close()


def test_a_closed_connection_is_a_lost_link_and_can_be_made_again(robot: FakeRobot) -> None:
    session = session_to(robot)
    session.connect()
    robot.drop()
    with pytest.raises((LinkLostError, ExchangeError)):
        session.ask(protocol.encoders())
    session.connect()
    assert session.ask(protocol.encoders()).values == (0, 0)
    session.close()


@pytest.mark.parametrize(
    ("text", "kind", "port"),
    [
        ("tcp://robot:7000", "tcp", "socket://robot:7000"),
        ("serial:///dev/rfcomm0?baud=115200", "bluetooth", "/dev/rfcomm0"),
        ("serial:///dev/ttyUSB0", "serial", "/dev/ttyUSB0"),
        ("serial://COM5?baud=57600", "serial", "COM5"),
        ("COM5", "serial", "COM5"),
        ("/dev/pts/3", "serial", "/dev/pts/3"),
        ("rfc2217://host:7007?ign_set_control", "rfc2217", "rfc2217://host:7007?ign_set_control"),
    ],
)
def test_links_are_urls(text: str, kind: str, port: str) -> None:
    address = parse_address(text)
    assert (address.kind, address.port) == (kind, port)


def test_a_device_with_two_slashes_is_refused_because_its_first_folder_would_be_a_host() -> None:
    with pytest.raises(ValueError, match="needs a third slash: serial:///dev/rfcomm0"):
        parse_address("serial://dev/rfcomm0?baud=115200")


def test_bluetooth_gets_more_time() -> None:
    address = parse_address("serial:///dev/rfcomm0")
    assert (address.timeout_s, address.lost_after_s, address.period_s) == (1.0, 1.5, 0.3)
