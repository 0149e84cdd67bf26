"""Breakpoints and steps in the script of one robot.

Python's own tracing tells of each line, and only while that robot's script runs, and only if there is a breakpoint or a
step to be taken: at all other times, and for all other robots, nothing is done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from pybuzz.buzz.apart import put_together
from pybuzz.buzz.failures import function_name
from pybuzz.buzz.machine import Machine
from pybuzz.experiment.air import Heard
from pybuzz.experiment.robots import Robot
from pybuzz.workbench.code_lines import CodeLines

__all__ = ["ACTIONS", "Abandoned", "Debugger", "Place", "Stop"]

Place = tuple[str, int]
"""A file's path and a line of it."""

ACTIONS: Final = ("continue", "into", "over", "out")
_ENTRY: Final = Machine._run.__code__


class Abandoned(BaseException):
    """The run that stands at a line goes on no further. Not an Exception: those are taken for failures of scripts."""


class Stop:
    """Where a script stands. frames: the script's calls, innermost first, each with the place that it has reached."""

    def __init__(self, machine: Machine, frames: Sequence[tuple[FrameType, Place]], reason: str) -> None:
        self.machine = machine
        self.frames = frames
        self.reason = reason

    @property
    def place(self) -> Place:
        return self.frames[0][1]

    def functions(self) -> list[tuple[str, Place, dict[str, Any]]]:
        """Of each call the function's name, the place, and its locals by their Buzz names."""
        program = self.machine.program
        return [(function_name(frame.f_code.co_name, program), at, _locals(frame)) for frame, at in self.frames]


class Debugger:
    """Of one robot at a time. wait: told of every stop; says how to go on, one of ACTIONS, or raises Abandoned."""

    def __init__(self, wait: Callable[[Stop], str]) -> None:
        self._wait = wait
        self._number: int | None = None
        self._robot: Robot | None = None
        self._wanted: frozenset[Place] = frozenset()
        self._stops: frozenset[Place] = frozenset()
        self._machine: Machine | None = None
        self._lines: CodeLines | None = None
        self._last: dict[FrameType, tuple[Place, int, int]] = {}
        """Of each call the statement it is in, and Python's line and instruction at which that was seen last."""
        self._stepping = ""
        self._allowed: list[FrameType] = []
        """The calls in which a step over or out ends."""

    @property
    def is_stepping(self) -> bool:
        """Whether a step was asked for that has not ended yet, and may still do so."""
        return bool(self._stepping) and self._robot is not None and self._robot.alive

    def set_breakpoints(self, places: Iterable[Place]) -> None:
        """All of them, from now on; a line without code means the next one with code."""
        self._wanted = frozenset(places)
        self._aim()

    def follow(self, robot: Robot | None) -> None:
        """From now on of this robot."""
        if self._robot is not None:
            self._robot.observer = None
        self._robot = robot
        self._number = None if robot is None else robot.number
        self._attach(None if robot is None or robot.mind is None else robot.mind.machine)
        self._aim()

    def cancel(self) -> None:
        """No step is to be taken any more."""
        self._stepping = ""
        self._allowed, self._last = [], {}
        self._aim()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While an experiment is loaded: stop in the robot's code outside functions and in its `init` too."""
        if self._number is None or not self._wanted:
            yield
            return
        self._attach(None)
        with _traced(self._trace):
            yield

    def _attach(self, machine: Machine | None) -> None:
        self._machine = machine
        self._lines = None if machine is None else CodeLines(machine.program)
        self._last = {}
        self._resolve()

    def _aim(self) -> None:
        """Have the robot's step traced if there is a reason to."""
        self._resolve()
        if self._robot is not None:
            self._robot.observer = self._traced_step if self._stops or self._stepping else None

    def _traced_step(self, step: Callable[[Heard], None], heard: Heard) -> None:
        with _traced(self._trace):
            step(heard)

    def _resolve(self) -> None:
        if self._lines is None:
            self._stops = self._wanted
        else:
            found = ((file, self._lines.resolve(file, line)) for file, line in self._wanted)
            self._stops = frozenset((file, line) for file, line in found if line is not None)

    # Tracing

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Python calls a function: is it one of the script's in which to look out?"""
        machine = _machine_of(frame) if frame.f_back is not None and frame.f_back.f_code is _ENTRY else None
        if machine is not None and machine is not self._machine and machine.robot_id == self._number:
            self._attach(machine)
        if self._machine is None or not self._is_own(frame):
            return None
        return self._trace_lines if self._stops or self._stepping == "into" else None

    def _trace_lines(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self._is_own(frame):
            # Meanwhile another robot was selected.
            return None
        if event == "line":
            self._reach(frame)
        elif event == "return":
            self._leave(frame)
        return self._trace_lines

    def _reach(self, frame: FrameType) -> None:
        assert self._lines is not None
        place = self._lines.statement_at(frame.f_code, frame.f_lineno)
        if place is None:
            return
        before, line, instruction = self._last.get(frame, (None, 0, 0))
        self._last[frame] = place, frame.f_lineno, frame.f_lasti
        if place == before and frame.f_lasti > instruction and not self._is_new_turn(frame, line):
            return
        if place in self._stops:
            self._stop(frame, "breakpoint")
        elif self._stepping == "into" or (self._stepping and frame in self._allowed):
            self._stop(frame, "step")

    def _is_new_turn(self, frame: FrameType, line: int) -> bool:
        """Whether Python, further on in the same statement, tells of a loop's new turn and not of another part.

        Of a loop on one line it does. Python 3.12 also tells of the same line again after a call and a jump in it.
        """
        assert self._lines is not None
        return frame.f_lineno == line and self._lines.begins_turn(frame.f_code, frame.f_lasti)

    def _leave(self, frame: FrameType) -> None:
        self._last.pop(frame, None)
        if frame in self._allowed:
            self._allowed.remove(frame)
        if self._stepping and not self._allowed:
            # The host goes on: the step ends where it next calls the script.
            self._stepping = "into"

    def _stop(self, frame: FrameType, reason: str) -> None:
        frames = list(self._calls(frame))
        places = [(one, self._place_of(one)) for one in frames]
        machine = self._machine
        assert machine is not None
        self._stepping, self._allowed = "", []
        action = self._wait(Stop(machine, places, reason))
        if action == "continue" or machine is not self._machine:
            self._aim()
            return
        self._stepping = action
        self._allowed = frames[1:] if action == "out" else frames
        if not self._allowed:
            self._stepping = "into"
        for one in frames:
            one.f_trace = self._trace_lines
        self._aim()

    def _calls(self, frame: FrameType | None) -> Iterator[FrameType]:
        """The script's active calls, innermost first."""
        while frame is not None:
            if self._is_own(frame):
                yield frame
            frame = frame.f_back

    def _is_own(self, frame: FrameType) -> bool:
        return self._machine is not None and self._machine.owns(frame.f_globals)

    def _place_of(self, frame: FrameType) -> Place:
        assert self._lines is not None
        return self._lines.statement_at(frame.f_code, frame.f_lineno) or (frame.f_code.co_filename, frame.f_lineno)


def _machine_of(frame: FrameType) -> Machine | None:
    """The machine that calls the script with this frame."""
    assert frame.f_back is not None
    machine = frame.f_back.f_locals.get("self")
    return machine if isinstance(machine, Machine) and machine.owns(frame.f_globals) else None


def _locals(frame: FrameType) -> dict[str, Any]:
    """By Buzz name: `_x` is what x was given, `__own_x` what it is, if that is another variable."""
    missing = frame.f_globals["__builtins__"].get("__missing")
    values: Mapping[str, Any] = frame.f_locals
    given = {name[1:]: value for name, value in values.items() if name[0] == "_" and not name.startswith("__")}
    own = {name.removeprefix("__own_"): value for name, value in values.items() if name.startswith("__own_")}
    values = put_together({**given, **own})
    return {name: None if value is missing else value for name, value in sorted(values.items())}


@contextmanager
def _traced(trace: Callable[[FrameType, str, Any], Any]) -> Iterator[None]:
    """Within it Python tells of calls; who listened before does so again after it."""
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
