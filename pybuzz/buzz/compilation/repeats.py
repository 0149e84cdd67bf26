"""Expressions that are evaluated again though nothing they depend on can have changed.

Such an expression is computed where it comes first and kept in a local; the places after it read that local. It fails,
if it fails, where it comes first. Only within a run of code that has no way around the first place: what a branch
computes counts in that branch, what a loop computes in the rest of the same turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pybuzz.buzz.compilation.facts import Facts, ListRead, Repeat
from pybuzz.buzz.compilation.library import CALLING
from pybuzz.buzz.scopes import Variable
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    Call,
    CallStatement,
    Expression,
    Field,
    Float,
    For,
    If,
    Index,
    Integer,
    Lambda,
    Name,
    Return,
    Statement,
    String,
    TableConstructor,
    Unary,
    VarDeclaration,
    While,
    children,
)

__all__ = ["repeats"]

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>"))
_CALLING_OTHERS = frozenset((*CALLING, "log"))
"""Built-ins that call what they are given, or what takes the lines of a log."""


def repeats(facts: Facts) -> Mapping[Expression, Repeat]:
    """The expressions to keep and those to read again, in all functions. Needs `tampered`."""
    found: dict[Expression, Repeat] = {}
    for function in facts.scopes.functions[1:]:
        assert function.node is not None
        found.update(_Search(facts).found(function.node.body))
    return found


@dataclass(slots=True, eq=False)
class _Value:
    """What an expression computes: the same object for all expressions that compute the same.

    variables: locals and names of globals that it depends on. tables: whether it depends on what tables hold.
    """

    variables: frozenset[Variable | str]
    tables: bool


@dataclass(slots=True)
class _Kept:
    """An expression that has been evaluated, and those that can use its value."""

    node: Expression
    uses: list[Expression] = field(default_factory=list)


class _Search:
    """Goes through a function in the order in which it runs."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._values: dict[tuple[Any, ...], _Value] = {}
        self._value_of: dict[Expression, _Value | None] = {}
        self._known: dict[_Value, _Kept] = {}
        """What has been evaluated on every way to the present place, and would still give the same."""
        self._all: list[_Kept] = []

    def found(self, body: Block) -> Mapping[Expression, Repeat]:
        """What repeats in the body of a function."""
        self._block(body)
        found: dict[Expression, Repeat] = {}
        for number, kept in enumerate((kept for kept in self._all if kept.uses), start=1):
            name = f"__k{number}"
            found[kept.node] = Repeat(name, is_first=True)
            found.update(dict.fromkeys(kept.uses, Repeat(name, is_first=False)))
        return found

    # Statements, in the order in which they run

    def _statement(self, node: Statement) -> None:
        handler = _STATEMENTS.get(node.__class__)
        if handler is not None:
            handler(self, node)

    def _block(self, block: Block | None) -> None:
        for statement in block.statements if block is not None else ():
            self._statement(statement)

    def _declaration(self, node: VarDeclaration) -> None:
        if node.value is not None:
            self._evaluate(node.value)
        self._assigned(self._facts.scopes.variables.get(node, node.name))

    def _assignment(self, node: Assignment) -> None:
        target = node.target
        if isinstance(target, Name):
            self._evaluate(node.value)
            self._assigned(self._facts.scopes.variables.get(target, target.name))
            return
        assert isinstance(target, Field | Index)
        self._evaluate(target.table)
        if isinstance(target, Index):
            self._evaluate(target.key)
        self._evaluate(node.value)
        self._forget(lambda value: value.tables)

    def _call_statement(self, node: CallStatement) -> None:
        self._evaluate(node.call)

    def _return(self, node: Return) -> None:
        if node.value is not None:
            self._evaluate(node.value)

    def _if(self, node: If) -> None:
        self._evaluate(node.condition)
        before = dict(self._known)
        self._block(node.then)
        after = self._known
        self._known = before.copy()
        self._block(node.otherwise)
        self._known = {value: kept for value, kept in after.items() if self._known.get(value) is kept}

    def _while(self, node: While) -> None:
        self._turn(node.condition, node.body, None)

    def _for(self, node: For) -> None:
        self._statement(node.initial)
        self._turn(node.condition, node.body, node.update)

    def _turn(self, condition: Expression, body: Block, update: Statement | None) -> None:
        """Earlier turns may have changed anything, and after the loop so may all of them."""
        self._known = {}
        self._evaluate(condition)
        self._block(body)
        if update is not None:
            self._statement(update)
        self._known = {}

    # Expressions

    def _evaluate(self, node: Expression) -> None:
        value = self._value(node)
        kept = None if value is None else self._known.get(value)
        if kept is not None:
            kept.uses.append(node)
            return
        self._operands(node)
        if value is not None and self._is_worth_keeping(node):
            self._known[value] = kept = _Kept(node)
            self._all.append(kept)

    def _operands(self, node: Expression) -> None:
        if isinstance(node, Call):
            self._call(node)
        elif isinstance(node, TableConstructor):
            for entry in node.entries:
                self._evaluate(entry.value)
        elif (read := self._facts.list_read(node)) is not None:
            for key in read.operands:
                self._evaluate(key)
        elif not isinstance(node, Lambda) and self._facts.function_at(node) is None:
            for operand in children(node):
                assert isinstance(operand, Expression)
                self._evaluate(operand)

    def _call(self, node: Call) -> None:
        name = self._facts.built_in(node.function)
        if name is None and self._facts.callee(node) is None:
            self._evaluate(node.function)
        for argument in node.arguments:
            self._evaluate(argument)
        if name is None or name in _CALLING_OTHERS:
            # Locals are safe: closures have copies of them.
            self._forget(lambda value: value.tables or any(isinstance(name, str) for name in value.variables))

    def _is_worth_keeping(self, node: Expression) -> bool:
        if isinstance(node, Name | Integer | Float | String):
            return False
        facts = self._facts
        return not (facts.built_in(node) or facts.function_at(node) or facts.data_field(node))

    # What expressions compute

    def _value(self, node: Expression) -> _Value | None:
        """None for what must be evaluated each time."""
        if node not in self._value_of:
            self._value_of[node] = self._found_value(node)
        return self._value_of[node]

    def _found_value(self, node: Expression) -> _Value | None:
        built_in = self._facts.built_in(node)
        if built_in is not None:
            return self._same((Name, built_in))
        if isinstance(node, Name):
            variable = self._facts.scopes.variables.get(node, node.name)
            return self._same((Name, variable), variables=frozenset((variable,)))
        if isinstance(node, Integer | String):
            return self._same((node.__class__, node.value))
        if isinstance(node, Float):
            return self._same((Float, node.value.hex()))
        read = self._facts.list_read(node)
        if read is not None:
            # The host changes it between calls only.
            return self._joined((ListRead, *read[:3]), *read.operands)
        found = self._facts.data_field(node)
        if found is not None:
            return self._same((Field, *found), variables=frozenset(found[:1]))
        if isinstance(node, Field):
            return self._joined((Field, node.name), node.table)
        if isinstance(node, Index):
            return self._joined((Index,), node.table, node.key)
        if isinstance(node, Binary) and node.operator in _ARITHMETIC:
            return self._joined((Binary, node.operator), node.left, node.right)
        if isinstance(node, Unary):
            return self._joined((Unary, node.operator), node.operand)
        if isinstance(node, Call):
            function = self._facts.built_in(node.function) or ""
            return self._joined((Call, function), *node.arguments) if function.startswith("math.") else None
        return None

    def _joined(self, kind: tuple[Any, ...], *operands: Expression) -> _Value | None:
        parts = [part for part in map(self._value, operands) if part is not None]
        if len(parts) < len(operands):
            return None
        variables = frozenset[Variable | str]().union(*(part.variables for part in parts))
        tables = kind[0] in (Field, Index) or any(part.tables for part in parts)
        return self._same((*kind, *parts), variables=variables, tables=tables)

    def _same(
        self, key: tuple[Any, ...], *, variables: frozenset[Variable | str] = frozenset(), tables: bool = False
    ) -> _Value:
        return self._values.setdefault(key, _Value(variables, tables))

    # What no longer holds

    def _assigned(self, variable: Variable | str) -> None:
        self._forget(lambda value: variable in value.variables)

    def _forget(self, changed: Callable[[_Value], bool]) -> None:
        self._known = {value: kept for value, kept in self._known.items() if not changed(value)}


_STATEMENTS: Mapping[type[Statement], Callable[[_Search, Any], None]] = {
    VarDeclaration: _Search._declaration,
    Assignment: _Search._assignment,
    CallStatement: _Search._call_statement,
    Return: _Search._return,
    If: _Search._if,
    While: _Search._while,
    For: _Search._for,
}
