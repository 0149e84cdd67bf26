"""Tables of sensors that stand in a ring: `{.value, .angle}` by index, fresh in every step."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Final

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table

__all__ = ["RingTables"]


def _references_of_an_entry() -> int:
    """What `refill` counts for an entry that a list and a table hold; differs between Pythons."""
    entries = [Table()]
    table = Table(enumerate(entries))
    [count] = map(getrefcount, entries)
    del table
    return count


_ENTRY_ALONE: Final = _references_of_an_entry()


class RingTables:
    """Makes the table of one robot's ring. Tables that no script kept are filled anew: that halves the cost.

    Nobody can tell: they are used again only if the script's global and this object alone refer to them.

    table: the one that was made last.
    """

    def __init__(self, angles: Sequence[float], ids: StringIds) -> None:
        self._angles = angles
        # Where the two keys share a bucket, a script's store can change their order for good.
        self._reusable = ids.buckets["value"] != ids.buckets["angle"]
        self._entries: list[Table] = []
        self._alone = [_ENTRY_ALONE] * len(angles)
        self._lengths = [2] * len(angles)
        self.table = Table()

    def make(self, values: Sequence[float]) -> Table:
        """A new table for these values, one per angle; to be stored into one global."""
        pairs = zip(values, self._angles, strict=True)
        self._entries = [Table({"value": value, "angle": angle}) for value, angle in pairs]
        self.table = Table(enumerate(self._entries))
        return self.table

    def refill(self, values: Sequence[float]) -> bool:
        """Whether the table that was made last, which its global still holds, could be given these values."""
        entries = self._entries
        if (
            not self._reusable
            or getrefcount(self.table) != _TABLE_ALONE
            or list(map(getrefcount, entries)) != self._alone
            or list(map(len, entries)) != self._lengths
            or len(self.table) != len(entries)
        ):
            return False
        for entry, value, angle in zip(entries, values, self._angles, strict=True):
            entry["value"] = value
            entry["angle"] = angle
        return True


def _references_of_a_table() -> int:
    """What `refill` counts for a table that one global holds besides the ring; differs between Pythons."""
    ring = RingTables((), StringIds())
    script_globals = {"ring": ring.table}
    count = getrefcount(ring.table)
    del script_globals
    return count


_TABLE_ALONE: Final = _references_of_a_table()
