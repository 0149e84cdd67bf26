import math
from ctypes import c_float

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.libraries.mathematics import math_table
from pybuzz.buzz.libraries.random import BuzzRandom
from pybuzz.buzz.values import BuzzFailure, Value

MIN_INTEGER = -(2**31)
DOUBLE = math_table(BuzzRandom(1), False)
SINGLE = math_table(BuzzRandom(1), True)
REAL = ["log", "log2", "log10", "exp", "sqrt", "sin", "cos", "tan", "asin", "acos"]
NUMBERS = st.floats() | st.integers(MIN_INTEGER, -MIN_INTEGER - 1)


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("floor", 1.7, 1), ("floor", -1.2, -2), ("ceil", 1.2, 2), ("ceil", -1.7, -1), ("round", 2.5, 3),
        ("round", -2.5, -3), ("round", 0.49999999999999994, 0), ("round", 1e300, MIN_INTEGER), ("floor", 7, 7),
        ("ceil", math.nan, MIN_INTEGER), ("floor", 2147483648.0, MIN_INTEGER), ("round", math.inf, MIN_INTEGER),
        ("abs", MIN_INTEGER, MIN_INTEGER), ("abs", -3, 3),
    ],
)  # fmt: skip
def test_whole_numbers_come_out_as_integers(name: str, value: Value, result: int) -> None:
    for table in (DOUBLE, SINGLE):
        assert table[name](value) == result
        assert type(table[name](value)) is int


def test_abs_of_a_float_is_a_float() -> None:
    assert DOUBLE["abs"](-3.5) == 3.5


@pytest.mark.parametrize("table", [DOUBLE, SINGLE])
def test_results_outside_the_domain_are_nan_or_infinite(table: dict[str, Value]) -> None:
    assert table["log"](0) == -math.inf
    assert table["exp"](100000) == math.inf
    assert all(math.isnan(table[name](-2)) for name in ("log", "log2", "log10", "sqrt", "asin", "acos"))
    assert math.isnan(table["sin"](math.inf))


@pytest.mark.parametrize("name", REAL)
@given(value=NUMBERS)
def test_single_precision_results_are_singles_near_the_double_result(name: str, value: float) -> None:
    exact, single = DOUBLE[name](c_float(value).value), SINGLE[name](value)
    assert math.isnan(single) or c_float(single).value == single
    assert math.isnan(single) == math.isnan(exact)
    if math.isfinite(exact) and math.isfinite(single):
        # glibc's float functions err by at most one unit in the last place
        assert single == pytest.approx(exact, rel=2.0**-23, abs=1e-37)


def test_single_sines_are_the_c_library_s_own() -> None:
    # glibc's sinf rounds within 0.56 units; the double sine rounded to single within 0.5
    arguments = [c_float(i * 0.001).value for i in range(1, 5000)]
    assert max(abs(SINGLE["sin"](x) - math.sin(x)) for x in arguments) < 0.6 * 2**-24


def test_atan_takes_y_and_x() -> None:
    assert DOUBLE["atan"](-1, -1) == -3 * math.pi / 4
    assert SINGLE["atan"](1, 0) == c_float(math.pi / 2).value


def test_min_and_max_compare_as_the_language_does_and_prefer_the_first() -> None:
    assert DOUBLE["min"]("a", "b") == "a"
    assert DOUBLE["max"](None, 3) == DOUBLE["min"](None, 3) == DOUBLE["min"](3, None) == 3
    assert type(DOUBLE["max"](2, 2.0)) is int
    assert type(DOUBLE["max"](2.0, 2)) is float
    assert math.isnan(DOUBLE["max"](math.nan, 5))  # nan equals every number


def test_single_precision_min_compares_rounded_numbers() -> None:
    assert SINGLE["min"](16777217, 16777216.0) == 16777217
    assert DOUBLE["min"](16777217, 16777216.0) == 16777216.0


def test_pi_is_rounded_in_single_precision() -> None:
    assert DOUBLE["pi"] == math.pi
    assert SINGLE["pi"] == 3.1415927410125732  # the single nearest to pi


@pytest.mark.parametrize("name", [*REAL, "abs", "floor", "round"])
def test_a_string_is_a_type_mismatch(name: str) -> None:
    with pytest.raises(BuzzFailure, match="type mismatch: expected float or integer, got string"):
        DOUBLE[name]("1")


def test_atan_names_the_argument_that_is_wrong() -> None:
    with pytest.raises(BuzzFailure, match="expected float or integer for argument 2, got nil"):
        DOUBLE["atan"](1, None)


def test_uniform_of_wrong_types_names_both() -> None:
    with pytest.raises(BuzzFailure, match="for arguments, got integer for argument 1 and string for argument 2"):
        DOUBLE["rng"]["uniform"](1, "2")


def test_uniform_chooses_integers_or_floats_by_its_arguments() -> None:
    rng = math_table(BuzzRandom(7), False)["rng"]
    assert rng["uniform"](10) == 7  # the C runtime, seed 7
    assert type(rng["uniform"](10.0)) is float
    assert type(rng["uniform"](0, 10.0)) is float
    assert type(rng["uniform"](0, 10)) is int


def test_seeding_from_a_script_repeats_the_numbers() -> None:
    rng = math_table(BuzzRandom(1), False)["rng"]
    rng["setseed"](42)
    assert [rng["uniform"](), rng["uniform"]()] == [-1736231443, 1292288063]  # the C runtime, seed 42
    with pytest.raises(BuzzFailure, match="expected integer, got float"):
        rng["setseed"](1.5)


def test_both_precisions_draw_the_same_numbers() -> None:
    double, single = (math_table(BuzzRandom(3), precision)["rng"] for precision in (False, True))
    assert [double["gaussian"](2) for _ in range(5)] == [single["gaussian"](2) for _ in range(5)]
