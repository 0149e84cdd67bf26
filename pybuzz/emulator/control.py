"""The control port: what a test or a user changes while the robots run. One JSON object a line, each answered by one.

    {"do": "state"}                                                  the truth about all robots
    {"do": "fault", "fault": "2:late=1.5;count=1"}                   a fault from now on
    {"do": "clear", "robot": 2}                                      take its faults away; without robot: all
    {"do": "move", "robot": 2, "x": 0.5, "y": 0.0, "yaw": 0.0}       put it elsewhere; m, rad
    {"do": "step", "seconds": 0.1}                                   let time pass (stepped emulators only)
    {"do": "mark", "text": "..."}                                    a note in the log
    {"do": "end"}                                                    end the emulator

An answer is {"ok": true, ...} or {"ok": false, "error": text}.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pybuzz.emulator.faults import parse_fault
from pybuzz.errors import Diagnostic, InputError, LinkError, Place, PybuzzError
from pybuzz.spelling import did_you_mean

if TYPE_CHECKING:
    from pybuzz.emulator.emulator import Emulator

__all__ = ["ControlPort"]

Answer = dict[str, Any]


class ControlPort:
    """Any number of clients. `ended` is set when one of them asks for the end."""

    def __init__(self, emulator: Emulator, host: str, port: int) -> None:
        self._emulator = emulator
        self._host = host
        self.port = port
        self.ended = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen. Raises LinkError if the port cannot be had."""
        try:
            self._server = await asyncio.start_server(self._serve, self._host, self.port)
        except OSError as error:
            raise LinkError(
                Diagnostic(
                    Place(f"{self._host}:{self.port}"), "error", f"cannot listen there: {error.strerror}",
                    hint="choose another --control-port",
                )
            ) from None  # fmt: skip
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(json.dumps(self.answer(line.decode("utf-8", "replace"))).encode() + b"\n")
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()

    def answer(self, line: str) -> Answer:
        """Carry out one request; faulty ones are answered, never raised."""
        try:
            request = json.loads(line)
            action = _ACTIONS[request["do"]]
            return {"ok": True, **action(self, request)}
        except PybuzzError as error:
            return {"ok": False, "error": str(error)}
        except KeyError as missing:
            hint = did_you_mean(str(missing.args[0]), _ACTIONS) or f"requests are {', '.join(_ACTIONS)}"
            return {"ok": False, "error": f"{missing} is missing or unknown; {hint}"}
        except (ValueError, TypeError) as error:
            return {"ok": False, "error": f"not a request: {error}"}

    def _state(self, request: Mapping[str, Any]) -> Answer:
        return self._emulator.state()

    def _fault(self, request: Mapping[str, Any]) -> Answer:
        self._emulator.add_fault(parse_fault(str(request["fault"])))
        return {}

    def _clear(self, request: Mapping[str, Any]) -> Answer:
        self._emulator.clear_faults(request.get("robot"))
        return {}

    def _move(self, request: Mapping[str, Any]) -> Answer:
        number = request["robot"]
        self._emulator.move(number, *(float(request[name]) for name in ("x", "y", "yaw")))
        return {}

    def _step(self, request: Mapping[str, Any]) -> Answer:
        if not self._emulator.options.stepped:
            raise InputError.at("step", "this emulator runs in real time", hint="start it with --stepped")
        self._emulator.advance(float(request["seconds"]))
        return {"time": self._emulator.scene.time_s}

    def _mark(self, request: Mapping[str, Any]) -> Answer:
        self._emulator.journal.write(0, "mark", text=str(request["text"]))
        return {}

    def _end(self, request: Mapping[str, Any]) -> Answer:
        self.ended.set()
        return {}


_ACTIONS: Mapping[str, Callable[[ControlPort, Mapping[str, Any]], Answer]] = {
    "state": ControlPort._state, "fault": ControlPort._fault, "clear": ControlPort._clear,
    "move": ControlPort._move, "step": ControlPort._step, "mark": ControlPort._mark, "end": ControlPort._end,
}  # fmt: skip
