"""The `math` table: functions in double or in single precision, and `math.rng`.

Names, results and messages are those of the C runtime; a result outside a function's domain is nan or an
infinity and never an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from pybuzz.buzz.libraries.random import BuzzRandom
from pybuzz.buzz.operators import compare
from pybuzz.buzz.single import c_float_function, to_single
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import MIN_INTEGER, BuzzFailure, Value, expect_integer, host_function, mismatch, type_name

__all__ = ["integer_from", "math_table"]

_REAL_FUNCTIONS = ("log", "log2", "log10", "exp", "sqrt", "sin", "cos", "tan", "asin", "acos")

_NOT_GIVEN = object()

Function = Callable[..., Value]


def math_table(
    random: BuzzRandom,
    single_precision: bool,
    exact: bool = False,
    differs: Callable[[str], None] = lambda text: None,
) -> Table:
    """A new `math` table whose `rng` draws from `random`. exact, differs: see `library_globals`."""
    table = Table()
    for name, value in _shared_functions(single_precision).items():
        table.store(name, value)
    table.store("rng", _rng_table(random, exact, differs))
    return table


def integer_from(value: float) -> int:
    """`value` truncated toward zero; nan and what does not fit 32 bits give -2147483648, as on the C runtime."""
    return int(value) if -2147483649.0 < value < 2147483648.0 else MIN_INTEGER


@cache
def _shared_functions(single_precision: bool) -> Mapping[str, Value]:
    """The functions that know no robot; all machines share them."""
    narrow = to_single if single_precision else float
    functions: dict[str, Value] = {
        name: host_function(name, arity, call)
        for name, arity, call in (
            ("abs", 1, _absolute),
            ("floor", 1, _rounding(math.floor)),
            ("ceil", 1, _rounding(math.ceil)),
            ("round", 1, _rounding(_round_half_away)),
            ("atan", 2, _arc_tangent(c_float_function("atan2f", 2) if single_precision else math.atan2)),
            ("min", 2, _smaller(narrow)),
            ("max", 2, _larger(narrow)),
        )
    }
    for name in _REAL_FUNCTIONS:
        call = _single_function(name) if single_precision else _double_function(name)
        functions[name] = host_function(name, 1, call)
    functions["pi"] = to_single(math.pi) if single_precision else math.pi
    return MappingProxyType(functions)


def _double_function(name: str) -> Function:
    """Python's `math` function of that name with C's results: -inf for log(0), inf for an overflow, else nan."""
    function: Callable[[float], float] = getattr(math, name)

    def call(value: Value) -> float:
        # arguments are not checked before, because they are nearly always right
        try:
            return function(value)
        except OverflowError:
            return math.inf
        except ValueError:
            return -math.inf if value == 0 else math.nan
        except TypeError:
            raise mismatch("float or integer", value) from None

    return call


def _single_function(name: str) -> Function:
    """The C library's float function."""
    function = c_float_function(f"{name}f")

    def call(value: Value) -> float:
        if value.__class__ is not float and value.__class__ is not int:
            raise mismatch("float or integer", value)
        return function(float(value))

    return call


def _rounding(function: Callable[[float], int]) -> Function:
    def call(value: Value) -> int:
        if value.__class__ is int:
            return value
        if value.__class__ is not float:
            raise mismatch("float or integer", value)
        return integer_from(function(value)) if -3e9 < value < 3e9 else MIN_INTEGER

    return call


def _round_half_away(value: float) -> int:
    whole = math.trunc(value)
    return whole + int(math.copysign(1, value)) if abs(value - whole) >= 0.5 else whole


def _arc_tangent(function: Callable[[float, float], float]) -> Function:
    def call(y: Value, x: Value) -> float:
        if y.__class__ is not float or x.__class__ is not float:
            _expect_number_at(1, y)
            _expect_number_at(2, x)
        return function(float(y), float(x))

    return call


def _absolute(value: Value) -> Value:
    if value.__class__ is int:
        return value if value >= 0 or value == MIN_INTEGER else -value
    if value.__class__ is float:
        return math.fabs(value)
    raise mismatch("float or integer", value)


def _smaller(narrow: Callable[[float], float]) -> Function:
    def call(first: Value, second: Value) -> Value:
        if first.__class__ is float and second.__class__ is float:
            return second if second < first else first
        if first is None or second is None:
            return second if first is None else first
        return second if compare(first, second, narrow) > 0 else first

    return call


def _larger(narrow: Callable[[float], float]) -> Function:
    def call(first: Value, second: Value) -> Value:
        if first.__class__ is float and second.__class__ is float:
            return second if second > first else first
        return second if compare(first, second, narrow) < 0 else first

    return call


def _rng_table(random: BuzzRandom, exact: bool, differs: Callable[[str], None]) -> Table:
    def uniform(first: Value = _NOT_GIVEN, second: Value = _NOT_GIVEN) -> Value:
        if second is not _NOT_GIVEN:
            return _uniform_between(random, first, second)
        if first is _NOT_GIVEN:
            return random.signed_word()
        if first.__class__ is int:
            return random.integer_between(0, first)
        if first.__class__ is float:
            return random.float_below(first)
        raise mismatch("float or integer", first)

    def gaussian(deviation: Value = 1.0, mean: Value = _NOT_GIVEN) -> float:
        _expect_number_at(1, deviation)
        if mean is _NOT_GIVEN:
            return random.gaussian(deviation)
        _expect_number_at(2, mean)
        if exact:
            return random.gaussian(deviation, deviation)
        if mean != deviation:
            differs("math.rng.gaussian(s, m) has the mean m here, and s in C Buzz and with --exact")
        return random.gaussian(deviation, mean)

    def exponential(mean: Value) -> float:
        if mean.__class__ is not float and mean.__class__ is not int:
            raise mismatch("float or integer", mean)
        return random.exponential(mean)

    table = Table()
    table.store("setseed", host_function("setseed", 1, lambda seed: random.seed(expect_integer(seed))))
    table.store("uniform", host_function("uniform", (0, 2), uniform))
    table.store("gaussian", host_function("gaussian", (0, 2), gaussian))
    table.store("exponential", host_function("exponential", 1, exponential))
    return table


def _uniform_between(random: BuzzRandom, low: Value, high: Value) -> Value:
    kinds = {low.__class__, high.__class__}
    if kinds == {int}:
        return random.integer_between(low, high)
    if kinds <= {int, float}:
        return random.float_between(low, high)
    # the closing parenthesis is the C runtime's
    raise BuzzFailure(
        "type mismatch",
        "expected float or integer for arguments, "
        f"got {type_name(low)} for argument 1 and {type_name(high)} for argument 2)",
    )


def _expect_number_at(position: int, value: Value) -> None:
    if value.__class__ is not float and value.__class__ is not int:
        text = f"expected float or integer for argument {position}, got {type_name(value)}"
        raise BuzzFailure("type mismatch", text)
