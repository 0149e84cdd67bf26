"""The value API that hosts and libraries build on."""

import math

import pytest

from pybuzz.buzz import (
    BuzzFailure,
    Table,
    Userdata,
    expect_integer,
    expect_table,
    format_value,
    format_value_stream,
    host_function,
    host_method,
    string_from,
    text_of,
    truth,
    type_name,
    wrap32,
)
from pybuzz.buzz.values import host_arity, is_host_function


@pytest.mark.parametrize(
    ("value", "name"),
    [(None, "nil"), (1, "integer"), (1.0, "float"), ("", "string"), (Table(), "table"), (Userdata(0), "userdata")],
)
def test_every_value_has_the_type_name_of_the_language(value, name):
    assert type_name(value) == name
    assert type_name(host_function("f", 0, lambda: None)) == "closure"


def test_only_nil_and_the_integer_zero_are_false():
    assert [truth(value) for value in (None, 0, 0.0, "", Table(), 1)] == [False, False, True, True, True, True]


def test_integers_wrap_at_32_bits():
    assert (wrap32(2**31), wrap32(-(2**31) - 1), wrap32(2**32 + 5)) == (-(2**31), 2**31 - 1, 5)


def test_strings_hold_one_character_per_byte():
    assert len(string_from("é")) == 2
    assert text_of(string_from("é")) == "é"


def test_floats_print_as_bzzrun_and_as_argos_print_them():
    assert (format_value(1.5), format_value(-0.0), format_value(-math.nan)) == ("1.500000", "-0.000000", "-nan")
    assert (format_value_stream(1.5), format_value_stream(2.0), format_value_stream(1e6)) == ("1.5", "2", "1e+06")


def test_other_values_print_as_bzzrun_prints_them():
    table = Table.of([(1, 2)])
    assert [format_value(value) for value in (None, -3, "a", table)] == ["[nil]", "-3", "a", "[table with 1 elems]"]
    assert format_value(host_function("f", 0, lambda: None)).startswith("[c-closure @")


def test_checks_name_both_types():
    with pytest.raises(BuzzFailure, match="type mismatch: expected table, got nil"):
        expect_table(None)
    with pytest.raises(BuzzFailure, match="type mismatch: expected integer, got float"):
        expect_integer(1.0)


@pytest.mark.parametrize(
    ("arity", "given", "text"),
    [
        (1, 2, "expected 1 parameters, got 2"),
        ((2, None), 1, "expected at least 2 parameters, got 1"),
        ((2, 3), 4, "expected 2 or 3 parameters, got 4"),
        ((0, 2), 3, "expected 0, 1, or 2 parameters, got 3"),
    ],
)
def test_a_wrong_number_of_arguments_is_told_as_the_c_runtime_tells_it(arity, given, text):
    function = host_method("f", arity, lambda table, *arguments: None)
    with pytest.raises(BuzzFailure, match=text):
        function(*range(given))


def test_a_plain_host_function_is_called_without_a_wrapper_and_names_its_arity():
    def half(x):
        return x / 2

    function = host_function("half", 1, half)
    assert function.__code__ is half.__code__
    assert half.__qualname__ != function.__qualname__
    with pytest.raises(TypeError) as failure:
        function()
    assert host_arity(str(failure.value)) == 1
    assert is_host_function(function)


def test_a_host_method_acts_on_the_table_it_was_stored_in_last():
    first, second = Table(), Table()
    first.store("me", host_method("me", 0, lambda table: table))
    second.store("me", first["me"])
    assert first["me"]() is first
    assert second["me"]() is second
