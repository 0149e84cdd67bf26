"""Arithmetic in double precision, in line.

Integers are checked against 30 bits, which Python compares fastest; only what is beyond goes to a helper that wraps at
32 bits. Strings, which Python adds and multiplies, fail in that check.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.facts import is_quiet
from pybuzz.buzz.compilation.python_nodes import (
    both,
    call,
    choose,
    compare,
    complement,
    constant,
    either,
    is_class,
    load,
    minus,
    operation,
    walrus,
)
from pybuzz.buzz.compilation.ranges import MOST, Range, range_of
from pybuzz.buzz.compilation.templates import HELPERS
from pybuzz.buzz.compilation.types import FLOAT, INTEGER, NIL, STRING, Types
from pybuzz.buzz.tree import Binary, Expression, Float, Integer, Unary

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["DoubleArithmetic", "operand_types"]

_SMALL = 2**30 - 1
_SMALL_FACTOR = 16
_SHIFTS = 32
_LARGEST_EXPONENT = 16


class DoubleArithmetic:
    """Floats are Python's."""

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        if node.operator in ("+", "-", "*"):
            return self._sum_or_product(writer, node)
        if node.operator == "/":
            return self._quotient(writer, node)
        if node.operator == "%":
            return self._remainder(writer, node)
        if node.operator == "^":
            return self._power(writer, node)
        return self._bits(writer, node)

    def unary(self, writer: Writer, node: Unary) -> ast.expr:
        value = writer.value(node.operand)
        if node.operator == "!":
            return complement(value)
        types = operand_types(writer, node.operand)
        if types == FLOAT:
            return minus(value)
        first, again = writer.twice(value, calm=True)
        return choose(is_class(first, "__float"), minus(again), call("__negate", again))

    # + - *

    def _sum_or_product(self, writer: Writer, node: Binary) -> ast.expr:
        result = self._computed(writer, node)
        left, right = operand_types(writer, node.left), operand_types(writer, node.right)
        if FLOAT in (left, right):
            return result
        return self.wrapped(writer, result, node)

    def _computed(self, writer: Writer, node: Binary) -> ast.expr:
        """The operation as Python does it."""
        left, right = writer.value(node.left), writer.value(node.right)
        if node.operator == "*":
            left = _no_string(writer, node.left, left, node.right)
            right = _no_string(writer, node.right, right, node.left)
        return operation(left, node.operator, right)

    def wrapped(self, writer: Writer, result: ast.expr, node: Binary, *, known: bool = False) -> ast.expr:
        """The result of + - *, wrapped if it is an integer beyond 32 bits. known: it is an integer."""
        name = writer.temporary()
        first, again = walrus(name, result), load(name)
        tests = [compare(again, *bound) for bound in _bounds(range_of(writer, node))]
        if not known and (operand_types(writer, node.left) | operand_types(writer, node.right)) & ~INTEGER:
            tests = [either(is_class(first, "__float"), both(*tests) if tests else is_class(again, "__int"))]
        elif tests:
            tests[0].left = first  # type: ignore[attr-defined]
        return choose(both(*tests), again, call("__wrap", again)) if tests else result

    # / % ^

    def _quotient(self, writer: Writer, node: Binary) -> ast.expr:
        left, right = operand_types(writer, node.left), operand_types(writer, node.right)
        divisor = node.right
        if FLOAT in (left, right) and isinstance(divisor, Float | Integer) and divisor.value:
            return operation(writer.value(node.left), "/", constant(float(divisor.value)))
        if FLOAT not in (left, right) and isinstance(divisor, Integer) and divisor.value > 0:
            return self._quotient_by_constant(writer, node, divisor.value)
        first, a, second, b = self.operands(writer, node)
        if FLOAT in (left, right) and isinstance(first, ast.Name | ast.Constant):
            return choose(second, operation(a, "/", b), call("__divide", a, b))
        tests = [] if first is a and second is b else [compare(first, "is not", second)]
        if FLOAT not in (left, right):
            tests.append(either(is_class(a, "__float"), is_class(b, "__float")))
        return choose(both(*tests, b), operation(a, "/", b), call("__divide", a, b))

    def _quotient_by_constant(self, writer: Writer, node: Binary, divisor: int) -> ast.expr:
        first, again = writer.twice(writer.value(node.left), calm=True)
        whole = both(is_class(first, "__int"), compare(again, ">=", constant(0)))
        helper = call("__divide", again, constant(divisor))
        return choose(whole, operation(again, "//", constant(divisor)), helper)

    def _remainder(self, writer: Writer, node: Binary) -> ast.expr:
        value, divisor = writer.value(node.left), node.right
        if isinstance(divisor, Integer) and divisor.value > 0:
            # Python's remainder of integers has the sign of the divisor, as Buzz's has.
            if operand_types(writer, node.left) == INTEGER:
                return operation(value, "%", constant(divisor.value))
            first, again = writer.twice(value, calm=True)
            helper = call("__modulo", again, constant(divisor.value))
            return choose(is_class(first, "__int"), operation(again, "%", constant(divisor.value)), helper)
        return call("__modulo", value, writer.value(divisor))

    def _power(self, writer: Writer, node: Binary) -> ast.expr:
        value, exponent = writer.value(node.left), node.right
        if isinstance(exponent, Integer) and 1 <= exponent.value <= _LARGEST_EXPONENT:
            known_float = writer.types_of(node.left) == FLOAT
            return self._integer_power(writer, value, exponent.value, known_float)
        return call("__power", value, writer.value(exponent))

    def _integer_power(self, writer: Writer, value: ast.expr, exponent: int, known_float: bool) -> ast.expr:
        """Within these bounds nothing overflows, which Python would report."""
        first, again = writer.twice(value, calm=True)
        bound = float(10 ** (300 // exponent))
        above = compare(again, ">", constant(-bound))
        if known_float:
            near = both(compare(first, "<", constant(bound)), above)
        else:
            near = both(is_class(first, "__float"), compare(again, "<", constant(bound)), above)
        power = operation(again, "**", constant(float(exponent)))
        return choose(near, power, call("__power", again, constant(exponent)))

    # & | << >>

    def _bits(self, writer: Writer, node: Binary) -> ast.expr:
        left, right = writer.value(node.left), writer.value(node.right)
        if node.operator in ("&", "|"):
            return operation(left, node.operator, right)
        count = node.right
        if node.operator == ">>" and isinstance(count, Integer) and 0 <= count.value < _SHIFTS:
            return operation(left, ">>", right)
        return call(HELPERS[node.operator], left, right)

    # Operands

    def operands(self, writer: Writer, node: Binary) -> tuple[ast.expr, ast.expr, ast.expr, ast.expr]:
        """Both operands, each to evaluate first and again; the right one must be evaluated after the left one."""
        first, a = writer.twice(writer.value(node.left), calm=is_quiet(node.right))
        second, b = writer.twice(writer.value(node.right), calm=True)
        return first, a, second, b


def operand_types(writer: Writer, node: Expression) -> Types:
    """The types of an operand that matter: with nil, Python's operators fail as Buzz's do."""
    return writer.types_of(node) & ~NIL


def _no_string(writer: Writer, node: Expression, value: ast.expr, other: Expression) -> ast.expr:
    """A factor, or, in the place of a string, something that Python cannot multiply.

    Python multiplies strings: one times a large integer would fill the memory before it fails.
    """
    small = isinstance(other, Integer) and abs(other.value) < _SMALL_FACTOR
    if not writer.types_of(node) & STRING or small or not writer.types_of(other) & INTEGER:
        return value
    first, again = writer.twice(value, calm=True)
    return choose(is_class(first, "__str"), load("__text"), again)


def _bounds(limits: Range) -> list[tuple[str, ast.expr]]:
    """The tests that an integer result needs."""
    least, most = limits
    tests = []
    if most > MOST:
        tests.append(("<=", constant(_SMALL)))
    if least < -MOST - 1:
        tests.append((">=", constant(-_SMALL)))
    return tests
