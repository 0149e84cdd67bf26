"""Tables of sensors that stand in a ring: `{.value, .angle}` by index, fresh in every step."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Final

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table

__all__ = ["RingTables"]


class RingTables:
    """Makes the table of one robot's ring. Tables that no script kept are filled anew: that halves the cost.

    Nobody can tell: they are used again only if the script's global and this object alone refer to them.
    """

    def __init__(self, angles: Sequence[float], ids: StringIds) -> None:
        self._angles = angles
        # Where the two keys share a bucket, a script's store can change their order for good.
        self._reusable = ids.buckets["value"] != ids.buckets["angle"]
        self._entries: list[Table] = []
        self._table = Table()

    def made(self, value: object) -> bool:
        """Whether this is the table that `make` made last."""
        return value is self._table

    def make(self, values: Sequence[float], *, shown: bool) -> Table:
        """The table for these values, one per angle; to be stored into one global.

        shown: whether that global still holds the last one. If not, who refers to it is a variable of the script.
        """
        if shown and self._reusable and getrefcount(self._table) == _TABLE_ALONE and self._refill(values):
            return self._table
        pairs = zip(values, self._angles, strict=True)
        self._entries = [Table({"value": value, "angle": angle}) for value, angle in pairs]
        self._table = Table(enumerate(self._entries))
        return self._table

    def _refill(self, values: Sequence[float]) -> bool:
        """Whether all entries could be filled anew. The tables are given up if not."""
        if len(self._table) != len(self._angles):
            return False
        for entry, value, angle in zip(self._entries, values, self._angles, strict=True):
            if getrefcount(entry) != _ENTRY_ALONE or len(entry) != 2:
                return False
            entry["value"] = value
            entry["angle"] = angle
        return True


def _references_of_a_table() -> int:
    """What `make` counts for a table that one global holds; differs between Pythons."""
    ring = RingTables((), StringIds())
    script_globals = {"ring": ring._table}
    count = getrefcount(ring._table)
    del script_globals
    return count


def _references_of_an_entry() -> int:
    """What `_refill` counts for an entry that only its table holds."""
    ring = RingTables((0.0,), StringIds())
    ring.make((0.0,), shown=False)
    for entry, _, _ in zip(ring._entries, (0.0,), ring._angles, strict=True):
        return getrefcount(entry)
    raise AssertionError


_TABLE_ALONE: Final = _references_of_a_table()
_ENTRY_ALONE: Final = _references_of_an_entry()
