import math
from typing import Any

import pytest

from pybuzz.buzz.libraries import BuzzRandom, library_globals
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, Userdata, Value, host_method


@pytest.fixture
def names() -> dict[str, Value]:
    return library_globals(
        ids=StringIds(),
        random=BuzzRandom(1),
        log=lambda values: None,
        spend=lambda turns: None,
        spend_bytes=lambda count: None,
    )


def test_log_hands_over_its_values_and_gives_nil() -> None:
    lines: list[tuple[Value, ...]] = []
    names = library_globals(
        ids=StringIds(),
        random=BuzzRandom(1),
        log=lines.append,
        spend=lambda turns: None,
        spend_bytes=lambda count: None,
    )
    assert names["log"]("a", 1, None) is None
    assert lines == [("a", 1, None)]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "nil"),
        (1, "integer"),
        (1.0, "float"),
        ("s", "string"),
        (Table(), "table"),
        (Userdata(0), "userdata"),
    ],
)
def test_every_type_has_its_name_and_its_predicate(names: dict[str, Value], value: Value, name: str) -> None:
    assert names["type"](value) == name
    predicates = ["isnil", "isint", "isfloat", "isstring", "istable", "isclosure", "isuserdata"]
    true = [predicate for predicate in predicates if names[predicate](value) == 1]
    assert [predicate.removeprefix("is")[:3] for predicate in true] == [name[:3]]


def test_a_function_of_the_host_is_a_closure(names: dict[str, Value]) -> None:
    assert names["type"](names["log"]) == "closure"
    assert names["isclosure"](names["type"]) == 1


@pytest.mark.parametrize(
    ("value", "integer"),
    [
        (3.9, 3),
        (-3.9, -3),
        (5, 5),
        (2147483647.5, 2147483647),
        (3e9, -(2**31)),
        (math.nan, -(2**31)),
        (-math.inf, -(2**31)),
    ],
)
def test_int_truncates_and_gives_the_least_integer_for_what_does_not_fit(
    names: dict[str, Value], value: float, integer: int
) -> None:
    assert names["int"](value) == integer
    assert type(names["int"](value)) is int


def test_int_of_a_string_is_a_type_mismatch(names: dict[str, Value]) -> None:
    with pytest.raises(BuzzFailure, match="type mismatch: expected int or float, got string"):
        names["int"]("1")


def test_foreach_sees_the_table_as_it_was_when_the_walk_began(names: dict[str, Value]) -> None:
    table = Table.of([(0, 1), (10, 2), (20, 3)])
    seen: list[Any] = []

    def callback(key: Value, value: Value) -> None:
        seen.append((key, value))
        table.store(key, None if key == 10 else value * 10)

    names["foreach"](table, callback)
    assert seen == [(0, 1), (10, 2), (20, 3)]
    assert dict(table) == {0: 10, 20: 30}


def test_walks_follow_the_buckets_and_not_the_order_of_storing(names: dict[str, Value]) -> None:
    seen: list[Any] = []
    names["foreach"](Table.of([(9, "a"), (11, "b"), (-1, "c"), (1, "d")]), lambda key, value: seen.append(key))
    assert seen == [11, 1, -1, 9]  # buckets 1, 1, 5, 9


def test_map_leaves_out_nil_and_does_not_rebind_closures(names: dict[str, Value]) -> None:
    method = host_method("owner", 0, lambda owner: owner)
    owner = Table.of([("f", method)])
    mapped = names["map"](Table.of([(0, 1), (1, 2)]), lambda key, value: owner["f"] if key == 0 else None)
    assert list(mapped) == [0]
    assert mapped[0]() is owner


def test_filter_keeps_what_is_true_in_buzz(names: dict[str, Value]) -> None:
    table = Table.of(enumerate([0, 0.0, "", None, 1]))
    assert list(names["filter"](table, lambda key, value: value)) == [1, 2, 4]


def test_reduce_hands_the_accumulator_on(names: dict[str, Value]) -> None:
    table = Table.of(enumerate([5, 6, 7]))
    assert names["reduce"](table, lambda key, value, total: total + key * value, 100) == 120
    assert names["reduce"](Table(), lambda key, value, total: 0, "start") == "start"


@pytest.mark.parametrize("name", ["foreach", "map", "filter"])
def test_walking_needs_a_table_and_a_closure(names: dict[str, Value], name: str) -> None:
    with pytest.raises(BuzzFailure, match="expected table, got integer"):
        names[name](1, names["log"])
    with pytest.raises(BuzzFailure, match="expected closure, got string"):
        names[name](Table(), "f")


def test_single_precision_float_rounds_integers() -> None:
    names = library_globals(
        ids=StringIds(),
        random=BuzzRandom(1),
        log=lambda values: None,
        spend=lambda turns: None,
        spend_bytes=lambda count: None,
        single_precision=True,
    )
    assert names["float"](16777217) == 16777216.0
