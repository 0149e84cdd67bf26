"""The stage as the server holds it: a process of its own, and threads that read and write its pipe.

The server's event loop never waits for the stage: one that hangs does not read its pipe either.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Semaphore, Thread

from pybuzz.workbench.options import StageOptions

__all__ = ["Serve", "StageProcess", "run_stage"]

Serve = Callable[[Connection, StageOptions], None]

_MOST_UNREAD = 1000
"""Messages that wait for the event loop, or for the stage."""


class StageProcess:
    """A running stage. Within an event loop, `receive` gets its messages in order, and None when it has ended."""

    def __init__(self, options: StageOptions, receive: Callable[[bytes | None], None], serve: Serve) -> None:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other, options), name="pybuzz stage")
        self._process.start()
        other.close()
        self._loop = asyncio.get_running_loop()
        self._receive: Callable[[bytes | None], None] | None = receive
        self._room = Semaphore(_MOST_UNREAD)
        self._orders: queue.Queue[bytes | None] = queue.Queue(_MOST_UNREAD)
        for work in (self._read, self._write):
            Thread(target=work, name=f"stage {work.__name__}", daemon=True).start()

    @property
    def process_id(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def tell(self, message: bytes) -> bool:
        """Send it a message, soon. False if it has not read very many earlier ones."""
        try:
            self._orders.put_nowait(message)
        except queue.Full:
            return False
        return True

    def kill(self) -> None:
        """End it at once, whatever it does; nothing more is received."""
        self._receive = None
        self._process.kill()
        self._room.release()

    async def close(self, seconds: float) -> bool:
        """Let it complete its recording and end; kill it if that takes too long. Whether it ended by itself."""
        self._receive = None
        with suppress(queue.Full):
            self._orders.put_nowait(None)
        ended = await asyncio.to_thread(self._join, seconds)
        self.kill()
        await asyncio.to_thread(self._join, 5.0)
        return ended

    def _join(self, seconds: float) -> bool:
        self._process.join(seconds)
        return self._process.exitcode is not None

    def _read(self) -> None:
        message: bytes | None = b""
        while message is not None:
            try:
                message = self._connection.recv_bytes()
            except (EOFError, OSError):
                message = None
            self._room.acquire()
            try:
                self._loop.call_soon_threadsafe(self._hand_over, message)
            except RuntimeError:
                return  # the event loop is closed: the server ends
        with suppress(queue.Full):
            self._orders.put_nowait(None)

    def _hand_over(self, message: bytes | None) -> None:
        self._room.release()
        if self._receive is not None:
            self._receive(message)

    def _write(self) -> None:
        with suppress(OSError):
            while (message := self._orders.get()) is not None:
                self._connection.send_bytes(message)
        with suppress(OSError):
            _close_writing(self._connection)


def _close_writing(connection: Connection) -> None:
    """Tell the other side that no more comes, while this one still reads what that one has to say."""
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_WR)


def run_stage(connection: Connection, options: StageOptions) -> None:
    """What the process does. Ctrl-C goes to the server, which ends the stage by closing the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from pybuzz.workbench.stage import serve

    serve(connection, options)
