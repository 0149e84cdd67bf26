"""Connecting, asking and stopping over real sockets and ptys."""

from __future__ import annotations

import os
import pty
import threading
import tty
from collections.abc import Iterator
from contextlib import suppress

import pytest
from fake_robot import FakeRobot, good_reply

from pybuzz.link import protocol
from pybuzz.link.addresses import parse_address
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.session import HandshakeError, Session
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
    assert session.stop().stopped
    assert robot.lines.count("D,0,0") >= 3
    assert robot.lines[-3:] == ["M", "K,0,0,0,0,0,0,0,0,0", "U,0"]
    session.close()


def test_a_stop_that_is_never_acknowledged_says_so(robot: FakeRobot) -> None:
    robot.answer = lambda line: good_reply(line) if line == "B" else b""
    session = session_to(robot)
    session.connect()
    report = session.stop()
    assert not report.stopped
    assert robot.lines.count("D,0,0") >= 5
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
