"""Faults by name, when they act, and what they make of replies."""

from __future__ import annotations

from random import Random

import pytest

from pybuzz.emulator.faults import FAULTS, Faults, fault_from, parse_fault
from pybuzz.emulator.replies import shaped
from pybuzz.errors import InputError


def test_a_fault_is_read_with_all_its_options() -> None:
    fault = parse_fault("2:late=1.5;after=3;for=10;count=4;on=NR")
    assert (fault.robot, fault.name, fault.value) == (2, "late", 1.5)
    assert (fault.after, fault.duration, fault.count, fault.letters) == (3.0, 10.0, 4, "NR")


def test_a_star_means_all_robots_and_values_have_defaults() -> None:
    assert parse_fault("*:close").robot is None
    assert parse_fault("*:close").value == 3.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2:lat", "did you mean 'late'"),
        ("late", "is no fault"),
        ("2:late=soon", "takes a number"),
        ("2:mute=3", "takes no value"),
        ("2:stuck=middle", "left, right, both"),
        ("2:late;afer=3", "did you mean 'after'"),
        ("2:late;count=x", "is no number"),
    ],
)
def test_mistakes_are_told_with_the_remedy(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_fault(text)


def test_a_fault_acts_on_its_letters_after_its_time_and_as_often_as_it_says() -> None:
    faults = Faults()
    faults.add(parse_fault("1:mute;after=2;count=2;on=D"), now=100.0)
    assert not faults.on_request("D", 101.9)
    assert not faults.on_request("N", 103.0)
    assert [len(faults.on_request("D", 103.0)) for _ in range(3)] == [1, 1, 0]


def test_a_state_lasts_for_its_time() -> None:
    faults = Faults()
    faults.add(parse_fault("1:frozen;after=1;for=2"), now=0.0)
    assert [bool(faults.states(now)) for now in (0.5, 1.0, 2.9, 3.0)] == [False, True, True, False]


def test_what_happens_once_is_due_once() -> None:
    faults = Faults()
    faults.add(parse_fault("1:microreset;after=1"), now=0.0)
    assert [len(list(faults.due(now))) for now in (0.5, 1.5, 2.5)] == [0, 1, 0]


def shaped_by(name: str, value: str | None = None, reply: bytes = b"n,1,2,3\r\n") -> bytes:
    pieces = shaped(reply, {name: fault_from(name, value=value)}, Random(1))
    return b"".join(piece.data for piece in pieces)


@pytest.mark.parametrize(("value", "end"), [("lfcr", b"\n\r"), ("lf", b"\n"), ("cr", b"\r"), ("crlf", b"\r\n")])
def test_replies_end_as_told(value: str, end: bytes) -> None:
    assert shaped_by("terminator", value) == b"n,1,2,3" + end


def test_each_fault_of_a_reply_spoils_it_in_its_own_way() -> None:
    assert shaped_by("double") == b"n,1,2,3\r\n" * 2
    assert shaped_by("letter") == b"o,1,2,3\r\n"
    assert shaped_by("partial") == b"n,1"
    assert shaped_by("stray").endswith(b"\r\nn,1,2,3\r\n")
    assert shaped_by("kernel").startswith(b"[ 1234.567890] usb")
    assert max(shaped_by("garble")) >= 0x80


def test_pieces_are_of_one_to_five_bytes_with_pauses_between() -> None:
    pieces = shaped(b"n" + b",1000" * 12 + b"\r\n", {"pieces": fault_from("pieces", value=4.0)}, Random(1))
    assert all(1 <= len(piece.data) <= 5 for piece in pieces)
    assert {piece.pause_s for piece in pieces[1:]} == {0.004}


def test_every_fault_has_a_text() -> None:
    assert all(kind.text for kind in FAULTS.values())
