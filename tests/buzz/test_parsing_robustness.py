"""Whatever the bytes: a tree or a ScriptError, and soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import program_texts

from pybuzz.buzz.parsing import parse
from pybuzz.errors import ScriptError

_PIECES = [
    *("var", "if", "else", "function", "return", "for", "while", "and", "or", "not", "nil", "include"),
    *("x", "f", "t", "1", "2.5", "'a'", '"b"', "elseif", "break"),
    *"{}()[],.=;+-*/%^&|!<#@\"'\\_:\n",
    *("<<", ">>", "<=", "==", "!=", "\n"),
]


def _diagnostics(text: str) -> str:
    try:
        parse("noise.bzz", text)
    except ScriptError as error:
        return str(error)
    return ""


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_random_bytes_give_a_tree_or_a_script_error(noise: bytes) -> None:
    _diagnostics(noise.decode("latin-1"))


@given(st.lists(st.sampled_from(_PIECES), max_size=60).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_random_tokens_give_a_tree_or_a_script_error(text: str) -> None:
    _diagnostics(text)


@given(program_texts(), st.integers(0, 500), st.integers(0, 30), st.sampled_from([*_PIECES, ""]))
@settings(max_examples=300, deadline=None)
def test_damaged_programs_give_a_tree_or_a_script_error(text: str, start: int, length: int, piece: str) -> None:
    _diagnostics(text[:start] + piece + text[start + length :])


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20000,
        "x = " + "(" * 20000 + "1" + ")" * 20000,
        "x = " + "-" * 20000 + "a",
        "x = " + "!" * 20000 + "a",
        "x = a" + " ^ a" * 20000,
        "x = a" + "[a" * 5000 + "]" * 5000,
        "x = f" + "()" * 5000,
        "x = " + "{.a = " * 5000 + "1" + "}" * 5000,
        "if(x) " * 20000 + "f()",
        "if(x) { f() } else " * 5000 + "{ }",
        "x = " + "function() { return " * 5000 + "1" + " }" * 5000,
        "f(" * 5000,
        "}" * 20000,
        '"' * 20001,
        "include '" * 5001,
        "1.2.3 " * 20000,
        "x = = 1\n" * 20000,
    ],
    ids=lambda text: text[:20],
)
def test_extremes_end_within_seconds(text: str) -> None:
    start = time.perf_counter()
    _diagnostics(text)
    assert time.perf_counter() - start < 10
