"""The table of a whole laser scan, which most scripts read at a few places only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import Value

__all__ = ["ScanTable"]

_SCAN: Final = object()
"""The key under which the scan waits; no script can have it."""

_MOST_LOOKS: Final = 16
"""Entries that are looked up one by one; who wants more gets them all at once."""


class ScanTable(Table):
    """A table with the values of `scan` at 0, 1, 2, ... that holds its entries once somebody needs them.

    Single entries are read from the scan, and kept. Everything else first turns it into a plain Table with all entries,
    so that no one can tell the difference. `scan` must not change.
    """

    __slots__ = ()

    def __init__(self, scan: Sequence[float]) -> None:
        dict.__setitem__(self, _SCAN, scan)

    def __missing__(self, key: Value) -> Any:
        if key.__class__ is int:
            scan = dict.__getitem__(self, _SCAN)
            if not 0 <= key < len(scan):
                return None
            value = scan[key]
            if dict.__len__(self) > _MOST_LOOKS:
                self._fill()
            else:
                dict.__setitem__(self, key, value)
            return value
        self._fill()
        return self[key]

    def _fill(self) -> None:
        scan = dict.__getitem__(self, _SCAN)
        dict.clear(self)
        dict.update(self, enumerate(scan))
        self.__class__ = Table  # type: ignore[assignment]

    def __setitem__(self, key: Value, value: Value) -> None:
        self._fill()
        self[key] = value

    def __delitem__(self, key: Value) -> None:
        self._fill()
        del self[key]

    def __contains__(self, key: object) -> bool:
        self._fill()
        return key in self

    def __iter__(self) -> Iterator[Any]:
        self._fill()
        return iter(self)

    def __len__(self) -> int:
        self._fill()
        return len(self)

    def keys(self) -> Any:
        self._fill()
        return self.keys()

    def values(self) -> Any:
        self._fill()
        return self.values()

    def items(self) -> Any:
        self._fill()
        return self.items()

    def get(self, key: Value, default: Any = None) -> Any:
        self._fill()
        return self.get(key, default)

    def pop(self, key: Value, *default: Any) -> Any:
        self._fill()
        return self.pop(key, *default)

    def put(self, key: Value, value: Value) -> None:
        self._fill()
        self.put(key, value)
