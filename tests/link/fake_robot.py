"""A robot for tests of the line alone: answers each request with whatever a test wants, and logs what it was told."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

GOOD_REPLIES = {
    "B": b"b,B,5\r\n",
    "N": b"n" + b",110" * 12 + b"\r\n",
    "O": b"o" + b",500" * 12 + b"\r\n",
    "R": b"r,0,0\r\n",
    "G": b"g,1000,1000,1000,1000,1000\r\n",
    "V": b"v,80\r\n",
}


def good_reply(line: str) -> bytes:
    """What a healthy robot that stands still says."""
    if line == "V,0":
        return b"v,7800\r\n"
    return GOOD_REPLIES.get(line[:1], line[:1].lower().encode() + b"\r\n")


@dataclass
class FakeRobot:
    """Serves one client after the other on a TCP port of its own until `close`."""

    answer: Callable[[str], bytes] = good_reply
    delay_s: float = 0.001
    log: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._closing = False
        self.url = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def lines(self) -> list[str]:
        return [line for _, line in self.log]

    def drop(self) -> None:
        """Cut the connection that is there."""
        if self._client is not None:
            with suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it, and its thread with it."""
        self._closing = True
        self.drop()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._listener.getsockname()[1])):
            # Only to wake the thread: it may wait for a client.
            self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while not self._closing:
            self._client, _ = self._listener.accept()
            with self._client, suppress(OSError):
                if not self._closing:
                    self._talk(self._client)

    def _talk(self, client: socket.socket) -> None:
        pending = b""
        while data := client.recv(4096):
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                self.log.append((time.monotonic(), line.decode("latin-1")))
                time.sleep(self.delay_s)
                client.sendall(self.answer(line.decode("latin-1")))
