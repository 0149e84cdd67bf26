"""The relay on the robot, in front of an emulated kh4server on a terminal."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, get_args

import pytest
from rehearsals import (
    FORWARD,
    ROOT,
    Lateness,
    driving,
    since,
    start,
    time_to_stop,
    wait_until,
    wait_until_driving,
    write_fleet,
)

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link.relay import RelayOrder, ask_relay

RELAY = ROOT / "robots" / "relay" / "kh4relay.py"
CHILD = Path(__file__).with_name("kh4server_child.py")
DEAD_MAN_S = 0.7
"""0.5 s of silence and 0.2 s to notice and stop."""


def python_2() -> str | None:
    """One, where the machine has it."""
    own = sorted(Path("~/.pyenv/versions").expanduser().glob("2.7.*/bin/python"))
    return str(own[-1]) if own else shutil.which("python2.7")


@pytest.fixture(params=["2", "3"], ids=["python2", "python3"])
def python(request: pytest.FixtureRequest) -> str:
    """An interpreter for the relay: the robot may have an old one."""
    found = python_2() if request.param == "2" else sys.executable
    if found is None:
        pytest.skip("no Python 2.7 on this machine")
    return found


@pytest.fixture
def relay(terminal: EmulatorProcess, python: str) -> Iterator[tuple[int, int]]:
    """The relay's two ports."""
    with RelayProcess(device_of(terminal), python=python) as ports:
        yield ports


def device_of(terminal: EmulatorProcess) -> str:
    return terminal.urls[1].removeprefix("serial://").split("?")[0]


class RelayProcess:
    def __init__(self, *line: object, python: str = sys.executable) -> None:
        """line: a device, or further options."""
        where = ["--device", *map(str, line)] if len(line) == 1 else list(map(str, line))
        self.process = subprocess.Popen(
            [python, RELAY, *where, "--address", "127.0.0.1", "--port", "0", "--stop-port", "0"],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> tuple[int, int]:
        assert self.process.stderr is not None
        words = self.process.stderr.readline().split()
        return int(words[-3]), int(words[-1])

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)


class OwnServer(RelayProcess):
    """A relay with an emulated kh4server as its child."""

    def __init__(self, folder: Path, python: str) -> None:
        self.motors = folder / "motors"
        self.deaf = folder / "motors.deaf"
        self.program = folder / "kh4server"
        self.program.write_text(f'#!/bin/sh\nexec {sys.executable} {CHILD} {self.motors} "$1"\n')
        self.program.chmod(0o755)
        super().__init__("--server", self.program, python=python)

    def __enter__(self) -> tuple[int, int]:
        ports = super().__enter__()
        wait_until(self.motors.exists)
        return ports

    @property
    def child(self) -> int:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0])

    def turning(self) -> tuple[str, int]:
        """The motors' order, and how often kh4server has started."""
        order, starts = self.motors.read_text().split()
        return order, int(starts)


class Client:
    """The simplest bridge: one line out, one line in."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.lines = self.socket.makefile("rb")

    def ask(self, line: str) -> str:
        self.socket.sendall(line.encode() + b"\n")
        return self.lines.readline().decode().strip()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


def wheels(terminal: EmulatorProcess) -> tuple[int, ...]:
    return tuple(terminal.ask("state")["robots"][0]["orders"])


def test_requests_and_replies_pass_through(relay: tuple[int, int]) -> None:
    with closing(Client(relay[0])) as client:
        assert client.ask("B") == "b,B,5"
        assert client.ask("R").startswith("r,")


def test_a_client_that_disconnects_leaves_standing_wheels(
    terminal: EmulatorProcess, relay: tuple[int, int], lateness: Lateness
) -> None:
    with closing(Client(relay[0])) as client:
        assert client.ask("D,100,100") == "d"
        gone = time.monotonic()
    assert time_to_stop(terminal, gone) < lateness.allows(0.2, gone, terminal)


def test_a_silent_client_is_stopped_within_the_dead_mans_time(
    terminal: EmulatorProcess, relay: tuple[int, int], lateness: Lateness
) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        silent = time.monotonic()
        assert 0.4 < time_to_stop(terminal, silent) < lateness.allows(DEAD_MAN_S, silent, terminal)
        assert client.ask("B") == "b,B,5", "the replies to the relay's own orders are swallowed"


def test_a_client_whose_robot_stands_may_be_silent(terminal: EmulatorProcess, relay: tuple[int, int]) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,0,0")
        told = time.monotonic()
        time.sleep(1.0)
        assert not [entry for entry in since(terminal, told) if entry.kind == "received"]


def test_requests_keep_the_wheels_turning(terminal: EmulatorProcess, relay: tuple[int, int]) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        for _ in range(10):
            time.sleep(0.1)
            client.ask("R")
        assert wheels(terminal) == (100, 100)


def test_after_a_stop_orders_that_turn_wheels_are_refused_until_a_release(
    terminal: EmulatorProcess, relay: tuple[int, int]
) -> None:
    second = ("127.0.0.1", relay[1])
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        assert ask_relay(second, "stop") == "stopped"
        assert wheels(terminal) == (0, 0)
        refused = [client.ask(order) for order in ("D,100,100", "F,900,900", "L,50,50", "A,0")]
        assert refused == ["$kh4relay stopped"] * 4
        assert client.ask("D,0,0") == "d"
        assert client.ask("B") == "b,B,5", "what moves nothing passes"
    with closing(Client(relay[0])) as another:
        assert another.ask("D,100,100") == "$kh4relay stopped"
        assert ask_relay(second, "hello") == "kh4relay 2 client=1 moving=0 stopped=1"
        assert ask_relay(second, "release") == "released"
        assert another.ask("D,100,100") == "d"
        assert ask_relay(second, "hello") == "kh4relay 2 client=1 moving=1 stopped=0"


def test_commands_in_capital_letters_are_understood_too(relay: tuple[int, int]) -> None:
    for said, answer in ((b"HELLO\n", b"kh4relay 2 client=0 moving=0 stopped=0\n"), (b"STOP\n", b"stopped\n")):
        with closing(socket.create_connection(("127.0.0.1", relay[1]), timeout=10)) as line:
            line.sendall(said)
            assert line.makefile("rb").readline() == answer


@pytest.mark.parametrize("order", get_args(RelayOrder))
def test_a_command_for_the_relay_does_no_harm_at_kh4server(
    terminal: EmulatorProcess, relay: tuple[int, int], order: str
) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        assert client.ask(order) == "$"
        assert wheels(terminal) == (100, 100)


def test_a_stop_that_is_not_acknowledged_is_tried_until_it_is(
    terminal: EmulatorProcess, relay: tuple[int, int]
) -> None:
    second = ("127.0.0.1", relay[1])
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        terminal.fault("1:ignore;on=DM;for=4")
    wait_until(lambda: (ask_relay(second, "hello") or "").endswith("client=0 moving=1 stopped=0"))
    assert wheels(terminal) == (100, 100)
    wait_until(lambda: (ask_relay(second, "hello") or "").endswith("client=0 moving=0 stopped=0"))
    assert wheels(terminal) == (0, 0)


def test_a_kh4server_that_dies_is_started_again_which_idles_the_motors(tmp_path: Path, python: str) -> None:
    relay = OwnServer(tmp_path, python)
    with relay as (port, second), closing(Client(port)) as client:
        assert client.ask("D,100,100") == "d"
        os.kill(relay.child, signal.SIGKILL)
        wait_until(lambda: relay.turning() == ("0,0", 2), timeout=10)
        assert client.lines.readline() == b"", "the client is dropped: the robot was stopped"
        with closing(Client(port)) as again:
            wait_until(lambda: (ask_relay(("127.0.0.1", second), "hello") or "").endswith("moving=0 stopped=0"))
            assert again.ask("D,50,50") == "d"


def test_a_kh4server_that_does_not_stop_the_motors_is_started_again(tmp_path: Path, python: str) -> None:
    relay = OwnServer(tmp_path, python)
    with relay as (port, second), closing(Client(port)) as client:
        assert client.ask("D,100,100") == "d"
        relay.deaf.touch()
        client.close()
        wait_until(lambda: relay.turning() == ("0,0", 2), timeout=15)
        wait_until(lambda: (ask_relay(("127.0.0.1", second), "hello") or "").endswith("moving=0 stopped=0"))


def test_the_relay_outlives_the_terminal_that_reads_its_messages(tmp_path: Path, python: str) -> None:
    relay = OwnServer(tmp_path, python)
    port, _ = relay.__enter__()
    assert relay.process.stderr is not None
    relay.process.stderr.close()
    for _ in range(2):
        with closing(Client(port)) as client:
            assert client.ask("D,100,100") == "d"
        wait_until(lambda: relay.turning() == ("0,0", 1))
    child = relay.child
    relay.process.terminate()
    assert relay.process.wait(20) == 0
    assert not Path(f"/proc/{child}").exists(), "kh4server would spin on a dead terminal"


def test_a_relay_in_the_background_has_a_session_of_its_own_and_a_log(tmp_path: Path, python: str) -> None:
    log, program = tmp_path / "relay.log", tmp_path / "kh4server"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {CHILD} {tmp_path / "motors"} "$1"\n')
    program.chmod(0o755)
    started = subprocess.run(
        [python, RELAY, "--server", program, "--daemon", log, "--address", "127.0.0.1",
         "--port", "0", "--stop-port", "0"],
        capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    assert started.returncode == 0
    wait_until(lambda: log.exists() and "ready" in log.read_text())
    words = log.read_text().splitlines()[0].split()
    process, second = int(words[2]), int(words[-1])
    try:
        assert os.getsid(process) not in (os.getsid(0), process)
        os.kill(process, signal.SIGHUP)
        assert ask_relay(("127.0.0.1", second), "hello") == "kh4relay 2 client=0 moving=0 stopped=0"
    finally:
        os.kill(process, signal.SIGTERM)
    wait_until(lambda: not Path(f"/proc/{process}").exists())


def test_a_port_that_is_taken_is_told_at_the_terminal(terminal: EmulatorProcess, python: str) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [python, RELAY, "--device", "/dev/null", "--address", "127.0.0.1", "--port", port],
            capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(f"kh4relay: cannot listen on port {port}: Address already in use; does a relay run")


def test_a_clock_that_is_set_does_not_change_the_dead_mans_time(python: str) -> None:
    code = "import sys, time; sys.path.insert(0, sys.argv[1]); time.time = None; import kh4relay; kh4relay.monotonic()"
    subprocess.run([python, "-B", "-c", code, RELAY.parent], check=True, timeout=20)


@pytest.mark.parametrize("resume", ["true", "false"])
def test_a_relay_that_was_told_to_stop_ends_the_driving_for_good(
    terminal: EmulatorProcess, tmp_path: Path, resume: str
) -> None:
    script = tmp_path / "script.bzz"
    script.write_text(FORWARD)
    with RelayProcess(device_of(terminal)) as (port, second):
        fleet = write_fleet(
            tmp_path, {1: f"tcp://127.0.0.1:{port}"}, terminal.starts, f"safety: {{resume: {resume}}}",
            relay=f'"tcp://127.0.0.1:{second}"',
        )  # fmt: skip
        begin = time.monotonic()
        assert ask_relay(("127.0.0.1", second), "stop") == "stopped"
        process = start("deploy", script, "--fleet", fleet, "--seconds", 60)
        wait_until_driving(terminal, process, begin=begin)
        assert ask_relay(("127.0.0.1", second), "stop") == "stopped"
        stopped = time.monotonic()
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 3, errors
        assert "the relay on the robot was told to stop" in errors
        assert not driving(since(terminal, stopped), 1)
        assert wheels(terminal) == (0, 0)


@pytest.mark.parametrize("data", [b"x" * 1_000_000, b"\n" * 1000, b"STOPSTOP\n", bytes(range(256)) * 20])
def test_rubbish_on_the_second_port_neither_stops_nor_keeps_anything(
    terminal: EmulatorProcess, relay: tuple[int, int], data: bytes
) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        with closing(socket.create_connection(("127.0.0.1", relay[1]), timeout=5)) as stranger, suppress(OSError):
            stranger.sendall(data)
            assert stranger.recv(10) == b""
        assert client.ask("R").startswith("r,")
        assert wheels(terminal) == (100, 100)


def test_many_who_say_nothing_on_the_second_port_do_not_keep_others_away(relay: tuple[int, int]) -> None:
    silent = [socket.create_connection(("127.0.0.1", relay[1]), timeout=5) for _ in range(40)]
    assert ask_relay(("127.0.0.1", relay[1]), "hello") is not None
    assert silent[0].recv(10) == b"", "the oldest are sent away"
    for connection in silent:
        connection.close()


def test_nobody_there_is_no_relay(relay: tuple[int, int]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    assert ask_relay(("127.0.0.1", port), "hello") is None


def test_a_relay_that_is_ended_stops_the_robot(terminal: EmulatorProcess) -> None:
    process = RelayProcess(terminal.urls[1].removeprefix("serial://").split("?")[0])
    with process as ports, closing(Client(ports[0])) as client:
        client.ask("D,100,100")
        os.kill(process.process.pid, signal.SIGTERM)
        process.process.wait(10)
        assert wheels(terminal) == (0, 0)


def test_it_needs_nothing_but_the_standard_library_and_no_new_python() -> None:
    tree = ast.parse(RELAY.read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= sys.stdlib_module_names
    assert not [node for node in ast.walk(tree) if isinstance(node, (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign))]


def test_the_shell_recipe_stops_a_silent_client_and_one_that_is_gone(
    terminal: EmulatorProcess, lateness: Lateness
) -> None:
    device = terminal.urls[1].removeprefix("serial://").split("?")[0]
    subprocess.run(["stty", "-F", device, "raw", "-echo"], check=True)
    process = subprocess.Popen(
        ["bash", RELAY.with_suffix(".sh"), device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for ends in (lambda: None, process.stdin.close):
        wait_until(lambda: _turns(terminal, process.stdin), timeout=20)
        silent = time.monotonic()
        ends()
        assert time_to_stop(terminal, silent) < lateness.allows(DEAD_MAN_S, silent, terminal)
    process.wait(10)
    process.stdout.close()


def _turns(terminal: EmulatorProcess, line: IO[bytes]) -> bool:
    """An order may be thrown away while another one is answered: repeat it."""
    line.write(b"D,100,100\n")
    time.sleep(0.1)
    return wheels(terminal) == (100, 100)
