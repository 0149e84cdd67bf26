"""Poses from encoders. Pulses and axle: Khepera IV user manual."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.khepera import load_model
from pybuzz.link.odometry import Odometry, Reading, advance, wrapped

MODEL = load_model()
PULSE, AXLE = MODEL.limits.pulse, MODEL.body.axle


def odometry(**factors: float) -> Odometry:
    made = Odometry(PULSE, AXLE, **factors)
    made.read(0, 0, 0.0)
    return made


def test_a_metre_straight_is_147453_pulses() -> None:
    motion = odometry().read(147453, 147453, 2.0)
    assert motion.distance_m == pytest.approx(1.0, abs=1e-5)
    assert motion.turn_rad == 0.0


def test_a_turn_on_the_spot_is_48825_pulses_each_way_and_left_is_positive() -> None:
    motion = odometry().read(-48825, 48825, 1.0)
    assert motion.turn_rad == pytest.approx(2 * math.pi, abs=1e-3)
    assert motion.distance_m == 0.0


def test_encoders_wrap_at_32_bits() -> None:
    made = Odometry(PULSE, AXLE)
    made.read(2**31 - 10, 2**31 - 10, 0.0)
    assert made.read(-(2**31) + 10, -(2**31) + 10, 0.1).pulses == (20, 20)


def test_calibration_scales_each_wheel_and_the_axle() -> None:
    motion = odometry(left=1.01, right=0.99, axle=2.0).read(1000, 1000, 0.1)
    assert motion.distance_m == pytest.approx(1000 * PULSE)
    assert motion.turn_rad == pytest.approx(-0.02 * 1000 * PULSE / (2 * AXLE))


def test_encoders_at_0_after_a_journey_are_a_reset_and_no_motion() -> None:
    made = odometry()
    made.read(20000, 20000, 1.0)
    assert made.read(3, 1, 0.1).kind is Reading.RESET
    assert made.read(103, 101, 0.1).pulses == (100, 100)


def test_an_impossible_jump_is_rejected_until_it_stays() -> None:
    made = odometry()
    assert made.read(500_000, 0, 0.1).kind is Reading.JUMP
    assert made.read(100, 100, 0.1).pulses == (100, 100)
    kinds = [made.read(900_000, 0, 0.1).kind for _ in range(3)]
    assert kinds == [Reading.JUMP] * 3
    assert made.read(900_010, 10, 0.1).pulses == (10, 10)


def test_after_a_gap_a_distance_that_the_order_allows_is_motion() -> None:
    assert odometry().resume(10_000, 9_000, (147, 147), 1.5).pulses == (10_000, 9_000)


def test_after_a_gap_encoders_that_fell_back_were_reset() -> None:
    made = odometry()
    made.read(20_000, 20_000, 2.0)
    assert made.resume(0, 0, (147, 147), 1.5).kind is Reading.FIRST
    assert made.read(100, 100, 0.1).pulses == (100, 100)


@given(st.floats(-1.0, 1.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_an_arc_is_many_short_ones(distance: float, turn: float, yaw: float) -> None:
    whole = advance((0.0, 0.0, yaw), distance, turn)
    steps = (0.0, 0.0, yaw)
    for _ in range(1000):
        steps = advance(steps, distance / 1000, turn / 1000)
    assert whole[:2] == pytest.approx(steps[:2], abs=1e-6)
    assert wrapped(whole[2] - steps[2]) == pytest.approx(0.0, abs=1e-9)


def test_a_quarter_circle_ends_where_geometry_says() -> None:
    x, y, yaw = advance((0.0, 0.0, 0.0), math.pi / 2, math.pi / 2)
    assert (x, y, yaw) == pytest.approx((1.0, 1.0, math.pi / 2))
