"""Calls of `math` functions in line, for arguments inside their domain; the library's function is behind.

Only where the name is surely the library's. Python's functions raise errors where C gives infinities and nan, so each
has a test that keeps it inside what it can do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.facts import is_quiet
from pybuzz.buzz.compilation.python_nodes import both, call, choose, compare, constant, is_class, operation
from pybuzz.buzz.compilation.types import FLOAT
from pybuzz.buzz.tree import Call, Expression

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["INLINE_FUNCTIONS", "inline_call"]

_Test = Callable[[ast.expr], ast.expr]


def _finite(value: ast.expr) -> ast.expr:
    return compare(operation(value, "-", value), "==", constant(0.0))


def _between(low: float, high: float) -> _Test:
    return lambda value: both(compare(value, ">=", constant(low)), compare(value, "<=", constant(high)))


def _above_zero(value: ast.expr) -> ast.expr:
    return compare(value, ">", constant(0.0))


_TESTS: Mapping[str, _Test] = {
    "sin": _finite,
    "cos": _finite,
    "tan": _finite,
    "sqrt": lambda value: compare(value, ">=", constant(0.0)),
    "exp": _between(-700.0, 700.0),
    "log": _above_zero,
    "log2": _above_zero,
    "log10": _above_zero,
    "asin": _between(-1.0, 1.0),
    "acos": _between(-1.0, 1.0),
    "floor": _between(-2e9, 2e9),
    "ceil": _between(-2e9, 2e9),
}
_SAME_IN_SINGLE = frozenset(("floor", "ceil"))

INLINE_FUNCTIONS = frozenset((*_TESTS, "atan"))
"""Fields of `math` that may be called in line, as helpers named after them."""


def inline_call(writer: Writer, node: Call) -> ast.expr | None:
    """The call of a `math` function in line, or None if it is none or has a wrong number of arguments."""
    built_in = writer.facts.built_in(node.function) or ""
    name = built_in.removeprefix("math.")
    if not built_in.startswith("math.") or name not in INLINE_FUNCTIONS:
        return None
    if len(node.arguments) != (2 if name == "atan" else 1):
        return None
    return _two(writer, node, name) if name == "atan" else _one(writer, node, name)


def _one(writer: Writer, node: Call, name: str) -> ast.expr:
    [argument] = node.arguments
    is_float, test = writer.types_of(argument) == FLOAT, _test(writer, name, argument)
    if is_float and test is None:
        return call(f"__{name}", writer.value(argument))
    first, again = writer.twice(writer.value(argument), calm=True)
    tests = [] if is_float else [is_class(first, "__float")]
    if test is not None:
        tests.append(test(again) if tests else _with_first(test(again), first))
    return choose(both(*tests), call(f"__{name}", again), call(writer.value(node.function), again))


def _test(writer: Writer, name: str, argument: Expression) -> _Test | None:
    """Whether a float is inside the domain; None if it surely is."""
    if writer.facts.single_precision and name not in _SAME_IN_SINGLE:
        return None
    test = _TESTS[name]
    return None if test is _finite and writer.facts.is_reading(argument) else test


def _two(writer: Writer, node: Call, name: str) -> ast.expr:
    y, x = node.arguments
    first, a = writer.twice(writer.value(y), calm=is_quiet(x))
    second, b = writer.twice(writer.value(x), calm=True)
    known = [writer.types_of(argument) == FLOAT for argument in (y, x)]
    if all(known):
        return call(f"__{name}", first, second)
    # Evaluates both; one and the same object is left to the library.
    settled = [] if first is a and second is b else [compare(first, "is not", second)]
    tests = [is_class(value, "__float") for value, is_known in ((a, known[0]), (b, known[1])) if not is_known]
    return choose(both(*settled, *tests), call(f"__{name}", a, b), call(writer.value(node.function), a, b))


def _with_first(test: ast.expr, first: ast.expr) -> ast.expr:
    """The test with its first operand replaced, so that the argument is evaluated there."""
    leading = test.values[0] if isinstance(test, ast.BoolOp) else test
    assert isinstance(leading, ast.Compare)
    if isinstance(leading.left, ast.BinOp):
        leading.left = ast.BinOp(first, leading.left.op, leading.left.right)
    else:
        leading.left = first
    return test
