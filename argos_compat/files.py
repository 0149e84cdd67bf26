"""The files that an .argos file names: scripts, images, Python code, wherever they lie in its repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from argos_compat.nodes import Node
from pybuzz.errors import InputError
from pybuzz.finding import Search, files_below, repository_of, search
from pybuzz.invocation import command_with
from pybuzz.spelling import did_you_mean, nearest

__all__ = ["Files", "given_scripts"]

_MOST_LISTED = 6
_HAS_STEP = re.compile(rb"\bfunction\s+step\s*\(")


@dataclass
class Files:
    """`folder`: of the experiment `file`. `scripts`: those that were given, by the controller's id, "" for all."""

    folder: Path
    file: str
    scripts: Mapping[str, Path] = field(default_factory=dict)
    several: bool = False
    """Whether the file has several controllers, so that a script is given for one of them."""

    def find(self, node: Node, attribute: str, written: str, what: str) -> Path | None:
        """The file that an attribute names, or None after a fault. Warns if it lies elsewhere."""
        found = self._as_written(written)
        if found is not None or not node.has(attribute) or not written.strip():
            return found
        there = search(os.path.expandvars(written), self.folder)
        if there.path is not None:
            node.warn(f"{what} found elsewhere", f"there is no '{written}'; {there.path} is taken")
            return there.path
        hint = f"looked in {self.folder}, in the working directory and all below {there.root}"
        if there.candidates:
            change = node.command_setting(attribute, there.candidates[0])
            hint = f"there are several of that name: {_listed(there.candidates)}; for example: {change}"
        node.fault_in(attribute, f"there is no {what} '{written}'", kind="missing file", hint=hint)
        return None

    def script(self, params: Node, controller: str) -> Path | None:
        """The source of the byte code, x.bzz for x.bo, or what is given instead; None: there is none."""
        written, debug = params.text("bytecode_file", ""), params.text("debug_file", "")
        given = self.scripts.get(controller) or self.scripts.get("")
        if given is not None:
            return given
        if not written.strip():
            params.warn("no script", "without bytecode_file the robots of this controller do nothing",
                        hint=self._way_out(controller, self._choices()))  # fmt: skip
            return None
        if not debug.strip():
            params.warn("ignored", "without debug_file ARGoS would not start the script; it is started here")
        source = re.sub(r"(\.bzz)?\.[^./\\]*$", "", written) + ".bzz"
        found = self._as_written(source)
        return found or self._script_elsewhere(params, source, written, controller)

    def _as_written(self, written: str) -> Path | None:
        """Relative to the experiment's folder, or else to the working directory."""
        expanded = os.path.expandvars(written)
        found = (base / expanded for base in (self.folder, Path()) if os.path.isfile(base / expanded))
        return next(found, None)

    def _script_elsewhere(self, params: Node, source: str, written: str, controller: str) -> Path | None:
        there = search(os.path.expandvars(source), self.folder)
        if there.path is not None:
            params.warn("script found elsewhere", f"there is no '{source}'; {there.path} is taken")
            return there.path
        params.fault_in(
            "bytecode_file", f"there is no script '{source}' to compile for '{written}'", kind="missing script",
            hint=self._hint_for_missing(Path(source).name, there, controller),
        )  # fmt: skip
        return None

    def _hint_for_missing(self, name: str, there: Search, controller: str) -> str:
        if there.candidates:
            return self._way_out(controller, list(there.candidates))
        scripts = self._scripts()
        near = nearest(Path(name).stem, [path.stem for path in scripts])
        if near:
            meant = [path for path in scripts if path.stem == near]
            return f"did you mean '{near}.bzz'? {self._way_out(controller, meant)}"
        places = f"{self.folder}, in the working directory and all below {there.root}"
        return f"looked in {places}; {self._way_out(controller, self._choices())}"

    def _scripts(self) -> list[Path]:
        return list(files_below(repository_of(self.folder), lambda name: name.endswith(".bzz")))

    def _choices(self) -> list[Path]:
        """The scripts that robots can run, those beside the experiment first."""
        found = [path for path in self._scripts() if _is_main(path)]
        return sorted(found, key=lambda path: path.parent.resolve() != self.folder.resolve())

    def _way_out(self, controller: str, choices: list[Path]) -> str:
        """The command that gives the robots a script."""
        if not choices:
            return f"say which one it is: {command_with('--script', 'FILE.bzz', file=self.file)}"
        prefix = f"{controller}=" if self.several else ""
        command = command_with("--script", f"{prefix}{choices[0]}", file=self.file)
        return command if len(choices) == 1 else f"scripts here: {_listed(choices)}; for example: {command}"


def given_scripts(texts: Iterable[str], controllers: Iterable[str]) -> dict[str, Path]:
    """The scripts of `--script FILE` and `--script CONTROLLER=FILE`, by controller; "" for all. Raises InputError."""
    found = {}
    for text in texts:
        controller, _, file = ("", "", text) if os.path.isfile(text) else text.rpartition("=")
        if controller and controller not in (known := list(controllers)):
            hint = did_you_mean(controller, known) or f"controllers of the file: {', '.join(known) or 'none'}"
            raise InputError.at(f"--script {text}", f"there is no controller '{controller}'", hint=hint)
        if not os.path.isfile(file):
            raise InputError.at(f"--script {text}", f"there is no script {file}", kind="missing file")
        found[controller] = Path(file)
    return found


def _is_main(path: Path) -> bool:
    try:
        return _HAS_STEP.search(path.read_bytes()) is not None
    except OSError:
        return False


def _listed(paths: Iterable[Path]) -> str:
    texts = [str(path) for path in paths]
    more = len(texts) - _MOST_LISTED
    return ", ".join(texts[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
