"""Between the values of one robot and the neutral ones on the wire."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.tables import Table
from pybuzz.swarm.wire import MalformedError, WireClosure, WireTable, Writer

if TYPE_CHECKING:
    from pybuzz.buzz.machine import Machine

__all__ = ["Exchange"]


class Exchange:
    """One robot's border: what goes out is coded, what comes in becomes the robot's own.

    Functions travel as their place in the program, which all robots of a swarm share.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.writer = Writer(machine.strings, self._code_of, machine.spend_bytes)

    def own(self, value: Any) -> Any:
        """A neutral value as one of this robot, with new tables. Raises MalformedError for an unknown function."""
        if isinstance(value, WireTable):
            table = Table()
            for key, item in value.entries:
                table.put(self.own(key), self.own(item))
            return table
        if isinstance(value, WireClosure):
            return self._closure(value)
        return value

    def number(self, value: Any) -> None:
        """Give the strings of a neutral value their ids, as the C runtime does when it reads a message."""
        if isinstance(value, WireTable):
            for key, item in value.entries:
                self.number(key)
                self.number(item)
        elif isinstance(value, str):
            self._machine.strings.register(value)

    def _code_of(self, value: Any) -> WireClosure | None:
        if not isinstance(value, FunctionType):
            return None
        index = self._machine.closure_index(value)
        return None if index is None else WireClosure(True, index)

    def _closure(self, code: WireClosure) -> Any:
        closure = self._machine.closure_at(code.place) if code.of_script else None
        if closure is None:
            raise MalformedError(f"this program has no function {code.place}")
        return closure
