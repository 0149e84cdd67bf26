"""A real robot's motors: modes, ramps, registers (Khepera IV user manual), and a bridge that drives them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.khepera import load_model
from pybuzz.khepera.motors import BridgeDrive, Mode, Motors, SpeedProfile, wrapped

LIMITS = load_model().limits


def motors_after(mode: Mode, left: int, right: int, seconds: float, step: float = 0.01) -> Motors:
    motors = Motors(LIMITS)
    motors.order(mode, left, right)
    for _ in range(round(seconds / step)):
        motors.advance(step)
    return motors


def test_an_order_of_147_units_is_10_cm_per_second() -> None:
    """14.7453 units per cm/s: 19456 pulses a turn of a 42 mm wheel, counted every 10 ms."""
    motors = motors_after(Mode.SPEED, 147, 147, 1.0)
    assert motors.advance(0.01)[0] == pytest.approx(0.1, rel=0.005)
    assert motors.encoder_counts[0] == pytest.approx(14700, abs=147 * 100 * 0.03 + 1)


def test_the_regulated_wheel_follows_with_a_lag_of_30_ms() -> None:
    motors = motors_after(Mode.SPEED, 100, 100, 0.03)
    assert motors.speeds[0] == pytest.approx(100 * (1 - math.exp(-1)))


@given(st.lists(st.integers(-442, 442), min_size=1, max_size=8))
def test_long_steps_come_as_far_as_short_ones(orders: list[int]) -> None:
    """Friction may catch the last of a wheel's motion in one of them and not in the other: 5 units for 30 ms."""
    short, long = Motors(LIMITS), Motors(LIMITS)
    for order in orders:
        for motors, step in ((short, 0.01), (long, 0.1)):
            motors.order(Mode.SPEED, order, -order)
            for _ in range(round(0.1 / step)):
                motors.advance(step)
    assert short.encoders == pytest.approx(long.encoders, abs=5 * 100 * 0.03 * len(orders) + 0.01)


def test_the_default_profile_takes_1300_ms_to_400_units() -> None:
    before, after = (motors_after(Mode.PROFILE, 400, -400, seconds) for seconds in (1.30, 1.34))
    assert before.speeds == pytest.approx([390.0, -390.0])
    assert after.measured_speeds == (400, -400)


def test_in_profile_mode_no_wheel_turns_slower_than_20_units() -> None:
    assert motors_after(Mode.PROFILE, 7, -7, 1.0).measured_speeds == (20, -20)


def test_position_mode_ends_within_its_margin_of_20_pulses_and_stands() -> None:
    motors = motors_after(Mode.POSITION, 10000, -3000, 4.0)
    left, right = motors.encoder_counts
    assert (abs(left - 10000) <= 20, abs(right + 3000) <= 20) == (True, True)
    assert not motors.is_turning


def test_full_duty_is_about_1350_units_and_no_duty_lets_the_wheels_run_out() -> None:
    motors = motors_after(Mode.OPEN_LOOP, 2940, -5000, 0.5)
    assert motors.measured_speeds == (1350, -1350)
    motors.order(Mode.OPEN_LOOP, 0, 0)
    for _ in range(30):
        motors.advance(0.01)
    assert not motors.is_turning


@pytest.mark.parametrize("order", [147, 295])
def test_wheels_without_current_stand_after_200_ms(order: int) -> None:
    motors = motors_after(Mode.SPEED, order, order, 1.0)
    motors.set_up()
    for _ in range(20):
        motors.advance(0.01)
    assert not motors.is_turning


def test_a_zero_order_stops_a_wheel_of_20_cm_per_second_within_130_ms() -> None:
    motors = motors_after(Mode.SPEED, 295, 295, 1.0)
    motors.order(Mode.SPEED, 0, 0)
    for _ in range(13):
        motors.advance(0.01)
    assert not motors.is_turning


@pytest.mark.parametrize(("value", "bits", "left"), [(40000, 16, -25536), (-32769, 16, 32767), (2**31, 32, -(2**31))])
def test_registers_wrap(value: int, bits: int, left: int) -> None:
    assert wrapped(value, bits) == left


def test_encoders_wrap_after_32_bits() -> None:
    motors = Motors(LIMITS)
    motors.encoders = [2.0**31 + 5, -(2.0**31) - 5]
    assert motors.encoder_counts == (-(2**31) + 5, 2**31 - 5)


def test_a_stuck_wheel_does_not_count_and_the_other_one_does() -> None:
    motors = Motors(LIMITS)
    motors.stuck = [True, False]
    motors.order(Mode.SPEED, 100, 100)
    motors.advance(1.0)
    assert motors.encoder_counts[0] == 0
    assert motors.encoder_counts[1] > 9000


def test_the_profile_of_the_manual_accelerates_by_300_units_per_second_squared() -> None:
    assert SpeedProfile().acceleration == 300
    assert SpeedProfile(acc_inc=6, acc_div=1).acceleration == 300


def test_a_bridge_drives_2_s_at_10_cm_per_second_less_its_ramp() -> None:
    """Five steps of 30 units to 147; each of the first four is short of the speed for 100 ms, and the motors lag."""
    drive = BridgeDrive(LIMITS, 0.1)
    way = sum(drive.next(0.1, 0.1)[0] * 0.1 for _ in range(20))
    missing = sum(147 - order for order in (30, 60, 90, 120)) * LIMITS.speed_unit * 0.1
    assert way == pytest.approx(147 * LIMITS.speed_unit * (2.0 - 0.03) - missing, abs=1e-4)


def test_a_bridge_limits_both_wheels_by_one_factor() -> None:
    drive = BridgeDrive(LIMITS, 0.1)
    for _ in range(20):
        left, right = drive.next(0.4, 0.2)
    assert (left, right) == pytest.approx((0.2, 0.1), rel=0.01)


def test_a_stop_is_not_bound_by_the_ramp() -> None:
    drive = BridgeDrive(LIMITS, 0.1)
    for _ in range(20):
        drive.next(0.2, 0.2)
    drive.stop()
    drive.next(0.0, 0.0)
    assert drive.next(0.0, 0.0)[0] < 0.003
    assert drive.next(0.0, 0.0) == (0.0, 0.0)
