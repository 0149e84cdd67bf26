"""A recording as pages see it: each page plays it for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from pybuzz.recording import Recording
from pybuzz.workbench.pacing import within_bounds
from pybuzz.workbench.past import Known, inspection_of
from pybuzz.workbench.pictures import as_png
from pybuzz.workbench.recorded_layers import RecordedLayers
from pybuzz.workbench.recorded_scenes import RecordedScenes
from pybuzz.workbench.requests import RequestError
from pybuzz.workbench.viewers import FRAME_INTERVAL_S, Viewer, as_text

__all__ = ["RecordedRun"]

Message = dict[str, Any]

_LOG_LINES = 20_000
"""The last ones of a long log: as many as a page keeps."""
_FASTEST = 20.0
"""Times real time; what "as fast as it goes" is of a recording."""


class RecordedRun:
    """Answers everything from the recording. What would change the run is refused.

    greeting: makes the `welcome` of pages from what the recording says of itself.
    """

    def __init__(self, recording: Recording, title: str, greeting: Callable[[Mapping[str, Any]], str]) -> None:
        self._recording = recording
        self._scenes = RecordedScenes(recording)
        self._greeting = greeting
        self._title = title
        self._lines = _log_of(recording)
        self._layers = RecordedLayers(recording)
        self._errors = {event.robot: event.text for event in recording.events if event.kind == "failed"}
        self._players: dict[Viewer, _Player] = {}

    def greet(self, viewer: Viewer) -> None:
        description = self._recording.description
        player = self._players[viewer] = _Player(viewer, self._recording.ticks, 1 / description.ticks_per_second)
        player.show = lambda tick: self._show(viewer, tick)
        about = {"mode": "recording", "title": self._title, "seed": description.seed, "scripts": [],
                 "tick_seconds": player.tick_seconds, "sensors": list(self._recording.sensors)}  # fmt: skip
        viewer.tell(self._greeting(about))
        self._tell_scene(viewer, 0)
        player.tell_state()
        viewer.tell(as_text("log", lines=self._lines[-_LOG_LINES:], from_start=True))
        self._show(viewer, 0)

    def leave(self, viewer: Viewer) -> None:
        player = self._players.pop(viewer, None)
        if player is not None:
            player.pause()

    def handle(self, viewer: Viewer, request: Message) -> None:
        player = self._players[viewer]
        kind = request["type"]
        if kind == "play":
            player.play()
        elif kind == "pause":
            player.pause()
        elif kind == "step":
            player.go_to(player.tick + (request.get("ticks") or 1))
        elif kind == "reset":
            player.go_to(0)
        elif kind == "speed":
            player.set_speed(request.get("factor"))
        elif kind == "show":
            player.go_to(player.tick if request.get("tick") is None else request["tick"])
        elif kind == "select":
            viewer.selected = request.get("robot")
            self._inspect(viewer, player.tick)
        elif kind == "layers":
            player.layers = request["names"]
            self._tell_layers(viewer, player.tick)
        elif kind != "breakpoints":
            raise RequestError(kind, "this is a recording: what happened cannot be changed")

    def floor(self) -> bytes | None:
        floor = self._scenes.floor
        return None if floor is None else as_png(floor)

    def frame(self, tick: int) -> bytes | None:
        return self._scenes.frame(tick) if 0 <= tick <= self._recording.ticks else None

    def _show(self, viewer: Viewer, tick: int) -> None:
        if self._scenes.revision(tick) != viewer.revision:
            self._tell_scene(viewer, tick)
        viewer.show(self._scenes.frame(tick))
        self._tell_layers(viewer, tick)
        self._inspect(viewer, tick)

    def _tell_layers(self, viewer: Viewer, tick: int) -> None:
        player = self._players[viewer]
        if player.layers:
            viewer.tell_newest("overlay", as_text("overlay", **self._layers.overlay(tick, player.layers)))

    def _tell_scene(self, viewer: Viewer, tick: int) -> None:
        viewer.revision = self._scenes.revision(tick)
        viewer.tell(as_text("scene", **self._scenes.scene(tick)))

    def _inspect(self, viewer: Viewer, tick: int) -> None:
        robot = viewer.selected
        if robot is None or robot not in self._recording.robots:
            return
        index = self._recording.robots.index(robot)
        values = {name: table[tick, index] for name, table in self._recording.globals.items()}
        sensors = {name: table[tick, index].tolist() for name, table in self._recording.sensors.items()}
        scene = self._scenes.scene(tick)
        known = Known(values, sensors, *self._layers.messages_of(tick, index), error=self._errors.get(robot, ""))
        found = inspection_of(robot, tick, self._scenes.frame(tick), scene, known)
        if found is not None:
            viewer.tell_newest("inspection", found)


class _Player:
    """Where one page is in the recording, and how fast it goes on."""

    def __init__(self, viewer: Viewer, ticks: int, tick_seconds: float) -> None:
        self.tick = 0
        self.tick_seconds = tick_seconds
        self.layers: list[str] = []
        self.show: Callable[[int], None] = lambda tick: None
        self._viewer = viewer
        self._ticks = ticks
        self._factor: float | None = 1.0
        self._playing: asyncio.Task[None] | None = None

    def play(self) -> None:
        """From where it is; from the start if that is the end."""
        if self._playing is None:
            if self.tick >= self._ticks:
                self.tick = 0
            self._playing = asyncio.create_task(self._play())
        self.tell_state()

    def pause(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None
        self.tell_state()

    def go_to(self, tick: int) -> None:
        """Show a tick, and stay there."""
        self.tick = max(0, min(tick, self._ticks))
        self._viewer.forget_pending("inspection")
        self.show(self.tick)
        self.pause()

    def set_speed(self, factor: float | None) -> None:
        self._factor = within_bounds(factor)
        self.tell_state()

    def tell_state(self) -> None:
        rate = (self._factor or _FASTEST) / self.tick_seconds if self._playing else 0.0
        self._viewer.tell_newest("state", as_text(
            "state", playing=self._playing is not None, factor=self._factor, tick=self.tick, ticks=self._ticks,
            ended=False, reason="", rate=rate, busy="",
        ))  # fmt: skip

    async def _play(self) -> None:
        position, before = float(self.tick), monotonic()
        while self.tick < self._ticks:
            await asyncio.sleep(FRAME_INTERVAL_S)
            now = monotonic()
            position += (now - before) * (self._factor or _FASTEST) / self.tick_seconds
            before = now
            if int(position) != self.tick:
                self.tick = min(int(position), self._ticks)
                self.show(self.tick)
                self.tell_state()
        self._playing = None
        self.tell_state()


def _log_of(recording: Recording) -> list[Message]:
    """The log with the failures of scripts, in order of ticks."""
    lines = [_line(line.tick, line.robot, line.text) for line in recording.log]
    errors = [_line(one.tick, one.robot, one.text, error=True) for one in recording.events if one.kind == "failed"]
    return sorted(lines + errors, key=lambda line: int(line["tick"]))


def _line(tick: int, robot: str, text: str, *, error: bool = False) -> Message:
    return {"tick": tick, "robot": robot, "text": text, "error": error, "file": None, "line": None}
