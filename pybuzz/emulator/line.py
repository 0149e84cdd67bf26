"""One robot's line as its program sees it: bytes in, replies out, with the faults that act on them.

The program reads a line, works, throws away everything that has arrived meanwhile, and replies (kh4server's `tcflush`).
A line ends with LF; a longer one than 82 characters is cut, as a terminal does it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final, Protocol

from pybuzz.emulator.faults import Fault, Faults
from pybuzz.emulator.journal import Journal
from pybuzz.emulator.replies import Piece, shaped
from pybuzz.emulator.server import REFUSED, Kh4Server

__all__ = ["SPEEDS", "Line", "LineSpeed", "Wire"]

LONGEST_LINE: Final = 82
_LONGEST_REPLY: Final = 127
_LOGIN: Final = b"\r\nPoky (Yocto Project Reference Distro) 1.8 khepera4_1000 /dev/ttyO2\r\n\r\nkhepera4_1000 login: "


@dataclass(frozen=True, slots=True)
class LineSpeed:
    """How long a reply is on its way: s between least and most, and for a share of them the outlier; s per byte."""

    least: float = 0.0
    most: float = 0.0
    outliers: float = 0.0
    outlier: float = 0.0
    per_byte: float = 0.0

    def delay(self, random: Random, size: int) -> float:
        """For an exchange of so many bytes."""
        delay = self.outlier if random.random() < self.outliers else random.uniform(self.least, self.most)
        return delay + self.per_byte * size


SPEEDS: Final = {
    "loopback": LineSpeed(),
    "serial": LineSpeed(0.002, 0.005, per_byte=86.8e-6),
    "wifi": LineSpeed(0.003, 0.010, 0.005, 0.12),
    "bluetooth": LineSpeed(0.015, 0.050, 0.01, 0.25, 86.8e-6),
}
"""By kind of link: 115200 baud takes 86.8 us per byte; round trips are estimates."""


class Wire(Protocol):
    """What carries bytes to the client, while one is there."""

    def write(self, data: bytes) -> None:
        """Towards the client."""

    def break_off(self, down_s: float, *, reset: bool) -> None:
        """End the connection, and take none for so long. reset: without a farewell."""


class Line:
    """robot: its number in the log. Times are those of the running asyncio loop."""

    def __init__(
        self, robot: int, server: Kh4Server, faults: Faults, journal: Journal, speed: LineSpeed, random: Random
    ) -> None:
        self.robot = robot
        self.faults = faults
        self._server = server
        self._journal = journal
        self._speed = speed
        self._random = random
        self._wire: Wire | None = None
        self._input = bytearray()
        self._is_busy = False
        self._is_dead = False
        self._free_at = 0.0
        self._connection = 0

    # -- the connection --------------------------------------------------------------------------------------------

    @property
    def is_connected(self) -> bool:
        return self._wire is not None

    def connected(self, wire: Wire, peer: str) -> None:
        """A client is there."""
        self._wire = wire
        self._connection += 1
        self._free_at = 0.0
        self._input.clear()
        self._journal.write(self.robot, "connected", peer=peer)
        if "login" in self._states():
            self._say(_LOGIN)

    def disconnected(self, reason: str) -> None:
        """The client is gone. The motors go on."""
        motors = self._server.hardware.motors
        left, right = motors.orders
        self._wire = None
        self._connection += 1
        self._input.clear()
        self._journal.write(
            self.robot, "disconnected", reason=reason, mode=int(motors.mode), left=left, right=right,
            speeds=list(motors.measured_speeds),
        )  # fmt: skip

    def break_off(self, down_s: float, *, reset: bool = False) -> None:
        """The connection fails, and the port with it for a time."""
        if self._wire is not None:
            self._wire.break_off(down_s, reset=reset)

    # -- requests --------------------------------------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Bytes from the client."""
        self._input += data
        while not self._is_busy and (line := self._next_line()) is not None:
            if line:
                self._journal.write(self.robot, "received", line=line.decode("latin-1"))
                self._take(line)

    def _next_line(self) -> bytes | None:
        end = self._input.find(b"\n")
        if end > LONGEST_LINE or (end < 0 and len(self._input) > LONGEST_LINE):
            self._journal.write(self.robot, "oddity", text=f"a line of more than {LONGEST_LINE} characters is cut")
            line, self._input = self._input[:LONGEST_LINE], self._input[LONGEST_LINE:]
            return bytes(line)
        if end < 0:
            return None
        line, self._input = self._input[:end], self._input[end + 1 :]
        return bytes(line).rstrip(b"\r")

    def _take(self, line: bytes) -> None:
        states = self._states()
        if self._is_dead or "silent" in states:
            return
        if "login" in states:
            self._say(line + b"\r\nPassword: \r\nLogin incorrect\r\nkhepera4_1000 login: ")
        elif "garbage" in states:
            self._say(self._random.randbytes(self._random.randint(1, 40)) + b"\r\n")
        else:
            self._carry_out(line, states)

    def _carry_out(self, line: bytes, states: dict[str, Fault]) -> None:
        acting = self.faults.on_request(chr(line[0]), self._now())
        for fault in acting.values():
            self._journal.write(self.robot, "fault", fault=fault.name, line=line.decode("latin-1"))
        if "ignore" in acting:
            return
        reply = REFUSED if "refuse" in acting else self._server.answer(line)
        if len(reply) > _LONGEST_REPLY and line[:1] in b"ST":
            self._journal.write(self.robot, "oddity", text=f"a reply of {len(reply)} bytes overflows the server's")
            self._is_dead = "overflow" in states
        if "mute" in acting or self._is_dead:
            return
        self._is_busy = True
        slow = acting["slow"].number if "slow" in acting else self._random.uniform(0.001, 0.003)
        connection = self._connection
        asyncio.get_running_loop().call_later(slow, lambda: self._reply(connection, line, reply, acting))

    def _reply(self, connection: int, line: bytes, reply: bytes, acting: dict[str, Fault]) -> None:
        self._is_busy = False
        if self._input:
            self._journal.write(self.robot, "flushed", line=self._input.decode("latin-1"))
            self._input.clear()
        if connection == self._connection:
            delay = self._speed.delay(self._random, len(line) + 1 + len(reply))
            self._transmit(delay, shaped(reply, acting, self._random))
            if "reset" in acting:
                down_s = acting["reset"].number
                self._on_this_connection(self._free_at + 0.001, lambda: self.break_off(down_s, reset=True))

    # -- replies ---------------------------------------------------------------------------------------------------

    def _say(self, data: bytes) -> None:
        self._transmit(0.0, [Piece(0.0, data)])

    def _transmit(self, delay: float, pieces: list[Piece]) -> None:
        """Pieces one after the other, each after its pause; those of an earlier reply come first."""
        at = max(self._now(), self._free_at) + delay
        whole = b"".join(piece.data for piece in pieces)
        text = whole.strip(b"\r\n").decode("latin-1")
        # A client may go on as soon as it has the first character of the line's end.
        needed, out = min(len(whole), len(whole.rstrip(b"\r\n")) + 1), 0
        for piece in pieces:
            at += piece.pause_s
            told = text if out < needed <= out + len(piece.data) else None
            out += len(piece.data)
            self._on_this_connection(at, partial(self._write, piece.data, told))
        # A little later, because the loop keeps no order among equal times.
        self._free_at = at + 1e-6

    def _on_this_connection(self, at: float, action: Callable[[], None]) -> None:
        connection = self._connection

        def act() -> None:
            if connection == self._connection:
                action()

        if at > self._now():
            asyncio.get_running_loop().call_at(at, act)
        else:
            act()

    def _write(self, data: bytes, told: str | None) -> None:
        """`told`: the whole reply, with the piece that completes it."""
        if self._wire is not None:
            if told is not None:
                self._journal.write(self.robot, "sent", line=told)
            self._wire.write(data)

    def _states(self) -> dict[str, Fault]:
        return self.faults.states(self._now())

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
