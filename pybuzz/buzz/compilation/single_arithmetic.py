"""Arithmetic in single precision, in line: computed in double precision and rounded once to 24 bits.

The rounding is Veltkamp's splitting, three operations: `(c := x * (2**29 + 1)) - (c - x)`. It is exact where single
precision has all its 24 bits; beyond, the helper takes over. Integers become floats exactly only up to 2^24, so mixed
operands are left to the helper, too, except constants.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.arithmetic import DoubleArithmetic, operand_types
from pybuzz.buzz.compilation.facts import is_quiet
from pybuzz.buzz.compilation.python_nodes import (
    both,
    call,
    choose,
    compare,
    constant,
    either,
    is_class,
    load,
    operation,
    walrus,
)
from pybuzz.buzz.compilation.templates import HELPERS
from pybuzz.buzz.compilation.types import FLOAT, INTEGER
from pybuzz.buzz.single import SPLITTER, to_single
from pybuzz.buzz.tree import Binary, Float, Integer

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["SingleArithmetic"]

_HUGE, _TINY = 1e38, 1e-37
_ROUNDED = ("+", "-", "*", "/")


class SingleArithmetic(DoubleArithmetic):
    """Every float result is rounded to 32 bits."""

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        left, right = operand_types(writer, node.left), operand_types(writer, node.right)
        if node.operator in ("&", "|", "<<", ">>") or (left == right == INTEGER and node.operator != "^"):
            return super().binary(writer, node)
        if node.operator == "^" and isinstance(node.right, Integer | Float):
            return self._constant_power(writer, node, node.right.value)
        if node.operator not in _ROUNDED:
            return self._helper(writer, node)
        number = node.right if isinstance(node.right, Integer | Float) else None
        if number is not None:
            return self._with_constant(writer, node, number)
        return self._floats(writer, node)

    def _helper(self, writer: Writer, node: Binary) -> ast.expr:
        return call(HELPERS[node.operator], writer.value(node.left), writer.value(node.right))

    def _constant_power(self, writer: Writer, node: Binary, exponent: float) -> ast.expr:
        as_float = constant(to_single(float(exponent)))
        if writer.types_of(node.left) == FLOAT:
            return call("__pow", writer.value(node.left), as_float)
        first, again = writer.twice(writer.value(node.left), calm=True)
        direct = call("__pow", again, as_float)
        return choose(is_class(first, "__float"), direct, call("__power", again, constant(exponent)))

    # With a constant on the right: the class of the left operand decides

    def _with_constant(self, writer: Writer, node: Binary, number: Integer | Float) -> ast.expr:
        types = operand_types(writer, node.left)
        # Integers are divided by the helper.
        may_be_whole = bool(types & INTEGER) and isinstance(number, Integer) and node.operator != "/"
        if (node.operator == "/" and not number.value) or not (types & FLOAT or may_be_whole):
            return self._helper(writer, node)
        first, again = writer.twice(writer.value(node.left), calm=True)
        otherwise = call(HELPERS[node.operator], again, writer.value(number))
        if may_be_whole:
            subject = again if types & FLOAT else first
            whole = self._whole(writer, node, again, constant(number.value))
            otherwise = choose(is_class(subject, "__int"), whole, otherwise)
        if not types & FLOAT:
            return otherwise
        tests = [] if types == FLOAT else [is_class(first, "__float")]
        result = operation(again if tests else first, node.operator, constant(to_single(float(number.value))))
        return self._rounded(writer, tests, result, node.operator, otherwise)

    def _whole(self, writer: Writer, node: Binary, a: ast.expr, b: ast.expr) -> ast.expr:
        return self.wrapped(writer, operation(a, node.operator, b), node, known=True)

    # Two operands: both have to be floats

    def _floats(self, writer: Writer, node: Binary) -> ast.expr:
        left, right = writer.value(node.left), writer.value(node.right)
        first, a = writer.twice(left, calm=is_quiet(node.right))
        second, b = writer.twice(right, calm=True)
        known = [operand_types(writer, operand) == FLOAT for operand in (node.left, node.right)]
        if all(known) and node.operator != "/":
            return self._rounded(writer, [], operation(left, node.operator, right), node.operator, None)
        tests: list[ast.expr] = []
        if isinstance(first, ast.NamedExpr) or isinstance(second, ast.NamedExpr):
            # Evaluates both; one and the same object is left to the helper.
            tests.append(compare(first, "is not", second))
        tests += [is_class(value, "__float") for value, sure in ((a, known[0]), (b, known[1])) if not sure]
        if node.operator == "/":
            tests.append(b)
        otherwise = call(HELPERS[node.operator], a, b)
        if not any(known) and node.operator != "/":
            whole = both(is_class(a, "__int"), is_class(b, "__int"))
            otherwise = choose(whole, self._whole(writer, node, a, b), otherwise)
        return self._rounded(writer, tests, operation(a, node.operator, b), node.operator, otherwise)

    def _rounded(
        self, writer: Writer, tests: list[ast.expr], result: ast.expr, operator: str, otherwise: ast.expr | None
    ) -> ast.expr:
        """`result` rounded if all tests hold and 24 bits are what it has, else what the helper makes of it."""
        exact, split = writer.temporary(), writer.temporary()
        x = load(exact)
        rounded = operation(
            walrus(split, operation(x, "*", constant(SPLITTER))), "-", operation(load(split), "-", x)
        )  # fmt: skip
        inside = _inside(walrus(exact, result), x, operator in ("*", "/"))
        return choose(both(*tests, inside), rounded, otherwise or call("__narrow", x))


def _inside(first: ast.expr, x: ast.expr, may_underflow: bool) -> ast.expr:
    if not may_underflow:
        return both(compare(first, "<", constant(_HUGE)), compare(x, ">", constant(-_HUGE)))
    return either(
        both(compare(first, ">", constant(_TINY)), compare(x, "<", constant(_HUGE))),
        both(compare(x, "<", constant(-_TINY)), compare(x, ">", constant(-_HUGE))),
        compare(x, "==", constant(0.0)),
    )
