"""Faults of one input file, collected while it is read, so that a person sees all of them at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from pybuzz.errors import Diagnostic, InputError, Place, Severity

__all__ = ["Faults", "FaultyFileError"]


class FaultyFileError(InputError):
    """A file with errors; `warnings` are what else there is to say about it."""

    warnings: tuple[Diagnostic, ...] = ()


class Faults:
    """Errors and warnings about the file `file` whose whole text is `text`."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._lines = text.split("\n")
        self._found: list[Diagnostic] = []

    def error(
        self, line: int, column: int, kind: str, text: str, *, hint: str | None = None, end_column: int = 0
    ) -> None:
        """Note an error; `line` and `column` count from 1, 0 means the file as a whole."""
        self._add("error", line, column, kind, text, hint, end_column)

    def warn(
        self, line: int, column: int, kind: str, text: str, *, hint: str | None = None, end_column: int = 0
    ) -> None:
        """Note something that does not stop the run."""
        self._add("warning", line, column, kind, text, hint, end_column)

    def _add(
        self, severity: Severity, line: int, column: int, kind: str, text: str, hint: str | None, end_column: int
    ) -> None:
        place = Place(self.file, line, column, end_column)
        source = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        found = Diagnostic(place, kind, text, severity=severity, source_line=source, hint=hint or "")
        if found not in self._found:
            self._found.append(found)

    def include(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take over faults that are complete already."""
        self._found += [diagnostic for diagnostic in diagnostics if diagnostic not in self._found]

    @property
    def errors(self) -> list[Diagnostic]:
        return [found for found in self._found if found.severity == "error"]

    @property
    def all(self) -> tuple[Diagnostic, ...]:
        """Errors and warnings in the order of the file."""
        return tuple(sorted(self._found, key=lambda found: (found.place.line, found.place.column)))

    def settle(self, *, strict: bool = False) -> tuple[Diagnostic, ...]:
        """The warnings, if there is no error. With `strict` a warning is an error.

        Raises FaultyFileError with all errors, in the order of the file.
        """
        if strict:
            self._found = [dataclasses.replace(found, severity="error") for found in self._found]
        if self.errors:
            error = FaultyFileError(found for found in self.all if found.severity == "error")
            error.warnings = tuple(found for found in self.all if found.severity != "error")
            raise error
        return self.all
