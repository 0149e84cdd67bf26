"""The time line: any tick is found again, quickly, in memory that does not grow."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator

import pytest

from pybuzz.workbench.reel import Reel


def frame_of(tick: int, size: int = 100) -> bytes:
    return tick.to_bytes(4, "little") + bytes([tick % 251]) * size


def add_globals(reel: Reel, tick: int, changed: dict[str, dict[str, object]]) -> None:
    message = {"type": "globals", "tick": tick, "changed": changed}
    reel.add_globals(message, json.dumps(message).encode())


def line(tick: int, text: str = "") -> dict[str, object]:
    return {"tick": tick, "robot": "kh1", "text": text or f"at {tick}"}


@pytest.fixture
def reel() -> Iterator[Reel]:
    reel = Reel()
    yield reel
    reel.close()


def fill(reel: Reel, ticks: int) -> None:
    for tick in range(ticks + 1):
        reel.add_frame(tick, frame_of(tick))
        add_globals(reel, tick, {"kh1": {"n": tick}})
        reel.add_lines([line(tick)])


def test_each_tick_is_found(reel: Reel) -> None:
    fill(reel, 100)
    assert [reel.frame(tick) for tick in range(101)] == [frame_of(tick) for tick in range(101)]
    assert reel.frame(101) is None
    assert reel.frame(-1) is None


def test_globals_are_those_of_their_tick(reel: Reel) -> None:
    """Against a plain copy of all globals at each tick; so many bytes that all are written now and then."""
    numbers = random.Random(4)
    now: dict[str, dict[str, object]] = {}
    history = []
    for tick in range(1500):
        changed: dict[str, dict[str, object]] = {}
        for robot in numbers.sample(["kh1", "kh2", "kh3"], 2):
            name, value = numbers.choice("abcdef"), numbers.choice([None, tick, tick / 7, "x" * 400])
            changed[robot] = {name: value}
            now.setdefault(robot, {})[name] = value
        history.append({robot: {name: value for name, value in values.items() if value is not None}
                        for robot, values in now.items()})  # fmt: skip
        reel.add_frame(tick, frame_of(tick))
        add_globals(reel, tick, changed)
    for tick in numbers.sample(range(1500), 60):
        assert reel.all_globals(tick) == history[tick]


def test_a_frame_of_the_past_forgets_what_came_after_it(reel: Reel) -> None:
    fill(reel, 50)
    assert reel.add_frame(20, b"another") is True
    assert reel.newest == 20
    assert reel.frame(20) == b"another"
    assert reel.all_globals(20) == {"kh1": {"n": 20}}
    assert reel.last_lines(2) == [line(19), line(20)]
    reel.add_frame(21, frame_of(3))
    add_globals(reel, 21, {"kh1": {"m": 1}})
    assert reel.all_globals(21) == {"kh1": {"n": 20, "m": 1}}
    assert reel.frame(19) == frame_of(19)


def test_the_newest_frame_may_be_replaced(reel: Reel) -> None:
    fill(reel, 3)
    for frame in (frame_of(9), b"short", frame_of(8, 500)):
        assert reel.add_frame(3, frame) is False
        assert reel.frame(3) == frame
    assert reel.all_globals(3) == {"kh1": {"n": 3}}
    assert reel.add_frame(2, b"x") is True
    assert (reel.frame(1), reel.frame(2), reel.all_globals(1)) == (frame_of(1), b"x", {"kh1": {"n": 1}})


def test_a_cleared_reel_is_as_new(reel: Reel) -> None:
    fill(reel, 30)
    reel.clear()
    assert (reel.newest, reel.frame(0), reel.last_lines(9)) == (-1, None, [])
    fill(reel, 5)
    assert reel.all_globals(5) == {"kh1": {"n": 5}}


def test_ticks_left_out_look_like_the_one_before(reel: Reel) -> None:
    fill(reel, 2)
    reel.add_frame(5, frame_of(5))
    add_globals(reel, 5, {"kh1": {"n": 5}})
    assert [reel.frame(tick) for tick in (2, 3, 4, 5)] == [frame_of(2), frame_of(2), frame_of(2), frame_of(5)]
    assert [reel.all_globals(tick)["kh1"]["n"] for tick in (2, 3, 4, 5)] == [2, 2, 2, 5]


def test_the_last_lines_are_in_order_and_no_more_than_asked_for(reel: Reel) -> None:
    reel.add_lines([line(1, "a"), line(1, "b"), line(2, "c")])
    reel.add_lines([line(3, "d"), line(3, "e")])
    assert [one["text"] for one in reel.last_lines(3)] == ["c", "d", "e"]
    assert [one["text"] for one in reel.last_lines(99)] == ["a", "b", "c", "d", "e"]


def test_memory_does_not_grow_with_ticks(reel: Reel) -> None:
    fill(reel, 1000)
    tracemalloc.start()
    for tick in range(1001, 4000):
        reel.add_frame(tick, frame_of(tick))
        add_globals(reel, tick, {"kh1": {"n": tick}})
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 200_000  # bytes; the frames alone are 300,000


def test_globals_that_never_change_are_found_at_once(reel: Reel) -> None:
    for tick in range(2000):
        reel.add_frame(tick, frame_of(tick))
        if tick in (0, 900):
            add_globals(reel, tick, {"kh1": {"n": tick}})
    read: list[int] = []
    plain_read = reel._ticks._tape.read
    reel._ticks._tape.read = lambda offset, size: read.append(size) or plain_read(offset, size)
    assert [reel.all_globals(tick)["kh1"]["n"] for tick in (0, 899, 900, 1999)] == [0, 0, 900, 900]
    assert len(read) < 20


def test_finding_a_tick_reads_a_bounded_part_of_what_is_there(reel: Reel) -> None:
    """The work behind `show` in a 6,000-tick run of 50 robots, each with 20 globals of which 5 change: counted."""
    numbers = random.Random(1)
    reel.add_frame(0, frame_of(0, 1600))
    add_globals(reel, 0, {f"kh{robot}": {f"name_{name}": 0.5 for name in range(20)} for robot in range(50)})
    changed = {f"kh{robot}": {f"name_{name}": 0.123456789 for name in range(5)} for robot in range(50)}
    text = json.dumps({"changed": changed}).encode()
    for tick in range(1, 6001):
        reel.add_frame(tick, frame_of(tick, 1600))
        reel.add_globals({"tick": tick, "changed": changed}, text)
    read: list[int] = []
    plain_read = reel._data.read
    reel._data.read = lambda offset, size: read.append(size) or plain_read(offset, size)
    for tick in numbers.sample(range(6001), 20):
        read.clear()
        reel.frame(tick)
        reel.all_globals(tick)
        assert sum(read) < 400_000  # bytes; of JSON a reader takes 4 ms for that
