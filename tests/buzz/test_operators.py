"""What the operators mean, by examples from the language reference."""

import math
from itertools import pairwise

import pytest

from pybuzz.buzz import BuzzFailure, Table, Userdata, host_function
from pybuzz.buzz.operators import DOUBLE, SINGLE, compare, equal

MOST, LEAST = 2**31 - 1, -(2**31)


def test_integers_wrap_around():
    assert DOUBLE.add(MOST, 1) == LEAST
    assert DOUBLE.multiply(65536, 65536) == 0
    assert DOUBLE.negate(LEAST) == LEAST


def test_division_of_integers_truncates_toward_zero():
    assert [DOUBLE.divide(a, b) for a, b in ((-7, 2), (7, -2), (7, 2), (LEAST, 1))] == [-3, -3, 3, LEAST]
    with pytest.raises(BuzzFailure, match="division by zero: -2147483648 / -1 is too large"):
        DOUBLE.divide(LEAST, -1)


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [(-7, 3, 2), (7, -3, 1), (-7, -3, -4), (-6, -3, 0), (-7.5, 2.0, 0.5), (-7.5, -2.0, -3.5), (-7, 2.0, 1.0)],
)
def test_the_remainder_gets_the_divisor_added_when_it_is_negative(a, b, result):
    assert DOUBLE.modulo(a, b) == result


@pytest.mark.parametrize(("a", "b", "result"), [(1, 0.0, math.inf), (-1, 0.0, -math.inf), (1.0, -0.0, -math.inf)])
def test_division_of_floats_by_zero_is_infinite(a, b, result):
    assert DOUBLE.divide(a, b) == result
    assert math.isnan(DOUBLE.divide(0.0, 0))


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [(2, 3, 8.0), (0, 0, 1.0), (0.0, -1, math.inf), (-2.0, 1025, -math.inf), (10.0, 400, math.inf)],
)
def test_powers_are_floats_and_overflow_to_infinity(a, b, result):
    assert (type(DOUBLE.power(a, b)), DOUBLE.power(a, b)) == (float, result)
    assert math.isnan(DOUBLE.power(-8.0, 1 / 3))


def test_shifts_count_modulo_32_and_keep_the_sign():
    assert (DOUBLE.shift_left(1, 32), DOUBLE.shift_left(1, -1), DOUBLE.shift_right(-8, 1)) == (1, LEAST, -4)


def test_single_precision_rounds_operands_and_results():
    assert SINGLE.add(16777217, 0.0) == 16777216.0
    assert SINGLE.divide(1.0, 3.0) == 0.3333333432674408
    assert SINGLE.multiply(3e38, 10) == math.inf
    assert SINGLE.multiply(1e-30, 1e-15) == 1.401298464324817e-45


def test_nil_is_less_than_everything_and_tables_are_greatest():
    ascending = [None, "", -5, Table()]
    assert all(compare(a, b) < 0 < compare(b, a) for a, b in pairwise(ascending))


def test_numbers_and_strings_compare_as_printed():
    assert equal(1, "1")
    assert not equal(1.5, "1.5")
    assert equal(1.5, "1.500000")
    assert compare(10, "9") < 0


def test_nan_equals_every_number():
    assert equal(math.nan, math.nan)
    assert equal(math.nan, 5)
    assert DOUBLE.less_or_equal(math.nan, 1) == 1
    assert not equal(math.nan, "nan1")


def test_tables_have_an_order_that_does_not_change():
    first, second = Table(), Table()
    order = compare(first, second)
    assert order != 0
    assert compare(second, first) == -order
    assert compare(first, first) == 0


def test_closures_are_equal_to_themselves_and_have_no_order():
    closure = host_function("f", 0, lambda: None)
    assert equal(closure, closure)
    assert not equal(closure, 1)
    with pytest.raises(BuzzFailure, match="cannot order a closure and an integer"):
        compare(closure, 1)


def test_userdata_is_ordered_by_creation():
    first, second = Userdata(1), Userdata(2)
    assert compare(first, second) < 0
    with pytest.raises(BuzzFailure, match="type mismatch"):
        compare(first, "a")
