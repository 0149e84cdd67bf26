"""The life of one robot's program: phases, failures, messages in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.buzz.machine import DEFAULT_BUDGET
from pybuzz.buzz.program import compile_program
from pybuzz.buzz.tables import to_python
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import pack_messages, split_messages

QUIET = "function init() {}\nfunction step() {}\n"


class Robot:
    """A mind with what it logged, warned and reported."""

    def __init__(self, text: str, number: int = 1, *, data_size: int = 100, single: bool = False) -> None:
        self.lines: list[list[Any]] = []
        self.oversize: list[tuple[str, int, int]] = []
        self.warnings: list[str] = []
        program = compile_program("robot.bzz", text, single_precision=single)
        machine = program.new_machine(number, log=lambda values: self.lines.append(list(map(to_python, values))))
        self.mind = Mind(
            machine,
            number,
            data_size=data_size,
            log_oversize=lambda *report: self.oversize.append(report),
            warn=self.warnings.append,
        )
        self.mind.start()
        self.mind.init()

    def hear(self, *packets: Packet) -> None:
        count = len(packets)
        self.mind.hear(packets, [100.0] * count, [0.5] * count, [0.0] * count)

    def step(self) -> Packet:
        self.mind.step()
        return self.mind.packet()

    @property
    def failure(self) -> str:
        assert self.mind.error is not None
        return self.mind.error.diagnostics[0].headline


def said(text: str, number: int = 2) -> Packet:
    """The packet of a robot that ran some statements in its step."""
    robot = Robot(f"function init() {{}}\nfunction step() {{ {text} }}", number)
    return robot.step()


LISTENS = QUIET + 'neighbors.listen("t", function(topic, value, robot) { log(topic, value, robot) })\n'


def test_before_its_first_step_a_robot_sends_its_id_only() -> None:
    robot = Robot('function init() { neighbors.broadcast("t", 1) }\nfunction step() {}', 258)
    assert robot.mind.packet().data == b"\1\2" + bytes(98)
    assert split_messages(robot.step().data) == [bytes.fromhex("00030001740100000001")]


def test_a_silent_robot_sends_the_same_packet_again() -> None:
    robot = Robot(QUIET)
    assert robot.step() is robot.step()


def test_a_listener_gets_topic_value_and_sender() -> None:
    robot = Robot(LISTENS)
    robot.hear(said('neighbors.broadcast("t", 5)', 3))
    assert robot.lines == [["t", 5, 3]]


def test_receivers_do_not_share_tables() -> None:
    script = QUIET + 'neighbors.listen("t", function(topic, value, robot) { log(value.x) value.x = 2 })\n'
    packet = said('neighbors.broadcast("t", {.x = 1})')
    for robot in (Robot(script), Robot(script, 4)):
        robot.hear(packet)
        assert robot.lines == [[1]]


def test_floats_arrive_as_the_wire_rounds_them() -> None:
    robot = Robot(LISTENS)
    robot.hear(said('neighbors.broadcast("t", 0.1)'))
    assert robot.lines == [["t", pytest.approx(0.1, rel=2.0**-32, abs=0.0), 2]]
    assert robot.lines[0][1] != 0.1


def test_a_single_precision_program_gets_single_precision_floats_from_anyone() -> None:
    robot = Robot(LISTENS, single=True)
    robot.hear(said('neighbors.broadcast("t", 0.1)'))
    assert robot.lines == [["t", 0.10000000149011612, 2]]


def test_senders_come_by_id_modulo_20_and_their_last_message_first() -> None:
    robot = Robot(LISTENS)
    twice = 'neighbors.broadcast("t", 1)\nneighbors.broadcast("t", 2)'
    robot.hear(said(twice, 19), said(twice, 22), said(twice, 40))
    assert robot.lines == [["t", value, sender] for sender in (40, 22, 19) for value in (2, 1)]


def test_several_packets_of_one_sender_are_processed_from_the_last_to_the_first() -> None:
    robot = Robot(LISTENS)
    robot.hear(said('neighbors.broadcast("t", 1)'), said('neighbors.broadcast("t", 2)'))
    assert robot.lines == [["t", 2, 2], ["t", 1, 2]]


def test_functions_travel_and_lose_their_self() -> None:
    shared = "function twice(x) { return 2 * x }\n" + LISTENS.replace("log(topic, value, robot)", "log(value.f(4))")
    sender = Robot(shared + 'neighbors.broadcast("t", {.f = twice})', 2)
    receiver = Robot(shared + 'neighbors.broadcast("t", {.f = twice})', 3)
    receiver.hear(sender.step())
    assert receiver.mind.error is None
    assert receiver.lines == [[8]]


def test_functions_keep_their_numbers_when_the_host_does_the_unexpected() -> None:
    shared = "function twice(x) { return 2 * x }\nn = 1\n" + LISTENS.replace(
        "log(topic, value, robot)", "log(value(n))"
    )
    sends = shared.replace("function step() {}", 'function step() { neighbors.broadcast("t", twice) }')
    ordinary, changed = Robot(sends, 2), Robot(sends, 3)
    changed.mind.machine.set_global("n", 2.5)

    from_ordinary, from_changed = ordinary.step(), changed.step()
    changed.hear(from_ordinary)
    ordinary.hear(from_changed)

    assert (ordinary.lines, changed.lines) == ([[2]], [[5.0]])


def test_a_method_that_uses_self_can_travel_but_not_a_closure_over_locals() -> None:
    method = Robot(QUIET + 't = {.n = 5, .f = function() { return self }}\nneighbors.broadcast("t", t.f)')
    closure = Robot(QUIET + 'function g(x) { neighbors.broadcast("t", function() { return x }) }\ng(1)')
    assert method.mind.error is None
    assert "type mismatch: a closure that captured variables can't be sent" in closure.failure


def test_a_function_that_the_program_does_not_have_is_dropped() -> None:
    robot = Robot(LISTENS)
    robot.hear(Packet(pack_messages(2, [bytes.fromhex("0003000174" + "05010000ffff")], 100)))
    assert robot.mind.alive
    assert robot.lines == []


def test_an_error_in_a_listener_ends_the_robot() -> None:
    robot = Robot(QUIET + 'neighbors.listen("t", function(topic, value, robot) { x = value.field })\n')
    robot.hear(said('neighbors.broadcast("t", 5)'))
    assert robot.failure.startswith("robot.bzz:3:")
    assert "type mismatch: expected table, got integer" in robot.failure


def test_a_dead_robot_does_nothing_more_and_keeps_its_last_packet() -> None:
    script = (
        'n = 0\nfunction init() {}\nfunction step() { n = n + 1 neighbors.broadcast("t", n) if(n == 2) { n.x = 1 } }'
    )
    robot = Robot(script + "\nfunction destroy() { log(1) }")
    last = robot.step()
    robot.step()
    robot.step()
    robot.hear(said('neighbors.broadcast("t", 5)'))
    robot.mind.destroy()

    assert not robot.mind.alive
    assert robot.mind.packet() is last
    assert robot.mind.machine.get_global("n") == 2
    assert robot.lines == []


def test_who_says_the_same_again_sends_the_packet_that_others_have_decoded() -> None:
    robot = Robot('function init() {}\nn = 0\nfunction step() { n = n + 1 neighbors.broadcast("t", n > 2) }')
    first, second, third = robot.step(), robot.step(), robot.step()
    assert first is second
    assert second.data != third.data


def test_reset_and_destroy_may_be_missing_but_init_and_step_may_not() -> None:
    robot = Robot(QUIET)
    robot.mind.reset()
    robot.mind.destroy()
    assert robot.mind.alive
    assert "cannot find function 'init()'" in Robot("function step() {}").failure
    stepless = Robot("function init() {}")
    stepless.step()
    assert "cannot find function 'step()'" in stepless.failure


def test_an_oversize_broadcast_is_reported_with_its_topic() -> None:
    robot = Robot('function init() {}\nfunction step() { neighbors.broadcast("news", "12345678901") }', data_size=20)
    robot.step()
    assert robot.oversize == [('broadcast "news"', 24, 18)]


def test_messages_that_wait_are_counted() -> None:
    script = 'function init() {}\nfunction step() { neighbors.broadcast("t", 1) neighbors.broadcast("t", 2) }'
    robot = Robot(script, data_size=16)
    robot.step()
    assert robot.mind.waiting.total == robot.mind.waiting.broadcast == 1


def test_a_broadcast_that_cannot_travel_fails_at_its_line() -> None:
    robot = Robot(QUIET + 't = {}\nt.t = t\nneighbors.broadcast("t", t)')
    assert robot.failure.startswith("robot.bzz:5:")
    assert "a table that contains itself" in robot.failure


LISTENS_TO_ALL = """
function init() {}
function step() {}
store = stigmergy.create(1)
store.put("k", 1)
group = swarm.create(1)
function take(topic, value, robot) { last = value }
neighbors.listen("", take)
neighbors.listen("t", take)
"""


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=4), st.lists(st.binary(min_size=1, max_size=12), max_size=4))
def test_no_bytes_do_harm(packets: Sequence[bytes], payloads: list[bytes]) -> None:
    robot = Robot(LISTENS_TO_ALL)
    framed = Packet(pack_messages(9, payloads, 100))
    robot.hear(*map(Packet, packets), framed)
    robot.step()
    assert robot.mind.error is None


mutated = st.tuples(
    st.sampled_from(["0003000174", "0003000000", "020001", "030001", "0100", "04", "05"]), st.binary(max_size=24)
)


@settings(max_examples=100, deadline=None)
@given(st.lists(mutated, min_size=1, max_size=4))
def test_messages_that_begin_well_and_end_in_noise_do_no_harm(messages: list[tuple[str, bytes]]) -> None:
    robot = Robot(LISTENS_TO_ALL)
    payloads = [bytes.fromhex(start) + rest for start, rest in messages]
    robot.hear(Packet(pack_messages(9, payloads, 200)))
    robot.step()
    assert robot.mind.error is None


def test_robots_known_to_be_in_order_are_taken_as_they_come() -> None:
    script = QUIET.replace("step() {}", "step() { neighbors.foreach(function(r, d) { log(r, d.distance) }) }")
    robot = Robot(script)
    readings = ([1.0, 2.0, 3.0, 4.0], [0.0] * 4, [0.0] * 4)
    robot.mind.take_in((10, 21, 31, 5), readings, (), in_order=True)
    robot.step()
    assert robot.lines == [[10, 1.0], [21, 2.0], [31, 3.0], [5, 4.0]]


@pytest.mark.parametrize(
    "send", ['neighbors.broadcast("t", s)', "stigmergy.create(1).put(i, s)", 'neighbors.broadcast("t", {.s = s})']
)
def test_a_queue_of_long_messages_that_grows_without_end_is_an_error(send: str) -> None:
    """Two million turns with 32 KiB each would be 64 GiB; their bytes count as turns, 256 bytes one."""
    grow = 's = "x" i = 0 while(i < 15) { s = string.concat(s, s) i = i + 1 }\n'
    robot = Robot(grow + f"function init() {{ while(1) {{ {send} i = i + 1 }} }}\nfunction step() {{}}")
    assert "budget exceeded" in robot.failure
    assert robot.mind.waiting.total * 2**15 <= DEFAULT_BUDGET * 256


def test_an_endless_loop_in_a_listener_is_an_error() -> None:
    robot = Robot(QUIET + 'neighbors.listen("t", function(topic, value, robot) {\n  while(1) {} })\n')
    robot.hear(said('neighbors.broadcast("t", 5)'))
    assert robot.failure.startswith("robot.bzz:4:3: runtime error: budget exceeded")
    assert not robot.mind.alive


def test_an_endless_loop_in_a_conflict_handler_is_an_error() -> None:
    """Two robots wrote the same entry at the same time: the receiver asks its handler."""
    store = "v = stigmergy.create(1)\nv.onconflict(function(k, mine, theirs) { while(1) {} })\n"
    robot = Robot(store + "function init() { v.put(1, 1) }\nfunction step() {}")
    robot.hear(said("var v = stigmergy.create(1) v.put(1, 2)"))
    assert "budget exceeded" in robot.failure
