"""A live experiment as pages see it: a stage that runs it, and the reel of all its ticks so far."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from pybuzz.workbench.frame_layout import revision_of, tick_of
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.past import Known, inspection_of
from pybuzz.workbench.reel import Reel
from pybuzz.workbench.stage_process import Serve, StageProcess, run_stage
from pybuzz.workbench.viewers import Viewer, as_text

__all__ = ["LiveRun"]

Message = dict[str, Any]
Greeting = Callable[[Mapping[str, Any]], str]

_LOG_LINES = 2000
"""Of the log, what a page that comes is told."""

_SILENCE_S = 3.0
_LOADING_S = 120.0
"""Compiling kernels and hooks that read large files take their time."""
_TIRED_S = 10.0
"""Who then asks for a reset once more does not want to wait any longer."""
_WATCH_S = 0.5
_CLOSING_S = 1.0
_COMPLETING_S = 60.0
_RELOADING = frozenset({"reset", "continue_from"})
_LASTING = frozenset({"select", "layers", "breakpoints"})
"""Requests that hold until the next of their kind: a new stage is told them too."""


class LiveRun:
    """Hands messages to and from the stage; answers by itself about the past.

    greeting: makes the `welcome` of pages from the stage's. serve: what the stage's process does.
    Starts within a running event loop.
    """

    def __init__(self, options: StageOptions, greeting: Greeting, serve: Serve = run_stage) -> None:
        self._options = options
        self._greeting = greeting
        self._serve = serve
        self._viewers: set[Viewer] = set()
        self._reel = Reel()
        self._loaded: Message = {"title": Path(options.target).name}
        self._scenes: dict[int, tuple[str, Message]] = {}
        self._newest_scene: int | None = None
        self._state: Message = _first_state(options)
        self._kept: dict[str, str] = {}
        """What a page that comes must be told besides: that it failed, that it stopped, problems of each file."""
        self._lasting: dict[str, bytes] = {}
        self._interventions: list[Message] = []
        self._floor: bytes | None = None
        self._takers: dict[str, Callable[[str, Message], None]] = {
            "welcome": self._take_welcome,
            "scene": self._take_scene,
            "state": self._take_state,
            "floor": self._take_floor,
            "globals": self._take_globals,
            "log": self._take_log,
            "inspection": self._take_inspection,
            "overlay": self._take_overlay,
            "breakpoints": self._take_breakpoints,
            "stopped": self._take_stopped,
            "resumed": self._take_resumed,
            "failed": self._take_failed,
            "problems": self._take_problems,
            "intervened": self._take_intervened,
        }
        self._stage: StageProcess | None = StageProcess(options, self._receive, serve)
        self._heard_at = monotonic()
        self._is_silent = False
        """Whether pages were told that it does not answer."""
        self._is_due = False
        """Whether it was told to load and has not done so."""
        self._reload: Message = {"type": "reset"}
        """What a stage that is started because another one does not answer is to do."""
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> bool:
        """End the stage. False if it had to be killed."""
        self._watching.cancel()
        stage, self._stage = self._stage, None
        ended = stage is None or await stage.close(_COMPLETING_S if self._options.record else _CLOSING_S)
        self._reel.close()
        return ended

    def play(self) -> None:
        """Begin, as soon as the experiment is loaded."""
        if self._stage is not None:
            self._stage.tell(b'{"type":"play"}')

    def kill(self) -> None:
        """End the stage at once."""
        if self._stage is not None:
            self._stage.kill()

    # -- pages ---------------------------------------------------------------------------------------------------

    def greet(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        viewer.tell(self._greeting(self._loaded))
        if self._newest_scene is not None:
            viewer.revision = self._newest_scene
            viewer.tell(self._scenes[self._newest_scene][0])
        viewer.tell(as_text(**self._state))
        viewer.tell(as_text("log", lines=self._reel.last_lines(_LOG_LINES), from_start=True))
        for text in self._kept.values():
            viewer.tell(text)
        self._show(viewer)

    def leave(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)
        if viewer.layers:
            self._tell_layers()

    def handle(self, viewer: Viewer, request: Message) -> None:
        kind = request["type"]
        if kind == "show":
            viewer.shown = request.get("tick")
            self._show(viewer)
            return
        if kind == "select":
            viewer.selected = request.get("robot")
            self._inspect(viewer)
        if kind == "layers":
            viewer.layers = frozenset(request["names"])
            request = self._all_layers()
        data = json.dumps(request, separators=(",", ":")).encode()
        if kind in _LASTING:
            self._lasting[kind] = data
        if kind in _RELOADING:
            self._ask_to_reload(request, data)
        elif self._stage is None:
            viewer.tell(as_text("refused", request=kind, text="nothing runs any more: reset starts it anew"))
        elif not self._stage.tell(data):
            viewer.tell(as_text("refused", request=kind, text="the experiment does not answer: reset ends it"))

    def _all_layers(self) -> Message:
        """What any page wants laid over the arena: each draws its own."""
        wanted = frozenset[str]().union(*(viewer.layers for viewer in self._viewers))
        return {"type": "layers", "names": sorted(wanted)}

    def _tell_layers(self) -> None:
        data = self._lasting["layers"] = json.dumps(self._all_layers()).encode()
        if self._stage is not None:
            self._stage.tell(data)

    def floor(self) -> bytes | None:
        return self._floor

    def frame(self, tick: int) -> bytes | None:
        return self._reel.frame(tick)

    def _show(self, viewer: Viewer) -> None:
        """What the viewer looks at now."""
        viewer.forget_pending("inspection", "overlay")
        newest = self._reel.newest
        if viewer.shown is not None and viewer.shown > newest:
            viewer.shown = None  # it asks for a tick of a run that was begun anew meanwhile
        frame = self._reel.frame(newest if viewer.shown is None else viewer.shown)
        if frame is not None:
            self._send_frame(viewer, frame)
            self._inspect(viewer)

    def _send_frame(self, viewer: Viewer, frame: bytes) -> None:
        revision = revision_of(frame)
        if revision != viewer.revision and revision in self._scenes:
            viewer.revision = revision
            viewer.tell(self._scenes[revision][0])
        viewer.show(frame)

    def _inspect(self, viewer: Viewer) -> None:
        """Of a tick of the past: what was kept of the selected robot."""
        if viewer.shown is None or viewer.selected is None:
            return
        frame = self._reel.frame(viewer.shown)
        scene = self._scenes.get(revision_of(frame)) if frame is not None else None
        if frame is None or scene is None:
            return
        values = self._reel.all_globals(viewer.shown).get(viewer.selected, {})
        found = inspection_of(viewer.selected, viewer.shown, frame, scene[1], Known(values))
        if found is not None:
            viewer.tell_newest("inspection", found)

    # -- a stage that hangs or has ended -------------------------------------------------------------------------

    def _ask_to_reload(self, request: Message, data: bytes) -> None:
        self._reload = request
        if self._stage is None or (self._is_due and monotonic() - self._heard_at > _TIRED_S):
            self._start_anew()
        else:
            if not self._is_due:
                self._is_due, self._heard_at = True, monotonic()
            self._stage.tell(data)

    async def _watch(self) -> None:
        """Start another stage in place of one that does not answer; tell pages of one that is silent."""
        while True:
            await asyncio.sleep(_WATCH_S)
            silence = monotonic() - self._heard_at
            is_loading = self._state["busy"] and not self._is_silent
            if self._is_due and silence > (_LOADING_S if is_loading else _SILENCE_S):
                self._start_anew()
            elif self._state["playing"] and not self._state["busy"] and silence > _SILENCE_S:
                self._is_silent = True
                self._tell_state(busy="no answer for some seconds: a script or hook may hang; reset ends it")

    def _start_anew(self) -> None:
        if self._stage is not None:
            self._stage.kill()
        seed, speed = self._loaded.get("seed"), self._state["factor"]
        options = self._options
        self._stage = StageProcess(
            replace(options, speed=speed, seed=seed if options.seed is None else options.seed),
            self._receive,
            self._serve,
        )
        self._heard_at, self._is_due = monotonic(), False
        for data in self._lasting.values():
            self._stage.tell(data)
        if self._reload["type"] == "continue_from":
            done = [one for one in self._interventions if one["tick"] <= self._reload["tick"]]
            self._stage.tell(json.dumps({**self._reload, "interventions": done}).encode())
        self._tell_state(playing=False, busy="starting anew", ended=False, reason="", rate=0)

    def _stage_ended(self) -> None:
        """Nobody asked it to: it crashed, or was killed from outside."""
        self._stage = None
        if self._kept.pop("stopped", None):
            self._tell_all(as_text("resumed"))
        reason = "the process that ran the experiment has ended; reset starts another"
        self._tell_state(playing=False, busy="", ended=True, reason=reason, rate=0)

    # -- what the stage says -------------------------------------------------------------------------------------

    def _receive(self, data: bytes | None) -> None:
        """Frames behind a zero byte, and JSON; None: it has ended."""
        self._heard_at, self._is_silent = monotonic(), False
        if data is None:
            self._stage_ended()
            return
        try:
            if data[:1] == b"\0":
                self._take_frame(data[1:])
            else:
                text = data.decode()
                message = json.loads(text)
                self._takers.get(message["type"], self._pass_on)(text, message)
        except OSError as fault:
            self._cannot_keep(fault)

    def _cannot_keep(self, fault: OSError) -> None:
        """The disk is full, most likely: no further ticks until somebody has looked."""
        if self._stage is not None:
            self._stage.tell(b'{"type":"pause"}')
        text = f"the time line cannot be written: {fault.strerror}; make room for temporary files, or set TMPDIR"
        self._tell_all(as_text("refused", request="play", text=text))

    def _take_frame(self, frame: bytes) -> None:
        if self._reel.add_frame(tick_of(frame), frame):
            self._tell_all(as_text("log", lines=self._reel.last_lines(_LOG_LINES), from_start=True))
        for viewer in self._viewers:
            if viewer.shown is None:
                self._send_frame(viewer, frame)

    def _take_welcome(self, text: str, message: Message) -> None:
        self._loaded = message
        self._is_due = False
        self._reel.clear()
        self._scenes.clear()
        self._newest_scene = None
        self._kept.clear()
        self._interventions.clear()
        self._floor = None
        for viewer in self._viewers:
            viewer.revision = viewer.shown = None
            viewer.forget_pending("inspection", "overlay")
        self._tell_all(self._greeting(message))
        self._tell_all(as_text("log", lines=[], from_start=True))

    def _take_scene(self, text: str, message: Message) -> None:
        self._newest_scene = message["revision"]
        self._scenes[message["revision"]] = (text, message)
        for viewer in self._viewers:
            if viewer.shown is None:
                viewer.revision = message["revision"]
                viewer.tell(text)

    def _take_state(self, text: str, message: Message) -> None:
        self._state = message
        for viewer in self._viewers:
            viewer.tell_newest("state", text)

    def _take_floor(self, text: str, message: Message) -> None:
        self._floor = b64decode(message["png"]) if message["png"] else None
        self._tell_all(as_text("floor"))

    def _take_globals(self, text: str, message: Message) -> None:
        self._reel.add_globals(message, text.encode())

    def _take_log(self, text: str, message: Message) -> None:
        self._reel.add_lines(message["lines"])
        self._tell_all(text)

    def _take_inspection(self, text: str, message: Message) -> None:
        for viewer in self._viewers:
            if viewer.shown is None and viewer.selected == message["robot"]:
                viewer.tell_newest("inspection", text)

    def _take_overlay(self, text: str, message: Message) -> None:
        for viewer in self._viewers:
            if viewer.shown is None:
                viewer.tell_newest("overlay", text)

    def _take_failed(self, text: str, message: Message) -> None:
        breakpoints = {kind: kept for kind, kept in self._kept.items() if kind == "breakpoints"}
        self._kept = {"failed": text, **breakpoints}
        self._is_due = False
        self._tell_all(text)

    def _take_stopped(self, text: str, message: Message) -> None:
        self._kept["stopped"] = text
        self._tell_all(text)

    def _take_breakpoints(self, text: str, message: Message) -> None:
        self._kept["breakpoints"] = text
        self._tell_all(text)

    def _take_resumed(self, text: str, message: Message) -> None:
        self._kept.pop("stopped", None)
        self._tell_all(text)

    def _take_problems(self, text: str, message: Message) -> None:
        self._kept[f"problems of {message['file']}"] = text
        self._tell_all(text)

    def _take_intervened(self, text: str, message: Message) -> None:
        self._interventions.append({"tick": message["tick"], "request": message["request"]})

    def _pass_on(self, text: str, message: Message) -> None:
        self._tell_all(text)

    def _tell_state(self, **changed: Any) -> None:
        self._state = {**self._state, **changed}
        text = as_text(**self._state)
        for viewer in self._viewers:
            viewer.tell_newest("state", text)

    def _tell_all(self, text: str) -> None:
        for viewer in self._viewers:
            viewer.tell(text)


def _first_state(options: StageOptions) -> Message:
    return {"type": "state", "playing": False, "factor": options.speed, "tick": 0, "ticks": options.ticks,
            "ended": False, "reason": "", "rate": 0, "busy": "starting"}  # fmt: skip
