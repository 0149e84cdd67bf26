"""The syntax tree: what the parser makes and every later stage reads.

Nodes compare by identity, so passes keep what they find out in dictionaries keyed by node.
Every node has a Span. Text is bytes decoded as latin-1 (one character per byte), see values.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from pybuzz.errors import Diagnostic

__all__ = [
    "Assignment", "Binary", "Block", "Call", "CallStatement", "Expression", "Field", "Float", "For",
    "FunctionDefinition", "If", "Index", "Integer", "Lambda", "Logic", "Name", "Nil", "Node", "Not", "Parameter",
    "Return", "Script", "Source", "Span", "Statement", "String", "TableConstructor", "TableEntry", "Unary",
    "VarDeclaration", "While", "children", "walk",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file of a script. `chain` is how it was included: the (including source, line) pairs, outermost last."""

    name: str
    text: str
    chain: tuple[tuple[Source, int], ...] = ()

    def line(self, number: int) -> str:
        """Line `number`, counted from 1, without its newline; empty if there is none."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """From the first character to after the last; lines and columns count from 1."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(slots=True, eq=False)
class Node:
    span: Span


class Expression(Node):
    __slots__ = ()


class Statement(Node):
    __slots__ = ()


# Expressions


@dataclass(slots=True, eq=False)
class Nil(Expression):
    pass


@dataclass(slots=True, eq=False)
class Integer(Expression):
    """Already reduced to the signed 32-bit range, a folded sign included."""

    value: int


@dataclass(slots=True, eq=False)
class Float(Expression):
    """In double precision, a folded sign included; single precision rounds when it compiles."""

    value: float


@dataclass(slots=True, eq=False)
class String(Expression):
    value: str


@dataclass(slots=True, eq=False)
class Name(Expression):
    name: str


@dataclass(slots=True, eq=False)
class Field(Expression):
    """`table.name`"""

    table: Expression
    name: str
    name_span: Span


@dataclass(slots=True, eq=False)
class Index(Expression):
    """`table[key]`"""

    table: Expression
    key: Expression


@dataclass(slots=True, eq=False)
class Call(Expression):
    function: Expression
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class Unary(Expression):
    """operator: `-`, `+` or `!` (bitwise complement)."""

    operator: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Not(Expression):
    operand: Expression


@dataclass(slots=True, eq=False)
class Binary(Expression):
    """operator: + - * / % ^ & | << >> == != < <= > >="""

    operator: str
    left: Expression
    right: Expression
    operator_span: Span


@dataclass(slots=True, eq=False)
class Logic(Expression):
    """`and`, `or`: both sides are always evaluated, the result is 1 or 0."""

    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class Parameter(Node):
    name: str


@dataclass(slots=True, eq=False)
class Lambda(Expression):
    parameters: list[Parameter]
    body: Block


@dataclass(slots=True, eq=False)
class TableEntry(Node):
    key: str | int | float
    value: Expression


@dataclass(slots=True, eq=False)
class TableConstructor(Expression):
    entries: list[TableEntry]


# Statements


@dataclass(slots=True, eq=False)
class Block(Node):
    """`braced` blocks are scopes; an unbraced body is a block of one statement or none."""

    statements: list[Statement]
    braced: bool


@dataclass(slots=True, eq=False)
class VarDeclaration(Statement):
    name: str
    name_span: Span
    value: Expression | None


@dataclass(slots=True, eq=False)
class FunctionDefinition(Statement):
    """A named function. Only at file level outside braces."""

    name: str
    name_span: Span
    parameters: list[Parameter]
    docstring: str | None
    body: Block


@dataclass(slots=True, eq=False)
class If(Statement):
    condition: Expression
    then: Block
    otherwise: Block | None


@dataclass(slots=True, eq=False)
class While(Statement):
    condition: Expression
    body: Block


@dataclass(slots=True, eq=False)
class For(Statement):
    """`for(initial, condition, update) body`; initial and update are Assignment, CallStatement or Return."""

    initial: Statement
    condition: Expression
    update: Statement
    body: Block


@dataclass(slots=True, eq=False)
class Return(Statement):
    value: Expression | None


@dataclass(slots=True, eq=False)
class Assignment(Statement):
    """target: Name, Field or Index."""

    target: Expression
    value: Expression


@dataclass(slots=True, eq=False)
class CallStatement(Statement):
    call: Call


@dataclass(slots=True, eq=False)
class Script(Node):
    """A whole program with its includes spliced in.

    `sources`: the main file first. `warnings`: what the parser noticed.
    """

    statements: list[Statement]
    sources: list[Source]
    warnings: list[Diagnostic] = field(default_factory=list)


def children(node: Node) -> list[Node]:
    """The nodes directly inside a node, in source order."""
    found = []
    kind: Any = type(node)
    for name in _child_fields(kind):
        part = getattr(node, name)
        for child in part if isinstance(part, list) else (part,):
            if isinstance(child, Node):
                found.append(child)
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and everything in it, in source order."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(children(part))


@cache
def _child_fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "span")
