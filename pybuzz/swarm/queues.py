"""The messages that wait to be sent: a queue per kind, no duplicates, taken by priority within the packet's size."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pybuzz.swarm.wire import (
    SWARM_JOIN,
    SWARM_LEAVE,
    VSTIG_PUT,
    encode_swarm,
    encode_swarm_list,
    pack_messages,
)

__all__ = ["OutgoingQueue", "OversizeReport", "QueueLengths"]

OversizeReport: TypeAlias = Callable[[str, int, int], None]
"""Told of a message too large for any packet: what it is, its size with the length field, the least size too large."""

_StoreKey: TypeAlias = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class QueueLengths:
    """Messages that wait, by kind (what ARGoS's `debug.msgqueue` shows)."""

    broadcast: int
    vstig: int
    swarm: int

    @property
    def total(self) -> int:
        return self.broadcast + self.vstig + self.swarm


@dataclass(slots=True)
class OutgoingQueue:
    """First in, first out per kind of message; kinds go in the order BROADCAST, LIST, PUT, QUERY, JOIN, LEAVE."""

    is_empty: bool = True
    """Whether nothing waits. Kept up to date, for it is asked in every step."""
    _broadcasts: deque[tuple[str, bytes]] = field(default_factory=deque)
    _list: dict[int, None] | None = None
    _puts: dict[_StoreKey, tuple[int, bytes]] = field(default_factory=dict)
    _queries: dict[_StoreKey, tuple[int, bytes]] = field(default_factory=dict)
    _joins: dict[int, None] = field(default_factory=dict)
    _leaves: dict[int, None] = field(default_factory=dict)

    def lengths(self) -> QueueLengths:
        return QueueLengths(
            len(self._broadcasts),
            len(self._puts) + len(self._queries),
            (self._list is not None) + len(self._joins) + len(self._leaves),
        )

    def add_broadcast(self, topic: str, payload: bytes) -> None:
        """Queues a broadcast; none is ever a duplicate."""
        self._broadcasts.append((topic, payload))
        self.is_empty = False

    def wants_stigmergy(self, store: int, key: Any, timestamp: int) -> bool:
        """False when the same entry is queued already, as PUT or QUERY, with this timestamp or a newer one."""
        where = (store, key)
        queued = self._puts.get(where) or self._queries.get(where)
        return queued is None or queued[0] < timestamp

    def add_stigmergy(self, kind: int, store: int, key: Any, timestamp: int, payload: bytes) -> None:
        """Queues a PUT or QUERY in place of an older one of the same entry; drops it if `wants_stigmergy` says no."""
        if not self.wants_stigmergy(store, key, timestamp):
            return
        where = (store, key)
        self._puts.pop(where, None)
        self._queries.pop(where, None)
        (self._puts if kind == VSTIG_PUT else self._queries)[where] = (timestamp, payload)
        self.is_empty = False

    def add_join(self, swarm: int) -> None:
        """Queues a JOIN, cancels a LEAVE of the same swarm; edits the LIST instead while one is queued."""
        if self._list is not None:
            self._list.setdefault(swarm)
        else:
            self._leaves.pop(swarm, None)
            self._joins.setdefault(swarm)
        self.is_empty = False

    def add_leave(self, swarm: int) -> None:
        """Queues a LEAVE, cancels a JOIN of the same swarm; edits the LIST instead while one is queued."""
        if self._list is not None:
            self._list.pop(swarm, None)
        else:
            self._joins.pop(swarm, None)
            self._leaves.setdefault(swarm)
        self.is_empty = False

    def set_list(self, swarms: Iterable[int]) -> None:
        """Queues the LIST of joined swarms, which stands for all queued JOINs and LEAVEs."""
        self._list = dict.fromkeys(swarms)
        self._joins.clear()
        self._leaves.clear()
        self.is_empty = False

    def take_packet(self, robot_id: int, size: int, report_oversize: OversizeReport) -> bytes:
        """Takes what fits into a packet of `size` bytes off the queue. Too large messages are reported and dropped."""
        payloads: list[bytes] = []
        used = 2
        while (payload := self._head()) is not None:
            needed = len(payload) + 2
            if needed >= size - 2:
                # One byte early (a payload of size - 4 would fit): the C runtime's test, which scripts may know.
                report_oversize(self._name_of_head(), needed, size - 2)
            elif used + needed > size:
                break
            else:
                payloads.append(payload)
                used += needed
            self._drop_head()
        self.is_empty = payload is None
        return pack_messages(robot_id, payloads, size)

    def _head(self) -> bytes | None:
        if self._broadcasts:
            return self._broadcasts[0][1]
        if self._list is not None:
            return encode_swarm_list(list(self._list))
        if self._puts or self._queries:
            return next(iter((self._puts or self._queries).values()))[1]
        if self._joins:
            return encode_swarm(SWARM_JOIN, next(iter(self._joins)))
        return encode_swarm(SWARM_LEAVE, next(iter(self._leaves))) if self._leaves else None

    def _name_of_head(self) -> str:
        """What is said of it if it is too large."""
        if self._broadcasts:
            return f'broadcast "{self._broadcasts[0][0]}"'
        if self._list is not None:
            return "list of swarms"
        for queue in (self._puts, self._queries):
            if queue:
                store, key = next(iter(queue))
                return f"entry {_shown(key)} of stigmergy {store}"
        return f"membership of swarm {next(iter(self._joins or self._leaves))}"

    def _drop_head(self) -> None:
        if self._broadcasts:
            self._broadcasts.popleft()
        elif self._list is not None:
            self._list = None
        else:
            waiting = (self._puts, self._queries, self._joins, self._leaves)
            queue: dict[Any, Any] = next(queue for queue in waiting if queue)
            del queue[next(iter(queue))]


def _shown(key: Any) -> str:
    return f'"{key}"' if isinstance(key, str) else str(key)
