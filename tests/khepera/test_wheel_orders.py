"""Orders to real wheels. Units, limits and ramp: Khepera IV user manual."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.khepera import WheelOrders, load_model

LIMITS = load_model().limits
SPEEDS = st.floats(-5.0, 5.0) | st.just(math.nan) | st.just(math.inf)


def after(steps: int, left_m_s: float, right_m_s: float, **options: float) -> tuple[int, int]:
    orders = WheelOrders(LIMITS, **options)
    for _ in range(steps):
        orders.next(left_m_s, right_m_s)
    return orders.left, orders.right


@pytest.mark.parametrize(("cm_s", "units"), [(1, 15), (5, 74), (10, 147), (15, 221), (20, 295)])
def test_speeds_become_the_units_of_the_manual(cm_s: float, units: int) -> None:
    assert after(10, cm_s / 100, -cm_s / 100) == (units, -units)


def test_both_wheels_are_scaled_by_one_factor_to_20_cm_s() -> None:
    assert after(10, 0.4, 0.2) == (295, 147)


def test_a_fleet_may_raise_the_limit_to_30_cm_s_and_no_further() -> None:
    assert after(20, 0.5, 0.5, wheel_speed=0.3) == (442, 442)
    assert after(20, 0.5, 0.5, wheel_speed=0.8) == (442, 442)


def test_an_order_below_5_units_is_none() -> None:
    assert after(1, 0.003, 0.0034) == (0, 5)


def test_a_step_of_200_ms_may_change_twice_as_much() -> None:
    assert after(1, 0.2, 0.2, period_s=0.2) == (60, 60)


def test_after_a_stop_the_ramp_begins_anew() -> None:
    orders = WheelOrders(LIMITS)
    for _ in range(10):
        orders.next(0.2, 0.2)
    orders.stop()
    assert orders.next(0.2, 0.2) == (30, 30)


@given(st.lists(st.tuples(SPEEDS, SPEEDS), max_size=30))
def test_no_order_passes_the_limit_and_no_step_the_ramp(speeds: list[tuple[float, float]]) -> None:
    orders = WheelOrders(LIMITS)
    before = (0, 0)
    for left, right in speeds:
        now = orders.next(left, right)
        assert all(abs(order) <= 295 for order in now)
        assert all(abs(new - old) <= 30 for new, old in zip(now, before, strict=True))
        before = now
