"""Comparisons in line: direct where Python means the same, else behind a test of the operands' classes.

Python means the same for two numbers and for two strings. Buzz differs for nil, for a number with a string, and for
nan, which equals every number: so `<=` is written as `not >`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.facts import is_quiet
from pybuzz.buzz.compilation.python_nodes import (
    both,
    call,
    choose,
    class_of,
    compare,
    constant,
    either,
    is_class,
    load,
    negation,
    walrus,
)
from pybuzz.buzz.compilation.templates import HELPERS
from pybuzz.buzz.compilation.types import FLOAT, INTEGER, NIL, NUMBER, STRING, TABLE
from pybuzz.buzz.tree import Binary, Float, Integer, Nil, String

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["comparison"]

_DIRECT = {"<": ("<", False), ">": (">", False), "<=": (">", True), ">=": ("<", True)}
"""The operator to write, and whether its outcome is to be negated."""


def comparison(writer: Writer, node: Binary) -> ast.expr:
    """True or False."""
    left, right = writer.types_of(node.left), writer.types_of(node.right)
    if node.operator in ("==", "!="):
        return _equality(writer, node)
    mixed = writer.facts.single_precision and (left | right) == NUMBER
    if not (left | right) & ~NUMBER and not mixed:
        return _ordered(node.operator, writer.value(node.left), writer.value(node.right))
    if isinstance(node.right, Integer | Float):
        return _with_number(writer, node, node.right.value)
    return _guarded(writer, node, ordering=True)


def _ordered(operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
    direct, negated = _DIRECT[operator]
    written = compare(left, direct, right)
    return negation(written) if negated else written


def _with_number(writer: Writer, node: Binary, number: float) -> ast.expr:
    """A comparison of something with a constant number, direct for each class of number."""
    types = writer.types_of(node.left)
    classes = [("__float", FLOAT, float(number)), ("__int", INTEGER, number)]
    if number.__class__ is int:
        classes.reverse()
    possible = [(name, other) for name, bit, other in classes if types & bit]
    if not possible or (writer.facts.single_precision and not _exact_in_single(number)):
        return call(HELPERS[node.operator], writer.value(node.left), writer.literal(number))
    first, again = writer.twice(writer.value(node.left), calm=True)
    written = call(HELPERS[node.operator], again, writer.literal(number))
    for name, other in reversed(possible):
        subject = first if name == possible[0][0] else again
        written = choose(is_class(subject, name), _ordered(node.operator, again, constant(other)), written)
    return written


def _exact_in_single(number: float) -> bool:
    """Whether every integer compares with the constant as its single-precision form does."""
    return number.__class__ is int and abs(number) < 2**24


def _equality(writer: Writer, node: Binary) -> ast.expr:
    left, right = writer.types_of(node.left), writer.types_of(node.right)
    negated = node.operator == "!="
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(other, Nil):
            if isinstance(one, Nil | String | Integer | Float):
                return constant(isinstance(one, Nil) != negated)
            return compare(writer.value(one), "is not" if negated else "is", constant(None))
    if left == right == INTEGER or left == right == STRING or (left | right) & ~(TABLE | NIL) == 0:
        return compare(writer.value(node.left), node.operator, writer.value(node.right))
    if isinstance(node.right, String | Integer):
        return _equal_to_constant(writer, node, node.right)
    return _guarded(writer, node, ordering=False)


def _equal_to_constant(writer: Writer, node: Binary, other: String | Integer) -> ast.expr:
    first, again = writer.twice(writer.value(node.left), calm=True)
    name = "__str" if isinstance(other, String) else "__int"
    direct = compare(again, node.operator, constant(other.value))
    return choose(is_class(first, name), direct, call(HELPERS[node.operator], again, constant(other.value)))


def _guarded(writer: Writer, node: Binary, ordering: bool) -> ast.expr:
    """Direct if both operands have one class, of which Python means the same."""
    first, a = writer.twice(writer.value(node.left), calm=is_quiet(node.right))
    second, b = writer.twice(writer.value(node.right), calm=True)
    kind = writer.temporary()
    same = compare(walrus(kind, class_of(first)), "is", class_of(second))
    if ordering:
        plain = either(compare(load(kind), "is", load("__float")), compare(load(kind), "is", load("__int")))
        direct = _ordered(node.operator, a, b)
    else:
        plain = compare(load(kind), "is not", load("__float"))
        direct = compare(a, node.operator, b)
    return choose(both(same, plain), direct, call(HELPERS[node.operator], a, b))
