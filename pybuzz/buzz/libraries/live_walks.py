"""Walks of exact programs: as the C runtime goes through a table while callbacks change it.

It goes from bucket to bucket, and within each by place: an entry that is stored anew moves to the end of its bucket,
where it may be met again, while the one that takes its place is passed over. Values are those of the moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import Value

__all__ = ["LiveWalks"]

_BUCKETS = 10


class _Watched(Table):
    """A table that is being walked. Whatever stores into it makes it a plain table, which tells of the store."""

    __slots__ = ()


_Watched.__name__ = Table.__name__  # for Python's messages about operands, of which errors are made


class _Going:
    """The walks that go on over one table: how many, and how many changes they have seen."""

    __slots__ = ("changes", "kind", "walks")

    def __init__(self, kind: type[Table]) -> None:
        self.kind = kind
        self.walks = 0
        self.changes = 0


class LiveWalks:
    """The walks of one machine."""

    def __init__(self, ids: StringIds, spend: Callable[[int], None]) -> None:
        """spend: takes each entry that is met, as a turn of a loop, from the machine's budget."""
        self._ids = ids
        self._spend = spend
        self._going: dict[int, _Going] = {}

    def items(self, table: Table) -> Iterator[tuple[Value, Value]]:
        """Keys and values in the order of walking."""
        going = self._going.setdefault(id(table), _Going(table.__class__))
        going.walks += 1
        try:
            for bucket in range(_BUCKETS):
                yield from self._of_bucket(table, bucket, going)
        finally:
            going.walks -= 1
            if not going.walks:
                del self._going[id(table)]
                table.__class__ = going.kind if table.__class__ is _Watched else Table

    def _of_bucket(self, table: Table, bucket: int, going: _Going) -> Iterator[tuple[Value, Value]]:
        buckets = self._ids.buckets
        keys: list[Value] = []
        seen, place = -1, 0
        while True:
            if table.__class__ is not _Watched:
                if going.changes:
                    going.kind = Table
                table.__class__ = _Watched
                going.changes += 1
            if seen != going.changes:
                seen = going.changes
                keys = [key for key in table if buckets[key] == bucket]
            if place >= len(keys):
                return
            self._spend(1)
            key = keys[place]
            place += 1
            yield key, table[key]
