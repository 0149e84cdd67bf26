"""What `pybuzz check` says about a text that is being written, without keeping anybody waiting."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pybuzz.buzz.checks import check_script
from pybuzz.errors import Diagnostic, PybuzzError
from pybuzz.workbench.files import ExperimentFiles, FileError
from pybuzz.workbench.names import ScriptNames
from pybuzz.workbench.viewers import Viewer, as_text

__all__ = ["Checker"]

Problem = dict[str, Any]


class Checker:
    """Checks texts in a thread, one after the other; of each page only the one it sent last.

    names: what scripts find. experiment: the name of the experiment's file; other YAML files may be of any kind.
    substitute: kinds of robots and what stands in for them.
    """

    def __init__(self, files: ExperimentFiles, substitute: dict[str, str] | None = None) -> None:
        self.names = ScriptNames()
        self.experiment = ""
        self._files = files
        self._substitute = substitute or {}
        self._waiting: dict[Viewer, tuple[str, str]] = {}
        self._working: asyncio.Task[None] | None = None

    def check(self, viewer: Viewer, file: str, text: str) -> None:
        """Answer with `problems`, soon, unless the page asks again before."""
        self._waiting[viewer] = (file, text)
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    def leave(self, viewer: Viewer) -> None:
        self._waiting.pop(viewer, None)

    async def _work(self) -> None:
        while self._waiting:
            viewer = next(iter(self._waiting))
            file, text = self._waiting.pop(viewer)
            problems = await asyncio.to_thread(self.problems, file, text)
            if viewer not in self._waiting:
                viewer.tell(as_text("problems", file=file, problems=problems))

    def problems(self, name: str, text: str) -> list[Problem]:
        """As the message `problems` has them."""
        try:
            path = self._files.path_of(name)
            return [_problem(found, path) for found in self._check(path, name, text)]
        except FileError as error:
            return [_about_the_file(error.text)]

    def _check(self, path: Path, name: str, text: str) -> list[Diagnostic]:
        try:
            if path.suffix == ".bzz":
                return check_script(path, text, signatures=self.names.signatures)
            if path.suffix == ".argos" or name == self.experiment:
                from pybuzz.experiment.reading import check_experiment_file

                substitute = self._substitute if path.suffix == ".argos" else {}
                return check_experiment_file(path, text, substitute=substitute)
        except PybuzzError as error:
            return list(error.diagnostics)
        return []


def _problem(found: Diagnostic, path: Path) -> Problem:
    """What is wrong in another file, such as an included one, is told at the first line."""
    place = found.place
    if Path(place.file).resolve() != path:
        return _about_the_file(found.headline, found)
    line, column = max(place.line, 1), max(place.column, 1)
    return {
        "line": line,
        "column": column,
        "end_line": line,
        "end_column": max(place.end_column, column + 1),
        "severity": _severity(found),
        "code": found.code,
        "text": found.text if found.kind == found.severity else f"{found.kind}: {found.text}",
        "hint": found.hint,
    }


def _about_the_file(text: str, found: Diagnostic | None = None) -> Problem:
    return {"line": 1, "column": 1, "end_line": 1, "end_column": 2, "severity": _severity(found),
            "code": found.code if found else "", "text": text, "hint": found.hint if found else ""}  # fmt: skip


def _severity(found: Diagnostic | None) -> str:
    return "error" if found is None or found.severity == "error" else "warning"
