"""The tables `{.distance, .azimuth, .elevation}` of neighbours, made by the ten thousand in every step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from sys import getrefcount
from typing import Final

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table

__all__ = ["ReadingTables"]

_KEYS = ("distance", "azimuth", "elevation")
_MOST_SPARE: Final = 1000


class ReadingTables:
    """Makes the tables of one robot, again out of those that no script kept.

    Making and collecting them costs three times as much as filling them anew, which shows where robots hear many.
    """

    _spare: Final[list[Table]] = []
    """Tables with the three keys, for all robots; they are refilled while still in the processor's cache."""

    def __init__(self, ids: StringIds) -> None:
        self._ids = ids

    @cached_property
    def _reusable(self) -> bool:
        # Where keys share a bucket, a script's store can change the order of a table's keys for good. Asking numbers
        # the keys, which must not come before the first neighbour does.
        return len({self._ids.buckets[key] for key in _KEYS}) == len(_KEYS)

    def make(self, distances: Sequence[float], azimuths: Sequence[float], elevations: Sequence[float]) -> list[Table]:
        """One table per neighbour: cm, radians, radians."""
        tables = self._take(len(distances))
        for table, distance, azimuth, elevation in zip(tables, distances, azimuths, elevations, strict=True):
            # A new table's keys stand in the order of these stores, which is all that `store` would see to.
            table["distance"] = distance
            table["azimuth"] = azimuth
            table["elevation"] = elevation
        return tables

    def take_back(self, tables: list[Table]) -> None:
        """Keeps for reuse what nobody else holds. The list must be the only one of the caller's that holds them."""
        if not self._reusable or len(self._spare) >= _MOST_SPARE:
            return
        # Mostly no script keeps any, which one sum tells.
        if sum(map(getrefcount, tables)) != len(tables) * _ALONE_IN_MAP:
            tables = [table for table in tables if getrefcount(table) == _ALONE_IN_LOOP]
        if sum(map(len, tables)) != len(tables) * len(_KEYS):
            tables = [table for table in tables if len(table) == len(_KEYS)]
        self._spare.extend(tables)

    def _take(self, count: int) -> list[Table]:
        spare = self._spare
        if not self._reusable or len(spare) < count:
            return list(map(Table.__new__, repeat(Table, count)))
        start = len(spare) - count
        tables = spare[start:]
        del spare[start:]
        return tables


def _references_of_a_table() -> tuple[int, int]:
    """What `take_back` counts, in map and loop, for a table that only the list holds; it differs between Pythons.

    Counted in a function, as there: Python 3.14 does not count what a function's own variables lend.
    """
    tables = [Table()]
    return sum(map(getrefcount, tables)), sum([getrefcount(table) for table in tables])


_ALONE_IN_MAP, _ALONE_IN_LOOP = _references_of_a_table()
