"""Tables of the host of which a script reads no more than numbers, as `table[key].field`, or as `table.some.name`.

Its code needs no tables, but a list per field, or one list for all names. The host announces the tables of which it can
give such columns or such a row. Any other mention, even of one entry without a field, leaves all of that table to be
read as a table. Only the size of a table with columns may be asked for.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Final

from pybuzz.buzz.compilation.facts import ROW, Facts, ListRead
from pybuzz.buzz.compilation.python_nodes import both, call, choose, compare, constant, is_class, load, subscript
from pybuzz.buzz.compilation.ranges import range_of_value
from pybuzz.buzz.compilation.types import INTEGER
from pybuzz.buzz.tree import (
    Assignment,
    Call,
    Expression,
    Field,
    FunctionDefinition,
    Name,
    Node,
    Script,
    VarDeclaration,
    walk,
)

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["column_name", "column_size", "list_item", "with_lists"]

_NOWHERE: Final = 2**31 - 1
"""A place that no list has."""


def with_lists(
    script: Script, facts: Facts, columns: Mapping[str, Collection[str]], rows: Mapping[str, Sequence[str]]
) -> Facts:
    """Facts with those of these tables that the script only reads in these ways. Needs `tampered`."""
    announced = {**columns, **dict.fromkeys(rows, (ROW,))}
    candidates = announced.keys() & facts.scopes.globals
    if not candidates:
        return facts
    facts = replace(facts, columns=announced, rows=rows)
    mentions, reads, sizes = Counter[str](), Counter[str](), Counter[str]()
    for node in walk(script):
        mentions[_named(node, facts)] += 1
        if isinstance(node, Assignment):
            reads[_read(node.target, facts)] -= 1
        elif isinstance(node, Call):
            sizes[facts.sized_columns(node) or ""] += 1
        else:
            reads[_read(node, facts)] += 1
    # A table of which a script only takes the size may be one without fields.
    found = {name for name in candidates if reads[name] and mentions[name] == reads[name] + sizes[name]}
    return replace(
        facts,
        columns={name: announced[name] for name in found},
        rows={name: rows[name] for name in found & rows.keys()},
    )


def _named(node: Node, facts: Facts) -> str:
    """The global that a node names by itself, defines or declares; empty if none."""
    is_naming = isinstance(node, Name | VarDeclaration | FunctionDefinition)
    return node.name if is_naming and node not in facts.scopes.variables else ""  # type: ignore[attr-defined]


def _read(node: Node, facts: Facts) -> str:
    """The table of which a node reads a number that a list may hold; empty if it does something else."""
    read = facts.list_read(node) if isinstance(node, Field) else None
    return read.table if read is not None and read.field in facts.columns[read.table] else ""


@cache
def column_name(table: str, field: str) -> str:
    """The Python global that holds the list of a field: one and the same string for all who use it."""
    return intern(f"__{table}_{field}")


def list_item(writer: Writer, read: ListRead) -> ast.expr:
    """The item of a list. Where there is none Python's IndexError stands for the field of nil."""
    entry = read.entry
    place = constant(read.place) if entry is None else writer.places.at(entry.span, _place(writer, entry.key))
    return subscript(load(column_name(read.table, read.field)), place)


def column_size(writer: Writer, table: str) -> ast.expr:
    """The number of entries."""
    field, *_ = writer.facts.columns[table]
    return call("__len", load(column_name(table, field)))


def _place(writer: Writer, key: Expression) -> ast.expr:
    """Where in a list the entry under a key is: Python would count negative ones from the end."""
    value = writer.value(key)
    is_integer = writer.types_of(key) == INTEGER
    if is_integer and range_of_value(writer, key)[0] >= 0:
        return value
    first, again = writer.twice(value, calm=True)
    if is_integer:
        return choose(compare(first, ">=", constant(0)), again, constant(_NOWHERE))
    is_place = both(is_class(first, "__int"), compare(again, ">=", constant(0)))
    return choose(is_place, again, call("__place", again))
