"""`pybuzz view` in a process of its own, for tests that talk to it as browsers and attackers do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

WAIT_S = 180.0


class ViewProcess:
    """A server on a free port. Leaving it ends it as Ctrl-C does."""

    def __init__(self, target: Path, *arguments: str, command: tuple[str, ...] = ("view", "--no-browser")) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pybuzz", *command, str(target), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={name: value for name, value in os.environ.items() if "DISPLAY" not in name},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.address = urlsplit(self.url).netloc
        self.port = int(self.address.rpartition(":")[2])

    def page(self) -> PageSocket:
        """A page that has said hello."""
        page = PageSocket(self.socket().__enter__())
        page.say("hello", version=1)
        return page

    def socket(self) -> ClientConnection:
        url = self.url.replace("http", "ws") + "socket"
        return connect(url, origin=f"http://{self.address}", max_size=None, compression=None)  # type: ignore[arg-type]

    def children(self) -> list[int]:
        """Processes that it started and that have not ended."""
        found = []
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, parent = entry.read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if int(parent) == self.process.pid and state != "Z":
                found.append(int(entry.parent.name))
        return found

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Its exit code and what it said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, errors

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class PageSocket:
    """The socket of a page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of that type with these fields."""
        wanted = {"type": kind, **fields}.items()
        end = monotonic() + WAIT_S
        while monotonic() < end:
            message = self.socket.recv(timeout=WAIT_S)
            if isinstance(message, str) and wanted <= (found := json.loads(message)).items():
                return dict(found)
        raise TimeoutError(f"no {kind}")

    def until_tick(self, tick: int) -> None:
        """A frame of this tick or a later one."""
        end = monotonic() + WAIT_S
        while monotonic() < end:
            message = self.socket.recv(timeout=WAIT_S)
            if isinstance(message, bytes) and int.from_bytes(message[:4], "little") >= tick:
                return
        raise TimeoutError(f"no frame of tick {tick}")

    def until_frame(self, tick: int) -> bytes:
        end = monotonic() + WAIT_S
        while monotonic() < end:
            message = self.socket.recv(timeout=WAIT_S)
            if isinstance(message, bytes) and message[:4] == tick.to_bytes(4, "little"):
                return message
        raise TimeoutError(f"no frame of tick {tick}")


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"
