import math
from ctypes import c_float

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.libraries import libm
from pybuzz.buzz.libraries.libm import double_function, single_function, to_single

SINGLE_MAX = 3.4028234663852886e38  # (2 - 2^-23) 2^127


def test_a_tie_rounds_to_the_even_neighbour() -> None:
    assert to_single(16777217.0) == 16777216.0
    assert to_single(16777219.0) == 16777220.0


def test_too_large_a_number_rounds_to_infinity() -> None:
    assert to_single(1e39) == math.inf
    assert to_single(-1e39) == -math.inf
    assert to_single(SINGLE_MAX) == SINGLE_MAX


@given(st.floats(allow_nan=False))
def test_rounding_equals_a_c_cast(value: float) -> None:
    assert to_single(value) == c_float(value).value


def test_sine_is_the_c_library_s_float_function_and_not_the_rounded_double() -> None:
    sine = single_function("sin")
    arguments = [to_single(i * 0.001) for i in range(1, 20000)]
    results = [sine(x) for x in arguments]
    assert all(to_single(y) == y for y in results)
    # one unit in the last place of [0.5, 1) is 2^-24; glibc's sinf is within 0.56 units everywhere
    assert max(abs(y - math.sin(x)) for x, y in zip(arguments, results, strict=True)) < 0.6 * 2**-24


def test_float_functions_give_c_s_results_outside_their_domain() -> None:
    assert single_function("log")(0) == -math.inf
    assert math.isnan(single_function("sqrt")(-1))
    assert single_function("exp")(1000) == math.inf
    assert math.isnan(single_function("pow", 2)(-8, 0.5))


def test_where_the_platform_has_no_float_function_the_double_result_is_rounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(libm, "_library", lambda: None)
    single_function.cache_clear()
    try:
        assert single_function("sin")(1) == to_single(math.sin(1))
    finally:
        single_function.cache_clear()


def test_double_functions_give_c_s_results_outside_their_domain() -> None:
    assert double_function("log")(0) == -math.inf
    assert math.isnan(double_function("log")(-1))
    assert double_function("exp")(1000) == math.inf
    assert math.isnan(double_function("sin")(math.inf))
    assert math.isnan(double_function("asin")(2))
