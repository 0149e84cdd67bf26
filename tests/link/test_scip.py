"""The laser's language. Examples of numbers are those of the SCIP 2.0 specification."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.link import scip


def blocks(text: str) -> list[str]:
    return [text[first : first + 64] for first in range(0, len(text), 64)]


def scan_reply(distances_mm: list[int]) -> bytes:
    data = "0000" + "".join(scip.encode_number(distance, 3) for distance in distances_mm)
    stamp, *rest = [data[:4], *blocks(data[4:])]
    lines = [f"{line}{scip.checksum(line)}" for line in ("00", stamp, *rest)]
    return "\n".join(["GD0044072500", *lines]).encode("latin-1")


def test_numbers_are_those_of_the_specification() -> None:
    assert scip.encode_number(1234, 2) == "CB"
    assert scip.encode_number(5432, 3) == "1Dh"
    assert scip.decode_numbers("CB", 2) == (1234,)
    assert scip.decode_numbers("1Dh", 3) == (5432,)


def test_status_00_has_the_check_character_p() -> None:
    assert scip.checksum("00") == "P"


def test_a_scan_is_asked_for_from_step_44_to_725() -> None:
    assert scip.scan_command() == b"GD0044072500\n"


@given(st.lists(st.integers(20, 5600), min_size=1, max_size=700))
def test_a_scan_survives_the_line_though_numbers_straddle_blocks(distances_mm: list[int]) -> None:
    reply = scip.parse_message(scan_reply(distances_mm))
    assert (reply.command, reply.status) == ("GD0044072500", "00")
    assert reply.distances_mm == tuple(distances_mm)


def test_distances_below_20_are_error_codes_and_become_0() -> None:
    assert scip.parse_message(scan_reply([19, 6, 0, 20])).distances_mm == (0, 0, 0, 20)


def test_a_wrong_check_character_is_an_error() -> None:
    message = bytearray(scan_reply([1000, 2000]))
    message[-1] ^= 1
    with pytest.raises(scip.ScipError, match="check character"):
        scip.parse_message(bytes(message))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_a_scip_error(message: bytes) -> None:
    try:
        reply = scip.parse_message(message)
        distances = reply.distances_mm
    except scip.ScipError:
        return
    assert all(distance == 0 or distance >= 20 for distance in distances)


def test_readings_grow_anticlockwise_from_the_right_rear() -> None:
    assert scip.step_at(0.0) == 340
    assert scip.step_at(-340 * 2 * math.pi / 1024) == 0
