"""From what Python reports to what a script's author needs: kind, text, place, stack and hint of a run-time error.

The innermost frame of the script gives the place; causes.py finds the words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from opcode import opmap
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.compilation.python_nodes import FOREIGN
from pybuzz.buzz.diagnostics import diagnostic, place_of
from pybuzz.buzz.tree import Source, Span
from pybuzz.errors import Diagnostic, Place, ScriptError, StackEntry

if TYPE_CHECKING:
    from pybuzz.buzz.program import Program
    from pybuzz.buzz.signatures import HostNames

__all__ = ["function_name", "place_of_call", "script_error", "source_line"]

_FIRST_CALLS, _LAST_CALLS = 12, 4
_LOAD = opmap["LOAD_FAST"]
_Frame = tuple[FrameType, int]


def script_error(
    failure: Exception, program: Program, script_globals: Mapping[str, Any], host: HostNames
) -> ScriptError:
    """The ScriptError for an exception that left the script's code. What is a ScriptError already stays.

    host: what it gives to scripts, for hints.
    """
    if isinstance(failure, ScriptError):
        return failure
    # Only a script that failed needs these: they take as long to load as a short script runs.
    from pybuzz.buzz.causes import Site, cause_of

    frames = list(_script_frames(failure.__traceback__, script_globals))
    if not frames:
        cause = cause_of(failure, None)
        place = Place(program.path, 1, 1)
        return ScriptError(Diagnostic(place, cause.kind, cause.detail, "runtime error", hint=cause.hint))
    frame, instruction = frames[0]
    if isinstance(failure, UnboundLocalError):
        instruction = _loading(frame.f_code, instruction, str(failure))
    span = _span((frame, instruction), program)
    cause = cause_of(failure, Site(program, frame, span, host))
    stack = _stack(frames[1:], program)
    return ScriptError(diagnostic(span, cause.kind, cause.detail, stage="runtime error", hint=cause.hint, stack=stack))


def place_of_call(program: Program, script_globals: Mapping[str, Any]) -> Place | None:
    """Where in the script the built-in that runs now was called; None if no script called it."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals is not script_globals:
        frame = frame.f_back
    return None if frame is None else place_of(_span((frame, frame.f_lasti), program))


# Frames and places


def _script_frames(traceback: TracebackType | None, script_globals: Mapping[str, Any]) -> Iterator[_Frame]:
    """The script's active calls, innermost first."""
    found = []
    while traceback is not None:
        if traceback.tb_frame.f_globals is script_globals:
            found.append((traceback.tb_frame, traceback.tb_lasti))
        traceback = traceback.tb_next
    return reversed(found)


def _span(frame: _Frame, program: Program) -> Span:
    code = frame[0].f_code
    line, end_line, column, end_column = _position(code, frame[1])
    source, line = source_line(code, line, program)
    return Span(source, line, column + 1, end_line % FOREIGN, end_column + 1)


def source_line(code: CodeType, line: int, program: Program) -> tuple[Source, int]:
    """The file and the line in it that Python's line of some code stands for."""
    sources = program.script.sources
    if line >= FOREIGN:
        return sources[line // FOREIGN - 1], line % FOREIGN
    return next(source for source in sources if source.name == code.co_filename), line


def _position(code: CodeType, instruction: int) -> tuple[int, int, int, int]:
    line, end_line, column, end_column = next(islice(code.co_positions(), instruction // 2, None))
    return line or 1, end_line or line or 1, column or 0, end_column or column or 0


def _loading(code: CodeType, instruction: int, message: str) -> int:
    """Where the local is loaded that has no value, which Python's message names.

    After some runs of the code Python 3.11 does two instructions as one, and tells of the first whichever failed.
    """
    instructions = code.co_code
    for place in (instruction, instruction + 2):
        opcode, argument = instructions[place : place + 2]
        if opcode == _LOAD and f"'{code.co_varnames[argument]}'" in message:
            return place
    return instruction


def _stack(callers: list[_Frame], program: Program) -> tuple[StackEntry, ...]:
    left_out = len(callers) - _FIRST_CALLS - _LAST_CALLS
    if left_out <= 1:
        return tuple(_entry(frame, program) for frame in callers)
    first = [_entry(frame, program) for frame in callers[:_FIRST_CALLS]]
    last = [_entry(frame, program) for frame in callers[-_LAST_CALLS:]]
    return (*first, StackEntry(f"{left_out} more calls", first[-1].place), *last)


def _entry(frame: _Frame, program: Program) -> StackEntry:
    return StackEntry(function_name(frame[0].f_code.co_name, program), place_of(_span(frame, program)))


def function_name(code_name: str, program: Program) -> str:
    """What the script's author calls the function of some code."""
    if code_name.startswith("__part_"):
        return "the global part"
    if code_name.startswith("__function_"):
        return program.scopes.functions[int(code_name.removeprefix("__function_"))].name
    return code_name
