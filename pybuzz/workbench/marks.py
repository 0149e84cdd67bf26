"""A diagnostic as the message `problems` has it."""

from __future__ import annotations

from typing import Any

from pybuzz.errors import Diagnostic

__all__ = ["Mark", "mark_of", "mark_of_file"]

Mark = dict[str, Any]


def mark_of(found: Diagnostic) -> Mark:
    """Where it is said to be; of an unknown place the first line."""
    place = found.place
    line, column = max(place.line, 1), max(place.column, 1)
    return {
        "line": line,
        "column": column,
        "end_line": line,
        "end_column": max(place.end_column, column + 1),
        "severity": "error" if found.severity == "error" else "warning",
        "code": found.code,
        "text": found.text if found.kind in ("", found.severity) else f"{found.kind}: {found.text}",
        "hint": found.hint,
    }


def mark_of_file(text: str, found: Diagnostic | None = None) -> Mark:
    """The same about a file as a whole, at its first line; without a diagnostic it is an error."""
    told = {"severity": "error", "code": "", "hint": ""} if found is None else mark_of(found)
    return told | {"line": 1, "column": 1, "end_line": 1, "end_column": 2, "text": text}
