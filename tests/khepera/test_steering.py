"""Wheel speeds: the unicycle that gotop is documented as, and ARGoS's turning state machine."""

from __future__ import annotations

import math

import pytest

from pybuzz.khepera.body import Command
from pybuzz.khepera.steering import Steering, WheelTurning

AXLE = 0.1054


def _steering(noise=None) -> tuple[Steering, Command]:  # type: ignore[no-untyped-def]
    command = Command()
    return Steering(command, AXLE, WheelTurning(), noise), command


def _toward(steering: Steering, speed: float, degrees: float) -> None:
    steering.toward(speed * math.cos(math.radians(degrees)), speed * math.sin(math.radians(degrees)))


def test_wheel_speeds_in_cm_per_second_become_metres_per_second() -> None:
    steering, command = _steering()
    steering.set_wheels(10.0, -5)
    assert (command.left_m_s, command.right_m_s) == (0.1, -0.05)


def test_driving_turns_by_the_difference_of_the_wheels() -> None:
    # 100 x 0.5 rad/s x 10.54 cm / 2 is 2.635 cm/s on either side of 10 cm/s
    steering, command = _steering()
    steering.drive(10.0, 0.5)
    assert command.left_m_s == pytest.approx(0.07365, abs=1e-12)
    assert command.right_m_s == pytest.approx(0.12635, abs=1e-12)


def test_a_vector_nearly_ahead_drives_straight_at_its_length() -> None:
    steering, command = _steering()
    _toward(steering, 6.0, 9.0)
    assert command.left_m_s == command.right_m_s == pytest.approx(0.06)


def test_the_speed_is_limited_to_the_maximum() -> None:
    steering, command = _steering()
    _toward(steering, 25.0, 0.0)
    assert (command.left_m_s, command.right_m_s) == (0.1, 0.1)


def test_a_soft_turn_slows_the_inner_wheel_and_speeds_up_the_outer() -> None:
    # at 45 of 90 degrees the factor is 0.5: 8 - 4 and 8 + 4 cm/s
    steering, command = _steering()
    _toward(steering, 8.0, 45.0)
    assert (command.left_m_s, command.right_m_s) == pytest.approx((0.04, 0.12))
    _toward(steering, 8.0, -45.0)
    assert (command.left_m_s, command.right_m_s) == pytest.approx((0.12, 0.04))


def test_a_hard_turn_is_on_the_spot_at_full_speed() -> None:
    steering, command = _steering()
    _toward(steering, 2.0, 120.0)
    assert (command.left_m_s, command.right_m_s) == (-0.1, 0.1)


def test_a_hard_turn_goes_on_until_the_soft_threshold() -> None:
    steering, command = _steering()
    _toward(steering, 5.0, 91.0)
    _toward(steering, 5.0, 71.0)
    assert (command.left_m_s, command.right_m_s) == (-0.1, 0.1)
    _toward(steering, 5.0, 69.0)
    assert command.left_m_s == pytest.approx(0.05 - 0.05 * 69 / 90)


def test_one_call_passes_through_several_states() -> None:
    steering, command = _steering()
    _toward(steering, 5.0, 120.0)
    _toward(steering, 5.0, 5.0)
    assert command.left_m_s == command.right_m_s == pytest.approx(0.05)


def test_the_null_vector_stops() -> None:
    steering, command = _steering()
    steering.toward(0, 0)
    assert (command.left_m_s, command.right_m_s) == (0.0, 0.0)


def test_noise_is_drawn_at_each_call_that_moves() -> None:
    calls: list[tuple[float, float]] = []

    def noise(left: float, right: float) -> tuple[float, float]:
        calls.append((left, right))
        return left * 2.0, right * 2.0

    steering, command = _steering(noise)
    steering.set_wheels(10.0, 0.0)
    assert (command.left_m_s, command.right_m_s) == (0.2, 0.0)
    steering.set_wheels(0.0, 0.0)
    assert (command.left_m_s, command.right_m_s) == (0.0, 0.0)
    assert calls == [(0.1, 0.0)]
