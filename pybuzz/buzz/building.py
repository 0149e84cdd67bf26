"""The parser's callbacks: they make the nodes of tree.py, with exact spans, as the grammar's rules are recognised.

Each method is called by Lark with the list of a rule's parts: tokens, and what other methods returned.
"""

from __future__ import annotations

from typing import Any

from pybuzz.buzz.tokens import Token
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    Call,
    CallStatement,
    Expression,
    Field,
    Float,
    For,
    FunctionDefinition,
    If,
    Index,
    Integer,
    Lambda,
    Logic,
    Name,
    Nil,
    Node,
    Not,
    Parameter,
    Return,
    Span,
    Statement,
    String,
    TableConstructor,
    TableEntry,
    Unary,
    VarDeclaration,
    While,
)

__all__ = ["DEEPEST", "TooDeepError", "TreeBuilder"]

DEEPEST = 200
"""Levels of a tree, and operands in a row: what Python's own stack can bear in the stages that follow."""

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 3, "^": 4, "<<": 5, ">>": 5, "&": 6, "|": 6}
_POWER = _STRENGTH["^"]
_LOOSEST = 1

_Parts = list[Any]


class TooDeepError(Exception):
    """An expression that is too long; never leaves the parser."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


class TreeBuilder:
    """One method for each rule, and each alias, of grammar.lark."""

    def script(self, parts: _Parts) -> list[Statement]:
        statements: list[Statement] = parts[0]
        return statements

    # Lists

    def nothing(self, parts: _Parts) -> _Parts:
        return parts

    def first(self, parts: _Parts) -> _Parts:
        return parts

    def more(self, parts: _Parts) -> _Parts:
        parts[0].append(parts[1])
        found: _Parts = parts[0]
        return found

    def further(self, parts: _Parts) -> _Parts:
        parts[0].append(parts[2])
        found: _Parts = parts[0]
        return found

    # Statements

    def declaration(self, parts: _Parts) -> VarDeclaration:
        name, value = parts[1], parts[3] if len(parts) > 2 else None
        return VarDeclaration(_from_to(parts[0], value or name), name.text, name.span, value)

    def definition(self, parts: _Parts) -> FunctionDefinition:
        name, parameters, body = parts[1], parts[3], parts[-1]
        docstring = parts[5].value if len(parts) > 6 else None
        return FunctionDefinition(_from_to(parts[0], body), name.text, name.span, parameters, docstring, body)

    def branch(self, parts: _Parts) -> If:
        otherwise = parts[6] if len(parts) > 5 else None
        return If(_from_to(parts[0], parts[-1]), parts[2], parts[4], otherwise)

    def loop(self, parts: _Parts) -> While:
        return While(_from_to(parts[0], parts[4]), parts[2], parts[4])

    def counted_loop(self, parts: _Parts) -> For:
        return For(_from_to(parts[0], parts[8]), parts[2], parts[4], parts[6], parts[8])

    def give(self, parts: _Parts) -> Return:
        return Return(_from_to(parts[0], parts[-1]), parts[1] if len(parts) > 1 else None)

    def assignment(self, parts: _Parts) -> Assignment:
        return Assignment(_from_to(parts[0], parts[2]), parts[0], parts[2])

    def call_statement(self, parts: _Parts) -> CallStatement:
        return CallStatement(parts[0].span, parts[0])

    def block(self, parts: _Parts) -> Block:
        return Block(_from_to(parts[0], parts[2]), parts[1], braced=True)

    def single(self, parts: _Parts) -> Block:
        return Block(parts[0].span, parts, braced=False)

    def empty(self, parts: _Parts) -> Block:
        return Block(parts[0].span, [], braced=False)

    def parameter(self, parts: _Parts) -> Parameter:
        return Parameter(parts[0].span, parts[0].text)

    # Conditions

    def negation(self, parts: _Parts) -> Not:
        return Not(_from_to(parts[0], parts[1]), parts[1])

    def logic(self, parts: _Parts) -> Logic:
        return Logic(_from_to(parts[0], parts[2]), parts[1].text, parts[0], parts[2])

    def comparison(self, parts: _Parts) -> Binary:
        return _binary(parts[0], parts[1], parts[2])

    # Expressions

    def chained(self, parts: _Parts) -> _Parts:
        row: _Parts = parts[0]
        row += parts[1:]
        return row

    def ordered(self, parts: _Parts) -> Expression:
        row = parts[0]
        operand = row[0]
        if len(row) == 1 and operand.__class__ is not _Prefixed:
            found: Expression = operand
            return found
        if len(row) > 2 * DEEPEST:
            raise TooDeepError(row[1].span)
        return _Row(row).expression(_LOOSEST)

    def prefixed(self, parts: _Parts) -> _Prefixed:
        found = _Prefixed(parts[0], parts[1])
        if found.level > DEEPEST:
            raise TooDeepError(parts[0].span)
        return found

    def itself(self, parts: _Parts) -> Expression:
        reference: Expression = parts[0]
        return reference

    def nil(self, parts: _Parts) -> Nil:
        return Nil(parts[0].span)

    def number(self, parts: _Parts) -> Integer | Float:
        value = parts[0].value
        return Integer(parts[0].span, value) if isinstance(value, int) else Float(parts[0].span, value)

    def string(self, parts: _Parts) -> String:
        return String(parts[0].span, parts[0].value)

    def group(self, parts: _Parts) -> Expression:
        inner: Expression = parts[1]
        inner.span = _from_to(parts[0], parts[2])
        return inner

    def closure(self, parts: _Parts) -> Lambda:
        return Lambda(_from_to(parts[0], parts[4]), parts[2], parts[4])

    def name(self, parts: _Parts) -> Name:
        return Name(parts[0].span, parts[0].text)

    def field(self, parts: _Parts) -> Field:
        return Field(_from_to(parts[0], parts[2]), parts[0], parts[2].text, parts[2].span)

    def index(self, parts: _Parts) -> Index:
        return Index(_from_to(parts[0], parts[3]), parts[0], parts[2])

    def call(self, parts: _Parts) -> Call:
        arguments = parts[2] if len(parts) > 3 else []
        return Call(_from_to(parts[0], parts[-1]), parts[0], arguments)

    def table(self, parts: _Parts) -> TableConstructor:
        entries = parts[1] if len(parts) > 2 else []
        return TableConstructor(_from_to(parts[0], parts[-1]), entries)

    def entry(self, parts: _Parts) -> TableEntry:
        key = parts[1].value if parts[1].type == "NUMBER" else parts[1].text
        return TableEntry(_from_to(parts[0], parts[3]), key, parts[3])


class _Prefixed:
    """A sign or `!` before an operand whose extent is not known yet."""

    __slots__ = ("level", "operand", "sign")

    def __init__(self, sign: Token, operand: Expression | _Prefixed) -> None:
        self.sign = sign
        self.operand = operand
        self.level: int = operand.level + 1 if isinstance(operand, _Prefixed) else 1


class _Row:
    """Orders `operand operator operand ...` by precedence, from left to right."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts
        self._position = 0

    def expression(self, strength: int) -> Expression:
        left = self._operand(self._take())
        while self._position < len(self._parts):
            operator = self._parts[self._position]
            found = _STRENGTH[operator.text]
            if found < strength:
                break
            self._position += 1
            # `^` groups to the right, all others to the left
            left = _binary(left, operator, self.expression(found if found == _POWER else found + 1))
        return left

    def _take(self) -> Any:
        self._position += 1
        return self._parts[self._position - 1]

    def _operand(self, part: Expression | _Prefixed) -> Expression:
        if not isinstance(part, _Prefixed):
            return part
        if part.sign.text == "!":
            operand = self._operand(part.operand)
        else:
            # a sign takes a whole power, with all that binds tighter
            self._position -= 1
            self._parts[self._position] = part.operand
            operand = self.expression(_POWER)
        return Unary(_from_to(part.sign, operand), part.sign.text, operand)


def _binary(left: Expression, operator: Token, right: Expression) -> Binary:
    return Binary(_from_to(left, right), operator.text, left, right, operator.span)


def _from_to(first: Token | Node, last: Token | Node) -> Span:
    start = first.span if isinstance(first, Node) else first
    end = last.span if isinstance(last, Node) else last
    if start.source is not end.source:
        # an include stands within the construct: mark what is in the file where it begins
        return Span(start.source, start.line, start.column, start.end_line, start.end_column)
    return Span(start.source, start.line, start.column, end.end_line, end.end_column)
