"""Messages between the process that runs scripts and the one that holds the links: one JSON object a line.

To the keeper: fleet, prepare, start, step, stop_robot, stop. From it: probed, prepared, tick, event, ended, failed.
"""

from __future__ import annotations

import json
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, Final

__all__ = ["STOP_SIGNALS", "Message", "Outbox", "read_messages", "write_message"]

Message = dict[str, Any]

STOP_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP") if hasattr(signal, name)
)
"""They end a run, in both processes: with standing robots. Ctrl-Z too: a suspended process cannot stop a robot."""

_MOST_WAITING: Final = 50


def write_message(stream: IO[bytes], kind: str, **content: Any) -> None:
    """Raises OSError or ValueError if nobody reads any more."""
    stream.write(json.dumps({"kind": kind, **content}, separators=(",", ":")).encode() + b"\n")
    stream.flush()


def read_messages(stream: IO[bytes]) -> Iterator[Message]:
    """Until the other end is gone; what is no message is skipped."""
    for line in stream:
        with suppress(ValueError):
            message = json.loads(line)
            if isinstance(message, dict) and isinstance(message.get("kind"), str):
                yield message


class Outbox:
    """Writes in a thread of its own: who sends never waits for a reader that hangs, and old ticks are dropped then."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._waiting: queue.Queue[tuple[str, Message] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._write, name="outbox", daemon=True)
        self._thread.start()

    def send(self, kind: str, **content: Any) -> None:
        if kind != "tick" or self._waiting.qsize() < _MOST_WAITING:
            self._waiting.put((kind, content))

    def close(self, timeout_s: float) -> None:
        """Write what waits, for so long at most."""
        self._waiting.put(None)
        self._thread.join(timeout_s)

    def _write(self) -> None:
        with suppress(OSError, ValueError):
            while (message := self._waiting.get()) is not None:
                kind, content = message
                write_message(self._stream, kind, **content)
