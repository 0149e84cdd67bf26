"""A live experiment as pages see it: a stage that runs it, and the reel of all its ticks so far."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.past import inspection_of, revision_of
from pybuzz.workbench.reel import Reel
from pybuzz.workbench.stage_process import Serve, StageProcess, run_stage
from pybuzz.workbench.viewers import Viewer, as_text

__all__ = ["LiveRun"]

LOG_LINES = 2000
"""Of the log, what a page that comes is told."""

_SILENCE_S = 3.0
_CLOSING_S = 30.0

Greeting = Callable[[dict[str, Any]], str]


class LiveRun:
    """Hands messages to and from the stage; answers by itself about the past.

    greeting: makes the `welcome` of pages from what the stage loaded. serve: what the stage's process does.
    Starts within a running event loop.
    """

    def __init__(self, options: StageOptions, greeting: Greeting, serve: Serve = run_stage) -> None:
        self._options = options
        self._greeting = greeting
        self._viewers: set[Viewer] = set()
        self._reel = Reel()
        self._loaded: dict[str, Any] = {"title": Path(options.target).name}
        self._scenes: dict[int, tuple[str, dict[str, Any]]] = {}
        self._scene: str | None = None
        self._state = as_text("state", playing=False, factor=options.speed, tick=0, ticks=None, ended=False, reason="",
                              rate=0, busy="starting")  # fmt: skip
        self._kept: dict[str, str] = {}
        """What a page that comes must be told beside: `failed`, `stopped`, `problems` by file."""
        self._interventions: list[dict[str, Any]] = []
        self._heard_at = monotonic()
        self._asked_at: float | None = None
        self._takers: dict[str, Callable[[str, dict[str, Any]], None]] = {
            "welcome": self._take_welcome,
            "failed": self._take_failed,
            "scene": self._take_scene,
            "state": self._take_state,
            "globals": self._take_globals,
            "log": self._take_log,
            "inspection": self._take_inspection,
            "overlay": self._take_overlay,
            "problems": self._take_problems,
            "stopped": self._take_stopped,
            "resumed": self._take_resumed,
            "intervened": self._take_intervened,
        }
        self._stage = StageProcess(options, self._receive, serve)

    async def close(self) -> bool:
        """End the stage. False if it had to be killed."""
        ended = await self._stage.close(_CLOSING_S)
        self._reel.close()
        return ended

    # -- pages ---------------------------------------------------------------------------------------------------

    def greet(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        viewer.tell(self._greeting(self._loaded))
        if self._scene is not None:
            viewer.tell(self._scene)
        viewer.tell(self._state)
        viewer.tell(as_text("log", lines=self._reel.last_lines(LOG_LINES), from_start=True))
        for text in self._kept.values():
            viewer.tell(text)
        self._show_newest(viewer)

    def leave(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)

    def handle(self, viewer: Viewer, request: dict[str, Any]) -> None:
        kind = request["type"]
        if kind == "show":
            viewer.shown = request.get("tick")
            self._show(viewer)
            return
        if kind == "select":
            viewer.selected = request.get("robot")
            self._show_inspection(viewer)
        if not self._stage.tell(json.dumps(request, separators=(",", ":")).encode()):
            viewer.tell(as_text("refused", request=kind, text="the experiment does not answer: reset ends it"))

    def floor(self) -> bytes | None:
        return None

    def _show(self, viewer: Viewer) -> None:
        """What the viewer looks at now."""
        viewer.forget_pending("inspection", "overlay")
        if viewer.shown is None:
            self._show_newest(viewer)
            return
        viewer.shown = min(viewer.shown, max(self._reel.newest, 0))
        frame = self._reel.frame(viewer.shown)
        if frame is not None:
            self._send_frame(viewer, frame)
            self._show_inspection(viewer)

    def _show_newest(self, viewer: Viewer) -> None:
        frame = self._reel.frame(self._reel.newest)
        if frame is not None:
            self._send_frame(viewer, frame)

    def _send_frame(self, viewer: Viewer, frame: bytes) -> None:
        revision = revision_of(frame)
        if revision != viewer.revision and revision in self._scenes:
            viewer.revision = revision
            viewer.tell(self._scenes[revision][0])
        viewer.show(frame)

    def _show_inspection(self, viewer: Viewer) -> None:
        """Of a tick of the past: what was kept of the selected robot."""
        if viewer.shown is None or viewer.selected is None:
            return
        frame = self._reel.frame(viewer.shown)
        scene = self._scenes.get(revision_of(frame)) if frame is not None else None
        if frame is None or scene is None:
            return
        values = self._reel.all_globals(viewer.shown).get(viewer.selected, {})
        found = inspection_of(viewer.selected, viewer.shown, frame, scene[1], values)
        if found is not None:
            viewer.tell_newest("inspection", found)

    # -- the stage -----------------------------------------------------------------------------------------------

    def _receive(self, data: bytes | None) -> None:
        """What the stage says: frames behind a zero byte, and JSON."""
        self._heard_at = monotonic()
        if data is None:
            self._stage_ended()
        elif data[:1] == b"\0":
            self._take_frame(data[1:])
        else:
            text = data.decode()
            message = json.loads(text)
            self._takers.get(message["type"], self._pass_on)(text, message)

    def _take_frame(self, frame: bytes) -> None:
        tick = int.from_bytes(frame[:4], "little")
        if self._reel.add_frame(tick, frame):
            self._tell_all(as_text("log", lines=self._reel.last_lines(LOG_LINES), from_start=True))
        for viewer in self._viewers:
            if viewer.shown is None:
                self._send_frame(viewer, frame)

    def _take_welcome(self, text: str, message: dict[str, Any]) -> None:
        self._loaded = message
        self._reel.clear()
        self._scenes.clear()
        self._kept.clear()
        self._interventions.clear()
        for viewer in self._viewers:
            viewer.revision = None
        self._tell_all(self._greeting(self._loaded))

    def _take_scene(self, text: str, message: dict[str, Any]) -> None:
        self._scene = text
        self._scenes[message["revision"]] = (text, message)
        for viewer in self._viewers:
            if viewer.shown is None:
                viewer.revision = message["revision"]
                viewer.tell(text)

    def _take_state(self, text: str, message: dict[str, Any]) -> None:
        self._state = text
        for viewer in self._viewers:
            viewer.tell_newest("state", text)

    def _take_globals(self, text: str, message: dict[str, Any]) -> None:
        self._reel.add_globals(message, text.encode())

    def _take_log(self, text: str, message: dict[str, Any]) -> None:
        if message.get("from_start"):
            self._reel.forget_lines()
        self._reel.add_lines(message["lines"])
        self._tell_all(text)

    def _take_inspection(self, text: str, message: dict[str, Any]) -> None:
        for viewer in self._viewers:
            if viewer.shown is None and viewer.selected == message["robot"]:
                viewer.tell_newest("inspection", text)

    def _take_overlay(self, text: str, message: dict[str, Any]) -> None:
        for viewer in self._viewers:
            if viewer.shown is None:
                viewer.tell_newest("overlay", text)

    def _take_stopped(self, text: str, message: dict[str, Any]) -> None:
        self._kept["stopped"] = text
        self._tell_all(text)

    def _take_resumed(self, text: str, message: dict[str, Any]) -> None:
        self._kept.pop("stopped", None)
        self._tell_all(text)

    def _take_failed(self, text: str, message: dict[str, Any]) -> None:
        self._kept["failed"] = text
        self._tell_all(text)

    def _take_problems(self, text: str, message: dict[str, Any]) -> None:
        self._kept[f"problems of {message['file']}"] = text
        self._tell_all(text)

    def _take_intervened(self, text: str, message: dict[str, Any]) -> None:
        self._interventions.append({"tick": message["tick"], "request": message["request"]})

    def _stage_ended(self) -> None:
        """Nobody asked it to: it crashed, or was killed from outside."""
        state = json.loads(self._state) | {"playing": False, "busy": "", "ended": True, "rate": 0}
        state["reason"] = "the process that ran the experiment has ended; reset starts another"
        self._state = json.dumps(state)
        self._tell_all(self._state)

    def _pass_on(self, text: str, message: dict[str, Any]) -> None:
        self._tell_all(text)

    def _tell_all(self, text: str) -> None:
        for viewer in self._viewers:
            viewer.tell(text)
