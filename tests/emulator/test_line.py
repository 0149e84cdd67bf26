"""A robot's line, whatever arrives on it and however it fails."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from benches import ALONE, Bench, scene_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.emulator.faults import FAULTS, Faults, fault_from
from pybuzz.emulator.journal import Journal, read_log
from pybuzz.emulator.line import SPEEDS, Line


class Wire:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.broken = 0

    def write(self, data: bytes) -> None:
        self.written += data

    def break_off(self, down_s: float, *, reset: bool) -> None:
        self.broken += 1


@pytest.fixture(scope="module")
def one_bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(scene_of(tmp_path_factory.mktemp("line"), ALONE))


def talk(bench: Bench, chunks: list[bytes], faults: list[str], journal: Journal, kind: str = "loopback") -> Wire:
    """A client that sends these chunks, 5 ms apart, and goes. Exceptions in callbacks are raised."""

    async def conversation() -> Wire:
        failures: list[object] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: failures.append(context))
        own = Faults()
        for name in faults:
            own.add(
                fault_from(name, value=0.001 if FAULTS[name].name in ("late", "slow", "reset") else None), loop.time()
            )
        line, wire = Line(1, bench.server, own, journal, SPEEDS[kind], Random(1)), Wire()
        line.connected(wire, "test")
        for chunk in chunks:
            line.received(chunk)
            await asyncio.sleep(0.005)
        line.disconnected("the end")
        await asyncio.sleep(0.005)
        assert not failures, failures
        return wire

    return asyncio.run(conversation())


REQUESTS = st.sampled_from([b"B\n", b"N\n", b"R\n", b"D,10,-10\n", b"K,1\n", b"?\n", b"\n", b"D,", b"0,0\n", b"T\n"])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(REQUESTS | st.binary(max_size=100), max_size=4),
    st.lists(st.sampled_from([name for name, kind in FAULTS.items() if kind.acts != "once"]), max_size=3, unique=True),
)
def test_no_bytes_and_no_faults_break_it(one_bench: Bench, chunks: list[bytes], faults: list[str]) -> None:
    talk(one_bench, chunks, faults, Journal())


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from([b"B\n", b"N\n", b"R\n", b"E\n"]), min_size=1, max_size=4))
def test_requests_that_wait_for_their_replies_are_all_answered_in_order(one_bench: Bench, chunks: list[bytes]) -> None:
    replies = talk(one_bench, chunks, [], Journal()).written.decode().split("\r\n")[:-1]
    assert [reply[0] for reply in replies] == [chunk.decode()[0].lower() for chunk in chunks]


def test_a_slow_kind_of_line_delays_replies(one_bench: Bench) -> None:
    """Bluetooth takes at least 15 ms; the client is gone after 10."""
    assert talk(one_bench, [b"B\n"], [], Journal(), "bluetooth").written == b""
    assert talk(one_bench, [b"B\n"] + [b""] * 60, [], Journal(), "bluetooth").written == b"b,B,5\r\n"


def test_what_was_said_is_in_the_log_with_the_motors_that_were_left_behind(one_bench: Bench, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "log.jsonl")
    talk(one_bench, [b"D,12,34\n"], [], journal)
    journal.close()
    log = read_log(tmp_path / "log.jsonl")
    assert [entry.kind for entry in log] == ["connected", "received", "sent", "disconnected"]
    assert [entry.line for entry in log[1:3]] == ["D,12,34", "d"]
    assert (log[3].details["left"], log[3].details["right"]) == (12, 34)
