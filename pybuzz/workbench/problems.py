"""What `pybuzz check` says about a text that is being written, without keeping anybody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pybuzz.buzz.checks import check_script
from pybuzz.buzz.signatures import HostNames
from pybuzz.errors import Diagnostic, PybuzzError
from pybuzz.workbench.files import ExperimentFiles, FileError
from pybuzz.workbench.viewers import Viewer, as_text

__all__ = ["Checker"]


class Checker:
    """Checks texts in a thread, one after the other; of each page only the one it sent last.

    names: what the experiment's scripts find, asked for at each check (hooks may change).
    """

    def __init__(self, files: ExperimentFiles, names: Callable[[], HostNames]) -> None:
        self._files = files
        self._names = names
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
            problems = await asyncio.to_thread(self._problems, file, text)
            if viewer not in self._waiting:
                viewer.tell(as_text("problems", file=file, problems=problems))

    def _problems(self, name: str, text: str) -> list[dict[str, Any]]:
        try:
            path = self._files.path_of(name)
            found = check_script(path, text, signatures=self._names()) if path.suffix == ".bzz" else []
        except FileError as fault:
            return [_about_the_file(fault.text)]
        except PybuzzError as error:
            found = list(error.diagnostics)
        return [_problem(one, path) for one in found]


def _problem(found: Diagnostic, path: Path) -> dict[str, Any]:
    """As the message `problems` has it. What is wrong in an included file is told at the first line."""
    place = found.place
    if Path(place.file).resolve() != path:
        return _about_the_file(found.headline, found)
    line, column = max(place.line, 1), max(place.column, 1)
    return {
        "line": line,
        "column": column,
        "end_line": line,
        "end_column": max(place.end_column, column + 1),
        "severity": "error" if found.severity == "error" else "warning",
        "code": found.code,
        "text": f"{found.kind}: {found.text}" if found.kind != found.severity else found.text,
        "hint": found.hint,
    }


def _about_the_file(text: str, found: Diagnostic | None = None) -> dict[str, Any]:
    severity = "error" if found is None or found.severity == "error" else "warning"
    return {"line": 1, "column": 1, "end_line": 1, "end_column": 2, "severity": severity,
            "code": found.code if found else "", "text": text, "hint": found.hint if found else ""}  # fmt: skip
