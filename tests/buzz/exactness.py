"""Plain code in double precision that stops where single precision could give something else.

As long as it goes on, every float is one that single precision has, and every integer that meets a float is one that
becomes that float exactly: both precisions must then do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle import as_oracle

from pybuzz.buzz import Machine, Program, host_function
from pybuzz.buzz.single import to_single

_LARGEST_INTEGER = 2**24
_OPERATIONS = (
    *("__add", "__subtract", "__multiply", "__divide", "__modulo", "__power", "__negate", "__fetch", "__store"),
    *("__equal", "__different", "__less", "__less_or_equal", "__greater", "__greater_or_equal"),
)
_ROUNDED = frozenset(
    ("sqrt", "sin", "cos", "tan", "exp", "log", "log2", "log10", "asin", "acos", "atan", "tofloat", "min", "max")
)
"""Fields of the library whose functions round, or compare what they are given."""


class NotExactError(BaseException):
    """From here on, double and single precision may differ. No Exception: the machine would take it for a failure."""


def as_exact_oracle(program: Program) -> Program:
    """The oracle of a program of double precision, which raises NotExactError."""
    oracle = as_oracle(program)
    for name in _OPERATIONS:
        oracle.helpers[name] = _watched(oracle.helpers[name])
    return oracle


def watch_conversions(machine: Machine) -> None:
    """Let `float` raise NotExactError, too."""
    machine.install("float", host_function("float", 1, _watched(machine.get_global("float"))))


def _watched(operation: Callable[..., Any]) -> Callable[..., Any]:
    def watched(*operands: Any) -> Any:
        _check(operands)
        result = operation(*operands)
        _check((*operands, result))
        return result

    return watched


def _check(values: tuple[Any, ...]) -> None:
    has_float = any(isinstance(value, float) for value in values)
    for value in values:
        if isinstance(value, float) and to_single(value) != value:
            raise NotExactError
        if has_float and isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
            raise NotExactError
        if isinstance(value, str) and value in _ROUNDED:
            raise NotExactError
