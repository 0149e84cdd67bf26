"""One open page: what waits to be sent to it. A page that reads slowly gets fewer frames and states, never old ones."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from pybuzz.workbench.pipe import pack

__all__ = ["FRAME_INTERVAL_S", "Run", "Viewer", "as_text"]

FRAME_INTERVAL_S = 1 / 30

_MOST_WAITING = 32_000_000
"""Bytes that wait for a page before it is given up: it reconnects and gets what is there then."""


class Socket(Protocol):
    async def send_text(self, data: str) -> None: ...

    async def send_bytes(self, data: bytes) -> None: ...


class Viewer:
    """What one page looks at, and its outbox.

    shown: the tick of the past that it shows; None: the newest. selected: its robot. revision: of the scene it knows.
    """

    def __init__(self) -> None:
        self.shown: int | None = None
        self.selected: str | None = None
        self.layers: frozenset[str] = frozenset()
        self.revision: int | None = None
        self.greeted = False
        self._texts: list[str] = []
        self._waiting = 0
        self._sending = False
        self._newest: dict[str, str] = {}
        self._frame: bytes | None = None
        self._wake = asyncio.Event()
        self.overrun = asyncio.Event()
        """Set when it does not read what it is sent."""

    def tell(self, text: str) -> None:
        """A message that must arrive, in order with others like it."""
        self._waiting += len(text)
        if self._waiting > _MOST_WAITING:
            self._texts.clear()
            self.overrun.set()
        self._texts.append(text)
        self._wake.set()

    def tell_newest(self, kind: str, text: str) -> None:
        """A message in whose place a newer one of its kind may arrive."""
        self._newest[kind] = text
        self._wake.set()

    def show(self, frame: bytes) -> None:
        """A frame in whose place a newer one may arrive."""
        self._frame = frame
        self._wake.set()

    def forget_pending(self, *kinds: str) -> None:
        """Messages of these kinds and the frame that were not sent yet are out of date."""
        self._frame = None
        for kind in kinds:
            self._newest.pop(kind, None)

    async def sent(self) -> None:
        """Wait, not for long, until everything was handed to the socket."""
        for _ in range(100):
            if not self._texts and not self._sending:
                return
            await asyncio.sleep(0.01)

    async def send_all(self, socket: Socket) -> None:
        """Send what comes, until cancelled or the socket is gone."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            texts, self._texts, self._waiting = self._texts, [], 0
            self._sending = True
            newest, self._newest = self._newest, {}
            frame, self._frame = self._frame, None
            for text in (*texts, *newest.values()):
                await socket.send_text(text)
            self._sending = False
            if frame is not None:
                await socket.send_bytes(frame)
                if self.shown is None:
                    await asyncio.sleep(FRAME_INTERVAL_S)


class Run(Protocol):
    """What pages look at: a live experiment or a recording."""

    def greet(self, viewer: Viewer) -> None:
        """A page came: tell it all there is to know."""

    def leave(self, viewer: Viewer) -> None:
        """A page went."""

    def handle(self, viewer: Viewer, request: dict[str, Any]) -> None:
        """What a page said, its `hello`, and what needs no run (`check`), excepted. Raises RequestError."""

    def floor(self) -> bytes | None:
        """The floor from above as PNG; None: there is none."""

    def frame(self, tick: int) -> bytes | None:
        """The frame of a tick; None if there is none."""


def as_text(type: str, **fields: Any) -> str:
    """A message of the server."""
    return pack({"type": type, **fields}).decode()
