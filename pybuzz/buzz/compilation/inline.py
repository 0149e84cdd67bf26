"""Inline expressions for operations, with a helper behind where they cannot decide: what makes compiled code fast.

A template relies on Python's own TypeError for operands that have no meaning in Python either; where Python would
accept what Buzz does not (adding strings, say), the test that follows fails on it.
"""

from __future__ import annotations

import ast

from pybuzz.buzz.compilation.arithmetic import DoubleArithmetic
from pybuzz.buzz.compilation.comparisons import comparison
from pybuzz.buzz.compilation.python_nodes import (
    both,
    call,
    choose,
    class_of,
    compare,
    constant,
    either,
    is_class,
    is_small,
    load,
    negation,
    operation,
    subscript,
)
from pybuzz.buzz.compilation.stores import constructed, constructed_first, stored
from pybuzz.buzz.compilation.templates import COMPARISONS
from pybuzz.buzz.compilation.types import INTEGER, NIL, STRING
from pybuzz.buzz.compilation.writer import Writer
from pybuzz.buzz.tree import Binary, Expression, Field, Index, Logic, Not, TableConstructor, Unary
from pybuzz.buzz.values import truth

__all__ = ["InlineTemplates"]


class InlineTemplates:
    """Operations written in line. `arithmetic` is that of one precision."""

    def __init__(self, arithmetic: DoubleArithmetic) -> None:
        self._arithmetic = arithmetic

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        return self._arithmetic.binary(writer, node)

    def unary(self, writer: Writer, node: Unary) -> ast.expr:
        return self._arithmetic.unary(writer, node)

    def condition(self, writer: Writer, node: Expression) -> ast.expr:
        return writer.places.at(node.span, self._condition(writer, node))

    def _condition(self, writer: Writer, node: Expression) -> ast.expr:
        if isinstance(node, Binary) and node.operator in COMPARISONS:
            return comparison(writer, node)
        if isinstance(node, Not):
            return negation(self.condition(writer, node.operand))
        if isinstance(node, Logic):
            # Both sides are always evaluated: the bits of two bools.
            operator = "&" if node.operator == "and" else "|"
            return operation(self._boolean(writer, node.left), operator, self._boolean(writer, node.right))
        return self._truth(writer, node)

    def _boolean(self, writer: Writer, node: Expression) -> ast.expr:
        """A condition that is exactly True or False."""
        if isinstance(node, Logic | Not) or (isinstance(node, Binary) and node.operator in COMPARISONS):
            return self.condition(writer, node)
        return writer.places.at(node.span, choose(self._truth(writer, node), constant(True), constant(False)))

    def _truth(self, writer: Writer, node: Expression) -> ast.expr:
        """What Python takes for false is nil, 0, 0.0, "" and {}; Buzz only the first two."""
        types = writer.types_of(node)
        value = writer.value(node)
        if isinstance(value, ast.Constant):
            return constant(truth(value.value))
        if not types & ~(NIL | INTEGER):
            return value
        first, again = writer.twice(value, calm=True)
        if not types & INTEGER:
            return compare(value, "is not", constant(None))
        not_integer = compare(class_of(again), "is not", load("__int"))
        return either(first, both(compare(again, "is not", constant(None)), not_integer))

    def fetch(self, writer: Writer, node: Field | Index) -> ast.expr:
        table = writer.value(node.table)
        if isinstance(node, Field):
            # Python's strings refuse keys that are strings, but not integers.
            return subscript(table, constant(node.name))
        key = writer.value(node.key)
        if not writer.types_of(node.table) & STRING or not writer.types_of(node.key) & INTEGER:
            return subscript(table, key)
        first, again = writer.twice(table, calm=True)
        if not is_small(key):
            return call("__fetch", table, key)
        return choose(is_class(first, "__str"), call("__fetch", again, key), subscript(again, key))

    def store(self, writer: Writer, target: Field | Index, value: Expression) -> list[ast.stmt]:
        return stored(writer, target, value)

    def constructor(self, writer: Writer, node: TableConstructor) -> ast.expr:
        return constructed(writer, node)

    def constructor_first(self, writer: Writer, node: TableConstructor) -> tuple[list[ast.stmt], ast.expr]:
        return constructed_first(writer, node)
