"""The one family of errors: what is wrong, where, and what to do about it.

Every error that a person may see is a PybuzzError that carries Diagnostics. A Diagnostic prints as

    FILE:LINE:COL: KIND: text
        the source line
            ^
      called from step (FILE:LINE)
      hint: what to do

Lines and columns count from 1. Knows nothing of the rest of the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "Diagnostic",
    "InputError",
    "LinkError",
    "Place",
    "PybuzzError",
    "ScriptError",
    "StackEntry",
    "interruption_behind",
]

# Characters that would move the cursor of a terminal, or worse.
_UNSHOWABLE = dict.fromkeys([*range(32), *range(127, 160)], "\ufffd")

Severity = Literal["error", "warning", "note"]

_LONGEST_LINE = 120
"""Characters of a source line that a message shows: a scene may stand in one line of many thousand."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. `line` and `column` count from 1; 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    """Column after the last marked character on `line`; 0 marks one character."""

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One active Buzz call: the function's name and the place it had reached."""

    function: str
    place: Place


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error, warning or note. `stage` is set for scripts: "compile error" or "runtime error"."""

    place: Place
    kind: str
    text: str
    stage: str = ""
    severity: Severity = "error"
    code: str = ""
    source_line: str = ""
    stack: tuple[StackEntry, ...] = ()
    hint: str = ""

    @property
    def headline(self) -> str:
        """Place, kind and text in one line."""
        parts = [str(self.place), self.stage, self.kind, self.text]
        return ": ".join(part for part in parts if part)

    def render(self) -> str:
        """The whole message as plain text, without a newline at the end."""
        lines = [self.headline]
        if self.source_line.strip() and self.place.column:
            lines += [f"    {text}" for text in _marked_line(self.source_line, self.place)]
        lines += [f"  called from {entry.function} ({entry.place})" for entry in self.stack]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The same fields as plain data."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "end_column": self.place.end_column,
            "severity": self.severity,
            "stage": self.stage,
            "kind": self.kind,
            "text": self.text,
            "code": self.code,
            "source_line": self.source_line,
            "stack": [
                {
                    "function": entry.function,
                    "file": entry.place.file,
                    "line": entry.place.line,
                    "column": entry.place.column,
                }
                for entry in self.stack
            ],
            "hint": self.hint,
        }


def _marked_line(source: str, place: Place) -> tuple[str, str]:
    """The source line and carets under the marked characters; of a long line what stands around them."""
    shown = source.rstrip("\n\r").replace("\t", " ").translate(_UNSHOWABLE)
    start = place.column - 1
    end = max(start + 1, place.end_column - 1)
    if len(shown) > _LONGEST_LINE:
        first = max(0, min(start - _LONGEST_LINE // 3, len(shown) - _LONGEST_LINE))
        last = first + _LONGEST_LINE
        shown = ("..." if first else "") + shown[first:last] + ("..." if last < len(shown) else "")
        shift = first - (3 if first else 0)
        start, end = start - shift, min(end, last) - shift
    return shown, " " * start + "^" * max(1, end - start)


class PybuzzError(Exception):
    """Root of the family. `exit_code` is what the command line ends with."""

    exit_code = 2

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        found = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        self.diagnostics: Sequence[Diagnostic] = found
        super().__init__("\n".join(diagnostic.render() for diagnostic in found))


class InputError(PybuzzError):
    """A file, an option or an argument is faulty. Ends the command with 2."""

    @classmethod
    def at(cls, file: str, text: str, *, kind: str = "error", line: int = 0, hint: str = "") -> InputError:
        """An error about a whole file, or about a line of it."""
        return cls(Diagnostic(Place(file, line), kind, text, hint=hint))


class ScriptError(PybuzzError):
    """A Buzz script does not compile, or failed while running. Ends a run with 1, a compilation with 2."""

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """1 if it failed while running, 2 if it does not compile."""
        return 1 if self.diagnostics[0].stage == "runtime error" else 2


class LinkError(PybuzzError):
    """A robot or the link to it failed. Ends the command with 3."""

    exit_code = 3


def interruption_behind(fault: BaseException) -> KeyboardInterrupt | None:
    """The Ctrl-C that came while a compiled kernel was being entered, which makes a chain of SystemErrors of it."""
    cause: BaseException | None = fault
    while isinstance(cause, SystemError):
        cause = cause.__cause__
    return cause if isinstance(cause, KeyboardInterrupt) else None
