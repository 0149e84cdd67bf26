"""The token pass: what characters mean before the grammar sees them."""

from __future__ import annotations

import pytest

from pybuzz.buzz.tokens import Fault, Token, scan, with_roles
from pybuzz.buzz.tree import Source


def _tokens(text: str) -> list[Token]:
    return list(scan(Source("test.bzz", text), []))


def _faults(text: str) -> list[Fault]:
    faults: list[Fault] = []
    list(scan(Source("test.bzz", text), faults))
    return faults


def _settled(text: str) -> list[tuple[str, str]]:
    return [(token.type, token.text) for token in with_roles(_tokens(text))][:-1]


def test_every_token_knows_where_it_stands() -> None:
    tokens = _tokens('a = "x\ny" b')
    assert [(t.line, t.column, t.end_line, t.end_column) for t in tokens[:-1]] == [
        (1, 1, 1, 2),
        (1, 3, 1, 4),
        (1, 5, 2, 3),
        (2, 4, 2, 5),
    ]


def test_a_token_remembers_the_first_separator_before_it() -> None:
    tokens = _tokens("a b;\nc # ;\n;d")
    assert [token.separator for token in tokens[:4]] == ["", "", ";", "\n"]
    assert [token.starts_line for token in tokens[:4]] == [True, False, True, True]


def test_keywords_are_case_sensitive() -> None:
    assert [token.type for token in _tokens("if If nil nilly")[:-1]] == ["IF", "NAME", "NIL", "NAME"]


def test_a_sign_is_folded_only_where_an_operand_begins() -> None:
    assert _settled("a - 1 * -2") == [
        ("NAME", "a"), ("OPERATOR", "-"), ("NUMBER", "1"), ("OPERATOR", "*"), ("NUMBER", "-2"),
    ]  # fmt: skip


def test_a_sign_before_a_name_is_a_prefix() -> None:
    assert _settled("= -a")[1:] == [("PREFIX", "-"), ("NAME", "a")]


def test_a_key_of_a_table_takes_no_sign() -> None:
    assert ("OPERATOR", "-") in _settled("{.-1 = 2}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("return }", "RETURN_NOTHING"),
        ("return\nx", "RETURN_NOTHING"),
        ("return; x", "RETURN_NOTHING"),
        ("return", "RETURN_NOTHING"),
        ("return x", "RETURN"),
    ],
)
def test_return_has_a_value_only_if_one_follows_on_its_line(text: str, kind: str) -> None:
    assert _settled(text)[0][0] == kind


@pytest.mark.parametrize(
    ("text", "is_empty"),
    [("if(x);", True), ("while(f(x)); y", True), ("if(x)\n;", False), ("{ if(x) }", True), ("f(x);", False)],
)
def test_a_body_is_empty_before_a_semicolon_or_brace(text: str, is_empty: bool) -> None:
    assert (("EMPTY", "") in _settled(text)) == is_empty


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("_z", "unknown character '_' (octal: 137; hex: 5f)"),
        ("@", "unknown character '@' (octal: 100; hex: 40)"),
        ("\xc3\xa9", "unknown character 'é' (octal: 303; hex: c3)"),
        ('"abc', "string closing quote not found"),
        ("include 3", "expected string after include"),
        ('include "abc', "expected end of string"),
    ],
)
def test_faulty_characters_are_named(text: str, message: str) -> None:
    assert _faults(text)[0].text == message


@pytest.mark.parametrize(
    ("text", "value"), [("0.25.", 0.25), ("1.5.7", 1.5), ("0..02", 0.0), ("007", 7), ("3...", 3.0)]
)
def test_of_several_decimal_points_only_the_first_counts(text: str, value: float) -> None:
    assert (_tokens(text)[0].value, _faults(text)) == (value, [])


def test_a_string_keeps_its_bytes() -> None:
    assert _tokens('"caf\xc3\xa8 \' \x00"')[0].value == "caf\xc3\xa8 ' \x00"


def test_an_escaped_backslash_does_not_escape_the_quote() -> None:
    assert _tokens(r'"a\\" b')[0].value == "a\\"


def test_a_byte_order_mark_is_skipped() -> None:
    assert [token.text for token in _tokens("\xef\xbb\xbfx")[:-1]] == ["x"]


def test_an_include_is_one_token_with_the_path() -> None:
    token = _tokens("include 'a \"b\".bzz'")[0]
    assert (token.type, token.value) == ("INCLUDE", 'a "b".bzz')
