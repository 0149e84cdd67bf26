"""The operators, one plain method each: what compiled code means, and its way out where it cannot decide in line.

Operands are checked and failures are BuzzFailures. DOUBLE computes with Python's floats; SINGLE rounds every operand
and result to 32 bits as the C runtime does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from math import copysign, inf, isnan, nan
from struct import Struct
from typing import Any

from pybuzz.buzz.single import c_float_function, to_single
from pybuzz.buzz.values import MIN_INTEGER, BuzzFailure, Userdata, Value, mismatch, truth, type_name, wrap32

__all__ = ["DOUBLE", "SINGLE", "Operators", "compare", "equal", "with_article"]

_INTEGER, _SINGLE = Struct("i"), Struct("f")
_serials = itertools.count(1)


class Operators:
    """The operators of one precision. met_mixed: called for a remainder that the C runtime gives otherwise."""

    def __init__(
        self,
        narrow: Callable[[float], float],
        power: Callable[[float, float], float],
        met_mixed: Callable[[], None] = lambda: None,
    ) -> None:
        self.narrow = narrow
        self._met_mixed = met_mixed
        self._power = power

    def telling(self, met_mixed: Callable[[], None]) -> Operators:
        """The same operators, which call `met_mixed`."""
        return Operators(self.narrow, self._power, met_mixed)

    # Arithmetic

    def add(self, a: Value, b: Value) -> int | float:
        if a.__class__ is int and b.__class__ is int:
            return wrap32(a + b)
        x, y = self._floats("+", a, b)
        return self.narrow(x + y)

    def subtract(self, a: Value, b: Value) -> int | float:
        if a.__class__ is int and b.__class__ is int:
            return wrap32(a - b)
        x, y = self._floats("-", a, b)
        return self.narrow(x - y)

    def multiply(self, a: Value, b: Value) -> int | float:
        if a.__class__ is int and b.__class__ is int:
            return wrap32(a * b)
        x, y = self._floats("*", a, b)
        return self.narrow(x * y)

    def divide(self, a: Value, b: Value) -> int | float:
        """Integers truncate toward zero. Floats give infinities and nan as C does."""
        if a.__class__ is int and b.__class__ is int:
            if b == 0:
                raise _division_by_zero("/")
            if b == -1 and a == MIN_INTEGER:
                raise BuzzFailure("division by zero", f"{a} / -1 is too large for an integer", "divide by -1.0")
            quotient = abs(a) // abs(b)
            return wrap32(quotient if (a < 0) == (b < 0) else -quotient)
        x, y = self._floats("/", a, b)
        return self.narrow(_quotient(x, y))

    def modulo(self, a: Value, b: Value) -> int | float:
        """C's remainder, plus the divisor if that is negative."""
        if a.__class__ is int and b.__class__ is int:
            if b == 0:
                raise _division_by_zero("%")
            remainder = abs(a) % abs(b)
            if a < 0:
                remainder = -remainder
            return wrap32(remainder + b) if remainder < 0 else remainder
        x, y = self._floats("%", a, b)
        if y == 0.0 or math.isinf(x) or isnan(x) or isnan(y):
            return nan
        rest = math.fmod(x, y)
        if rest < 0 and a.__class__ is not b.__class__:
            self._met_mixed()
        return self.narrow(rest + y) if rest < 0 else rest

    def modulo_of_c(self, a: Value, b: Value) -> int | float:
        """As the C runtime: for an integer and a float it adds the bits of the divisor, read as the other type."""
        if a.__class__ is b.__class__:
            return self.modulo(a, b)
        x, y = self._floats("%", a, b)
        result = self.modulo(x, y)
        if isnan(result) or not math.fmod(x, y) < 0.0:
            return result
        written, read = (_INTEGER, _SINGLE) if b.__class__ is int else (_SINGLE, _INTEGER)
        [misread] = read.unpack(written.pack(b))
        return self.narrow(math.fmod(x, y) + misread)

    def power(self, a: Value, b: Value) -> float:
        """Always a float."""
        x, y = self._floats("^", a, b)
        return self._power(x, y)

    def negate(self, a: Value) -> int | float:
        if a.__class__ is int:
            return wrap32(-a)
        if a.__class__ is not float:
            raise BuzzFailure("type mismatch", f"cannot negate {_with_article(a)}")
        return -float(a)

    def _floats(self, operator: str, a: Any, b: Any) -> tuple[float, float]:
        if type(a) in _NUMBERS and type(b) in _NUMBERS:
            return self.narrow(float(a)), self.narrow(float(b))
        raise BuzzFailure("type mismatch", f"{_with_article(a)} {operator} {_with_article(b)}")

    # Bits

    def bit_and(self, a: Value, b: Value) -> int:
        x, y = _integers(a, b)
        return x & y

    def bit_or(self, a: Value, b: Value) -> int:
        x, y = _integers(a, b)
        return x | y

    def shift_left(self, a: Value, b: Value) -> int:
        x, y = _integers(a, b)
        return wrap32(x << (y & 31))

    def shift_right(self, a: Value, b: Value) -> int:
        x, y = _integers(a, b)
        return x >> (y & 31)

    def complement(self, a: Value) -> int:
        if a.__class__ is not int:
            raise mismatch("integer", a)
        return ~a

    # Comparison and logic, 1 or 0

    def equal(self, a: Value, b: Value) -> int:
        return +equal(a, b, self.narrow)

    def different(self, a: Value, b: Value) -> int:
        return +(not equal(a, b, self.narrow))

    def less(self, a: Value, b: Value) -> int:
        return +(compare(a, b, self.narrow) < 0)

    def less_or_equal(self, a: Value, b: Value) -> int:
        return +(compare(a, b, self.narrow) <= 0)

    def greater(self, a: Value, b: Value) -> int:
        return +(compare(a, b, self.narrow) > 0)

    def greater_or_equal(self, a: Value, b: Value) -> int:
        return +(compare(a, b, self.narrow) >= 0)

    def logic_and(self, a: Value, b: Value) -> int:
        return +(truth(a) and truth(b))

    def logic_or(self, a: Value, b: Value) -> int:
        return +(truth(a) or truth(b))

    def logic_not(self, a: Value) -> int:
        return +(not truth(a))


def equal(a: Value, b: Value, narrow: Callable[[float], float] = float) -> bool:
    """Buzz's `==`. Closures and userdata are equal only to themselves; nan equals every number."""
    if a is b:
        return True
    if _is_opaque(a) or _is_opaque(b):
        return False
    return compare(a, b, narrow) == 0


def compare(a: Value, b: Value, narrow: Callable[[float], float] = float) -> int:
    """Buzz's three-way comparison: negative, 0 or positive.

    nil is least, tables are greatest; a number and a string compare as printed; nan equals every number. Tables, and
    userdata, are ordered by when they were first compared. Raises BuzzFailure for closures, and for userdata with
    numbers and strings.
    """
    if a is None or b is None:
        return +(a is not None) - (b is not None)
    kinds = a.__class__, b.__class__
    if kinds[0] in _NUMBERS and kinds[1] in _NUMBERS:
        return _compare_numbers(a, b, narrow)
    if str in kinds and (kinds[0] in _SCALARS and kinds[1] in _SCALARS):
        a, b = _printed(a), _printed(b)
        return int(a > b) - int(a < b)
    tables = isinstance(a, dict), isinstance(b, dict)
    if all(tables) or kinds == (Userdata, Userdata):
        return _serial(a) - _serial(b)
    if any(tables):
        return +tables[0] - tables[1]
    raise BuzzFailure("type mismatch", f"cannot order {_with_article(a)} and {_with_article(b)}")


def _compare_numbers(a: Value, b: Value, narrow: Callable[[float], float]) -> int:
    if a.__class__ is float or b.__class__ is float:
        a, b = narrow(a), narrow(b)
    return int(a > b) - int(a < b)


def _printed(value: Value) -> str:
    if value.__class__ is float:
        return f"{value:f}"
    return str(value)


def _serial(value: Any) -> int:
    # An address would differ from run to run.
    try:
        return int(value.serial)
    except AttributeError:
        value.serial = next(_serials)
        return int(value.serial)


def _is_opaque(value: Value) -> bool:
    return value is not None and value.__class__ not in _SCALARS and not isinstance(value, dict)


def with_article(type_name: str) -> str:
    """The name of a type as part of a sentence."""
    if type_name == "nil":
        return "nil"
    return f"an {type_name}" if type_name[0] in "aeiou" else f"a {type_name}"


def _with_article(value: Value) -> str:
    return with_article(type_name(value))


def _integers(a: Value, b: Value) -> tuple[int, int]:
    for operand in (a, b):
        if operand.__class__ is not int:
            raise mismatch("integer", operand)
    return a, b


def _division_by_zero(operator: str) -> BuzzFailure:
    return BuzzFailure("division by zero", f"the right side of {operator} is 0", "test the divisor first")


def _quotient(x: float, y: float) -> float:
    if y != 0.0:
        return x / y
    if x == 0.0 or isnan(x):
        return -nan
    return copysign(inf, x) * copysign(1.0, y)


def _double_power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        return -inf if x < 0 and y % 2 == 1 else inf
    except ValueError:
        if x == 0.0:
            return copysign(inf, x) if y % 2 == 1 else inf
        return -nan


def _single_power(x: float, y: float) -> float:
    return c_float_function("powf", 2)(x, y)


_NUMBERS: frozenset[type] = frozenset((int, float))
_SCALARS: frozenset[type] = frozenset((int, float, str))

DOUBLE = Operators(float, _double_power)
SINGLE = Operators(to_single, _single_power)
