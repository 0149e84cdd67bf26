"""Tables of the host that code reads as lists: when it does, and that nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.buzz import Machine, Program, Table, compile_program, format_value
from pybuzz.buzz.tables import to_python
from pybuzz.errors import ScriptError

RING = {"ring": ("value", "angle")}
PLACE = {"place": ("at.x", "at.y", "yaw")}
NAMES = ("ring", "place")
VALUES, ANGLES = [0.25, 0.5, 1.0], [0.0, 1.5, -1.5]
POINT = [2.0, -0.5, 3.0]


def table(value: list[float] = VALUES, angle: list[float] = ANGLES) -> Table:
    entries = (Table({"value": one, "angle": other}) for one, other in zip(value, angle, strict=True))
    return Table(enumerate(entries))


def place(row: list[float] = POINT) -> Table:
    x, y, yaw = row
    return Table({"at": Table({"x": x, "y": y}), "yaw": yaw})


def program_of(text: str, *, as_lists: bool = True, single: bool = False) -> Program:
    columns, rows = (RING, PLACE) if as_lists else ({}, {})
    return compile_program("script.bzz", text, host_names=NAMES, columns=columns, rows=rows, single_precision=single)


def read_as_lists(text: str) -> set[str]:
    """The names of the tables that are read as lists."""
    return set(program_of(text).facts.columns)


def equip(machine: Machine) -> None:
    """Give a machine the tables as it wants them."""
    lists = {"ring": {"value": VALUES, "angle": ANGLES}, "place": {"row": POINT}}
    for name, make in (("ring", table), ("place", place)):
        if name in machine.columns:
            for field, values in lists[name].items():
                machine.give_list(machine.list_key(name, field), values)
            machine.show_as_table(name, make)
        else:
            machine.set_global(name, make())


def machine_of(text: str, *, as_lists: bool = True) -> Machine:
    machine = program_of(text, as_lists=as_lists).new_machine(1, log=print)
    equip(machine)
    machine.run_global_part()
    return machine


@pytest.mark.parametrize(
    "text",
    [
        "x = ring[0].value",
        "function f(i) { return ring[i + 1].value * ring[i].angle }",
        "x = ring[ring[0].value].value",
        "x = ring[y].value y = 1",
        "function f(ring) { return ring } x = ring[0].value",
        "function f() { var ring = {} x = ring } x = ring[0].value",
        "ring[0].value()",
        "x = ring[size(ring) - 1].value",
    ],
)
def test_a_table_of_which_only_fields_of_entries_are_read_is_read_as_lists(text):
    assert read_as_lists(text) == {"ring"}


@pytest.mark.parametrize("text", ["x = place.at.x + place.yaw", "x = place.at.y.z", "place.yaw()"])
def test_a_table_of_which_only_numbers_are_read_by_their_names_is_read_as_a_list(text):
    assert read_as_lists(text) == {"place"}


@pytest.mark.parametrize(
    "text",
    [
        "x = ring[0]",
        "x = ring[0].raw",
        "x = ring.value",
        "x = size(ring, ring[0].value)",
        "x = size(ring) size = nil",
        "x = map(ring, f)",
        "foreach(ring, function(k, v) { log(v.value) })",
        "ring[0].value = 1",
        "ring[0] = nil",
        "ring = nil",
        "var ring = {}",
        "function ring() { }",
        "function f() { return ring }",
        "log(ring[0])",
    ],
)
def test_any_other_use_leaves_the_table_a_table(text):
    assert "ring" not in read_as_lists(f"y = ring[0].value {text}")


@pytest.mark.parametrize(
    "text",
    [
        "x = place",
        "x = place.at",
        "x = place.row",
        "x = place[0].row",
        "x = place.at[x]",
        "x = size(place)",
        "place.yaw = 1",
        "place.at.x = 1",
        "place = nil",
    ],
)
def test_any_other_use_of_named_numbers_leaves_the_table_a_table(text):
    assert "place" not in read_as_lists(f"y = place.yaw {text}")


def test_what_the_host_does_not_announce_is_a_table():
    assert not program_of("x = ring[0].value + place.yaw", as_lists=False).facts.columns


def test_a_table_that_is_only_counted_may_hold_anything():
    assert not read_as_lists("x = size(ring)")


def test_what_is_read_from_a_list_is_a_float_and_read_once():
    text = "function step(i) { var j = 1 x = ring[j].value * ring[j].value + place.at.y / place.at.y }"
    source = program_of(text).python_source("step")
    assert source.count("__ring_value") == source.count("__place_row") == 1
    assert "__float" not in source
    assert "__wrap" not in source


def test_nothing_is_tested_where_a_local_that_counts_is_the_index():
    source = program_of(
        "function step() { var i = 0 while(i < 3) { x = math.cos(ring[i].angle) i = i + 1 } }"
    ).python_source("step")
    assert "x = __cos(__ring_angle[_i])" in source
    assert "_i = _i + 1" in source


def test_who_asks_for_the_global_gets_a_table():
    machine = machine_of("x = ring[0].value + place.yaw")
    assert to_python(machine.get_global("ring")) == to_python(table())
    assert to_python(machine.get_global("place")) == {"at": {"x": 2.0, "y": -0.5}, "yaw": 3.0}
    assert {"ring", "place"} <= set(machine.globals)
    assert not any(name.startswith("__") for name in machine.globals)


def test_a_host_that_sets_the_global_has_it_read_as_a_table_from_then_on():
    machine = machine_of("function step() { x = ring[1].value }")
    machine.call_named("step")
    assert machine.get_global("x") == 0.5
    machine.set_global("ring", Table({1: Table({"value": "mine"})}))
    machine.call_named("step")
    assert (machine.get_global("x"), machine.columns) == ("mine", {})


def test_a_host_that_breaks_another_assumption_leaves_the_table_in_its_place():
    machine = machine_of("s = 1 function step() { s = s + 1 x = ring[1].value }")
    machine.set_global("s", 0.5)
    machine.call_named("step")
    assert (machine.columns, machine.get_global("x")) == ({}, 0.5)
    assert to_python(machine.get_global("ring")) == to_python(table())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = ring[3].value", "expected table, got nil; `ring[3]` is nil here"),
        ("i = -1 x = 1 + ring[i].value", "expected table, got nil; `ring[i]` is nil here"),
        ("x = ring[y].value", "a nil value can't be used as table key; `y` is nil here"),
        ('x = ring[0].value * "a"', "a float * a string"),
        ('x = place.at.x + "a"', "a float + a string"),
        ("x = place.yaw.z", "expected table, got float"),
        ("x = ring[0].value()", "expected closure, got float"),
        ("y = ring[0].value x = rng[0].angle", "expected table, got nil; `rng` is nil here"),
    ],
)
def test_errors_are_those_of_tables(text, message):
    with pytest.raises(ScriptError) as plain:
        machine_of(text)
    with pytest.raises(ScriptError) as general:
        machine_of(text, as_lists=False)
    assert message in str(plain.value)
    assert plain.value.diagnostics == general.value.diagnostics


KEYS = st.sampled_from(
    ("i", "k", "n", "0", "2", "7", "-1", "1.0", "0.5", "s", "id % 3", "i - k", "i & 1", "k * i", "f(i)")
)
READS = st.builds("ring[{}].{}".format, KEYS, st.sampled_from(("value", "angle")))
OPERANDS = st.one_of(READS, READS, st.sampled_from(("i", "k", "0.5", "s", "n", "place.at.y", "place.yaw")))
EXPRESSIONS = st.recursive(
    OPERANDS,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(("+", "-", "*", "/", "^", "<", "==", "%")), inner),
        st.builds("math.cos({})".format, inner),
        st.builds("ring[{}].value".format, inner),
    ),
    max_leaves=6,
)
STATEMENTS = st.lists(
    st.one_of(
        st.builds("x = {}".format, EXPRESSIONS),
        st.builds("log({})".format, EXPRESSIONS),
        st.builds("i = {}".format, st.sampled_from(("i + 1", "k", "0", "i - 1"))),
        st.builds("while(i < 3) {{ x = {} i = i + 1 }}".format, EXPRESSIONS),
        st.builds("if({}) {{ k = {} }}".format, EXPRESSIONS, EXPRESSIONS),
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


def outcome(program: Program) -> list[object]:
    seen: list[object] = []
    machine = program.new_machine(1, log=lambda values: seen.append([format_value(value) for value in values]))
    equip(machine)
    try:
        machine.run_global_part()
        machine.call_named("step")
    except ScriptError as failure:
        seen.append(failure.diagnostics)
    return [*seen, *((name, repr(machine.get_global(name))) for name in ("x", "k"))]


@settings(max_examples=300, deadline=None)
@given(statements=STATEMENTS, single=st.booleans())
def test_random_reads_give_what_tables_give(statements, single):
    text = (
        'k = 1 s = "a" x = ring[0].value + place.yaw function f(a) { return a } '
        f"function step() {{ var i = 0 {statements} }}"
    )
    as_lists, as_tables = (program_of(text, as_lists=lists, single=single) for lists in (True, False))
    assert set(as_lists.facts.columns) == {"ring", "place"}
    assert outcome(as_lists) == outcome(as_tables)
