"""The state of writing one function: names, temporaries, and the way from a node to the generator for its kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.python_nodes import Places, constant, load, walrus
from pybuzz.buzz.compilation.types import Types
from pybuzz.buzz.scopes import Function, Variable
from pybuzz.buzz.single import to_single
from pybuzz.buzz.tree import Block, Expression, Span, Statement

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.templates import Templates

__all__ = ["Writer", "python_global"]

_RENAMED: Mapping[str, str] = {name: f"__name_{name}" for name in ("None", "True", "False")}


def python_global(name: str) -> str:
    """The Python name of a Buzz global: itself, except for the names that Python keeps for itself."""
    return _RENAMED.get(name, name)


class Writer:
    """Writes the code of one function. Locals begin with one underscore, what compiled code needs with two."""

    expressions: Mapping[type, Callable[[Writer, Any], ast.expr]]
    statements: Mapping[type, Callable[[Writer, Any], list[ast.stmt]]]

    def __init__(
        self, facts: Facts, templates: Templates, places: Places, function: Function, numbers: Mapping[Function, int]
    ) -> None:
        self.facts = facts
        self.templates = templates
        self.places = places
        self.function = function
        self.numbers = numbers
        self.assigned_globals: set[str] = set()
        self._temporaries = 0

    # Nodes

    def value(self, node: Expression) -> ast.expr:
        """Python's expression for the value of a Buzz expression."""
        repeat = self.facts.repeats.get(node)
        if repeat is not None and not repeat.is_first:
            return self.places.at(node.span, load(repeat.name))
        written = self.places.at(node.span, self.expressions[node.__class__](self, node))
        return written if repeat is None else self.places.at(node.span, walrus(repeat.name, written))

    def block(self, block: Block) -> list[ast.stmt]:
        return [written for statement in block.statements for written in self.statement(statement)]

    def statement(self, statement: Statement) -> list[ast.stmt]:
        self._temporaries = 0
        return self.placed(statement.span, self.statements[statement.__class__](self, statement))

    def placed(self, span: Span, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [self.places.at(span, statement) for statement in statements]

    def types_of(self, node: Expression) -> Types:
        return self.facts.types_of(node)

    def literal(self, value: str | float) -> ast.expr:
        """A constant of the script, as a program of this precision holds it."""
        return constant(to_single(value) if self.facts.single_precision and isinstance(value, float) else value)

    # Names

    def temporary(self) -> str:
        """A name for a value that is needed again within the same statement."""
        self._temporaries += 1
        return f"__t{self._temporaries}"

    def twice(self, node: ast.expr, calm: bool) -> tuple[ast.expr, ast.expr]:
        """A node to evaluate first and one to read the same value again.

        calm: no other code runs in between, so that a global is still what it was.
        """
        if isinstance(node, ast.NamedExpr):
            return node, load(node.target.id)
        if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and (calm or _is_local(node.id))):
            return node, node
        name = self.temporary()
        return walrus(name, node), load(name)

    def variable(self, variable: Variable) -> str:
        """The Python name that a local is read and written under."""
        return f"__own_{variable.name}" if self.has_copy(variable) else f"_{variable.name}"

    def has_copy(self, variable: Variable) -> bool:
        """Whether a local differs from the argument or captured value that it starts from."""
        return (variable in self.function.captures and variable.assigned) or self.may_be_missing(variable)

    def may_be_missing(self, variable: Variable) -> bool:
        """Whether a local is, or was captured from, a parameter that no argument may have been given for."""
        while variable.origin is not None:
            variable = variable.origin
        return variable.is_parameter and variable.function not in self.facts.callers


def _is_local(name: str) -> bool:
    return name[0] == "_" and not name.startswith("__name_")
