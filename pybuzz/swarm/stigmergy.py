"""`stigmergy`: tables that a swarm shares by gossip. Every entry has a clock and the robot that wrote it last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, Final, NamedTuple

from pybuzz.buzz.strings import bucket_of_number
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import (
    BuzzFailure,
    Userdata,
    expect_closure,
    expect_integer,
    host_function,
    host_method,
)
from pybuzz.swarm.knowledge import Entry
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.wire import VSTIG_PUT, VSTIG_QUERY, StigmergyMessage, UnsendableError, Writer

__all__ = ["Stigmergy"]

_BUCKETS: Final = 10
_CLOCK_QUARTER: Final = 0x4000
_NEVER: Final = 0
"""The clock of an entry that was never written, which a QUERY for an unknown key carries."""


class _Entry(NamedTuple):
    value: Any
    clock: int
    robot: int


@dataclass(slots=True)
class _Store:
    """The entries of one number, in the order of the C runtime's lists; `deleted` has the clocks of own deletions."""

    entries: dict[Any, _Entry] = field(default_factory=dict)
    deleted: dict[Any, int] = field(default_factory=dict)
    on_conflict: Callable[[Any, Table, Table], Any] | None = None
    on_conflict_lost: Callable[[Any, Any], Any] | None = None

    def walk(self) -> list[tuple[Any, _Entry]]:
        """A snapshot in walking order."""
        return sorted(self.entries.items(), key=_bucket_of_item)

    def write(self, key: Any, entry: _Entry) -> None:
        """An own write: a key that is there keeps its place."""
        self.entries[key] = entry
        self.deleted.pop(key, None)

    def receive(self, key: Any, entry: _Entry) -> None:
        """A write off the network: the key moves to the end of its bucket."""
        self.entries.pop(key, None)
        self.write(key, entry)


class Stigmergy:
    """One robot's stores."""

    def __init__(
        self,
        robot_id: int,
        queue: OutgoingQueue,
        writer: Writer,
        own: Callable[[Any], Any],
        warn: Callable[[str], None],
        *,
        exact: bool = False,
        differs: Callable[[str], None] = lambda text: None,
    ) -> None:
        """own: makes a received neutral value this robot's own. warn: told why an entry is not sent.
        exact: as the C runtime does it. differs: told of a call that it does otherwise."""
        self._robot = robot_id
        self._remembers_deletions = not exact
        self._differs = differs
        self._queue = queue
        self._writer = writer
        self._own = own
        self._warn = warn
        self._stores: dict[int, _Store] = {}
        self._methods = self._make_methods()

    def make_table(self) -> Table:
        """The global table `stigmergy`."""
        return Table.of([("create", host_function("create", 1, self._create))])

    @property
    def contents(self) -> dict[int, list[Entry]]:
        """The entries of each store, in walking order, for people who look at them."""
        return {
            number: [Entry(key, entry.value, entry.robot, entry.clock) for key, entry in store.walk()]
            for number, store in self._stores.items()
        }

    # Messages

    def hear(self, message: StigmergyMessage) -> None:
        """Handles a PUT or QUERY of another robot."""
        store = self._stores.get(message.store)
        if store is None:
            if message.kind == VSTIG_QUERY:
                self._relay(message)
            return
        local = store.entries.get(message.key)
        if local is None:
            self._hear_unknown(store, message)
        elif _is_newer(message.timestamp, local.clock):
            self._adopt(store, message)
        elif _is_newer(local.clock, message.timestamp):
            if message.kind == VSTIG_QUERY:
                self._send(VSTIG_PUT, message.store, message.key, local)
        elif message.robot != local.robot:
            self._resolve(store, message, local)

    def _hear_unknown(self, store: _Store, message: StigmergyMessage) -> None:
        deleted = store.deleted.get(message.key, _NEVER)
        if message.kind == VSTIG_QUERY and message.value is None:
            self._relay(message)
        elif not _is_newer(deleted, message.timestamp):
            self._adopt(store, message)
        elif message.kind == VSTIG_QUERY:
            self._send(VSTIG_PUT, message.store, message.key, _Entry(None, deleted, self._robot))

    def _relay(self, message: StigmergyMessage) -> None:
        if self._queue.wants_stigmergy(message.store, message.key, message.timestamp):
            payload = self._writer.stigmergy(replace(message, value=self._own(message.value)))
            self._queue.add_stigmergy(message.kind, message.store, message.key, message.timestamp, payload)

    def _adopt(self, store: _Store, message: StigmergyMessage) -> None:
        entry = _Entry(self._own(message.value), message.timestamp, message.robot)
        key = self._own(message.key)
        store.receive(key, entry)
        self._send(VSTIG_PUT, message.store, key, entry)

    def _resolve(self, store: _Store, message: StigmergyMessage, local: _Entry) -> None:
        key = self._own(message.key)
        remote = _Entry(self._own(message.value), message.timestamp, message.robot)
        winner = self._winner(store, key, local, remote)
        if winner is None:
            self._warn(
                f"the conflict manager of stigmergy {message.store} did not return a table with `robot` and `data`"
            )
            return
        store.receive(key, winner)
        self._send(VSTIG_PUT, message.store, key, winner)
        lost = winner.robot != self._robot and local.robot == self._robot
        if lost and store.on_conflict_lost is not None:
            store.on_conflict_lost(key, _as_table(local))

    def _winner(self, store: _Store, key: Any, local: _Entry, remote: _Entry) -> _Entry | None:
        if store.on_conflict is None:
            return _default_winner(local, remote)
        chosen = store.on_conflict(key, _as_table(local), _as_table(remote))
        if not isinstance(chosen, Table) or chosen["robot"].__class__ is not int:
            return None
        return _Entry(chosen["data"], local.clock, chosen["robot"] & 0xFFFF)

    def _send(self, kind: int, number: int, key: Any, entry: _Entry) -> None:
        if not self._queue.wants_stigmergy(number, key, entry.clock):
            return
        message = StigmergyMessage(kind, number, key, entry.value, entry.clock, entry.robot)
        try:
            payload = self._writer.stigmergy(message)
        except UnsendableError as reason:
            # It stays usable here. The C runtime warns too, and sends a malformed message.
            self._warn(f"an entry of stigmergy {number} stays on this robot: {reason}")
        else:
            self._queue.add_stigmergy(kind, number, key, entry.clock, payload)

    # What scripts call

    def _create(self, number: Any) -> Table:
        store = expect_integer(number) & 0xFFFF
        self._stores[store] = _Store()
        table = Table()
        table.store("id", store)
        table.store("__stigmergy", Userdata(self))
        for method in self._methods:
            table.store(method.__name__, method)
        return table

    def _make_methods(self) -> tuple[FunctionType, ...]:
        return (
            host_method("foreach", 1, self._foreach),
            host_method("map", 1, self._map),
            host_method("reduce", 2, self._reduce),
            host_method("size", 0, self._size),
            host_method("put", 2, self._put),
            host_method("get", 1, self._get),
            host_method("onconflict", 1, self._on_conflict),
            host_method("onconflictlost", 1, self._on_conflict_lost),
        )

    def _put(self, table: Any, key: Any, value: Any) -> None:
        number, store = self._store_of(table)
        _check_key(key)
        local = store.entries.get(key)
        clock = local.clock if local is not None else store.deleted.get(key, _NEVER)
        if value is not None:
            if key in store.deleted:
                self._differs("writing to a stigmergy after deleting wins here, and loses in C Buzz and with --exact")
            entry = _Entry(value, _after(clock), self._robot)
            store.write(key, entry)
        elif local is not None:
            entry = _Entry(None, _after(clock), self._robot)
            del store.entries[key]
            # The C runtime forgets, so that a write just after the deletion loses against it.
            if self._remembers_deletions:
                store.deleted[key] = entry.clock
        else:
            return
        self._send(VSTIG_PUT, number, key, entry)

    def _get(self, table: Any, key: Any) -> Any:
        number, store = self._store_of(table)
        _check_key(key)
        entry = store.entries.get(key)
        if entry is None:
            entry = _Entry(None, _NEVER, self._robot)
        self._send(VSTIG_QUERY, number, key, entry)
        return entry.value

    def _size(self, table: Any) -> int:
        return len(self._store_of(table)[1].entries)

    def _foreach(self, table: Any, function: Any) -> None:
        expect_closure(function)
        for key, entry in self._store_of(table)[1].walk():
            function(key, entry.value, entry.robot)

    def _map(self, table: Any, function: Any) -> Table:
        expect_closure(function)
        result = Table()
        for key, entry in self._store_of(table)[1].walk():
            result.put(key, function(key, entry.value, entry.robot))
        return result

    def _reduce(self, table: Any, function: Any, result: Any) -> Any:
        expect_closure(function)
        for key, entry in self._store_of(table)[1].walk():
            result = function(key, entry.value, entry.robot, result)
        return result

    def _on_conflict(self, table: Any, function: Any) -> None:
        self._store_of(table)[1].on_conflict = expect_closure(function)

    def _on_conflict_lost(self, table: Any, function: Any) -> None:
        self._store_of(table)[1].on_conflict_lost = expect_closure(function)

    def _store_of(self, table: Any) -> tuple[int, _Store]:
        number = expect_integer(table["id"]) & 0xFFFF
        store = self._stores.get(number)
        if store is None:
            raise BuzzFailure("type mismatch", f"there is no stigmergy {number}", _HINT)
        return number, store


_HINT = "`id` of a table made by stigmergy.create was changed"


def _default_winner(local: _Entry, remote: _Entry) -> _Entry:
    if (local.value is None) == (remote.value is None):
        return local if local.robot > remote.robot else remote
    return local if remote.value is None else remote


def _as_table(entry: _Entry) -> Table:
    return Table.of((("robot", entry.robot), ("data", entry.value), ("timestamp", entry.clock)))


def _check_key(key: Any) -> None:
    if isinstance(key, FunctionType):
        raise BuzzFailure("type mismatch", "a closure value can't be used as stigmergy key")


def _bucket_of_item(item: tuple[Any, _Entry]) -> int:
    key = item[0]
    if key.__class__ is str:
        return _content_hash(key) % _BUCKETS
    return _unsigned_bucket(key) if isinstance(key, int | float) else 0


def _content_hash(text: str) -> int:
    """h = 33 h + c over the signed bytes, from 5381, modulo 2^32."""
    number = 5381
    for byte in text.encode("latin-1"):
        number = number * 33 + (byte - 256 if byte > 127 else byte)
    return number & 0xFFFFFFFF


def _unsigned_bucket(key: float) -> int:
    """Bucket of a number, truncated and read as unsigned 32 bits; unlike table keys, also below 0."""
    return (int(key) & 0xFFFFFFFF) % _BUCKETS if -(2**31) <= key < 0 else bucket_of_number(key)


def _after(clock: int) -> int:
    """The next tick of a 16-bit clock. 0 stands for "never written", so the wrap passes over it."""
    return clock + 1 if clock < 0xFFFF else 1


def _is_newer(clock: int, other: int) -> bool:
    """Whether a clock is later than another, also just after it wrapped (the C runtime compares plainly)."""
    if _NEVER < clock < _CLOCK_QUARTER and other >= 3 * _CLOCK_QUARTER:
        return True
    if _NEVER < other < _CLOCK_QUARTER and clock >= 3 * _CLOCK_QUARTER:
        return False
    return clock > other
