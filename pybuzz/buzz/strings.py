"""String ids, which decide in what order tables with string keys are walked.

The C runtime numbers every distinct string: those of the program in order of appearance, then the built-in names,
then strings in order of their creation. Ids are not reclaimed here; they wrap at 65536 as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

__all__ = ["BUILT_IN_STRINGS", "StringIds", "bucket_of_number", "numbered"]

BUILT_IN_STRINGS = (
    "get", "filter", "kin", "nonkin", "foreach", "map", "reduce", "count", "broadcast", "listen", "ignore",
    "neighbors", "id", "type", "int", "float", "clone", "size", "isnil", "isint", "isfloat", "isstring", "istable",
    "isclosure", "isuserdata", "stigmergy", "create", "swarm", "union", "intersection", "difference", "math", "abs",
    "floor", "ceil", "round", "log", "log2", "log10", "exp", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan",
    "min", "max", "pi", "rng", "setseed", "uniform", "gaussian", "exponential", "fopen", "fclose", "fsize",
    "fforeach", "fwrite", "io", "errno", "error_message", "No error", "length", "sub", "concat", "tostring",
    "toint", "tofloat", "string",
)  # fmt: skip

_BUCKETS = 10
_IDS = 65536
_KEPT_ORDERS = 50
_MIN_INTEGER = -(2**31)


def numbered(strings: Iterable[str]) -> dict[str, int]:
    """The ids of a program: its own strings in order of first appearance, then the built-in names."""
    ids: dict[str, int] = {}
    for text in (*strings, *BUILT_IN_STRINGS):
        ids.setdefault(text, len(ids))
    return ids


class Buckets(dict[Any, int]):
    """Bucket 0 to 9 of a table's key, found once and remembered."""

    __slots__ = ("_ids", "has_met_ambiguous")

    def __init__(self, ids: StringIds) -> None:
        super().__init__()
        self._ids = ids
        self.has_met_ambiguous = False

    def __missing__(self, key: Any) -> int:
        bucket = self._ids.id_of(key) % _BUCKETS if key.__class__ is str else bucket_of_number(key)
        if _is_ambiguous(key):
            self.has_met_ambiguous = True
            return bucket
        if len(self) >= _IDS:
            self.clear()
        self[key] = bucket
        return bucket


class Orders(dict[tuple[Any, ...], Callable[[list[Any]], Sequence[Any]]]):
    """How to bring the entries of a table into the order of walking, by the keys in the order of their stores.

    Tables of the same keys are walked again and again: picking by a known permutation is several times faster than
    sorting.
    """

    __slots__ = ("_buckets",)

    def __init__(self, buckets: Buckets) -> None:
        super().__init__()
        self._buckets = buckets

    def __missing__(self, keys: tuple[Any, ...]) -> Callable[[list[Any]], Sequence[Any]]:
        buckets = [self._buckets[key] for key in keys]
        order = sorted(range(len(keys)), key=buckets.__getitem__)
        arranged = list if order == list(range(len(keys))) else itemgetter(*order)
        if self._buckets.has_met_ambiguous and any(map(_is_ambiguous, keys)):
            return arranged
        if len(self) >= _KEPT_ORDERS:
            self.clear()
        self[keys] = arranged
        return arranged


class StringIds:
    """The string ids of one machine: those of its program (shared, not copied), then its own."""

    __slots__ = ("_own", "_program", "buckets", "orders")

    def __init__(self, program: Mapping[str, int] | None = None) -> None:
        self._program = numbered(()) if program is None else program
        self._own: dict[str, int] = {}
        self.buckets = Buckets(self)
        self.orders = Orders(self.buckets)

    def id_of(self, text: str) -> int:
        """The id of a Buzz string, from 0 to 65535; a string not seen before gets the next one."""
        known = self._program.get(text)
        if known is None:
            known = self._own.setdefault(text, (len(self._program) + len(self._own)) % _IDS)
        return known

    register = id_of


def bucket_of_number(key: int | float) -> int:
    """Bucket of a numeric key: of a float truncated, of an integer its remainder as C takes it; of either, read as
    unsigned 32 bits, modulo 10."""
    try:
        whole = int(key)
    except (OverflowError, ValueError):
        whole = _MIN_INTEGER
    if not -(2**31) <= whole < 2**31:
        whole = _MIN_INTEGER
    if whole < 0 and key.__class__ is int:
        whole = -(-whole % _BUCKETS)
    return (whole & 0xFFFFFFFF) % _BUCKETS


def _is_ambiguous(key: Any) -> bool:
    """Whether a key equals a number of the other class that has another bucket: these must not be remembered."""
    return key.__class__ is not str and key < 0 and key % _BUCKETS == 0
