"""The local control socket of a running deployment: how `pybuzz stop` finds it and what it says.

The keeper listens on a port of this machine and writes the port, a secret and its robots into a file that only its user
can read; the file's name comes from the fleet file's path.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pybuzz.errors import Diagnostic, LinkError, Place
from pybuzz.link.addresses import parse_address
from pybuzz.link.fleet import FleetRobot

__all__ = ["ControlServer", "KnownDeployment", "ask_running_deployment", "known_deployments", "refuse_if_driven"]

_LONGEST_LINE: Final = 100_000
_ARE_YOU_THERE: Final = "are you there?"
_CLIENT_S: Final = 2.0
_LOOK_S: Final = 0.2
"""How long `close` may wait: closing a socket does not wake the thread that waits at it."""


def control_file(fleet_file: str | os.PathLike[str]) -> Path:
    """Where the deployment of this fleet says how to reach it."""
    digest = hashlib.sha256(os.fspath(Path(fleet_file).resolve()).encode()).hexdigest()[:16]
    return _folder() / f"{digest}.json"


def _folder() -> Path:
    return Path(tempfile.gettempdir()) / f"pybuzz-{getpass.getuser()}"


@dataclass(frozen=True, slots=True)
class KnownDeployment:
    """What a control file says: of a deployment that runs, or that was killed. fleet: its fleet file, resolved."""

    file: Path
    fleet: str
    robots: tuple[FleetRobot, ...]

    def ask(self, order: str, timeout_s: float) -> dict[str, Any] | None:
        """Its answer; None if it is gone or hangs."""
        return _ask(self.file, order, timeout_s)

    def forget(self) -> None:
        """Delete its control file: it has ended, and its robots stand."""
        with suppress(OSError):
            self.file.unlink()


def known_deployments() -> list[KnownDeployment]:
    """Those of this user on this computer, by their control files."""
    found = []
    for file in sorted(_folder().glob("*.json")):
        with suppress(OSError, ValueError, TypeError, KeyError):
            known = json.loads(file.read_text())
            found.append(KnownDeployment(file, str(known["fleet"]), tuple(map(_robot_from, known["robots"]))))
    return found


def _robot_from(data: dict[str, Any]) -> FleetRobot:
    relay = (str(data["relay"][0]), int(data["relay"][1])) if data["relay"] else None
    return FleetRobot(int(data["id"]), str(data["name"]), parse_address(str(data["link"])), relay=relay)


def _robot_data(robot: FleetRobot) -> dict[str, Any]:
    return {"id": robot.id, "name": robot.name, "link": robot.link.text, "relay": robot.relay}


class ControlServer:
    """Answers `{"secret", "order"}` with what `carry_out(order)` returns, each client in a thread of its own.

    robots: those that it drives. Raises LinkError if another deployment runs with this fleet file.
    """

    def __init__(
        self, fleet_file: str, carry_out: Callable[[str], dict[str, Any]], robots: Sequence[FleetRobot] = ()
    ) -> None:
        refuse_if_driven(fleet_file)
        self._carry_out = carry_out
        self._secret = secrets.token_hex(16)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._file = control_file(fleet_file)
        self._write_file(os.fspath(Path(fleet_file).resolve()), robots)
        self._listener.settimeout(_LOOK_S)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            # It may already be that of the next deployment.
            if self._secret in self._file.read_text():
                self._file.unlink()
        self._closing.set()
        self._thread.join()
        self._listener.close()

    def _write_file(self, fleet: str, robots: Iterable[FleetRobot]) -> None:
        """All of it at once, for this user's eyes only."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._file.with_suffix(f".{os.getpid()}")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        said = {
            "port": self._listener.getsockname()[1],
            "secret": self._secret,
            "process": os.getpid(),
            "fleet": fleet,
            "robots": [_robot_data(robot) for robot in robots],
        }
        with os.fdopen(descriptor, "w") as file:
            json.dump(said, file)
        new.replace(self._file)

    def _serve(self) -> None:
        while not self._closing.is_set():
            with suppress(OSError):
                client, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            client.settimeout(_CLIENT_S)
            order = self._order(_read_line(client))
            if order is not None:
                client.sendall(json.dumps(self._carry_out(order)).encode() + b"\n")

    def _order(self, line: bytes) -> str | None:
        """What a client that knows the secret asks for; None for anything else, however strange."""
        try:
            request = json.loads(line)
            is_known = secrets.compare_digest(str(request["secret"]).encode(), self._secret.encode())
            return str(request["order"]) if is_known else None
        except (ValueError, TypeError, KeyError, RecursionError):
            return None


def ask_running_deployment(fleet_file: str, order: str, timeout_s: float) -> dict[str, Any] | None:
    """The answer of the deployment that runs with this fleet file; None if there is none or it hangs."""
    return _ask(control_file(fleet_file), order, timeout_s)


def _ask(file: Path, order: str, timeout_s: float) -> dict[str, Any] | None:
    try:
        known = json.loads(file.read_text())
        with socket.create_connection(("127.0.0.1", known["port"]), timeout=0.5) as server:
            server.settimeout(timeout_s)
            server.sendall(json.dumps({"secret": known["secret"], "order": order}).encode() + b"\n")
            answer = json.loads(_read_line(server))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return answer if isinstance(answer, dict) else None


def refuse_if_driven(fleet_file: str) -> None:
    """Raises LinkError if a deployment runs with this fleet file: it holds the links, so the robots would seem dead."""
    if ask_running_deployment(fleet_file, _ARE_YOU_THERE, _CLIENT_S) is not None:
        hint = f"wait for its end, or stop its robots: pybuzz stop --fleet {fleet_file}"
        raise LinkError(Diagnostic(Place(fleet_file), "link", "another deployment drives this fleet", hint=hint))


def _read_line(connection: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
        data = connection.recv(4096)
        if not data:
            break
        line += data
    return line
