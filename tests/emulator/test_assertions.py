"""Checks of a log find what they are for, and nothing in the log of a careful client."""

from __future__ import annotations

from pybuzz.emulator.assertions import (
    Bounds,
    carelessness,
    excessive_orders,
    faults,
    longest_gap,
    overlapping_requests,
    stands_since,
    unstopped_disconnects,
    zero_since,
)
from pybuzz.emulator.journal import Entry


def log(*events: tuple[float, str, str]) -> list[Entry]:
    """Events of robot 1: time, kind, line."""
    return [Entry(t, 1, kind, {"line": line, "text": line}) for t, kind, line in events]


CAREFUL = log(
    (0.0, "connected", ""), (0.1, "received", "D,30,30"), (0.11, "sent", "d"), (0.2, "received", "D,60,60"),
    (0.21, "sent", "d"), (0.22, "received", "R"), (0.23, "sent", "r,100,100"), (0.3, "received", "D,0,0"),
    (0.31, "sent", "d"), (0.32, "received", "M"), (0.33, "sent", "m"), (0.4, "disconnected", ""),
)  # fmt: skip


def test_a_careful_client_has_no_faults() -> None:
    assert faults(CAREFUL, Bounds(limit=295, change=30)) == []


def test_a_disconnect_after_a_motion_is_found() -> None:
    events = log((0.1, "received", "D,30,30"), (0.11, "sent", "d"), (0.4, "disconnected", ""))
    assert "after D,30,30" in unstopped_disconnects(events)[0]


def test_a_zero_order_without_acknowledgement_is_not_enough() -> None:
    events = log((0.1, "received", "D,0,0"), (0.4, "disconnected", ""))
    assert "not acknowledged" in unstopped_disconnects(events)[0]


def test_a_client_that_never_moved_may_go() -> None:
    assert unstopped_disconnects(log((0.1, "received", "B"), (0.4, "disconnected", ""))) == []


def test_orders_beyond_limit_and_ramp_are_found_but_a_stop_may_jump() -> None:
    events = log((0.1, "received", "D,200,0"), (0.2, "received", "D,0,0"), (0.3, "received", "D,30,-30"))
    assert len(excessive_orders(events, Bounds(limit=199))) == 1
    assert len(excessive_orders(events, Bounds(change=30))) == 1


def test_two_requests_without_a_reply_or_a_timeout_between_are_found() -> None:
    events = log((0.1, "received", "N"), (0.2, "received", "R"), (0.6, "received", "R"))
    assert len(overlapping_requests(events, 0.3)) == 1
    assert "thrown away" in overlapping_requests(log((0.1, "flushed", "N\n")))[0]


def test_oddities_are_carelessness() -> None:
    assert carelessness(log((0.1, "oddity", "D with 0 of 2 numbers"))) == ["robot 1: D with 0 of 2 numbers"]


def test_gaps_count_from_the_beginning_to_the_end() -> None:
    assert longest_gap(CAREFUL, 1, 0.1, 0.3) == 0.1
    assert round(longest_gap(CAREFUL, 1, 0.1, 0.9), 6) == 0.6


def test_a_robot_is_stopped_since_the_first_zero_that_nothing_followed() -> None:
    assert zero_since(CAREFUL, 1, 0.0) == 0.3
    assert zero_since(CAREFUL, 1, 0.35) == 0.35
    assert zero_since(CAREFUL[:5], 1, 0.0) is None


def test_a_robot_stands_since_its_last_motion_ended() -> None:
    events = log((0.1, "moving", ""), (0.5, "still", ""))
    assert stands_since(events, 1, 0.0) == 0.5
    assert stands_since(events, 1, 0.7) == 0.7
    assert stands_since(events[:1], 1, 0.0) is None
    assert stands_since([], 1, 0.2) == 0.2
