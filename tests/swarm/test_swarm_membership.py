"""What a robot knows about the swarms of others, and what it tells them."""

from __future__ import annotations

import pytest

from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.swarms import Swarms
from pybuzz.swarm.wire import SWARM_JOIN, SWARM_LEAVE, SWARM_LIST, SwarmMessage


class Robot:
    """A robot with nothing but swarms."""

    def __init__(self) -> None:
        self.queue = OutgoingQueue()
        self.swarms = Swarms(self.queue)
        self.table = self.swarms.make_table()

    def create(self, number: int) -> Table:
        table: Table = self.table["create"](number)
        return table

    def output(self) -> list[object]:
        self.swarms.count_down()
        data = self.queue.take_packet(1, 1000, lambda *report: None)
        return list(Packet(data).messages(single=False))


def test_others_are_known_by_their_joins_leaves_and_lists() -> None:
    swarms = Robot().swarms
    swarms.hear(SwarmMessage(SWARM_JOIN, (1,)), 7)
    swarms.hear(SwarmMessage(SWARM_LIST, (1, 2)), 8)
    swarms.hear(SwarmMessage(SWARM_JOIN, (2,)), 8)
    assert set(swarms.members_of(1)) == {7, 8}

    swarms.hear(SwarmMessage(SWARM_LEAVE, (1,)), 8)
    assert (set(swarms.members_of(1)), set(swarms.members_of(2))) == ({7}, {8})


def test_an_empty_list_clears() -> None:
    swarms = Robot().swarms
    swarms.hear(SwarmMessage(SWARM_JOIN, (1,)), 7)
    swarms.hear(SwarmMessage(SWARM_LIST, ()), 7)
    assert not swarms.members_of(1)


def test_knowledge_is_forgotten_after_fifty_steps_without_news() -> None:
    swarms = Robot().swarms
    swarms.hear(SwarmMessage(SWARM_JOIN, (1,)), 7)
    swarms.hear(SwarmMessage(SWARM_JOIN, (1,)), 8)
    swarms.age()
    swarms.hear(SwarmMessage(SWARM_JOIN, (2,)), 7)
    for _ in range(49):
        swarms.age()
    assert set(swarms.members_of(1)) == {7, 8}

    swarms.age()
    assert set(swarms.members_of(1)) == {7}
    swarms.age()
    assert not swarms.members_of(1)


def test_the_list_goes_out_every_ten_steps() -> None:
    robot = Robot()
    robot.create(5)["join"]()
    sent = [robot.output() for _ in range(20)]

    assert [step for step, messages in enumerate(sent, 1) if messages] == [1, 10, 20]
    assert sent[0] == [SwarmMessage(SWARM_JOIN, (5,))]
    assert sent[9] == sent[19] == [SwarmMessage(SWARM_LIST, (5,))]


def test_without_swarms_the_first_list_goes_out_when_one_is_created() -> None:
    robot = Robot()
    for _ in range(15):
        assert robot.output() == []
    robot.create(5)
    assert robot.output() == [SwarmMessage(SWARM_LIST, ())]


def test_any_integer_but_zero_joins() -> None:
    swarm = Robot().create(1)
    swarm["select"](256)
    assert swarm["in"]() == 1
    swarm["select"](2)
    assert swarm["in"]() == 1
    swarm["select"](0)
    assert swarm["in"]() == 0


def test_the_stack_is_restored_when_a_task_fails() -> None:
    robot = Robot()
    swarm = robot.create(1)
    swarm["join"]()

    def fail() -> None:
        raise BuzzFailure("type mismatch")

    with pytest.raises(BuzzFailure):
        swarm["exec"](fail)
    assert robot.table["id"]() is None


def test_the_depth_in_the_stack_is_clamped() -> None:
    robot = Robot()
    outer, inner = robot.create(1), robot.create(2)
    outer["join"]()
    inner["join"]()

    def ask() -> list[int]:
        return [robot.table["id"](depth) for depth in (-1, 0, 1, 2, 3)]

    assert outer["exec"](lambda: inner["exec"](ask)) == [2, 2, 2, 1, 1]


def test_set_operations_check_both_swarms() -> None:
    robot = Robot()
    swarm = robot.create(1)
    swarm["join"]()
    for operation in ("union", "intersection", "difference"):
        with pytest.raises(BuzzFailure, match="unknown swarm id"):
            robot.table[operation](2, swarm, Table())
