"""The scalar globals of all scripts, followed from tick to tick: only what changed is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pybuzz.buzz.machine import globals_reader
from pybuzz.buzz.program import Program
from pybuzz.buzz.signatures import BUILT_INS
from pybuzz.buzz.tree import FunctionDefinition
from pybuzz.buzz.values import text_of
from pybuzz.experiment.robots import Robot
from pybuzz.khepera import signatures

__all__ = ["ScalarGlobals", "own_globals"]


def own_globals(program: Program) -> list[str]:
    """The globals that are the script's own, in order: neither the host's nor its named functions."""
    functions = {one.name for one in program.scopes.functions if isinstance(one.node, FunctionDefinition)}
    return sorted(program.mentioned_globals - BUILT_INS.globals - signatures().globals - functions)


class ScalarGlobals:
    """Globals of numbers and strings. One that is nil, a table or a closure counts as nil here."""

    def __init__(self) -> None:
        self._columns: dict[Program, _Columns] = {}
        self._last: dict[str, tuple[Any, ...]] = {}

    def changes(self, robots: Iterable[Robot]) -> dict[str, dict[str, Any]]:
        """By robot and name: what is different from the last call; None for what is nil now."""
        found: dict[str, dict[str, Any]] = {}
        last, columns = self._last, self._columns
        for robot in robots:
            if robot.mind is None:
                continue
            machine = robot.mind.machine
            program = machine.program
            kept = columns.get(program)
            if kept is None:
                kept = columns[program] = _Columns(program)
            values, before = kept.read(machine), last.get(robot.name)
            if values != before:
                last[robot.name] = values
                changed = kept.changed(before or kept.nothing, values)
                if changed:
                    found[robot.name] = changed
        return found


class _Columns:
    """The names of one script, in an order."""

    def __init__(self, program: Program) -> None:
        self._names = own_globals(program)
        self.read = globals_reader(self._names)
        self.nothing = (None,) * len(self._names)

    def changed(self, before: tuple[Any, ...], now: tuple[Any, ...]) -> dict[str, Any]:
        pairs = zip(self._names, before, now, strict=True)
        return {name: _scalar(new) for name, old, new in pairs if old is not new and _scalar(old) != _scalar(new)}


def _scalar(value: Any) -> Any:
    if value.__class__ is float or value.__class__ is int:
        return value
    return text_of(value) if value.__class__ is str else None
