"""Where clients reach a robot: a TCP port, or a pseudo terminal behind a link in the file system.

Both are Wires of the robot's Line. One client at a time: a second TCP client waits until the first is gone.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
import sys
from pathlib import Path
from typing import Protocol

from pybuzz.emulator.journal import Journal
from pybuzz.emulator.line import Wire
from pybuzz.errors import Diagnostic, LinkError, Place

__all__ = ["Listener", "PseudoTerminal", "TcpPort"]

_LOOK_S = 0.02


class Listener(Protocol):
    """What sits on a wire: a robot's line, or its laser."""

    @property
    def robot(self) -> int:
        """Its number in the log."""

    def connected(self, wire: Wire, peer: str) -> None:
        """A client is there."""

    def received(self, data: bytes) -> None:
        """It has sent something."""

    def disconnected(self, reason: str) -> None:
        """It is gone."""


class TcpPort:
    """A listening port. `open` it; port 0 takes a free one."""

    def __init__(self, listener: Listener, journal: Journal, host: str, port: int) -> None:
        self._listener = listener
        self._journal = journal
        self._host = host
        self.port = port
        self._server: asyncio.Server | None = None
        self._queue: list[_Client] = []

    async def open(self) -> None:
        """Listen. Raises LinkError if the port cannot be had."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: _Client(self), self._host, self.port)
        except OSError as error:
            raise LinkError(
                Diagnostic(
                    Place(f"{self._host}:{self.port}"), "error", f"cannot listen there: {error.strerror}",
                    hint="choose another --port",
                )
            ) from None  # fmt: skip
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"tcp://{self._host}:{self.port}"

    def close(self) -> None:
        """End it and all its connections."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for client in tuple(self._queue):
            client.transport.close()

    # -- as a wire -------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        self._queue[0].transport.write(data)

    def break_off(self, down_s: float, *, reset: bool) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for client in tuple(self._queue):
            client.end(reset)
        loop = asyncio.get_running_loop()
        loop.call_later(down_s, lambda: loop.create_task(self.open()))

    # -- clients ---------------------------------------------------------------------------------------------------

    def came(self, client: _Client) -> None:
        self._queue.append(client)
        if len(self._queue) == 1:
            self._listener.connected(self, client.peer)
        else:
            client.transport.pause_reading()
            self._journal.write(self._listener.robot, "waiting", peer=client.peer)

    def said(self, data: bytes) -> None:
        self._listener.received(data)

    def went(self, client: _Client, reason: str) -> None:
        was_served = client is self._queue[0]
        self._queue.remove(client)
        if was_served:
            self._listener.disconnected(reason)
            if self._queue:
                self._listener.connected(self, self._queue[0].peer)
                self._queue[0].transport.resume_reading()


class _Client(asyncio.Protocol):
    """One TCP connection."""

    transport: asyncio.Transport

    def __init__(self, port: TcpPort) -> None:
        self._port = port
        self._ended_here = False
        self.peer = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.peer = "{}:{}".format(*transport.get_extra_info("peername")[:2])
        self._port.came(self)

    def data_received(self, data: bytes) -> None:
        self._port.said(data)

    def connection_lost(self, error: Exception | None) -> None:
        reason = "closed by the emulator" if self._ended_here else "reset" if error else "closed by the client"
        self._port.went(self, reason)

    def end(self, reset: bool) -> None:
        """Close; reset: the client's next read fails."""
        self._ended_here = True
        if reset:
            connection = self.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        else:
            self.transport.close()


class PseudoTerminal:
    """A raw terminal that `path` links to. A client is there while somebody has it open."""

    def __init__(self, listener: Listener, path: Path) -> None:
        self._listener = listener
        self.path = path
        self._master = -1
        self._is_open = False
        self._looking: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Make the terminal and its link. Raises LinkError where the system has no terminals of that kind."""
        if sys.platform == "win32":
            raise LinkError(
                Diagnostic(Place(str(self.path)), "error", "Windows has no pseudo terminals", hint="use TCP: --port")
            )
        import pty
        import tty

        self._master, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(name)
        self._look()

    @property
    def url(self) -> str:
        return f"serial://{self.path}"

    def close(self) -> None:
        """Hang up and take the link away."""
        if self._looking is not None:
            self._looking.cancel()
        if self._master >= 0:
            self._lost("closed by the emulator")
            os.close(self._master)
            self._master = -1
            self.path.unlink(missing_ok=True)

    # -- as a wire -------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:
            # Nobody reads: a real serial line would lose it too.
            return
        except OSError:
            self._lost("hung up")

    def break_off(self, down_s: float, *, reset: bool) -> None:
        self.close()
        loop = asyncio.get_running_loop()
        loop.call_later(down_s, lambda: loop.create_task(self.open()))

    # -- the client ------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """A master end reports a hang-up for as long as nobody has the other end open."""
        loop = asyncio.get_running_loop()
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        hung_up = any(events & select.POLLHUP for _, events in poll.poll(0))
        if hung_up:
            self._looking = loop.call_later(_LOOK_S, self._look)
        else:
            self._is_open = True
            self._listener.connected(self, str(self.path))
            loop.add_reader(self._master, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return
        except OSError:
            self._lost("hung up")
            self._look()
            return
        self._listener.received(data)

    def _lost(self, reason: str) -> None:
        if self._is_open:
            self._is_open = False
            asyncio.get_running_loop().remove_reader(self._master)
            self._listener.disconnected(reason)
