"""The built-in globals that know nothing of the swarm: types, conversions, and walking tables.

All walks see a snapshot, so that callbacks may store and remove what they like; those of exact programs do as the C
runtime (live_walks.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import FunctionType, MappingProxyType

from pybuzz.buzz.libraries.live_walks import LiveWalks
from pybuzz.buzz.libraries.mathematics import integer_from
from pybuzz.buzz.single import to_single
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table, clone
from pybuzz.buzz.values import Value, expect_closure, expect_table, host_function, mismatch, truth, type_name

__all__ = ["type_functions", "walking_functions"]

_PREDICATES = {
    "isnil": "nil",
    "isint": "integer",
    "isfloat": "float",
    "isstring": "string",
    "istable": "table",
    "isclosure": "closure",
    "isuserdata": "userdata",
}


@cache
def type_functions(single_precision: bool) -> Mapping[str, FunctionType]:
    """`int float clone size is...`; all machines share them."""
    functions = {
        "int": host_function("int", 1, _to_integer),
        "float": host_function("float", 1, _to_single_float if single_precision else _to_float),
        "clone": host_function("clone", 1, lambda value: clone(value)),
        "size": host_function("size", 1, lambda table: len(expect_table(table))),
    }
    for name, kind in _PREDICATES.items():
        functions[name] = host_function(name, 1, _predicate(kind))
    return MappingProxyType(functions)


def walking_functions(ids: StringIds, spend: Callable[[int], None], exact: bool = False) -> dict[str, FunctionType]:
    """`type foreach map filter reduce` of the machine whose string ids decide the order of walking.

    spend   takes the entries of each walk, as turns of a loop, from the machine's budget
    exact   whether changes during a walk have the effect that they have in the C runtime
    """
    live = LiveWalks(ids, spend)

    def name_of_type(value: Value) -> str:
        name = type_name(value)
        ids.register(name)
        return name

    def for_each(table: Value, function: Value) -> None:
        for key, value in _items(table, function):
            function(key, value)

    def mapped(table: Value, function: Value) -> Table:
        walked = _items(table, function)
        # Closures keep the self they have, as in the C runtime.
        return Table({key: result for key, value in walked if (result := function(key, value)) is not None})

    def filtered(table: Value, function: Value) -> Table:
        return Table({key: value for key, value in _items(table, function) if truth(function(key, value))})

    def reduced(table: Value, function: Value, accumulator: Value) -> Value:
        for key, value in _items(table, function):
            accumulator = function(key, value, accumulator)
        return accumulator

    def _items(table: Value, function: Value) -> Iterable[tuple[Value, Value]]:
        expect_table(table)
        expect_closure(function)
        if exact:
            return live.items(table)
        spend(len(table))
        return table.ordered_items(ids)  # type: ignore[no-any-return]

    functions: tuple[tuple[str, int, Callable[..., Value]], ...] = (
        ("type", 1, name_of_type),
        ("foreach", 2, for_each),
        ("map", 2, mapped),
        ("filter", 2, filtered),
        ("reduce", 3, reduced),
    )
    return {name: host_function(name, arity, call) for name, arity, call in functions}


def _predicate(kind: str) -> Callable[[Value], int]:
    return lambda value: int(type_name(value) == kind)


def _to_integer(value: Value) -> int:
    if value.__class__ is float:
        return integer_from(value)
    if value.__class__ is int:
        return value
    raise mismatch("int or float", value)


def _to_float(value: Value) -> float:
    if value.__class__ is float or value.__class__ is int:
        return float(value)
    raise mismatch("int or float", value)


def _to_single_float(value: Value) -> float:
    return to_single(_to_float(value))
