"""What to do about a name that is nil: the hints of `check` and of run-time errors, from one place."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from pybuzz.buzz.signatures import BUILT_INS, HostNames
from pybuzz.buzz.tree import Call, Field, Index, Node
from pybuzz.spelling import did_you_mean

__all__ = ["INCLUDES", "Use", "hint_of_entry", "hint_of_entry_field", "hint_of_field", "hint_of_global", "use_of"]

Use = Literal["value", "table", "function"]
"""What a script takes a value for."""

_FOREIGN = {
    "true": "Buzz has no booleans: write 1",
    "false": "Buzz has no booleans: write 0",
    "null": "the absent value is nil",
    "none": "the absent value is nil",
    "nil": "the absent value is nil",
    "undefined": "the absent value is nil",
    "print": "write log(...)",
    "printf": "write log(...)",
    "println": "write log(...)",
    "len": "write size(table) or string.length(text)",
    "this": "inside a function stored in a table, the table is self",
}
INCLUDES = {
    "table": "table.bzz",
    "queue": "queue.bzz",
    "arrows": "arrows.bzz",
    "math.vec2": "vec2.bzz",
    "math.matrix": "matrix.bzz",
    "string.charat": "string.bzz",
    "string.indexoffirst": "string.bzz",
    "string.indexoflast": "string.bzz",
    "string.split": "string.bzz",
    "neighbors.collect": "neighbors.bzz",
    "neighbors.reset": "neighbors.bzz",
    "neighbors.msgs": "neighbors.bzz",
}
"""Names that the standard includes add, and the file of each."""

_NO_DEVICES = BUILT_INS.tables | {"controller"}
_HOMES = ("math", "math.rng", "string", "neighbors")
"""Libraries whose functions other languages have without a library, in the order in which they are looked for."""


def use_of(part: Node, whole: Node | None) -> Use:
    """What the expression or statement around an expression takes it for."""
    if isinstance(whole, Field | Index) and whole.table is part:
        return "table"
    return "function" if isinstance(whole, Call) and whole.function is part else "value"


def hint_of_global(name: str, known: Collection[str], host: HostNames, use: Use = "value") -> str:
    """The hint for a global. known: names that are not nil. use: what the script takes it for."""
    hint = host.absent.get(name) or _include(name) or _FOREIGN.get(name.lower()) or _home(name, known)
    if hint or name in host.globals:
        return hint
    hint = _near(name, known)
    if hint or use == "function":
        return hint
    if use == "table" and host.tables:
        return f"this robot has {_listed(host.tables - _NO_DEVICES)}"
    return host.unset(name) if host.unset is not None else ""


def hint_of_field(path: str, known: Collection[str], host: HostNames) -> str:
    """The hint for a field of a table. path: from the global on, or the field's name alone. known: fields there are."""
    table, _, name = path.rpartition(".")
    hint = host.absent.get(path) or _include(path)
    if hint:
        return hint
    entries = host.entries.get(table)
    if entries is not None and name in (entries.fields or ()):
        return f"{table} has {entries.described}: write {table}[0].{name}"
    hint = _near(name, known)
    if hint:
        return hint
    if entries is not None:
        return f"{table} has {entries.described}" + (f" with {_listed(entries.fields)}" if entries.fields else "")
    return f"{table} has {_listed(known)}" if table in host.tables and known else ""


def hint_of_entry(table: str, host: HostNames) -> str:
    """The hint for a numbered entry of a global table."""
    entries = host.entries.get(table)
    return f"{table} has {entries.described}" if entries is not None else ""


def hint_of_entry_field(name: str, table: str, host: HostNames) -> str:
    """The hint for a field of a numbered entry of a global table."""
    fields = host.entries[table].fields
    if not fields:
        return f"they are numbers: {table}[0]"
    return _near(name, fields) or f"they have {_listed(fields)}"


def _include(path: str) -> str:
    return f'write include "{INCLUDES[path]}" at the beginning' if path in INCLUDES else ""


def _home(name: str, known: Collection[str]) -> str:
    """The library that a name belongs to; not if the script seems to mean a name of its own."""
    for library in _HOMES:
        path = f"{library}.{name}"
        is_function = path in BUILT_INS.functions
        if (is_function or path in BUILT_INS.values) and (library.startswith("math") or not _near(name, known)):
            return f"write {path}(...)" if is_function else f"write {path}"
    return ""


def _near(name: str, known: Collection[str]) -> str:
    # few slips of the keyboard change the first letter
    return did_you_mean(name, {other for other in known if other[:1].lower() == name[:1].lower()}) or ""


def _listed(names: Collection[str]) -> str:
    *most, last = sorted(names)
    return f"{', '.join(most)} and {last}" if most else last
