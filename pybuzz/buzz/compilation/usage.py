"""How a script uses its names: where each global is assigned, called and otherwise read, function by function."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pybuzz.buzz.compilation.library import CALLING
from pybuzz.buzz.scopes import Function, Scopes, Variable
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    Call,
    CallStatement,
    Expression,
    Field,
    For,
    FunctionDefinition,
    If,
    Index,
    Lambda,
    Logic,
    Name,
    Node,
    Not,
    Return,
    Script,
    TableConstructor,
    Unary,
    VarDeclaration,
    While,
)

__all__ = ["Usage", "usage_of"]

_CALLBACK = 1
"""Position of the closure among the arguments of foreach, map, filter and reduce."""


@dataclass(slots=True)
class Usage:
    """What one walk over the tree collects.

    global_values    values assigned to each global; None stands for nil
    local_values     values assigned to each local
    called           calls of each global by its name
    read             how often each global is read, other than by calling it or opening it as a table
    callbacks        calls of built-ins that call a global they are given by its name, as in `foreach(t, show)`
    handed           the same for lambdas written as the argument
    stored           names of the fields that are stored in each global, as in `math.twice = ...`
    calls            the calls in each function
    returns          the values that each function returns; None stands for nil
    reads_globals    the globals that each function mentions
    """

    global_values: dict[str, list[Expression | None]] = field(default_factory=lambda: defaultdict(list))
    local_values: dict[Variable, list[Expression | None]] = field(default_factory=lambda: defaultdict(list))
    called: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    callbacks: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    handed: dict[Lambda, Call] = field(default_factory=dict)
    read: Counter[str] = field(default_factory=Counter)
    stored: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    calls: dict[Function, list[Call]] = field(default_factory=lambda: defaultdict(list))
    returns: dict[Function, list[Expression | None]] = field(default_factory=lambda: defaultdict(list))
    reads_globals: dict[Function, set[str]] = field(default_factory=lambda: defaultdict(set))


def usage_of(script: Script, scopes: Scopes) -> Usage:
    """The usage of a script's names."""
    walker = _Walker(scopes)
    for statement in script.statements:
        walker.visit(statement)
    return walker.usage


class _Walker:
    def __init__(self, scopes: Scopes) -> None:
        self.usage = Usage()
        self._scopes = scopes
        self._function = scopes.functions[0]

    def visit(self, node: Node) -> None:
        handler = _HANDLERS.get(node.__class__)
        if handler is not None:
            handler(self, node)

    def name(self, node: Name) -> None:
        if node not in self._scopes.variables:
            self.usage.read[node.name] += 1
            self.usage.reads_globals[self._function].add(node.name)

    def field(self, node: Field) -> None:
        self._opened(node.table)

    def index(self, node: Index) -> None:
        self.visit(node.table)
        self.visit(node.key)

    def _opened(self, table: Expression) -> None:
        """A global of which a field is read by name does not get into other hands."""
        if isinstance(table, Name) and table not in self._scopes.variables:
            self.usage.reads_globals[self._function].add(table.name)
        else:
            self.visit(table)

    def call(self, node: Call) -> None:
        self.usage.calls[self._function].append(node)
        target = node.function
        if isinstance(target, Name) and target not in self._scopes.variables:
            self.usage.called[target.name].append(node)
            self.usage.reads_globals[self._function].add(target.name)
        else:
            self.visit(target)
        for position, argument in enumerate(node.arguments):
            if position == _CALLBACK and isinstance(target, Name) and target.name in CALLING:
                self._callback(node, argument)
            self.visit(argument)

    def _callback(self, node: Call, argument: Expression) -> None:
        if isinstance(argument, Lambda):
            self.usage.handed[argument] = node
        elif isinstance(argument, Name) and argument not in self._scopes.variables:
            self.usage.callbacks[argument.name].append(node)

    def operand(self, node: Unary | Not) -> None:
        self.visit(node.operand)

    def operands(self, node: Binary | Logic) -> None:
        self.visit(node.left)
        self.visit(node.right)

    def constructor(self, node: TableConstructor) -> None:
        for entry in node.entries:
            self.visit(entry.value)

    def function(self, node: FunctionDefinition | Lambda) -> None:
        outer = self._function
        self._function = self._scopes.function_of[node]
        self.block(node.body)
        self._function = outer

    def block(self, node: Block) -> None:
        for statement in node.statements:
            self.visit(statement)

    def declaration(self, node: VarDeclaration) -> None:
        if node.value is not None:
            self.visit(node.value)
        variable = self._scopes.variables.get(node)
        if variable is None:
            self.usage.global_values[node.name].append(node.value)
            return
        values = self.usage.local_values[variable]
        values.append(node.value)
        if node.value is not None and any(copy.origin is variable for copy in self._copies()):
            # A lambda in its initialiser captures it while it is nil.
            values.append(None)

    def _copies(self) -> list[Variable]:
        return [copy for function in self._scopes.functions for copy in function.captures]

    def assignment(self, node: Assignment) -> None:
        target = node.target
        if isinstance(target, Name):
            variable = self._scopes.variables.get(target)
            if variable is None:
                self.usage.global_values[target.name].append(node.value)
            else:
                self.usage.local_values[variable].append(node.value)
        elif isinstance(target, Field):
            self._opened(target.table)
            if isinstance(target.table, Name):
                self.usage.stored[target.table.name].add(target.name)
        elif isinstance(target, Index):
            self.index(target)
        self.visit(node.value)

    def return_(self, node: Return) -> None:
        self.usage.returns[self._function].append(node.value)
        if node.value is not None:
            self.visit(node.value)

    def branch(self, node: If) -> None:
        self.visit(node.condition)
        self.block(node.then)
        if node.otherwise is not None:
            self.block(node.otherwise)

    def while_(self, node: While) -> None:
        self.visit(node.condition)
        self.block(node.body)

    def for_(self, node: For) -> None:
        self.visit(node.initial)
        self.visit(node.condition)
        self.visit(node.update)
        self.block(node.body)

    def call_statement(self, node: CallStatement) -> None:
        self.call(node.call)


_HANDLERS: Mapping[type, Callable[[_Walker, Any], None]] = {
    Name: _Walker.name,
    Field: _Walker.field,
    Index: _Walker.index,
    Call: _Walker.call,
    Unary: _Walker.operand,
    Not: _Walker.operand,
    Binary: _Walker.operands,
    Logic: _Walker.operands,
    TableConstructor: _Walker.constructor,
    Lambda: _Walker.function,
    FunctionDefinition: _Walker.function,
    VarDeclaration: _Walker.declaration,
    Assignment: _Walker.assignment,
    Return: _Walker.return_,
    If: _Walker.branch,
    While: _Walker.while_,
    For: _Walker.for_,
    CallStatement: _Walker.call_statement,
}
