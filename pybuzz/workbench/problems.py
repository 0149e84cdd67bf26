"""What `pybuzz check` says about a text that is being written, without keeping anybody waiting."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pybuzz.buzz.checks import check_script
from pybuzz.errors import Diagnostic, PybuzzError
from pybuzz.workbench.files import ExperimentFiles, FileError
from pybuzz.workbench.marks import Mark, mark_of, mark_of_file
from pybuzz.workbench.names import ScriptNames
from pybuzz.workbench.viewers import Viewer, as_text

__all__ = ["Checker"]


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

    def problems(self, name: str, text: str) -> list[Mark]:
        """As the message `problems` has them."""
        try:
            path = self._files.path_of(name)
            return [_mark(found, path) for found in self._check(path, name, text)]
        except FileError as error:
            return [mark_of_file(error.text)]

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


def _mark(found: Diagnostic, path: Path) -> Mark:
    """What is wrong in another file, such as an included one, is told at the first line."""
    return mark_of(found) if Path(found.place.file).resolve() == path else mark_of_file(found.headline, found)
