"""The scalar globals of all scripts, followed from tick to tick: only what changed is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pybuzz.buzz.machine import Machine, globals_reader
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
        self._robots: list[Robot] = []
        self._groups: list[_Group] = []

    def changes(self, robots: list[Robot]) -> str:
        """As JSON, by robot and name: what is different from the last call, null: nil now; empty if nothing is."""
        if robots != self._robots:
            self._group(robots)
        found: list[str] = []
        for group in self._groups:
            group.add_changes(found)
        return f"{{{','.join(found)}}}" if found else ""

    def _group(self, robots: list[Robot]) -> None:
        """Robots that run the same script are looked at together."""
        self._robots = list(robots)
        last = {name: values for group in self._groups for name, values in group.last}
        of_program: dict[Program, dict[str, Machine]] = {}
        for robot in robots:
            if robot.mind is not None:
                machine = robot.mind.machine
                of_program.setdefault(machine.program, {})[robot.name] = machine
        self._groups = [_Group(program, machines, last) for program, machines in of_program.items()]


class _Group:
    """The robots of one script. For a thousand of them this is done in every tick, so it writes JSON at once."""

    def __init__(self, program: Program, machines: Mapping[str, Machine], last: Mapping[str, tuple[Any, ...]]) -> None:
        names = own_globals(program)
        self._robots = list(machines)
        self._machines = list(machines.values())
        self._read = globals_reader(names)
        self._labels = [f"{json.dumps(robot)}:" for robot in machines]
        self._keys = [f"{json.dumps(name)}:" for name in names]
        self._last = [last.get(robot, (None,) * len(names)) for robot in machines]

    @property
    def last(self) -> Iterable[tuple[str, tuple[Any, ...]]]:
        """What each robot's globals were."""
        return zip(self._robots, self._last, strict=True)

    def add_changes(self, found: list[str]) -> None:
        """Add an entry for each robot of which something is not what it was."""
        before, now = self._last, self._read(self._machines)
        self._last = now
        for label, old, new in zip(self._labels, before, now, strict=True):
            if old != new:
                entries = _differences(self._keys, old, new)
                if entries:
                    found.append(f"{label}{{{entries}}}")


def _differences(keys: Iterable[str], before: Iterable[Any], now: Iterable[Any]) -> str:
    entries = []
    for key, old, new in zip(keys, before, now, strict=True):
        if old is not new and old != new:
            if new.__class__ is float and new - new == 0.0:
                entries.append(f"{key}{new!r}")
            elif (text := _json(new)) != _json(old):
                entries.append(key + text)
    return ",".join(entries)


def _json(value: Any) -> str:
    """Numbers that JSON does not know are texts."""
    if value.__class__ is int:
        return str(value)
    if value.__class__ is float:
        return repr(value) if value - value == 0.0 else f'"{value}"'
    return json.dumps(text_of(value)) if value.__class__ is str else "null"
