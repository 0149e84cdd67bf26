"""The relay on the robot, in front of an emulated kh4server on a terminal."""

from __future__ import annotations

import ast
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

import pytest
from rehearsals import ROOT, Lateness, since, time_to_stop, wait_until

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link.relay import ask_relay

RELAY = ROOT / "robots" / "relay" / "kh4relay.py"
DEAD_MAN_S = 0.7
"""0.5 s of silence and 0.2 s to notice and stop."""


@pytest.fixture
def relay(terminal: EmulatorProcess) -> Iterator[tuple[int, int]]:
    """The relay's two ports."""
    device = terminal.urls[1].removeprefix("serial://").split("?")[0]
    with RelayProcess(device) as ports:
        yield ports


class RelayProcess:
    def __init__(self, device: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, RELAY, "--device", device, "--address", "127.0.0.1", "--port", "0", "--stop-port", "0"],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> tuple[int, int]:
        assert self.process.stderr is not None
        words = self.process.stderr.readline().split()
        return int(words[-3]), int(words[-1])

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=10)


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


def test_stop_on_the_second_port_works_while_a_client_drives(terminal: EmulatorProcess, relay: tuple[int, int]) -> None:
    with closing(Client(relay[0])) as client:
        client.ask("D,100,100")
        assert ask_relay(("127.0.0.1", relay[1]), "STOP") == "stopped"
        assert wheels(terminal) == (0, 0)
        assert client.ask("B") == "", "the client is dropped: it must not drive on"


def test_the_relay_says_that_it_is_there(relay: tuple[int, int]) -> None:
    assert ask_relay(("127.0.0.1", relay[1]), "HELLO") == "kh4relay 1 client=0 moving=0"


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
    assert ask_relay(("127.0.0.1", relay[1]), "HELLO") is not None
    assert silent[0].recv(10) == b"", "the oldest are sent away"
    for connection in silent:
        connection.close()


def test_nobody_there_is_no_relay(relay: tuple[int, int]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    assert ask_relay(("127.0.0.1", port), "HELLO") is None


def test_a_relay_that_is_ended_stops_the_robot(terminal: EmulatorProcess) -> None:
    process = RelayProcess(terminal.urls[1].removeprefix("serial://").split("?")[0])
    with process as ports, closing(Client(ports[0])) as client:
        client.ask("D,100,100")
        os.kill(process.process.pid, signal.SIGTERM)
        process.process.wait(10)
        assert wheels(terminal) == (0, 0)


def test_it_starts_kh4server_itself_on_a_terminal(tmp_path: Path) -> None:
    server = tmp_path / "kh4server"
    server.write_text(
        f"#!{sys.executable}\nimport os, sys\nline = open(sys.argv[1], 'r+b', buffering=0)\n"
        "while True:\n    letter = line.readline()[:1]\n    line.write(letter.lower() + b'\\r\\n')\n"
    )
    server.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, RELAY, "--server", server, "--address", "127.0.0.1", "--port", "0", "--stop-port", "0"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    port = int(process.stderr.readline().split()[-3])
    with closing(Client(port)) as client:
        assert client.ask("D,0,0") == "d"
    process.terminate()
    process.communicate(timeout=10)


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
