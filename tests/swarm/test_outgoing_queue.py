"""What waits to be sent, in which order it goes, and what is dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.wire import VSTIG_PUT, VSTIG_QUERY, split_messages

Oversize = list[tuple[str, int, int]]


def take(queue: OutgoingQueue, size: int = 100) -> tuple[list[str], Oversize]:
    dropped: Oversize = []
    data = queue.take_packet(5, size, lambda *report: dropped.append(report))
    assert data[:2].hex() == "0005"
    return [payload.hex() for payload in split_messages(data)], dropped


def test_kinds_go_in_the_order_of_their_codes() -> None:
    queue = OutgoingQueue()
    queue.add_leave(4)
    queue.add_join(3)
    queue.add_stigmergy(VSTIG_QUERY, 1, "q", 0, b"\3query")
    queue.add_stigmergy(VSTIG_PUT, 1, "p", 1, b"\2put")
    queue.add_broadcast("t", b"\0news")

    sent, _ = take(queue)

    assert sent == [b"\0news".hex(), b"\2put".hex(), b"\3query".hex(), "040003", "050004"]


def test_what_does_not_fit_waits_for_the_next_packet() -> None:
    queue = OutgoingQueue()
    for number in range(3):
        queue.add_broadcast("t", bytes((0, number, 0, 0)))

    packets = [take(queue, size=16)[0] for _ in range(3)]

    assert packets == [["00000000", "00010000"], ["00020000"], []]
    assert queue.is_empty


def test_a_large_head_holds_up_smaller_messages_behind_it() -> None:
    queue = OutgoingQueue()
    queue.add_broadcast("t", b"\0first")
    queue.add_broadcast("t", b"\0too large")
    queue.add_join(1)

    assert take(queue, size=18)[0] == [b"\0first".hex()]
    assert take(queue, size=18)[0] == [b"\0too large".hex()]


def test_a_message_that_no_packet_can_hold_is_reported_and_dropped() -> None:
    queue = OutgoingQueue()
    queue.add_broadcast("long", bytes(16))
    queue.add_stigmergy(VSTIG_PUT, 7, "k", 1, bytes(17))
    queue.add_stigmergy(VSTIG_PUT, 7, 3, 1, bytes(15))

    sent, dropped = take(queue, size=20)

    assert sent == [bytes(15).hex()]
    assert dropped == [('broadcast "long"', 18, 18), ('entry "k" of stigmergy 7', 19, 18)]


def test_an_entry_is_queued_once_over_put_and_query() -> None:
    queue = OutgoingQueue()
    queue.add_stigmergy(VSTIG_PUT, 1, "k", 1, b"\2k1")
    queue.add_stigmergy(VSTIG_PUT, 1, "j", 1, b"\2j1")
    queue.add_stigmergy(VSTIG_QUERY, 1, "j", 1, b"\3j1")
    queue.add_stigmergy(VSTIG_PUT, 1, "k", 2, b"\2k2")
    queue.add_stigmergy(VSTIG_PUT, 2, "k", 1, b"\2other store")

    assert take(queue)[0] == [b"\2j1".hex(), b"\2k2".hex(), b"\2other store".hex()]


def test_a_join_cancels_a_leave_and_the_other_way_round() -> None:
    queue = OutgoingQueue()
    queue.add_leave(1)
    queue.add_join(2)
    queue.add_join(1)
    queue.add_leave(2)
    queue.add_leave(2)

    assert take(queue)[0] == ["040001", "050002"]


def test_a_list_stands_for_all_joins_and_leaves() -> None:
    queue = OutgoingQueue()
    queue.add_join(1)
    queue.add_leave(2)
    queue.set_list([1, 3])
    queue.add_leave(3)
    queue.add_join(9)

    assert queue.lengths().swarm == 1
    assert take(queue)[0] == ["01" + "0002" + "0001" + "0009"]


def test_lengths_count_by_kind() -> None:
    queue = OutgoingQueue()
    queue.add_broadcast("a", b"\0")
    queue.add_stigmergy(VSTIG_PUT, 1, 1, 1, b"\2")
    queue.add_stigmergy(VSTIG_QUERY, 1, 2, 1, b"\3")
    queue.add_join(1)

    lengths = queue.lengths()

    assert (lengths.broadcast, lengths.vstig, lengths.swarm, lengths.total) == (1, 2, 1, 4)


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=12), st.integers(0, 60))
def test_every_broadcast_is_sent_once_in_order_or_reported(payloads: list[bytes], size: int) -> None:
    queue = OutgoingQueue()
    for payload in payloads:
        queue.add_broadcast("t", payload)

    sent: list[str] = []
    while not queue.is_empty:
        sent += take(queue, size)[0]

    assert sent == [payload.hex() for payload in payloads if len(payload) + 2 < size - 2]


@pytest.mark.parametrize(
    "add",
    [
        lambda queue: queue.add_broadcast("t", b"\0t"),
        lambda queue: queue.add_stigmergy(VSTIG_PUT, 1, "k", 1, b"\2k"),
        lambda queue: queue.add_stigmergy(VSTIG_QUERY, 1, "k", 1, b"\3k"),
        lambda queue: queue.add_join(1),
        lambda queue: queue.add_leave(1),
        lambda queue: queue.set_list([]),
    ],
)
def test_a_queue_is_empty_until_anything_waits_and_once_it_is_sent(add: Callable[[OutgoingQueue], None]) -> None:
    queue = OutgoingQueue()
    assert queue.is_empty
    add(queue)
    assert not queue.is_empty
    take(queue)
    assert queue.is_empty
