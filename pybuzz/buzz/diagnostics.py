"""Diagnostics of the language room: made from spans, shown as text.

Script text holds one character per byte; a person's editor shows UTF-8. Lines and columns are counted in bytes inside
the room and in characters in what is shown.
"""

from __future__ import annotations

from pybuzz.buzz.tree import Source, Span
from pybuzz.errors import Diagnostic, Place, Severity, StackEntry

__all__ = ["compile_error", "diagnostic", "place_of", "readable"]


def readable(text: str) -> str:
    """Bytes as characters: UTF-8 where it is, latin-1 where it is not."""
    raw = text.encode("latin-1", "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return text


def place_of(span: Span) -> Place:
    """Where a span begins; what it covers beyond its first line is not marked."""
    line = span.source.line(span.line)
    last = span.end_column if span.end_line == span.line else len(line) + 1
    start = len(readable(line[: span.column - 1])) + 1
    return Place(span.source.name, span.line, start, start + len(readable(line[span.column - 1 : last - 1])))


def diagnostic(
    span: Span,
    kind: str,
    text: str,
    *,
    stage: str = "",
    severity: Severity = "error",
    code: str = "",
    hint: str = "",
    stack: tuple[StackEntry, ...] = (),
) -> Diagnostic:
    """A diagnostic that shows the span's line and marks it; says how an included file came to be included."""
    origin = _inclusion(span.source)
    return Diagnostic(
        place_of(span),
        kind,
        text,
        stage=stage,
        severity=severity,
        code=code,
        source_line=readable(span.source.line(span.line)),
        stack=stack,
        hint="; ".join(part for part in (hint, origin) if part),
    )


def compile_error(span: Span, kind: str, text: str, *, code: str = "", hint: str = "") -> Diagnostic:
    return diagnostic(span, kind, text, stage="compile error", code=code, hint=hint)


def _inclusion(source: Source) -> str:
    return ", ".join(f"included from {outer.name}:{line}" for outer, line in source.chain)
