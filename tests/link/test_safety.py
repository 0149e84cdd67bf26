"""When a robot must stop though its script would go on. Limits: the safety rules for Khepera IV bridges."""

from __future__ import annotations

import pytest

from pybuzz.link.safety import PauseWatch, StuckWatch, judge_battery


def verdicts(orders: tuple[int, int], pulses: tuple[int, int], steps: int) -> list[str]:
    watch = StuckWatch()
    return [watch.take(orders, pulses, 0.1) for _ in range(steps)]


def test_a_wheel_that_stands_half_a_second_against_its_order_is_stuck() -> None:
    assert verdicts((147, 147), (1470, 0), 5) == ["", "", "", "", "the right wheel does not turn"]


def test_wheels_that_turn_are_not_stuck() -> None:
    assert not any(verdicts((147, -147), (1470, -1470), 50))


def test_an_order_of_20_units_is_too_small_to_judge() -> None:
    assert not any(verdicts((20, 20), (0, 0), 50))


def test_a_wheel_that_only_ramps_up_is_not_stuck() -> None:
    watch = StuckWatch()
    assert not any(watch.take((order, order), (order * 5, order * 5), 0.1) for order in (30, 60, 90, 120, 147))


def test_a_wheel_that_turns_without_an_order_is_told_after_it_could_have_run_out() -> None:
    found = verdicts((0, 0), (0, 400), 20)
    assert not any(found[:9])
    assert found[-1] == "the right wheel turns without an order"


def test_a_wheel_that_runs_out_is_not_reported() -> None:
    watch = StuckWatch()
    assert not any(watch.take((0, 0), (pulses, pulses), 0.1) for pulses in (1400, 700, 300, 100, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("percent", "volts", "state"),
    [
        (80, 7.8, "good"),
        (19, 7.8, "low"),
        (80, 6.9, "low"),
        (8, 7.8, "empty"),
        (80, 6.5, "empty"),
        (None, None, "unknown"),
        (None, 6.5, "empty"),
        (15, None, "low"),
    ],
)
def test_battery_limits(percent: float | None, volts: float | None, state: str) -> None:
    assert judge_battery(percent, volts) == state


def test_only_time_that_passed_unseen_is_a_pause() -> None:
    watch = PauseWatch(0.5)
    watch.reset(100.0)
    watch.look(100.4)
    watch.look(101.4, asleep_s=1.0)
    assert watch.longest_s == 0.0
    watch.look(103.4)
    watch.look(103.5)
    assert watch.longest_s == pytest.approx(2.0)
    watch.reset(110.0)
    assert watch.longest_s == 0.0
