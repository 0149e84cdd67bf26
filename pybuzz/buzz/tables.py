"""Tables, and what is done with whole tables: walking in Buzz's order, cloning, conversion from and to Python.

A table is a dict whose order is that of the last stores (storing under a key moves it to the end). Walking sorts that,
stably, by the keys' buckets, which gives exactly the order of the C runtime. Walks see a snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, NoReturn

from pybuzz.buzz.single import to_single
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.values import (
    MAX_INTEGER,
    MIN_INTEGER,
    BuzzFailure,
    Userdata,
    Value,
    bind,
    mismatch,
    string_from,
    text_of,
    type_name,
)

__all__ = ["Record", "Table", "bad_key", "clone", "from_python", "to_python"]


class Table(dict[Any, Any]):
    """A Buzz table. Host code reads it with `fetch` (or `[]`), writes it with `store`, and never with `[]=`.

    Reading a missing key gives nil (None). Tables are equal only to themselves.
    """

    __slots__ = ("serial",)

    serial: int
    """Set when tables are first ordered against each other (operators.py)."""

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __ior__ = None  # type: ignore[assignment]

    def __or__(self, other: Value) -> NoReturn:
        """Fail, where dict would merge: `|` takes integers."""
        raise mismatch("integer", self)

    def __ror__(self, other: Value) -> NoReturn:
        raise mismatch("integer", self if other.__class__ is int else other)

    def __missing__(self, key: Value) -> None:
        if key.__class__ not in _KEY_CLASSES:
            raise bad_key(key)

    def __repr__(self) -> str:
        return f"<table with {len(self)} elements>"

    def fetch(self, key: Value) -> Value:
        """The value under a key, or nil. Raises BuzzFailure if no table can have this key."""
        return self[key]

    def store(self, key: Value, value: Value) -> None:
        """Store as a script does: nil removes, closures get this table as self, the key's latest form is kept.

        Raises BuzzFailure if `key` is not an integer, a float or a string.
        """
        self.put(key, bind(value, self) if value.__class__ is FunctionType else value)

    def put(self, key: Value, value: Value) -> None:
        """Store without binding self, as `map`, `filter` and received messages do. Raises BuzzFailure as `store`."""
        if key.__class__ not in _KEY_CLASSES:
            raise bad_key(key)
        if key != key:
            key = _NAN
        if self.__class__ is not Table:
            self.__class__ = Table
        self.pop(key, None)
        if value is not None:
            dict.__setitem__(self, key, value)

    def ordered_keys(self, ids: StringIds) -> list[Value]:
        """The keys in the order in which a script walks them. `ids`: of the machine that walks."""
        return sorted(self, key=ids.buckets.__getitem__)

    def ordered_items(self, ids: StringIds) -> Sequence[tuple[Value, Value]]:
        """(key, value) pairs in the order in which a script walks them; a snapshot."""
        if len(self) > _LARGE:
            return [(key, self[key]) for key in self.ordered_keys(ids)]
        return ids.orders[tuple(self)](list(self.items()))

    @classmethod
    def of(cls, items: Iterable[tuple[Value, Value]]) -> Table:
        """A new table with these entries stored in this order."""
        table = cls()
        for key, value in items:
            table.store(key, value)
        return table


class Record(Table):
    """A table none of whose keys shares a bucket with another, so that updating a value moves nothing.

    Compiled code makes records and writes their fields in place; to everyone else they are tables.
    """

    __slots__ = ()


_KEY_CLASSES = frozenset((int, float, str))
_NAN = float("nan")
_DEEPEST = 50
_LARGE = 100
"""Tables of more keys are sorted each time they are walked, rather than their order being kept."""


def bad_key(key: Value) -> BuzzFailure:
    """The failure of a key that is neither a number nor a string."""
    return BuzzFailure("type mismatch", f"a {type_name(key)} value can't be used as table key")


def clone(value: Value) -> Value:
    """A deep copy of a table (cycles are kept), any other value itself.

    Cloned methods still act on the table that they were stored in, as in the C runtime.
    """
    if not isinstance(value, Table):
        return value
    copies: dict[Table, Table] = {value: Table()}
    waiting = [value]
    while waiting:
        table = waiting.pop()
        copy = copies[table]
        for key, item in table.items():
            if isinstance(item, Table):
                if item not in copies:
                    copies[item] = Table()
                    waiting.append(item)
                item = copies[item]
            dict.__setitem__(copy, key, item)
    return copies[value]


def from_python(value: Any, *, single: bool = False) -> Value:
    """A Buzz value from plain Python data: bool, int, float, str (readable text), None, mappings and sequences.

    Sequences become tables with keys from 0. Closures, tables and userdata pass as they are. single: floats are rounded
    to single precision, as a program of single precision needs them. Raises TypeError for what has no Buzz form, and
    OverflowError for integers beyond 32 bits.
    """
    if single and isinstance(value, float):
        return to_single(value)
    if value is None or isinstance(value, float | Table | FunctionType | Userdata):
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        if not MIN_INTEGER <= value <= MAX_INTEGER:
            raise OverflowError(f"{value} is beyond Buzz's 32-bit integers")
        return value
    if isinstance(value, str):
        return string_from(value)
    if isinstance(value, Mapping):
        pairs = ((from_python(key, single=single), from_python(item, single=single)) for key, item in value.items())
        return Table.of(pairs)
    if isinstance(value, Sequence):
        return Table.of((key, from_python(item, single=single)) for key, item in enumerate(value))
    raise TypeError(f"a {type(value).__name__} cannot be given to a Buzz script")


def to_python(value: Value, other: Callable[[Value], Any] = text_of) -> Any:
    """Plain Python data from a Buzz value: tables become dicts, strings readable text.

    `other` converts closures, userdata, tables that contain themselves and tables nested more than 50 levels deep; by
    default to the text that `log` prints.
    """
    return _to_python(value, other, ())


def _to_python(value: Value, other: Callable[[Value], Any], around: tuple[Table, ...]) -> Any:
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, Table) and len(around) < _DEEPEST and value not in around:
        inside = (*around, value)
        return {_to_python(key, other, ()): _to_python(item, other, inside) for key, item in value.items()}
    return other(value)
