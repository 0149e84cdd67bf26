"""A packet on the air: who sent it and what it says, decoded once for all who hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pybuzz.swarm.wire import Broadcast, Message, decode_message, split_messages

__all__ = ["MESSAGE_BUCKETS", "NEIGHBOR_BUCKETS", "Packet"]

NEIGHBOR_BUCKETS: Final = 10
"""`neighbors.poses` is a table: its entries are walked by sender modulo this."""

MESSAGE_BUCKETS: Final = 20
"""The messages of a step are processed by sender modulo this."""


class Packet:
    """What one robot sends in one step; all who hear it share one object.

    data: u16 sender, then messages, each after its u16 length, then zeros. Any bytes are a packet: what is cut short
    reads as if zeros followed.
    """

    __slots__ = ("_messages", "_plain", "data", "is_silent", "neighbor_bucket", "robot_id")

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.robot_id: Final = int.from_bytes(data[:2].ljust(2, b"\0"), "big")
        self.neighbor_bucket: Final = self.robot_id % NEIGHBOR_BUCKETS
        self.is_silent: Final = not any(data[2:4]) or len(data) <= 4
        """Whether it holds no message for sure."""
        self._messages: dict[bool, tuple[Message, ...]] = {}
        self._plain: dict[bool, tuple[tuple[str, Any], ...] | None] = {}

    def messages(self, *, single: bool) -> Sequence[Message]:
        """Its well-formed messages in the order of processing: the one sent last comes first.

        single: with floats rounded to single precision.
        """
        known = self._messages.get(single)
        if known is None:
            decoded = (decode_message(payload, single=single) for payload in reversed(split_messages(self.data)))
            known = self._messages[single] = tuple(message for message in decoded if message is not None)
        return known

    def plain_broadcasts(self, *, single: bool) -> Sequence[tuple[str, Any]] | None:
        """(topic, value) of its messages, if all are broadcasts of values that receivers may share; otherwise None."""
        if single not in self._plain:
            messages = self.messages(single=single)
            plain = [(sent.topic, sent.value) for sent in messages if isinstance(sent, Broadcast) and sent.plain]
            self._plain[single] = tuple(plain) if len(plain) == len(messages) else None
        return self._plain[single]
