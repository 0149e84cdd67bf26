"""Stigmergy beyond the conformance cases: deletion, clocks, unsendable values, gossip between robots."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, Userdata, host_function
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.stigmergy import Stigmergy
from pybuzz.swarm.wire import StigmergyMessage, Writer


class Robot:
    """A robot with nothing but stigmergy."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.queue = OutgoingQueue()
        self.warnings: list[str] = []
        writer = Writer(StringIds(), lambda function: None)
        self.stigmergy = Stigmergy(number, self.queue, writer, lambda value: value, self.warnings.append)
        self.store = self.stigmergy.make_table()["create"](1)

    def send(self) -> list[StigmergyMessage]:
        data = self.queue.take_packet(self.number, 1000, lambda *report: None)
        return [sent for sent in Packet(data).messages(single=False) if isinstance(sent, StigmergyMessage)]

    def hear(self, messages: list[StigmergyMessage]) -> None:
        for message in messages:
            self.stigmergy.hear(message)

    @property
    def entries(self) -> dict[Any, tuple[Any, int]]:
        found: dict[Any, tuple[Any, int]] = {}

        def visit(key: Any, value: Any, robot: int) -> None:
            found[key] = (value, robot)

        self.store["foreach"](visit)
        return found


def test_a_write_just_after_an_own_deletion_wins() -> None:
    here, there = Robot(1), Robot(2)
    here.store["put"]("k", "old")
    there.hear(here.send())
    here.store["put"]("k", None)
    deletion = here.send()
    here.store["put"]("k", "new")
    there.hear(deletion)
    there.hear(here.send())
    here.hear(there.send())

    assert here.entries == there.entries == {"k": ("new", 1)}


def test_an_echo_older_than_the_own_deletion_is_not_taken_in() -> None:
    here, there = Robot(1), Robot(2)
    here.store["put"]("k", "old")
    there.hear(here.send())
    here.store["put"]("k", None)
    here.hear(there.send())

    assert here.entries == {}


def test_others_keep_a_deleted_entry_without_value() -> None:
    here, there = Robot(1), Robot(2)
    here.store["put"]("k", "old")
    there.hear(here.send())
    here.store["put"]("k", None)
    there.hear(here.send())

    assert there.entries == {"k": (None, 1)}
    assert there.store["size"]() == 1
    assert there.store["get"]("k") is None


def test_clocks_wrap_over_never_written() -> None:
    here, there = Robot(1), Robot(2)
    there.hear([StigmergyMessage(2, 1, "k", "late", 0xFFFF, 1)])
    here.hear([StigmergyMessage(2, 1, "k", "late", 0xFFFF, 1)])
    there.send()
    here.send()
    here.store["put"]("k", "after the wrap")
    (message,) = here.send()
    there.hear([message])

    assert message.timestamp == 1
    assert there.entries == {"k": ("after the wrap", 1)}


def test_robots_without_the_store_send_queries_on_but_not_writes() -> None:
    relay = Robot(3)
    relay.hear([StigmergyMessage(3, 77, "k", None, 0, 1), StigmergyMessage(2, 77, "k", 5, 1, 1)])
    assert relay.send() == [StigmergyMessage(3, 77, "k", None, 0, 1)]


def test_a_query_with_an_older_clock_is_answered() -> None:
    here = Robot(1)
    here.store["put"]("k", "v")
    here.send()
    here.hear([StigmergyMessage(3, 1, "k", None, 0, 2)])
    assert here.send() == [StigmergyMessage(2, 1, "k", "v", 1, 1)]


@pytest.mark.parametrize("value", [Userdata(None), host_function("f", 0, lambda: None)])
def test_what_cannot_travel_stays_with_a_warning(value: Any) -> None:
    here = Robot(1)
    here.store["put"]("k", value)

    assert here.store["get"]("k") is value
    assert here.send() == []
    assert "stays on this robot" in here.warnings[0]


def test_a_faulty_conflict_manager_leaves_both_values() -> None:
    here = Robot(1)
    here.store["onconflict"](host_function("f", 3, lambda key, local, remote: 5))
    here.store["put"]("k", "mine")
    here.send()
    here.hear([StigmergyMessage(2, 1, "k", "other", 1, 2)])

    assert here.entries == {"k": ("mine", 1)}
    assert here.send() == []
    assert "conflict manager of stigmergy 1" in here.warnings[0]


def test_methods_of_a_store_whose_id_was_changed_say_so() -> None:
    here = Robot(1)
    here.store.store("id", 99)
    with pytest.raises(BuzzFailure, match="there is no stigmergy 99"):
        here.store["put"]("k", 1)


def test_a_closure_is_no_key() -> None:
    with pytest.raises(BuzzFailure, match="a closure value can't be used as stigmergy key"):
        Robot(1).store["get"](host_function("f", 0, lambda: None))


def test_numbers_below_zero_are_walked_as_unsigned() -> None:
    # -1 is 4294967295, -2 is 4294967294: buckets 5 and 4; inf is taken as the least integer, 2147483648: bucket 8.
    here = Robot(1)
    for key in (float("inf"), -1, -2.5, 6, 3):
        here.store["put"](key, 1)
    assert list(here.entries) == [3, -2.5, -1, 6, float("inf")]


writes = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.integers(0, 3) | st.none()), max_size=12)


@given(writes)
def test_robots_that_hear_each_other_agree_in_the_end(made: list[tuple[int, str, int | None]]) -> None:
    robots = [Robot(number) for number in range(3)]
    for writer, key, value in made:
        robots[writer].store["put"](key, value)
    for _ in range(12):
        for sent, sender in [(robot.send(), robot) for robot in robots]:
            for robot in robots:
                if robot is not sender:
                    robot.hear(sent)

    values = [{key: value for key, (value, _) in robot.entries.items() if value is not None} for robot in robots]
    assert values[0] == values[1] == values[2]


def test_map_makes_a_table() -> None:
    here = Robot(1)
    here.store["put"]("a", 2)
    doubled = here.store["map"](lambda key, value, robot: value * 2)
    assert isinstance(doubled, Table)
    assert dict(doubled) == {"a": 4}
