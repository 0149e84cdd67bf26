import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.libraries.strings import string_table
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.values import BuzzFailure, Value

IDS = StringIds()
SPENT: list[int] = []
STRING = string_table(IDS, False, SPENT.append)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (("hello", 1), "ello"), (("hello", 1, 3), "el"), (("hello", 1, 99), "ello"), (("hello", 2, 2), ""),
        (("hello", 5), None), (("", 0), None), (("hello", 3, 2), None), (("hello", -2), None),
        (("hello", 1, -1), None),
    ],
)  # fmt: skip
def test_sub_takes_bytes_or_gives_nil(arguments: tuple[Value, ...], result: str | None) -> None:
    assert STRING["sub"](*arguments) == result


def test_sub_with_nil_for_an_end_is_a_type_mismatch() -> None:
    with pytest.raises(BuzzFailure, match="expected integer, got nil"):
        STRING["sub"]("hello", 1, None)


def test_length_counts_bytes() -> None:
    assert STRING["length"]("\xc3\xa9") == 2


def test_concat_joins_strings_only() -> None:
    assert STRING["concat"]("a", "", "bc", "d") == "abcd"
    with pytest.raises(BuzzFailure, match="expected string, got integer"):
        STRING["concat"]("a", 1)


def test_concat_stops_before_it_takes_the_memory() -> None:
    text = "x" * 2**23
    assert len(STRING["concat"](text, text)) == 2**24
    with pytest.raises(BuzzFailure, match="budget exceeded: a string of 25165824 bytes"):
        STRING["concat"](text, text, text)


@pytest.mark.parametrize(("value", "text"), [(3, "3"), (-7, "-7"), (1 / 3, "0.333333"), ("abc", None), (None, None)])
def test_tostring_prints_numbers_and_nothing_else(value: Value, text: str | None) -> None:
    assert STRING["tostring"](value) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), (" \t-12", -12), ("+7x", 7), ("3.9", 3), ("abc", None), ("", None), ("- 1", None), ("0x10", 0),
        ("2147483648", -(2**31)), ("9" * 5000, -1), ("-" + "9" * 5000, 0),
    ],
)  # fmt: skip
def test_toint_reads_a_prefix_as_strtol_does(text: str, number: int | None) -> None:
    # the last two: strtol stops at 2^63 - 1 and -2^63, of which the lower 32 bits are -1 and 0
    assert STRING["toint"](text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", 1.5), ("-2", -2.0), ("1e3", 1000.0), ("1e", 1.0), ("  2.25xyz", 2.25), (".5", 0.5), ("abc", None),
        ("", None), ("0x1.8p1", 3.0), ("0x", 0.0), ("INFinite", math.inf), ("-infinity", -math.inf), (".", None),
        ("0x1p9999", math.inf), ("1e999", math.inf),
    ],
)  # fmt: skip
def test_tofloat_reads_a_prefix_as_strtod_does(text: str, number: float | None) -> None:
    assert STRING["tofloat"](text) == number


def test_tofloat_gives_a_single_in_single_precision() -> None:
    assert string_table(IDS, True, SPENT.append)["tofloat"]("0.1") == 0.10000000149011612  # the single nearest to 0.1


@given(st.integers(-(2**31), 2**31 - 1))
def test_toint_reads_what_tostring_wrote(number: int) -> None:
    assert STRING["toint"](STRING["tostring"](number)) == number


@given(st.text(st.characters(max_codepoint=255)))
def test_no_text_breaks_the_conversions(text: str) -> None:
    assert STRING["toint"](text) is None or isinstance(STRING["toint"](text), int)
    assert STRING["tofloat"](text) is None or isinstance(STRING["tofloat"](text), float)


def test_a_string_made_at_run_time_gets_the_next_id() -> None:
    ids = StringIds({"a": 0, "b": 1})
    string_table(ids, False, SPENT.append)["concat"]("a", "b")
    assert ids.id_of("ab") == 2
    assert ids.id_of("other") == 3
