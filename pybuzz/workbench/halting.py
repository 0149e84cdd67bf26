"""Between the debugger and the pages: breakpoints by names of files, and what is told where a script stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pybuzz.experiment.robots import Robot
from pybuzz.workbench.code_lines import CodeLines
from pybuzz.workbench.debugger import Abandoned, Debugger, Stop
from pybuzz.workbench.performance import Performance
from pybuzz.workbench.pipe import Message, Pipe
from pybuzz.workbench.places import FileNames
from pybuzz.workbench.trees import TreeMaker

__all__ = ["Halting"]


class Halting:
    """ask: told which robot stands (None while it is loaded), says how to go on, or raises Abandoned."""

    def __init__(self, pipe: Pipe, ask: Callable[[str | None], str]) -> None:
        self._pipe = pipe
        self._ask = ask
        self.debugger = Debugger(self._halt)
        self.halted = False
        """Whether a script stands at a line."""
        self._wanted: list[tuple[str, int]] = []
        self._lines: list[CodeLines] = []
        self._paths: dict[str, str] = {}
        self._files: FileNames | None = None
        self._robot: str | None = None

    def follow(self, performance: Performance | None, selected: str | None) -> None:
        """From now on breakpoints hold for this robot of this run."""
        self._robot = selected
        robots: Sequence[Robot] = () if performance is None else performance.experiment.simulation.robots
        self.debugger.follow(next((robot for robot in robots if robot.name == selected), None))
        if performance is not None and performance.files is not self._files:
            self._files = performance.files
            self._lines = [CodeLines(program) for program in performance.programs]
            sources = [source.name for program in performance.programs for source in program.script.sources]
            self._paths = {self._files.name_of(source): source for source in sources}
            if self._wanted:
                self._place_breakpoints()

    def set_breakpoints(self, message: Message) -> None:
        """All of them, by file and line."""
        lines = message.get("lines")
        entries = [
            (one.get("file"), one.get("line"))
            for one in (lines if isinstance(lines, list) else ())
            if isinstance(one, dict)
        ]
        self._wanted = [(file, line) for file, line in entries if isinstance(file, str) and isinstance(line, int)]
        self._place_breakpoints()

    def _place_breakpoints(self) -> None:
        places = [(self._paths.get(file, ""), line) for file, line in self._wanted]
        self.debugger.set_breakpoints(place for place in places if place[0])
        told = [
            {"file": file, "line": line, "at": self._resolved(path, line)}
            for (file, line), (path, _) in zip(self._wanted, places, strict=True)
        ]
        self._pipe.send("breakpoints", lines=told)

    def _resolved(self, path: str, line: int) -> int | None:
        """Where a breakpoint holds: a line without code means the next one with code."""
        found = (lines.resolve(path, line) for lines in self._lines)
        return next((at for at in found if at is not None), None)

    def _halt(self, stop: Stop) -> str:
        self.halted = True
        try:
            self._pipe.send("stopped", **self._described(stop))
            action = self._ask(self._robot)
            self._pipe.send("resumed")
        except (EOFError, OSError) as gone:
            # Within a script, errors are taken for its own.
            raise Abandoned from gone
        finally:
            self.halted = False
        return action

    def _described(self, stop: Stop) -> dict[str, Any]:
        stack = [
            {"function": function, "file": self._name_of(file), "line": line, "variables": _tree(variables)}
            for function, (file, line), variables in stop.functions()
        ]
        file, line = stop.place
        return {
            "robot": self._robot,
            "reason": stop.reason,
            "file": self._name_of(file),
            "line": line,
            "stack": stack,
        }

    def _name_of(self, path: str) -> str:
        return path if self._files is None else self._files.name_of(path)


def _tree(variables: dict[str, Any]) -> list[dict[str, Any]]:
    make = TreeMaker()
    return [make.node(name, value) for name, value in variables.items()]
