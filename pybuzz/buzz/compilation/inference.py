"""Types by name, over the whole program and without regard to the flow of control.

A name has every type of every value that is assigned to it anywhere. Globals may also be nil where they can be read
before their first assignment; what the host may set is of any type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pybuzz.buzz.compilation.facts import Arguments, Facts
from pybuzz.buzz.compilation.first_assignment import never_nil
from pybuzz.buzz.compilation.types import ANY, NIL, TABLE, Types
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import SELF, Function, Variable
from pybuzz.buzz.tree import Block, Expression, If, Return, Script, Statement

__all__ = ["infer_types", "may_end"]

_MOST_ROUNDS = 20


def infer_types(script: Script, facts: Facts, usage: Usage) -> Facts:
    """Facts with the types of locals, globals and results. Needs `named`, `callers` and `host_names`."""
    inference = _Inference(script, facts, usage)
    inference.run()
    return inference.facts()


class _Inference:
    """Joins the types of the values of every name until nothing changes. 0 stands for not known yet."""

    def __init__(self, script: Script, facts: Facts, usage: Usage) -> None:
        self._usage = usage
        self._callers = facts.callers
        self._variables: dict[Variable, Types] = {}
        self._globals: dict[str, Types] = {}
        self._results: dict[Function, Types] = {}
        self._facts = replace(
            facts, variables=self._variables, globals=self._globals, results=self._results, settled=False
        )
        self._sources: dict[Variable, list[Expression | None]] = {}
        self._start(script, facts, usage)

    def _start(self, script: Script, facts: Facts, usage: Usage) -> None:
        for function in facts.scopes.functions:
            for variable in (*function.parameters, *function.captures, *function.locals):
                self._variables[variable] = self._first_types(variable)
                self._sources[variable] = list(usage.local_values.get(variable, ()))
            for arguments in facts.callers.get(function, ()):
                self._add_arguments(function, arguments)
        for name in facts.scopes.globals:
            if name in usage.global_values and not facts.is_set_from_outside(name):
                self._globals[name] = 0
        for name in self._globals.keys() - never_nil(script, facts, usage):
            self._globals[name] = NIL
        for function in facts.named.values():
            self._results[function] = NIL if may_end(function) else 0

    def _first_types(self, variable: Variable) -> Types:
        if variable.name == SELF:
            return NIL | TABLE
        return ANY if variable.is_parameter and variable.function not in self._callers else 0

    def _add_arguments(self, function: Function, arguments: Arguments) -> None:
        for parameter, argument in zip(function.parameters, arguments, strict=False):
            if isinstance(argument, int):
                self._variables[parameter] |= argument
            else:
                self._sources[parameter].append(argument)

    def run(self) -> None:
        for _ in range(_MOST_ROUNDS):
            if not self._round():
                return
        # Not reached in practice: types only grow, and there are seven.
        raise AssertionError("types do not settle")

    def _round(self) -> bool:
        changed = False
        for variable, values in self._sources.items():
            types = self._variables[variable] | self._join(values)
            if variable.origin is not None:
                types |= self._variables[variable.origin]
            changed |= types != self._variables[variable]
            self._variables[variable] = types
        for name, known in self._globals.items():
            types = known | self._join(self._usage.global_values[name])
            changed |= types != known
            self._globals[name] = types
        for function, known in self._results.items():
            types = known | self._join(self._usage.returns.get(function, ()))
            changed |= types != known
            self._results[function] = types
        return changed

    def _join(self, values: Iterable[Expression | None]) -> Types:
        types = 0
        for value in values:
            types |= NIL if value is None else self._facts.types_of(value)
        return types

    def facts(self) -> Facts:
        # What never got a value is never reached, or always fails: anything may be said of it.
        for table in (self._variables, self._globals, self._results):
            for name, types in table.items():
                table[name] = types or ANY  # type: ignore[index]
        return replace(self._facts, settled=True)


def may_end(function: Function) -> bool:
    """Whether the end of the body can be reached, which gives nil."""
    assert function.node is not None
    return not _returns(function.node.body)


def _returns(block: Block | None) -> bool:
    return block is not None and any(_always_returns(statement) for statement in block.statements)


def _always_returns(statement: Statement) -> bool:
    if isinstance(statement, If):
        return _returns(statement.then) and _returns(statement.otherwise)
    return isinstance(statement, Return)
