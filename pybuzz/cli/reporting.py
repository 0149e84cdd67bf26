"""How messages reach a person, or a program that asked for --json."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from pybuzz.errors import Diagnostic, PybuzzError
from pybuzz.faults import FaultyFileError

__all__ = ["as_json", "as_json_line", "errors_as_json", "print_diagnostics", "print_error", "print_note"]


def print_error(error: PybuzzError) -> None:
    """Every diagnostic of the error on stderr, then what else there is to say about a faulty file."""
    print_diagnostics(error.diagnostics)
    if isinstance(error, FaultyFileError):
        print_diagnostics(error.warnings)


def print_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Diagnostics on stderr, warnings marked as such."""
    for diagnostic in diagnostics:
        print(_with_severity(diagnostic), file=sys.stderr)


def print_note(text: str) -> None:
    """One line on stderr."""
    print(text, file=sys.stderr)


def as_json(data: Any) -> None:
    """Plain data as one JSON document on stdout."""
    print(json.dumps(data, indent=2, allow_nan=True))


def as_json_line(data: Any) -> None:
    """Plain data as one line on stdout, at once: for a program that waits for it."""
    print(json.dumps(data), flush=True)


def _with_severity(diagnostic: Diagnostic) -> str:
    text = diagnostic.render()
    if diagnostic.severity == "error" or diagnostic.kind == diagnostic.severity:
        return text
    place = str(diagnostic.place)
    label = f"{diagnostic.severity}[{diagnostic.code}]" if diagnostic.code else diagnostic.severity
    return f"{place}: {label}{text[len(place) :]}" if text.startswith(place) else f"{label}: {text}"


def errors_as_json(error: PybuzzError) -> None:
    """The diagnostics of the error as a JSON list on stderr."""
    print(json.dumps([diagnostic.to_json() for diagnostic in error.diagnostics], indent=2), file=sys.stderr)
