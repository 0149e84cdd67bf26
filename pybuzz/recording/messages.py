"""What is kept of the packets that robots send each other."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pybuzz.recording.rows import Columns, objects_of

__all__ = ["LOST_BY_LOSS", "LOST_BY_OCCLUSION", "RECEIVED", "STATUSES", "MessageBuffer", "MessageRows", "Messages"]

RECEIVED: Final = 0
LOST_BY_OCCLUSION: Final = 1
LOST_BY_LOSS: Final = 2
STATUSES: Final = ("received", "occlusion", "loss")
"""What a status is called in tables."""

Integers = npt.NDArray[np.int32]


class MessageRows(NamedTuple):
    """Packets of one tick, one row for each receiver in range: indices of robots, bytes used, status."""

    senders: Integers
    receivers: Integers
    bytes: Integers
    status: npt.NDArray[np.uint8]


class Messages(NamedTuple):
    """Packets of a whole run, one row for each tick, receiver and sender in its range.

    ticks, senders, receivers (indices of robots), bytes: int32[m]; status: uint8[m], a number of STATUSES.
    """

    ticks: Integers
    senders: Integers
    receivers: Integers
    bytes: Integers
    status: npt.NDArray[np.uint8]

    def of(self, rows: npt.NDArray[np.bool_]) -> Messages:
        """Some of the rows."""
        return Messages(self.ticks[rows], self.senders[rows], self.receivers[rows], self.bytes[rows], self.status[rows])

    @property
    def received(self) -> npt.NDArray[np.bool_]:
        """bool[m]: whether it arrived."""
        return np.asarray(self.status == RECEIVED)


class MessageBuffer:
    """Rows that wait to be written."""

    def __init__(self) -> None:
        self.bytes = 0
        self._blocks: list[tuple[int, MessageRows]] = []

    def add(self, tick: int, rows: MessageRows) -> None:
        if len(rows.senders):
            self._blocks.append((tick, rows))
            self.bytes += sum(column.nbytes for column in rows)

    def take(self) -> Messages:
        """All rows, which leave the buffer."""
        blocks, self._blocks, self.bytes = self._blocks, [], 0
        ticks = np.repeat(
            np.array([tick for tick, _ in blocks], dtype=np.int32), [len(rows.senders) for _, rows in blocks]
        )
        senders, receivers, sizes, status = (
            np.concatenate([rows[index] for _, rows in blocks]) if blocks else np.zeros(0) for index in range(4)
        )
        return Messages(
            ticks, senders.astype(np.int32), receivers.astype(np.int32), sizes.astype(np.int32), status.astype(np.uint8)
        )

    def columns(self, names: npt.NDArray[np.object_]) -> Columns | None:
        """All rows as columns, with robots by name."""
        rows = self.take()
        if not len(rows.ticks):
            return None
        return {
            "tick": rows.ticks,
            "sender": names[rows.senders],
            "receiver": names[rows.receivers],
            "bytes": rows.bytes,
            "status": objects_of(STATUSES)[rows.status],
        }
