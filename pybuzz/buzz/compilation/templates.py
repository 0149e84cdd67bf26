"""The plain way of writing operations: a helper call for each.

The inline templates take its place in compiled programs; this one stays as the oracle that they are tested against.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Protocol

from pybuzz.buzz.compilation.python_nodes import call, choose, constant
from pybuzz.buzz.tree import Binary, Expression, Field, Index, Logic, Not, TableConstructor, Unary

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["COMPARISONS", "HELPERS", "HelperTemplates", "Templates", "logical"]

HELPERS = {
    "+": "__add", "-": "__subtract", "*": "__multiply", "/": "__divide", "%": "__modulo", "^": "__power",
    "&": "__bit_and", "|": "__bit_or", "<<": "__shift_left", ">>": "__shift_right", "==": "__equal",
    "!=": "__different", "<": "__less", "<=": "__less_or_equal", ">": "__greater", ">=": "__greater_or_equal",
}  # fmt: skip
"""Helpers of the runtime that mean an operator; those of comparisons give Python's True or False."""

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


class Templates(Protocol):
    """How operators, conditions and accesses to tables are written."""

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        """An arithmetic or bitwise operation."""

    def unary(self, writer: Writer, node: Unary) -> ast.expr:
        """`-` or `!`."""

    def condition(self, writer: Writer, node: Expression) -> ast.expr:
        """An expression that Python takes for true where Buzz does."""

    def fetch(self, writer: Writer, node: Field | Index) -> ast.expr:
        """The value of a field."""

    def store(self, writer: Writer, target: Field | Index, value: Expression) -> list[ast.stmt]:
        """Storing a value in a field."""

    def constructor(self, writer: Writer, node: TableConstructor) -> ast.expr:
        """A new table."""

    def constructor_first(self, writer: Writer, node: TableConstructor) -> tuple[list[ast.stmt], ast.expr]:
        """A new table where a statement evaluates nothing else: what to do before the statement, and the table."""


def logical(writer: Writer, node: Logic | Not | Binary) -> ast.expr:
    """The value 1 or 0 of a condition."""
    return choose(writer.templates.condition(writer, node), constant(1), constant(0))


class HelperTemplates:
    """A helper call per operation."""

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        return call(HELPERS[node.operator], writer.value(node.left), writer.value(node.right))

    def unary(self, writer: Writer, node: Unary) -> ast.expr:
        return call("__negate" if node.operator == "-" else "__complement", writer.value(node.operand))

    def condition(self, writer: Writer, node: Expression) -> ast.expr:
        if isinstance(node, Binary) and node.operator in COMPARISONS:
            return self.binary(writer, node)
        return call("__truth", self._condition_value(writer, node))

    def _condition_value(self, writer: Writer, node: Expression) -> ast.expr:
        if isinstance(node, Logic):
            helper = "__logic_and" if node.operator == "and" else "__logic_or"
            return call(helper, writer.value(node.left), writer.value(node.right))
        if isinstance(node, Not):
            return call("__logic_not", writer.value(node.operand))
        return writer.value(node)

    def fetch(self, writer: Writer, node: Field | Index) -> ast.expr:
        key = constant(node.name) if isinstance(node, Field) else writer.value(node.key)
        return call("__fetch", writer.value(node.table), key)

    def store(self, writer: Writer, target: Field | Index, value: Expression) -> list[ast.stmt]:
        table = writer.value(target.table)
        key = constant(target.name) if isinstance(target, Field) else writer.value(target.key)
        return [writer.places.at(target.span, ast.Expr(call("__store", table, key, writer.value(value))))]

    def constructor(self, writer: Writer, node: TableConstructor) -> ast.expr:
        parts = [part for entry in node.entries for part in (writer.literal(entry.key), writer.value(entry.value))]
        return call("__new_table", *parts)

    def constructor_first(self, writer: Writer, node: TableConstructor) -> tuple[list[ast.stmt], ast.expr]:
        return [], self.constructor(writer, node)
