"""What becomes of each packet: received, or lost on the way, and to what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pybuzz.recording import LOST_BY_LOSS, LOST_BY_OCCLUSION, RECEIVED, MessageRows
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import used_bytes

__all__ = ["MessageTrace", "Passages"]


@dataclass(frozen=True, slots=True)
class Passages:
    """The ways of packets in one tick, to every robot in range of a sender: int64[m] indices of robots, bool[m].

    By receiver, then by sender. What was not received although nothing stood between was lost on its way.
    """

    senders: NDArray[np.int64]
    receivers: NDArray[np.int64]
    received: NDArray[np.bool_]
    blocked: NDArray[np.bool_]

    def reason(self, passage: int) -> str | None:
        """Why a packet was not received; None if it was."""
        if self.received[passage]:
            return None
        return "occlusion" if self.blocked[passage] else "packet loss"


class MessageTrace:
    """Keeps a tick's passages as rows of a recording."""

    def __init__(self) -> None:
        self._rows = _no_rows()

    def note(self, passages: Passages, packets: Sequence[Packet]) -> None:
        """packets: on the air in this tick, one of each robot."""
        sizes = np.array([used_bytes(packet.data) for packet in packets], dtype=np.int32)
        senders, receivers = passages.senders, passages.receivers
        lost = np.where(passages.blocked, LOST_BY_OCCLUSION, LOST_BY_LOSS)
        status = np.where(passages.received, RECEIVED, lost).astype(np.uint8)
        self._rows = MessageRows(senders.astype(np.int32), receivers.astype(np.int32), sizes[senders], status)

    def take(self) -> MessageRows:
        """What was noted in this tick: indices in order of creation."""
        rows, self._rows = self._rows, _no_rows()
        return rows


def _no_rows() -> MessageRows:
    none = np.zeros(0, dtype=np.int32)
    return MessageRows(none, none, none, np.zeros(0, dtype=np.uint8))
