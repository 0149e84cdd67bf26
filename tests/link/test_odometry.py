"""Poses from encoders. Pulses and axle: Khepera IV user manual."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.khepera import load_model
from pybuzz.link.odometry import Odometry, Reading, advance, wrapped

MODEL = load_model()
STANDS = [(0, 0)]
AHEAD = [(147, 147)]
"""10 cm/s: 147 pulses in 10 ms."""
PULSE, AXLE = MODEL.limits.pulse, MODEL.body.axle


def odometry(**factors: float) -> Odometry:
    made = Odometry(PULSE, AXLE, **factors)
    made.read(0, 0, 0.0, STANDS)
    return made


def test_a_metre_straight_is_147453_pulses() -> None:
    motion = odometry().read(147453, 147453, 2.0, [(737, 737)])
    assert motion.distance_m == pytest.approx(1.0, abs=1e-5)
    assert motion.turn_rad == 0.0


def test_a_turn_on_the_spot_is_48825_pulses_each_way_and_left_is_positive() -> None:
    motion = odometry().read(-48825, 48825, 1.0, [(-488, 488)])
    assert motion.turn_rad == pytest.approx(2 * math.pi, abs=1e-3)
    assert motion.distance_m == 0.0


def test_encoders_wrap_at_32_bits() -> None:
    made = Odometry(PULSE, AXLE)
    made.read(2**31 - 10, 2**31 - 10, 0.0, AHEAD)
    assert made.read(-(2**31) + 10, -(2**31) + 10, 0.1, AHEAD).pulses == (20, 20)


def test_calibration_scales_each_wheel_and_the_axle() -> None:
    motion = odometry(left=1.01, right=0.99, axle=2.0).read(1000, 1000, 0.1, AHEAD)
    assert motion.distance_m == pytest.approx(1000 * PULSE)
    assert motion.turn_rad == pytest.approx(-0.02 * 1000 * PULSE / (2 * AXLE))


@pytest.mark.parametrize("period_s", [0.1, 0.2, 0.3])
@pytest.mark.parametrize("before", [500, 3000, 20_000])
def test_encoders_back_at_0_are_a_reset_and_no_motion(before: int, period_s: float) -> None:
    """Early in a run too, when a wheel could turn back as far in a period, but was not ordered to."""
    made = odometry()
    made.read(before, before, before / 14_700, AHEAD)
    assert made.read(3, 1, period_s, AHEAD).kind is Reading.RESET
    assert made.read(103, 101, 0.1, AHEAD).pulses == (100, 100)


def test_wheels_that_are_ordered_back_pass_0_without_a_reset() -> None:
    made = odometry()
    made.read(2000, 2000, 0.2, AHEAD)
    kinds = {made.read(count, count, 0.1, [(-147, -147)]).kind for count in (1000, 0, -1000, -2000)}
    assert kinds == {Reading.MOTION}


def test_wheels_that_run_out_after_a_stop_are_no_reset() -> None:
    assert odometry().read(1400, 1400, 0.1, [(147, 147), (0, 0)]).kind is Reading.MOTION


def test_a_robot_that_is_pushed_moves() -> None:
    made = odometry()
    made.read(9000, 9000, 1.0, AHEAD)
    assert made.read(7000, 8000, 0.1, STANDS).pulses == (-2000, -1000)


@pytest.mark.parametrize("jump", [500_000, 4000, -4000])
def test_what_the_orders_do_not_allow_is_a_jump_and_no_motion(jump: int) -> None:
    """An order of 147 units is 1470 pulses in 0.1 s."""
    made = odometry()
    made.read(20_000, 20_000, 2.0, AHEAD)
    found = made.read(21_470 + jump, 21_470, 0.1, AHEAD)
    assert (found.kind, found.distance_m, found.turn_rad) == (Reading.JUMP, 0.0, 0.0)


def test_a_single_wrong_reading_costs_no_motion() -> None:
    made = odometry()
    made.read(20_000, 20_000, 2.0, AHEAD)
    assert made.read(500_000, 0, 0.1, AHEAD).kind is Reading.JUMP
    assert made.read(22_940, 22_940, 0.1, AHEAD).pulses == (2940, 2940)


def test_after_a_jump_that_stays_motion_goes_on_from_there() -> None:
    made = odometry()
    made.read(20_000, 20_000, 2.0, AHEAD)
    assert made.read(921_470, 21_470, 0.1, AHEAD).kind is Reading.JUMP
    assert made.read(922_940, 22_940, 0.1, AHEAD).pulses == (1470, 1470)
    assert made.read(924_410, 24_410, 0.1, AHEAD).pulses == (1470, 1470)


def test_a_wheel_that_turns_without_an_order_is_no_motion_but_is_counted() -> None:
    made = odometry()
    found = [made.read(20_000 * step, 0, 0.1, STANDS) for step in range(1, 5)]
    assert [(one.kind, one.pulses[0]) for one in found] == [(Reading.JUMP, 20_000)] * 4


@given(
    st.lists(st.tuples(st.integers(-442, 442), st.integers(-442, 442)), min_size=1, max_size=30),
    st.sampled_from([0.1, 0.2, 0.3]),
    st.floats(0.9, 1.1),
)
def test_wheels_that_follow_their_orders_are_never_reset(
    orders: list[tuple[int, int]], period_s: float, lateness: float
) -> None:
    """Readings in the middle of a period, up to a tenth of it late: half of it by the order before."""
    made, count, before = odometry(), [0.0, 0.0], (0, 0)
    for order in orders:
        count = [c + (b + o) / 2 * period_s / 0.01 * lateness for c, b, o in zip(count, before, order, strict=True)]
        assert made.read(*map(round, count), period_s, [before, order]).kind is Reading.MOTION
        before = order


def test_after_a_gap_a_distance_that_the_order_allows_is_motion() -> None:
    assert odometry().resume(10_000, 9_000, (147, 147), 1.5).pulses == (10_000, 9_000)


def test_after_a_gap_encoders_that_fell_back_were_reset() -> None:
    made = odometry()
    made.read(20_000, 20_000, 2.0, AHEAD)
    assert made.resume(0, 0, (147, 147), 1.5).kind is Reading.FIRST
    assert made.read(100, 100, 0.1, AHEAD).pulses == (100, 100)


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
