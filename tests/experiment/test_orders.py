"""The orders of what is heard serve as long as everybody hears the same robots, and follow all that changes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pybuzz.experiment.orders import Orders
from pybuzz.radio import Links
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import pack_messages

RANDOM = np.random.default_rng(5)


def links_of(hears: NDArray[np.bool_]) -> Links:
    """hears[i, j]: robot i hears robot j; distances are any."""
    _, senders = np.nonzero(hears)
    starts = np.concatenate([[0], np.cumsum(hears.sum(axis=1))])
    numbers = RANDOM.random(len(senders))
    return Links(starts, senders, numbers, numbers, numbers)


def packet(robot: int, *payloads: bytes) -> Packet:
    return Packet(pack_messages(robot, list(payloads), 20))


def ring(count: int) -> NDArray[np.bool_]:
    """Each hears the one before and the one behind."""
    return np.roll(np.eye(count, dtype=bool), 1, axis=1) | np.roll(np.eye(count, dtype=bool), -1, axis=1)


@pytest.mark.parametrize("robots", [1, 7, 40, 3500])
def test_each_receiver_walks_its_senders_by_bucket_and_in_a_bucket_as_they_were_created(robots: int) -> None:
    ids = RANDOM.permutation(robots)
    hears = RANDOM.random((robots, robots)) < 5 / robots
    orders = Orders(links_of(hears), ids)
    packets = [packet(int(robot), b"x") for robot in ids]
    for receiver, sent in enumerate(orders.sent(packets)):
        heard = [int(ids[sender]) for sender in np.flatnonzero(hears[receiver])]
        first, last = orders.starts[receiver : receiver + 2]
        assert list(orders.robots[first:last]) == sorted(heard, key=lambda robot: robot % 10)
        assert [packet.robot_id for packet in sent] == sorted(heard, key=lambda robot: robot % 20)


def test_orders_suit_the_same_links_at_other_distances_and_no_others() -> None:
    hears = ring(5)
    orders = Orders(links_of(hears), np.arange(5))
    assert orders.suit(links_of(hears))
    hears[0, 1] = False
    assert not orders.suit(links_of(hears))


def test_links_with_the_same_senders_but_other_receivers_are_other_links() -> None:
    first = np.array([[False, True], [False, False]])
    assert not Orders(links_of(first), np.arange(2)).suit(links_of(first[::-1]))


def test_what_is_sent_follows_who_speaks() -> None:
    silent = [packet(robot) for robot in range(3)]
    orders = Orders(links_of(ring(3)), np.arange(3))
    assert [list(sent) for sent in orders.sent(silent)] == [[], [], []]
    speaking = [silent[0], packet(1, b"x"), silent[2]]
    assert [list(sent) for sent in orders.sent(speaking)] == [[speaking[1]], [], [speaking[1]]]
    assert [list(sent) for sent in orders.sent(silent)] == [[], [], []]
