"""Stores into tables, and table constructors, in line.

Where tables may be walked, the order of stores matters: an update moves its key to the end of its bucket. A record, a
table none of whose keys shares a bucket, is written in place; an ordinary table forgets an integer key before it is
stored again. All else, and what needs binding (closures) or removing (nil), goes to a helper.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.expressions import lambda_value
from pybuzz.buzz.compilation.facts import is_quiet
from pybuzz.buzz.compilation.python_nodes import (
    assign,
    assign_item,
    both,
    call,
    choose,
    class_of,
    compare,
    constant,
    delete_item,
    either,
    is_class,
    load,
    walrus,
    when,
)
from pybuzz.buzz.compilation.types import CLOSURE, INTEGER, NIL, STRING, Types
from pybuzz.buzz.strings import bucket_of_number
from pybuzz.buzz.tree import Binary, Expression, Field, Index, Lambda, Name, TableConstructor, TableEntry

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["constructed", "constructed_first", "stored"]

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>"))
_BUCKETS = 10


def stored(writer: Writer, target: Field | Index, value: Expression) -> list[ast.stmt]:
    """The statements of `table.key = value`. The table is evaluated first, then the key, then the value."""
    store = _Store(writer, target, value)
    written = store.written()
    return writer.placed(target.span, written)


class _Store:
    """One store: its operands, settled in Buzz's order, and the tests that allow writing directly."""

    def __init__(self, writer: Writer, target: Field | Index, value: Expression) -> None:
        self._writer = writer
        self._target = target
        self._value_node = value
        self._before: list[ast.stmt] = []
        self._value_types = writer.types_of(value)
        self._key_types: Types = STRING if isinstance(target, Field) else writer.types_of(target.key)

    def written(self) -> list[ast.stmt]:
        self._settle()
        tests = [*self._key_tests(), *self._value_tests()]
        helper = ast.Expr(call("__store", self._table, self._key, self._value))
        if not self._writer.facts.walks_tables:
            return [*self._before, *self._unless(tests, [self._direct()], helper)]
        if isinstance(self._target, Field):
            has_key = [] if self._was_just_read() else [compare(self._key, "in", self._table)]
            tests = [is_class(self._table, "__Record"), *has_key, *tests]
            return [*self._before, *self._unless(tests, [self._direct()], helper)]
        if not self._key_types & INTEGER:
            return [*self._before, helper]
        tests = [is_class(self._table, "__Table"), *tests]
        moved = [when(compare(self._key, "in", self._table), [delete_item(self._table, self._key)]), self._direct()]
        return [*self._before, *self._unless(tests, moved, helper)]

    def _was_just_read(self) -> bool:
        """Whether the value was calculated from the field itself, as in `t.x = t.x + 1`: then the key is there."""
        target = self._target
        if not isinstance(target, Field) or not isinstance(target.table, Name) or not is_quiet(self._value_node):
            return False
        table, name = target.table.name, target.name
        return any(
            isinstance(operand, Field)
            and operand.name == name
            and isinstance(operand.table, Name)
            and operand.table.name == table
            for operand in _operands(self._value_node)
        )

    def _direct(self) -> ast.stmt:
        return self._writer.places.at(self._target.span, assign_item(self._table, self._key, self._value))

    def _unless(self, tests: list[ast.expr], direct: list[ast.stmt], helper: ast.stmt) -> list[ast.stmt]:
        return [when(both(*tests), direct, [helper])] if tests else direct

    def _key_tests(self) -> list[ast.expr]:
        """That the key is an integer, or without walking perhaps a string: what Python's dicts treat as Buzz does."""
        types = self._key_types
        allowed = INTEGER if self._writer.facts.walks_tables and isinstance(self._target, Index) else INTEGER | STRING
        if not types & ~allowed:
            return []
        names = [name for name, bit in (("__int", INTEGER), ("__str", STRING)) if types & bit & allowed]
        return [either(*(is_class(self._key, name) for name in names))] if names else [constant(False)]

    def _value_tests(self) -> list[ast.expr]:
        if isinstance(self._value_node, Lambda):
            return []
        return _tests(self._writer, self._value, self._value, self._value_node)

    # Operands

    def _settle(self) -> None:
        writer, target = self._writer, self._target
        calm = is_quiet(self._value_node) and (isinstance(target, Field) or is_quiet(target.key))
        self._table = self._settled(target.table, calm, span_of=target.table)
        if isinstance(target, Field):
            self._key: ast.expr = constant(target.name)
        else:
            self._key = self._settled(target.key, is_quiet(self._value_node), span_of=target.key)
        if isinstance(self._value_node, Lambda):
            self._value = writer.places.at(self._value_node.span, lambda_value(writer, self._value_node, self._table))
            return
        tested = writer.facts.walks_tables or self._key_tests() or self._value_types & (NIL | CLOSURE)
        value = writer.value(self._value_node)
        if not tested or isinstance(value, ast.Constant):
            self._value = value
        else:
            self._value = self._settled(self._value_node, True, span_of=self._value_node, written=value)

    def _settled(
        self, node: Expression, calm: bool, *, span_of: Expression, written: ast.expr | None = None
    ) -> ast.expr:
        """A name or constant for an operand, assigned before if it is anything else."""
        writer = self._writer
        value = writer.value(node) if written is None else written
        first, again = writer.twice(value, calm)
        if isinstance(first, ast.NamedExpr):
            name = first.target.id
            self._before.append(writer.places.at(span_of.span, assign(name, first.value)))
        return again


def _operands(node: Expression) -> Iterator[Expression]:
    """What arithmetic calculates with, and fails on if it is nil."""
    if isinstance(node, Binary) and node.operator in _ARITHMETIC:
        yield from _operands(node.left)
        yield from _operands(node.right)
    else:
        yield node


def _tests(writer: Writer, first: ast.expr, again: ast.expr, node: Expression) -> list[ast.expr]:
    """That a value is neither nil, which would remove, nor a closure, which would have to be bound."""
    types = writer.types_of(node)
    if not types & CLOSURE:
        return [compare(first, "is not", constant(None))] if types & NIL else []
    is_no_closure = compare(class_of(again if types & NIL else first), "is not", load("__closure"))
    return [compare(first, "is not", constant(None)), is_no_closure] if types & NIL else [is_no_closure]


# Constructors


def constructed(writer: Writer, node: TableConstructor) -> ast.expr:
    """A new table, filled entry by entry, which is cheaper than a copy of a dict. A record if no two keys share a
    bucket."""
    made, entries = _construction(writer, node)
    # Python takes an empty table for false, and None, which setting an item gives.
    return either(made, *entries, load(made.target.id)) if isinstance(made, ast.NamedExpr) else made


def constructed_first(writer: Writer, node: TableConstructor) -> tuple[list[ast.stmt], ast.expr]:
    """The same as statements and a name, which takes a fifth less time."""
    made, entries = _construction(writer, node)
    if not isinstance(made, ast.NamedExpr):
        return [], made
    filled = [assign_item(*entry.args) if isinstance(entry, ast.Call) else ast.Expr(entry) for entry in entries]
    return [assign(made.target.id, made.value), *filled], load(made.target.id)


def _construction(writer: Writer, node: TableConstructor) -> tuple[ast.expr, list[ast.expr]]:
    """An empty table under a name, and what adds each entry; or the whole table and nothing."""
    keys = [entry.key for entry in node.entries]
    if len(set(keys)) < len(keys) or any(isinstance(key, float) for key in keys):
        return _by_helper(writer, node), []
    if not keys:
        return call("__Table"), []
    name = writer.temporary()
    made = walrus(name, call("__Record" if _share_no_bucket(writer, keys) else "__Table"))
    return made, [_entry(writer, name, entry) for entry in node.entries]


def _entry(writer: Writer, table: str, entry: TableEntry) -> ast.expr:
    """Setting an item, by a call or after a test."""
    key, value = constant(entry.key), entry.value
    if isinstance(value, Lambda):
        closure = writer.places.at(value.span, lambda_value(writer, value, load(table)))
        return call("__set_item", load(table), key, closure)
    written = writer.value(value)
    first, again = writer.twice(written, calm=True)
    tests = _tests(writer, first, again, value)
    if not tests:
        return call("__set_item", load(table), key, written)
    direct = call("__set_item", load(table), key, again)
    return choose(both(*tests), direct, call("__add_entry", load(table), key, again))


def _by_helper(writer: Writer, node: TableConstructor) -> ast.expr:
    parts = [part for entry in node.entries for part in (writer.literal(entry.key), writer.value(entry.value))]
    return call("__new_table", *parts)


def _share_no_bucket(writer: Writer, keys: list[str | int | float]) -> bool:
    buckets = {_bucket(writer, key) for key in keys}
    return len(buckets) == len(keys)


def _bucket(writer: Writer, key: str | int | float) -> int:
    return writer.facts.string_ids[key] % _BUCKETS if isinstance(key, str) else bucket_of_number(key)
