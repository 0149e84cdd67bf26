"""Pages without a browser, for tests of what they are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pybuzz.workbench.viewers import Run, Viewer


class Page:
    """A page that keeps what it is sent."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.viewer = Viewer()
        self.got: asyncio.Queue[Any] = asyncio.Queue()
        self.aside: list[Any] = []
        """What came and was not asked for yet."""
        self._sending = asyncio.create_task(self.viewer.send_all(self))
        run.greet(self.viewer)

    async def send_text(self, data: str) -> None:
        self.got.put_nowait(json.loads(data))

    async def send_bytes(self, data: bytes) -> None:
        self.got.put_nowait(data)

    def say(self, kind: str, **fields: Any) -> None:
        self._run.handle(self.viewer, {"type": kind, **fields})

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The first message of that type with these fields that was not asked for before."""
        wanted = {"type": kind, **fields}.items()
        found: dict[str, Any] = await self._first(lambda one: isinstance(one, dict) and wanted <= one.items())
        return found

    async def until_frame(self, tick: int) -> bytes:
        mark = tick.to_bytes(4, "little")
        found: bytes = await self._first(lambda one: isinstance(one, bytes) and one[:4] == mark)
        return found

    async def _first(self, is_it: Callable[[Any], bool]) -> Any:
        for index, message in enumerate(self.aside):
            if is_it(message):
                return self.aside.pop(index)
        while not is_it(message := await asyncio.wait_for(self.got.get(), 120)):
            self.aside.append(message)
        return message

    def leave(self) -> None:
        self._sending.cancel()
        self._run.leave(self.viewer)


def in_a_loop(test: Callable[..., Any]) -> Callable[..., None]:
    """A test that is a coroutine without arguments, run."""

    def run() -> None:
        asyncio.run(test())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run
