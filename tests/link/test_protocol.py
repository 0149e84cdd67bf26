"""Lines of kh4server's protocol. Byte strings are those of the Khepera IV user manual and of the original server."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.link import protocol
from pybuzz.link.protocol import LineSplitter, ReplyError, Request, parse_reply, parse_request, reply_line

WHOLE_32_BITS = st.integers(-(2**31), 2**31 - 1)


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (protocol.firmware(), b"B\n"),
        (protocol.speed_order(200, -200), b"D,200,-200\n"),
        (protocol.targets(10000, 10000), b"F,10000,10000\n"),
        (protocol.pid(10, 5, 1), b"H,10,5,1\n"),
        (protocol.profile(3, 0, 20, 1, 400), b"J,3,0,20,1,400\n"),
        (protocol.lights((63, 0, 0), (0, 63, 0), (0, 0, 63)), b"K,63,0,0,0,63,0,0,0,63\n"),
        (protocol.motors_idle(), b"M\n"),
        (protocol.position_margin(20), b"P,20\n"),
        (protocol.ultrasound_mask(31), b"U,31\n"),
        (protocol.battery(5), b"V,5\n"),
    ],
)
def test_a_request_is_the_line_of_the_manual(request_: Request, line: bytes) -> None:
    assert request_.line == line


@pytest.mark.parametrize(
    ("request_", "line", "values"),
    [
        (protocol.speed_order(0, 0), b"d", ()),
        (protocol.speeds(), b"e,199,-200", (199, -200)),
        (protocol.ultrasound(), b"g,1000,83,70,0,1000", (1000, 83, 70, 0, 1000)),
        (protocol.encoders(), b"r,12345,-678", (12345, -678)),
        (protocol.battery(0), b"v,7798", (7798,)),
        (protocol.battery(4), b"v,27.0", (27.0,)),
        (protocol.battery(1), b"v,-300", (-300,)),
    ],
)
def test_a_reply_gives_its_numbers(request_: Request, line: bytes, values: tuple[float, ...]) -> None:
    assert parse_reply(request_, line).values == values


def test_the_firmware_is_a_letter_and_a_number() -> None:
    assert parse_reply(protocol.firmware(), b"b,B,5").text == "B 5"


@pytest.mark.parametrize(
    ("request_", "line", "kind"),
    [
        (protocol.encoders(), b"$", "refused"),
        (protocol.encoders(), b"n,1,2", "wrong letter"),
        (protocol.encoders(), b"R,1,2", "wrong letter"),
        (protocol.encoders(), b"khepera4 login: ", "foreign"),
        (protocol.encoders(), b"[  131.4] usb 1-1: new device", "foreign"),
        (protocol.encoders(), b"r,1", "wrong count"),
        (protocol.encoders(), b"r,1,2,3", "wrong count"),
        (protocol.encoders(), b"r,1,", "not a number"),
        (protocol.encoders(), b"r,1,2x", "not a number"),
        (protocol.encoders(), b"r,1, 2", "not a number"),
        (protocol.encoders(), b"r,1,+2", "not a number"),
        (protocol.encoders(), b"r,1,3000000000", "out of range"),
        (protocol.proximity(), b"n" + b",1024" * 12, "out of range"),
        (protocol.ultrasound(), b"g,1000,83,70,0,999", "out of range"),
        (protocol.speeds(), b"e,2001,0", "out of range"),
        (protocol.firmware(), b"b,B,five", "not a number"),
        (protocol.battery(5), b"v,27.0", "not a number"),
        (protocol.battery(5), b"v,140", "out of range"),
    ],
)
def test_a_reply_that_does_not_fit_is_never_a_value(request_: Request, line: bytes, kind: str) -> None:
    with pytest.raises(ReplyError) as raised:
        parse_reply(request_, line)
    assert raised.value.kind == kind


@pytest.mark.parametrize(
    "make",
    [
        lambda: Request("X"),
        lambda: Request("S"),
        lambda: Request("T"),
        lambda: Request("D"),
        lambda: Request("D", (1,)),
        lambda: protocol.targets(-100_000_000, 0),
        lambda: protocol.speed_order(1201, 0),
        lambda: protocol.speed_order(0, -1201),
        lambda: protocol.lights((64, 0, 0), (0, 0, 0), (0, 0, 0)),
        lambda: protocol.ultrasound_mask(32),
        lambda: protocol.battery(8),
    ],
)
def test_what_the_robot_would_misunderstand_is_never_sent(make: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        make()  # type: ignore[operator]


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r", b"\n", b"\r", b"\r\n\r\n", b"\n\n"])
def test_any_run_of_cr_and_lf_ends_a_line(end: bytes) -> None:
    assert LineSplitter().feed(b"d" + end + b"r,1,2" + end) == [b"d", b"r,1,2"]


@given(st.lists(WHOLE_32_BITS, min_size=2, max_size=2), st.lists(st.integers(0, 20), max_size=6))
def test_a_reply_in_pieces_is_the_same_reply(values: list[int], cuts: list[int]) -> None:
    line = reply_line("R", values)
    splitter, found = LineSplitter(), []
    edges = [0, *sorted(cut for cut in cuts if cut < len(line)), len(line)]
    for first, last in pairwise(edges):
        found += splitter.feed(line[first:last])
    assert [parse_reply(protocol.encoders(), one).values for one in found] == [tuple(values)]


@given(st.binary(max_size=400))
def test_any_bytes_are_lines_or_nothing(data: bytes) -> None:
    lines = LineSplitter().feed(data)
    assert all(line and not set(line) & {10, 13} for line in lines)
    for line in lines:
        for request_ in (protocol.encoders(), protocol.proximity(), protocol.firmware(), protocol.battery(4)):
            try:
                reply = parse_reply(request_, line)
            except ReplyError:
                continue
            assert len(reply.values) == (1 if request_.letter == "B" else request_.command.values)


@given(st.lists(st.integers(0, 1023), min_size=12, max_size=12))
def test_infrared_values_survive_the_line(values: list[int]) -> None:
    assert parse_reply(protocol.proximity(), reply_line("N", values).rstrip()).values == tuple(values)


@given(st.integers(-1200, 1200), st.integers(-1200, 1200))
def test_a_request_is_read_back_as_it_was_written(left: int, right: int) -> None:
    request_ = protocol.speed_order(left, right)
    assert parse_request(request_.line.rstrip(b"\n")) == request_


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    splitter = LineSplitter()
    for _ in range(1000):
        splitter.feed(b"x" * 100)
    assert len(splitter.feed(b"\n")[0]) <= 256
