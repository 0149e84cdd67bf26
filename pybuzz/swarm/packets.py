"""A packet on the air: who sent it and what it says, decoded once for all who hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from pybuzz.swarm.wire import Message, decode_message, read_plain, split_messages

__all__ = ["MESSAGE_BUCKETS", "NEIGHBOR_BUCKETS", "OTHERS", "ROBOT_IDS", "Packet", "PlainBroadcasts"]

NEIGHBOR_BUCKETS: Final = 10
"""`neighbors.poses` is a table: its entries are walked by sender modulo this."""

ROBOT_IDS: Final = 0x10000
"""Ids have 16 bits; larger numbers of robots are taken modulo this."""

MESSAGE_BUCKETS: Final = 20
"""The messages of a step are processed by sender modulo this."""


PlainBroadcasts: TypeAlias = Sequence[tuple[str, Any]]
"""(topic, value) of broadcasts whose values are immutable."""

OTHERS: Final[PlainBroadcasts] = []
"""Stands for the contents of a packet that holds other things than plain broadcasts."""


class Packet:
    """What one robot sends in one step; all who hear it share one object.

    data: u16 sender, then messages, each after its u16 length, then zeros. Any bytes are a packet: what is cut short
    reads as if zeros followed.
    """

    __slots__ = (
        "_messages",
        "data",
        "is_silent",
        "message_bucket",
        "plain_double",
        "plain_single",
        "robot_id",
    )

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.robot_id: Final = int.from_bytes(data[:2].ljust(2, b"\0"), "big")
        self.message_bucket: Final = self.robot_id % MESSAGE_BUCKETS
        self.is_silent: Final = len(data) <= 4 or data[2:4] == b"\0\0"
        """Whether it holds no message for sure."""
        self._messages: dict[bool, tuple[Message, ...]] = {}
        self.plain_single: PlainBroadcasts | None = None
        """What `plain_broadcasts(single=True)` once said, and likewise `plain_double`."""
        self.plain_double: PlainBroadcasts | None = None

    def messages(self, *, single: bool) -> Sequence[Message]:
        """Its well-formed messages in the order of processing: the one sent last comes first.

        single: with floats rounded to single precision.
        """
        known = self._messages.get(single)
        if known is None:
            decoded = [decode_message(payload, single=single) for payload in reversed(split_messages(self.data))]
            known = self._messages[single] = tuple([message for message in decoded if message is not None])
        return known

    def plain_broadcasts(self, *, single: bool) -> PlainBroadcasts:
        """Its messages in the order of processing if all are plain broadcasts, which receivers share; or OTHERS."""
        known = self.plain_single if single else self.plain_double
        if known is None:
            known = self._read_plain(single)
            if single:
                self.plain_single = known
            else:
                self.plain_double = known
        return known

    def _read_plain(self, single: bool) -> PlainBroadcasts:
        found = []
        for payload in split_messages(self.data):
            broadcast = read_plain(payload, single=single)
            if broadcast is None:
                return OTHERS
            found.append(broadcast)
        found.reverse()
        return found
