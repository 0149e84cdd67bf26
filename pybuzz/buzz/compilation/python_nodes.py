"""Short constructors for Python's `ast`, and the placing of nodes at lines and columns of Buzz files."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pybuzz.buzz.tree import Source, Span

__all__ = [
    "FOREIGN", "Places", "assign", "assign_item", "both", "call", "choose", "class_of", "compare", "complement",
    "constant", "define", "delete_item", "either", "is_class", "is_small", "load", "minus", "negation", "operation",
    "spread", "store", "subscript", "walrus", "when",
]  # fmt: skip

FOREIGN = 1_000_000
"""Lines from another file than their code object's are numbered from FOREIGN * (index of the file + 1)."""

Placed = TypeVar("Placed", ast.expr, ast.stmt)

_SMALL = 16
_LOAD, _STORE, _DELETE = ast.Load(), ast.Store(), ast.Del()
_OPERATORS: Mapping[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "//": ast.FloorDiv(), "%": ast.Mod(),
    "**": ast.Pow(), "&": ast.BitAnd(), "|": ast.BitOr(), "<<": ast.LShift(), ">>": ast.RShift(),
}  # fmt: skip
_COMPARISONS: Mapping[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
    "is": ast.Is(), "is not": ast.IsNot(), "in": ast.In(),
}  # fmt: skip
_AND, _OR, _NOT, _MINUS, _INVERT = ast.And(), ast.Or(), ast.Not(), ast.USub(), ast.Invert()


def load(name: str) -> ast.Name:
    return ast.Name(name, _LOAD)


def store(name: str) -> ast.Name:
    return ast.Name(name, _STORE)


def constant(value: object) -> ast.expr:
    return ast.Constant(value)  # type: ignore[arg-type]


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    return ast.Call(load(function) if isinstance(function, str) else function, list(arguments), [])


def operation(left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, _OPERATORS[operator], right)


def compare(left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [_COMPARISONS[operator]], [right])


def both(*conditions: ast.expr) -> ast.expr:
    return conditions[0] if len(conditions) == 1 else ast.BoolOp(_AND, list(conditions))


def either(*conditions: ast.expr) -> ast.expr:
    return conditions[0] if len(conditions) == 1 else ast.BoolOp(_OR, list(conditions))


def negation(condition: ast.expr) -> ast.expr:
    return ast.UnaryOp(_NOT, condition)


def minus(operand: ast.expr) -> ast.expr:
    return ast.UnaryOp(_MINUS, operand)


def complement(operand: ast.expr) -> ast.expr:
    return ast.UnaryOp(_INVERT, operand)


def choose(condition: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    return ast.IfExp(condition, then, otherwise)


def walrus(name: str, value: ast.expr) -> ast.expr:
    return ast.NamedExpr(store(name), value)


def subscript(value: ast.expr, key: ast.expr) -> ast.expr:
    return ast.Subscript(value, key, _LOAD)


def is_class(value: ast.expr, name: str) -> ast.expr:
    """`value.__class__ is name`; the names of classes are those of the runtime, such as "__float"."""
    return compare(class_of(value), "is", load(name))


def class_of(value: ast.expr) -> ast.expr:
    return ast.Attribute(value, "__class__", _LOAD)


def assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([store(name)], value)


def assign_item(table: ast.expr, key: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Subscript(table, key, _STORE)], value)


def delete_item(table: ast.expr, key: ast.expr) -> ast.stmt:
    return ast.Delete([ast.Subscript(table, key, _DELETE)])


def when(condition: ast.expr, then: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
    return ast.If(condition, then, otherwise or [])


def define(name: str, parameters: Iterable[str], defaults: Iterable[ast.expr], body: list[ast.stmt]) -> ast.stmt:
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(parameter) for parameter in parameters], vararg=None, kwonlyargs=[],
        kw_defaults=[], kwarg=None, defaults=list(defaults),
    )  # fmt: skip
    return ast.FunctionDef(name, arguments, body or [ast.Pass()], [])


def is_small(node: ast.expr) -> bool:
    """Whether writing it twice, in branches of which one runs, is shorter than calling a helper."""
    return sum(1 for _ in ast.walk(node)) <= _SMALL


class Places:
    """Puts nodes at their place in the Buzz file of the code object that they will be part of."""

    def __init__(self, sources: list[Source], home: Source) -> None:
        self._home = home
        self._numbers = {source: number for number, source in enumerate(sources)}

    def at(self, span: Span, node: Placed) -> Placed:
        """`node` with the place of `span`; a place that it has already stays."""
        if not hasattr(node, "lineno"):
            start, end = span.line, span.end_line
            if span.source is not self._home:
                offset = FOREIGN * (self._numbers[span.source] + 1)
                start, end = start + offset, end + offset
            node.lineno, node.end_lineno = start, end
            node.col_offset, node.end_col_offset = span.column - 1, span.end_column - 1
        return node


def spread(statement: ast.stmt) -> None:
    """Give every part without a place the place of the part around it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        for name in node._fields:
            value = getattr(node, name, None)  # Python 3.12 adds a field, type_params, that nodes need not have
            if value.__class__ is list:
                for child in value:
                    if isinstance(child, ast.AST):
                        _inherit(child, node)
                        waiting.append(child)
            elif isinstance(value, ast.AST) and value._fields:
                # Some nodes need no place themselves (ast.arguments), but their parts do.
                _inherit(value, node)
                waiting.append(value)


def _inherit(child: ast.AST, parent: ast.AST) -> None:
    if not hasattr(child, "lineno"):
        child.lineno, child.col_offset = parent.lineno, parent.col_offset  # type: ignore[attr-defined]
        child.end_lineno, child.end_col_offset = parent.end_lineno, parent.end_col_offset  # type: ignore[attr-defined]
