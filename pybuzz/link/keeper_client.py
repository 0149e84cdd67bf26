"""The other end of the keeper: starts its process, tells it what to do, hears what happens."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pybuzz
from pybuzz.errors import Diagnostic, LinkError, Place
from pybuzz.link.messages import STOP_SIGNALS, Message, read_messages, write_message

__all__ = ["KeeperClient"]

_GONE: Final[Message] = {"kind": "gone"}
_END_S: Final = 20.0
"""A keeper that lives ends long before, whatever its lines do; of one that is gone it is known at once."""


class KeeperClient:
    """A running keeper for one fleet file. Use as a context: at its end the robots stand and the process is gone."""

    def __init__(self, fleet_file: Path) -> None:
        self.ended: Message | None = None
        """The keeper's last word: why it ended and what became of each robot."""
        self._is_gone = False
        with _signals_held():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pybuzz.link.keeper"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(),
                # In a session of its own: keys at the terminal reach only this process, which tells the keeper.
                start_new_session=True,
            )
        self._inbox: queue.Queue[Message] = queue.Queue()
        threading.Thread(target=self._read, name="inbox", daemon=True).start()
        text = fleet_file.read_bytes().decode("utf-8-sig")
        self.send("fleet", text=text, file=str(fleet_file), folder=str(fleet_file.parent))

    def __enter__(self) -> KeeperClient:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop("the end")

    def send(self, kind: str, **content: Any) -> None:
        """Nothing happens if the keeper is gone: `receive` says so."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            write_message(self._process.stdin, kind, **content)

    def receive(self, timeout_s: float) -> Message | None:
        """The next message, or None after the time-out. Raises LinkError if the keeper is gone without a word."""
        try:
            message = self._inbox.get(timeout=timeout_s) if timeout_s > 0.0 else self._inbox.get_nowait()
        except queue.Empty:
            return None
        if message["kind"] == "ended":
            self.ended = message
        if message["kind"] == "gone":
            self._is_gone = True
        if message["kind"] == "gone" and self.ended is None:
            text = "the process that holds the links is gone"
            hint = "stop the robots now: pybuzz stop --fleet FLEET.yaml, or by their relays or switches"
            raise LinkError(Diagnostic(Place("deploy"), "link", text, hint=hint))
        if message["kind"] == "failed":
            raise LinkError(
                Diagnostic(Place(one["file"], one["line"]), one["kind"], one["text"], hint=one["hint"])
                for one in message["diagnostics"]
            )
        return message

    def wait_for(self, kind: str, timeout_s: float, other: Callable[[Message], None]) -> Message | None:
        """The next message of this kind; None if it does not come in time or the keeper has ended."""
        end = time.monotonic() + timeout_s
        while (left := end - time.monotonic()) > 0.0:
            message = self.receive(left)
            if message is None or message["kind"] == kind:
                return message
            other(message)
            if message["kind"] == "ended":
                return None
        return None

    def stop(self, reason: str, other: Callable[[Message], None] = lambda message: None) -> Message | None:
        """Stop all robots; the keeper's report, None if it hangs or is gone."""
        if self.ended is None and not self._is_gone:
            self.send("stop", reason=reason)
            with suppress(LinkError):
                self.wait_for("ended", _END_S, other)
        self._finish()
        return self.ended

    def _finish(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.close()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            for message in read_messages(self._process.stdout):
                self._inbox.put(message)
        self._inbox.put(_GONE)


@contextmanager
def _signals_held() -> Iterator[None]:
    """A process that is started now gets its signals only when it asks for them: the keeper, when it can obey."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _environment() -> dict[str, str]:
    """The same package as here, wherever this process found it."""
    package = str(Path(pybuzz.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([package, *([known] if known else [])])}
