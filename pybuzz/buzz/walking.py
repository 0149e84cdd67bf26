"""Going through a syntax tree without recursion, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    Call,
    CallStatement,
    Field,
    For,
    FunctionDefinition,
    If,
    Index,
    Lambda,
    Logic,
    Node,
    Not,
    Return,
    Script,
    TableConstructor,
    TableEntry,
    Unary,
    VarDeclaration,
    While,
)

__all__ = ["children", "depth", "walk"]

_PARTS: dict[type[Node], tuple[str, ...]] = {
    Field: ("table",),
    Index: ("table", "key"),
    Call: ("function", "arguments"),
    Unary: ("operand",),
    Not: ("operand",),
    Binary: ("left", "right"),
    Logic: ("left", "right"),
    Lambda: ("parameters", "body"),
    TableEntry: ("value",),
    TableConstructor: ("entries",),
    Block: ("statements",),
    VarDeclaration: ("value",),
    FunctionDefinition: ("parameters", "body"),
    If: ("condition", "then", "otherwise"),
    While: ("condition", "body"),
    For: ("initial", "condition", "update", "body"),
    Return: ("value",),
    Assignment: ("target", "value"),
    CallStatement: ("call",),
    Script: ("statements",),
}


def children(node: Node) -> list[Node]:
    """The nodes directly within a node."""
    found: list[Node] = []
    for name in _PARTS.get(node.__class__, ()):
        part = getattr(node, name)
        if part.__class__ is list:
            found += part
        elif part is not None:
            found.append(part)
    return found


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes within it, each before its parts."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(children(current))


def depth(node: Node) -> tuple[int, Node]:
    """How many nodes lie within each other at the deepest place, and the node there."""
    deepest, where = 0, node
    waiting = [(node, 1)]
    while waiting:
        current, level = waiting.pop()
        if level > deepest:
            deepest, where = level, current
        waiting += [(part, level + 1) for part in children(current)]
    return deepest, where
