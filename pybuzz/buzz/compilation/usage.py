"""How a script uses its names: where each global is assigned, called and otherwise read, function by function."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pybuzz.buzz.compilation.library import callback_of
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
    walk,
)

__all__ = ["Usage", "usage_of"]


@dataclass(slots=True)
class Usage:
    """What one walk over the tree collects.

    global_values    values assigned to each global and path, entries of constructors included; None stands for nil
    local_values     values assigned to each local
    called           calls of each global by its name, and of each path ("math.vec2.add") by that
    read             how often each global or path is read, other than by calling it or opening it as a table
    callbacks        calls of built-ins that call a global they are given by its name, as in `foreach(t, show)`
    handed           the same for lambdas written as the argument
    calls            the calls in each function
    returns          the values that each function returns; None stands for nil
    reads_globals    the globals and paths that each function mentions
    """

    global_values: dict[str, list[Expression | None]] = field(default_factory=lambda: defaultdict(list))
    local_values: dict[Variable, list[Expression | None]] = field(default_factory=lambda: defaultdict(list))
    called: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    callbacks: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    handed: dict[Node | None, Call] = field(default_factory=dict)
    read: Counter[str] = field(default_factory=Counter)
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

    def reference(self, node: Name | Field) -> None:
        path = self._mentioned(node)
        if path is not None:
            self.usage.read[path] += 1

    def _mentioned(self, node: Expression) -> str | None:
        """The path of an expression. The tables that it leads through do not get into other hands."""
        path = self._scopes.path(node)
        if path is not None:
            self.usage.reads_globals[self._function].add(path)
        if isinstance(node, Field):
            self._mentioned(node.table)
        elif not isinstance(node, Name):
            self.visit(node)
        return path

    def index(self, node: Index) -> None:
        self.visit(node.table)
        self.visit(node.key)

    def call(self, node: Call) -> None:
        self.usage.calls[self._function].append(node)
        target = node.function
        path = self._mentioned(target)
        if path is not None:
            self.usage.called[path].append(node)
        self._callback(node, callback_of(node, self._scopes))
        for argument in node.arguments:
            self.visit(argument)

    def _callback(self, node: Call, argument: Expression | None) -> None:
        path = None if argument is None else self._scopes.path(argument)
        if path is not None:
            self.usage.callbacks[path].append(node)
        elif isinstance(argument, Lambda):
            self.usage.handed[argument] = node

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
            self._assigned(node.name, node.value)
            return
        values = self.usage.local_values[variable]
        values.append(node.value)
        if node.value is not None and self._mentions(node.value, variable):
            # Its own initialiser finds it nil.
            values.append(None)

    def _mentions(self, node: Expression, variable: Variable) -> bool:
        if any(copy.origin is variable for function in self._scopes.functions for copy in function.captures):
            return True
        return any(self._scopes.variables.get(part) is variable for part in walk(node))

    def assignment(self, node: Assignment) -> None:
        target = node.target
        path = self._scopes.path(target)
        if path is not None:
            self._assigned(path, node.value)
        elif isinstance(target, Name):
            self.usage.local_values[self._scopes.variables[target]].append(node.value)
        if isinstance(target, Field):
            self._mentioned(target.table)
        elif isinstance(target, Index):
            self.index(target)
        self.visit(node.value)

    def _assigned(self, path: str, value: Expression | None) -> None:
        self.usage.global_values[path].append(value)
        if isinstance(value, TableConstructor):
            for entry in value.entries:
                self._assigned(f"{path}.{entry.key}", entry.value)

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
    Name: _Walker.reference,
    Field: _Walker.reference,
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
