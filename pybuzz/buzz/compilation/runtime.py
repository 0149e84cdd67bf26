"""What compiled code calls: the helpers behind the inline templates, one set for each precision and program.

They stand in the place of Python's built-ins in a machine's globals, so that machines share them and a script cannot
reach anything of Python.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Mapping
from types import FrameType, FunctionType
from typing import Any, NoReturn

from pybuzz.buzz.compilation.mathematics import INLINE_FUNCTIONS
from pybuzz.buzz.operators import DOUBLE, Operators, compare, equal
from pybuzz.buzz.single import c_float_function, to_single
from pybuzz.buzz.strings import bucket_of_number
from pybuzz.buzz.tables import Record, Table, bad_key
from pybuzz.buzz.values import BuzzFailure, Value, bind, mismatch, truth, wrap32

__all__ = ["MISSING", "exhausted", "helpers"]

_BUCKETS = 10


class _Missing:
    """Stands for an argument that was not given."""

    __slots__ = ()


MISSING = _Missing()

_TEXT = type("str", (), {"__slots__": ()})()
"""Stands for a string in a product; Python's message names it as one."""


def helpers(string_ids: Mapping[str, int], single_precision: bool, exact: bool = False) -> dict[str, Any]:
    """The helpers of a program by the names that compiled code calls them. exact: as the C runtime does it."""
    # The function for powers may depend on what has been loaded by now.
    plain = Operators(to_single, c_float_function("powf", 2)) if single_precision else DOUBLE
    operators = plain.telling(_tell_of_mixed_remainder)
    return {
        **_operators(operators),
        "__modulo": operators.modulo_of_c if exact else operators.modulo,
        **_comparisons(operators.narrow),
        **(_single_functions() if single_precision else _double_functions()),
        "__narrow": operators.narrow,
        "__wrap": _wrap,
        "__truth": truth,
        "__fetch": _fetch,
        "__place": _place,
        "__store": _storing(string_ids),
        "__new_table": _new_table,
        "__set_item": operator.setitem,
        "__add_entry": _add_entry,
        "__exhausted": exhausted,
        "__missing": MISSING,
        "__text": _TEXT,
        "__Table": Table,
        "__Record": Record,
        "__closure": FunctionType,
        "__len": len,
        "__int": int,
        "__float": float,
        "__str": str,
    }


def _operators(operators: Operators) -> dict[str, Any]:
    names = (
        "add", "subtract", "multiply", "divide", "power", "negate", "bit_and", "bit_or", "shift_left",
        "shift_right", "complement", "logic_and", "logic_or", "logic_not",
    )  # fmt: skip
    return {f"__{name}": getattr(operators, name) for name in names}


def _tell_of_mixed_remainder() -> None:
    frame: FrameType | None = sys._getframe()
    while frame is not None and "__differs" not in frame.f_globals:
        frame = frame.f_back
    if frame is not None:
        frame.f_globals["__differs"](
            "% of an integer and a float is that of two floats here; in C Buzz and with --exact it is garbage below 0"
        )


def _comparisons(narrow: Callable[[float], float]) -> dict[str, Callable[[Value, Value], bool]]:
    return {
        "__equal": lambda a, b: equal(a, b, narrow),
        "__different": lambda a, b: not equal(a, b, narrow),
        "__less": lambda a, b: compare(a, b, narrow) < 0,
        "__less_or_equal": lambda a, b: compare(a, b, narrow) <= 0,
        "__greater": lambda a, b: compare(a, b, narrow) > 0,
        "__greater_or_equal": lambda a, b: compare(a, b, narrow) >= 0,
    }


def _double_functions() -> dict[str, Callable[..., float]]:
    """Python's mathematics for the calls in line; Buzz's `atan` takes two arguments."""
    functions = {f"__{name}": getattr(math, name) for name in INLINE_FUNCTIONS if name != "atan"}
    return {**functions, "__atan": math.atan2}


def _single_functions() -> dict[str, Callable[..., float]]:
    rounding = {"__floor": math.floor, "__ceil": math.ceil}
    functions = {f"__{name}": c_float_function(f"{name}f") for name in INLINE_FUNCTIONS - {"floor", "ceil", "atan"}}
    return {**rounding, **functions, "__atan": c_float_function("atan2f", 2), "__pow": c_float_function("powf", 2)}


def _wrap(result: Value) -> Value:
    """A result that is beyond 30 bits, or is no integer after all. The node that failed tells more than this can."""
    if result.__class__ is int:
        return wrap32(result)
    if result.__class__ is float:
        return result
    raise BuzzFailure("type mismatch")


def _fetch(table: Value, key: Value) -> Value:
    if not isinstance(table, Table):
        raise mismatch("table", table)
    return table[key]


def _place(key: Value) -> int:
    """Where in a list the entry under a key is that may be no place at all: then beyond its end."""
    if key.__class__ is float and key.is_integer() and key >= 0.0:
        return int(key)
    if key.__class__ in (int, float, str):
        return sys.maxsize
    raise bad_key(key)


def _new_table(*parts: Value) -> Table:
    """A table of keys and values that alternate."""
    table = Table()
    for position in range(0, len(parts), 2):
        table.store(parts[position], parts[position + 1])
    return table


def _add_entry(table: Table, key: Value, value: Value) -> None:
    """Adds an entry that is nil or a closure to a table that is being made and does not have the key."""
    if value is not None:
        dict.__setitem__(table, key, bind(value, table))


def _storing(string_ids: Mapping[str, int]) -> Callable[[Value, Value, Value], None]:
    """The store behind the inline one, which keeps records records as long as no keys share a bucket."""

    def store(table: Value, key: Value, value: Value) -> None:
        if not isinstance(table, Table):
            raise mismatch("table", table)
        if value.__class__ is FunctionType:
            value = bind(value, table)
        if value is not None and _stays_record(table, key):
            dict.__setitem__(table, key, value)
        else:
            table.put(key, value)

    def _stays_record(table: Table, key: Value) -> bool:
        if table.__class__ is not Record:
            if table or key not in string_ids:
                return False
            table.__class__ = Record
            return True
        if key in table:
            return key.__class__ is str
        if key not in string_ids:
            return False
        bucket = string_ids[key] % _BUCKETS
        return all(_bucket(other) != bucket for other in table)

    def _bucket(key: Value) -> int:
        return string_ids[key] % _BUCKETS if key.__class__ is str else bucket_of_number(key)

    return store


def exhausted() -> NoReturn:
    """Raise the failure of a call whose budget is used up."""
    raise BuzzFailure(
        "budget exceeded",
        "too many turns of loops in one call from outside",
        "look for a loop that never ends; a step should end within its time",
    )
