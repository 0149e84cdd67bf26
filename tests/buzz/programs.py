"""Random Buzz programs for property tests.

    @given(programs())            trees, as the parser could have made them
    @given(program_texts())       the same as text

Programs use few names, so that what is written somewhere is read elsewhere. Loops may be endless and calls may fail:
run them with a budget.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from pybuzz.buzz.printing import buzz_text
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
    Script,
    Source,
    Span,
    Statement,
    String,
    TableConstructor,
    TableEntry,
    Unary,
    VarDeclaration,
    While,
)

_SOURCE = Source("random.bzz", "")
_SPAN = Span(_SOURCE, 1, 1, 1, 1)
_GLOBALS = ("a", "b", "t", "f", "g", "log", "math")
_LOCALS = ("x", "y", "z")
_FIELDS = ("p", "q", "abs", "size")
_ARITHMETIC = ("+", "-", "*", "/", "%", "^", "<<", ">>", "&", "|")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

names = st.sampled_from(_GLOBALS + _LOCALS)
integers = st.integers(-3, 9) | st.integers(-(2**31), 2**31 - 1)
floats = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.5, -1.5, 2.0])
strings = st.text(st.characters(max_codepoint=255), max_size=6)
keys = st.sampled_from(_FIELDS) | st.integers(-(2**31), 2**31 - 1) | st.floats(0, 1e6)


def same(left: Any, right: Any) -> bool:
    """Whether two trees are equal but for their spans."""
    if isinstance(left, Node):
        return type(left) is type(right) and all(
            same(getattr(left, field.name), getattr(right, field.name))
            for field in fields(left)  # type: ignore[arg-type]
            if not field.name.endswith("span") and field.name not in {"sources", "warnings"}
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and (left == right) and repr(left) == repr(right)


def literals() -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.just(None).map(lambda _: Nil(_SPAN)),
        integers.map(lambda value: Integer(_SPAN, value)),
        floats.map(lambda value: Float(_SPAN, value)),
        strings.map(lambda value: String(_SPAN, value)),
        names.map(lambda name: Name(_SPAN, name)),
    )


def references(depth: int) -> st.SearchStrategy[Expression]:
    name = names.map(lambda name: Name(_SPAN, name))
    if depth <= 0:
        return name
    inner = references(depth - 1)
    return st.one_of(name, targets(depth), calls(depth, inner))


def targets(depth: int) -> st.SearchStrategy[Expression]:
    name = names.map(lambda name: Name(_SPAN, name))
    if depth <= 0:
        return name
    inner = references(depth - 1)
    return st.one_of(
        name,
        st.builds(lambda table, name: Field(_SPAN, table, name, _SPAN), inner, st.sampled_from(_FIELDS)),
        st.builds(lambda table, key: Index(_SPAN, table, key), inner, expressions(depth - 1)),
    )


def calls(depth: int, functions: st.SearchStrategy[Expression]) -> st.SearchStrategy[Call]:
    arguments = st.lists(expressions(depth - 1), max_size=3)
    return st.builds(lambda function, given: Call(_SPAN, function, given), functions, arguments)


def expressions(depth: int) -> st.SearchStrategy[Expression]:
    """Expressions of at most about `depth` levels."""
    if depth <= 0:
        return literals()
    inner = st.deferred(lambda: expressions(depth - 1))
    entries = st.lists(st.builds(lambda key, value: TableEntry(_SPAN, key, value), keys, inner), max_size=3)
    return st.one_of(
        literals(),
        references(depth),
        st.builds(lambda o, a, b: Binary(_SPAN, o, a, b, _SPAN), st.sampled_from(_ARITHMETIC), inner, inner),
        st.builds(lambda o, a, b: Binary(_SPAN, o, a, b, _SPAN), st.sampled_from(_COMPARISONS), inner, inner),
        st.builds(lambda o, a, b: Logic(_SPAN, o, a, b), st.sampled_from(["and", "or"]), inner, inner),
        st.builds(lambda o, a: Unary(_SPAN, o, a), st.sampled_from(["-", "+", "!"]), inner),
        inner.map(lambda operand: Not(_SPAN, operand)),
        entries.map(lambda found: TableConstructor(_SPAN, found)),
        st.builds(lambda names, body: Lambda(_SPAN, _parameters(names), body), _name_lists(), blocks(depth - 1)),
    )


def simple_statements(depth: int) -> st.SearchStrategy[Statement]:
    value = expressions(depth)
    call = calls(max(depth, 1), references(depth - 1))
    return st.one_of(
        st.builds(lambda target, value: Assignment(_SPAN, target, value), targets(depth), value),
        call.map(lambda found: CallStatement(_SPAN, found)),
        (st.none() | value).map(lambda found: Return(_SPAN, found)),
    )


def statements(depth: int) -> st.SearchStrategy[Statement]:
    """Statements as they may stand in a function: no named functions."""
    simple = simple_statements(depth)
    var = st.builds(
        lambda name, value: VarDeclaration(_SPAN, name, _SPAN, value),
        st.sampled_from(_LOCALS),
        st.none() | expressions(depth),
    )
    if depth <= 0:
        return simple | var
    condition, body = expressions(depth - 1), bodies(depth - 1)
    return st.one_of(
        simple,
        var,
        st.builds(lambda c, b: If(_SPAN, c, b, None), condition, body),
        st.builds(lambda c, b, e: If(_SPAN, c, b, e), condition, blocks(depth - 1), blocks(depth - 1)),
        st.builds(lambda c, s, e: If(_SPAN, c, _alone(s), e), condition, simple, _else_bodies(depth - 1)),
        st.builds(lambda c, b: While(_SPAN, c, b), condition, body),
        st.builds(lambda i, c, u, b: For(_SPAN, i, c, u, b), simple, condition, simple, body),
    )


def blocks(depth: int) -> st.SearchStrategy[Block]:
    inner = st.deferred(lambda: statements(depth))
    return st.lists(inner, max_size=3).map(lambda found: Block(_SPAN, found, braced=True))


def bodies(depth: int) -> st.SearchStrategy[Block]:
    empty = st.just(None).map(lambda _: Block(_SPAN, [], braced=False))
    return st.one_of(blocks(depth), st.deferred(lambda: statements(depth)).map(_alone), empty)


def _else_bodies(depth: int) -> st.SearchStrategy[Block]:
    return blocks(depth) | st.deferred(lambda: statements(depth)).map(_alone)


def definitions(depth: int) -> st.SearchStrategy[Statement]:
    return st.builds(
        lambda name, given, docstring, body: FunctionDefinition(
            _SPAN, name, _SPAN, _parameters(given), docstring, body
        ),
        st.sampled_from(["f", "g", "step"]),
        _name_lists(),
        st.none() | strings,
        blocks(depth),
    )


def programs(depth: int = 2) -> st.SearchStrategy[Script]:
    """Whole programs."""
    found = st.lists(statements(depth) | definitions(depth), max_size=6)
    return found.map(lambda statements: Script(_SPAN, statements, [_SOURCE]))


def program_texts(depth: int = 2) -> st.SearchStrategy[str]:
    """Whole programs as text, one character per byte."""
    return programs(depth).map(buzz_text)


def _name_lists() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(_LOCALS), max_size=2)


def _parameters(given: list[str]) -> list[Parameter]:
    return [Parameter(_SPAN, name) for name in given]


def _alone(statement: Statement) -> Block:
    return Block(_SPAN, [statement], braced=False)
