"""The `string` table. Buzz strings are byte strings; here each byte is one character (latin-1)."""

from __future__ import annotations

import re
from collections.abc import Callable

from pybuzz.buzz.single import to_single
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, Value, expect_integer, expect_string, format_value, host_function, wrap32

__all__ = ["string_table"]

_C_SPACE = r"[ \t\n\v\f\r]*"
_INTEGER_PREFIX = re.compile(_C_SPACE + r"([+-]?[0-9]+)")
_FLOAT_PREFIX = re.compile(
    _C_SPACE + r"(?P<hex>[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|" + _C_SPACE + r"(?P<decimal>[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|infinity|inf|nan))",
    re.IGNORECASE,
)
_LONGEST = 2**24
"""Bytes of a string: doubling one in a loop must not take the machine's memory."""

_LENGTH = host_function("length", 1, lambda text: len(expect_string(text)))
_NOT_GIVEN = object()
_NO_NUMBER_IN_C = "0.000000"
_LONG_MIN, _LONG_MAX = -(2**63), 2**63 - 1


def string_table(
    ids: StringIds,
    single_precision: bool,
    spend_bytes: Callable[[int], None],
    exact: bool = False,
    differs: Callable[[str], None] = lambda text: None,
) -> Table:
    """A new `string` table. The strings it makes get their ids from `ids` when they are made.

    spend_bytes: takes the bytes of each of them, and of each that is read as a number, from the budget of the call
    exact, differs: see `library_globals`
    """

    def made(text: str | None) -> str | None:
        if text is not None:
            spend_bytes(len(text))
            ids.register(text)
        return text

    def substring(text: Value, start: Value, end: Value = _NOT_GIVEN) -> str | None:
        return made(_substring(text, start, end))

    def concatenation(first: Value, second: Value, *others: Value) -> str | None:
        return made(_concatenation((first, second, *others)))

    def to_string(value: Value) -> str | None:
        if value.__class__ is int or value.__class__ is float:
            return made(format_value(value))
        if exact:
            return made(_NO_NUMBER_IN_C)
        differs(f'string.tostring of what is no number is nil here, and "{_NO_NUMBER_IN_C}" in C Buzz and with --exact')
        return None

    read_float = _to_single_float if single_precision else _to_float

    def to_integer(text: Value) -> int | None:
        spend_bytes(len(expect_string(text)))
        return _to_integer(text)

    def to_float(text: Value) -> float | None:
        spend_bytes(len(expect_string(text)))
        return read_float(text)

    table = Table()
    table.store("length", _LENGTH)
    table.store("toint", host_function("toint", 1, to_integer))
    table.store("tofloat", host_function("tofloat", 1, to_float))
    table.store("sub", host_function("sub", (2, 3), substring))
    table.store("concat", host_function("concat", (2, None), concatenation))
    table.store("tostring", host_function("tostring", 1, to_string))
    return table


def _substring(text: Value, start: Value, end: Value) -> str | None:
    """Bytes from `start` up to and without `end`; nil where there is nothing to take."""
    length = len(expect_string(text))
    first = expect_integer(start)
    last = length if end is _NOT_GIVEN else expect_integer(end)
    return text[first:last] if 0 <= first < length and first <= last else None


def _concatenation(texts: tuple[Value, ...]) -> str:
    length = sum(len(expect_string(text)) for text in texts)
    if length > _LONGEST:
        raise BuzzFailure("budget exceeded", f"a string of {length} bytes; the most is {_LONGEST}")
    return "".join(texts)


def _to_integer(text: Value) -> int | None:
    """C's strtol in base 10, then the lower 32 bits; nil if there are no digits."""
    found = _INTEGER_PREFIX.match(expect_string(text))
    if not found:
        return None
    number = max(_LONG_MIN, min(_LONG_MAX, _decimal(found[1])))
    return wrap32(number)


def _decimal(digits: str) -> int:
    """Python refuses to convert thousands of digits; C's strtol has long reached its limit by then."""
    return int(digits[:1000])


def _to_float(text: Value) -> float | None:
    """C's strtod: the longest prefix that is a number; nil if there is none."""
    found = _FLOAT_PREFIX.match(expect_string(text))
    if not found:
        return None
    return _hexadecimal(found["hex"]) if found["hex"] else float(found["decimal"])


def _hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("-inf") if text.startswith("-") else float("inf")


def _to_single_float(text: Value) -> float | None:
    number = _to_float(text)
    return None if number is None else to_single(number)
