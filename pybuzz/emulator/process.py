"""An emulator in a process of its own, for tests and rehearsals that talk to it as to real robots."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pybuzz.emulator.journal import Entry, LogReader
from pybuzz.errors import Diagnostic, LinkError, Place

__all__ = ["EmulatorProcess"]

_START_S = 120.0
_ANSWER_S = 10.0
_END_S = 30.0


class EmulatorProcess:
    """`pybuzz emulate TARGET` on free ports. A context manager: leaving it ends the emulator.

    folder: where the log, and the terminals if asked for, go. arguments: further ones of the command.
    urls: of the robots by their numbers. Raises LinkError if it does not start.
    """

    def __init__(self, target: Path | str, folder: Path, *arguments: str, terminals: bool = False) -> None:
        self.log_path = folder / "emulator.jsonl"
        self._log = LogReader(self.log_path)
        where = ["--pty", str(folder / "tty")] if terminals else ["--port", "0"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pybuzz", "emulate", str(target), "--json", "--log", str(self.log_path),
             "--control-port", "0", *where, *arguments],
            stdout=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": "1"}, text=True,
        )  # fmt: skip
        self.process_id = self._process.pid
        ready = self._ready()
        self.urls: dict[int, str] = {robot["robot"]: robot["url"] for robot in ready["robots"]}
        self.lasers: dict[int, str] = {robot["robot"]: robot["laser"] for robot in ready["robots"] if robot["laser"]}
        self.starts: dict[int, Sequence[float]] = {robot["robot"]: robot["pose"] for robot in ready["robots"]}
        self._control = socket.create_connection(("127.0.0.1", ready["control"]), timeout=_ANSWER_S)
        self._answers = self._control.makefile("r")

    def _ready(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait(_START_S)
            raise LinkError(
                Diagnostic(Place("emulator"), "error", f"it ended with {code} before it was ready", hint="see stderr")
            )
        ready: dict[str, Any] = json.loads(line)
        return ready

    def ask(self, do: str, **details: Any) -> dict[str, Any]:
        """One request to the control port, see `pybuzz.emulator.control`. Raises LinkError if it is refused."""
        self._control.sendall(json.dumps({"do": do, **details}).encode() + b"\n")
        answer: dict[str, Any] = json.loads(self._answers.readline())
        if not answer["ok"]:
            raise LinkError(Diagnostic(Place("emulator"), "error", answer["error"]))
        return answer

    def fault(self, text: str) -> None:
        """A fault from now on, such as "2:late=1.5"; see `parse_fault`."""
        self.ask("fault", fault=text)

    def poses(self) -> dict[int, tuple[float, float, float]]:
        """Where the robots are: x, y in m, yaw in rad."""
        return {robot["robot"]: tuple(robot["pose"]) for robot in self.ask("state")["robots"]}

    def log(self) -> list[Entry]:
        """The log so far."""
        return self._log.read()

    def end(self) -> None:
        """Close the connections and wait for its end."""
        self._answers.close()
        self._control.close()
        self._process.terminate()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
