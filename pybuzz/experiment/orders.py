"""The orders in which minds go through what they hear, for all robots at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from pybuzz.radio import Links
from pybuzz.swarm.packets import MESSAGE_BUCKETS, NEIGHBOR_BUCKETS, Packet

__all__ = ["Orders"]


class Orders:
    """Made of the links of one tick, they are good for all ticks in which everybody hears the same robots.

    ids: int64[robots], below 65536.
    starts: where each receiver's links begin, and their end. of_readings: int64[m], the links of each receiver in the
    order in which scripts walk neighbours, by sender's id modulo 10; robots: the senders' ids in this order.
    """

    def __init__(self, links: Links, ids: NDArray[np.int64]) -> None:
        self._links = links
        self._senders = _bytes_of(links)
        self._ids = ids
        self.starts: list[int] = links.starts.tolist()
        self.of_readings = self._by_bucket(NEIGHBOR_BUCKETS)
        self.robots = array("q", ids[links.senders[self.of_readings]].tobytes())
        self._packets: list[Packet] | None = None
        self._sent: list[Packet] = []
        self._sent_starts: list[int] = []

    def suit(self, links: Links) -> bool:
        """Whether these links are between the same robots."""
        return _bytes_of(links) == self._senders

    def sent(self, packets: list[Packet]) -> Iterable[Sequence[Packet]]:
        """What each receiver gets of the packets that say anything, by sender's id modulo 20."""
        if packets != self._packets:
            self._packets = packets
            self._sort(packets)
        if not self._sent:
            return repeat((), len(packets))
        return (self._sent[first:last] for first, last in pairwise(self._sent_starts))

    def _sort(self, packets: list[Packet]) -> None:
        speaks = np.array([not packet.is_silent for packet in packets])
        if not speaks.any():
            self._sent = []
            return
        heard = speaks[self._senders_of_messages]
        counts = np.concatenate(([0], np.cumsum(heard)))
        self._sent = _objects(packets)[self._senders_of_messages[heard]].tolist()
        self._sent_starts = counts[self._links.starts].tolist()

    @cached_property
    def _senders_of_messages(self) -> NDArray[np.int64]:
        """int64[m]: the indices of the senders whose messages each receiver goes through, in this order."""
        return self._links.senders[self._by_bucket(MESSAGE_BUCKETS)]

    def _by_bucket(self, count: int) -> NDArray[np.int64]:
        """The links of each receiver by sender's bucket: one sort here in place of one for each robot."""
        links = self._links
        receivers = np.repeat(np.arange(len(self._ids), dtype=np.int64), np.diff(links.starts))
        places = receivers * count + (self._ids % count)[links.senders]
        # What has 16 bits is sorted by its digits, in a third of the time.
        few = len(self._ids) * count <= 0x10000
        return np.argsort(places.astype(np.uint16) if few else places, kind="stable")


def _bytes_of(links: Links) -> tuple[bytes, bytes]:
    return links.starts.tobytes(), links.senders.tobytes()


def _objects(packets: Sequence[Packet]) -> NDArray[np.object_]:
    objects = np.empty(len(packets), dtype=np.object_)
    objects[:] = packets
    return objects
