"""From a token that does not fit to a message for a person.

The text is in the language's own words ("expected X, found Y").
"""

from __future__ import annotations

from pybuzz.buzz.diagnostics import compile_error
from pybuzz.buzz.tokens import Token
from pybuzz.errors import Diagnostic

__all__ = ["mistake"]

_DESCRIPTIONS = {
    "NAME": "identifier", "NUMBER": "numeric constant", "STRING": "string", "VAR": "variable", "NIL": "nil",
    "IF": "if", "ELSE": "else", "FUNCTION": "function", "RETURN": "return", "RETURN_NOTHING": "return", "FOR": "for",
    "WHILE": "while", "LOGIC": "logic and/or", "NOT": "logic not", "COMPARE": "== != < <= > >=",
    "LBRACE": "{", "RBRACE": "}", "LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "COMMA": ",", "ASSIGN": "=",
    "DOT": ".", "EMPTY": "; or newline", "$END": "end of file",
}  # fmt: skip

_SIGNS = {
    "+": "+ or -", "-": "+ or -", "*": "* or /", "/": "* or /", "%": "%", "^": "^", "<<": "bit shift",
    ">>": "bit shift", "&": "bitwise and/or", "|": "bitwise and/or", "!": "bitwise not",
}  # fmt: skip


def mistake(tokens: list[Token], position: int, accepted: set[str]) -> Diagnostic:
    """The diagnostic for the token at `position`, where the automaton accepts only the types in `accepted`."""
    token = tokens[position]
    return compile_error(token.span, "syntax error", _expectation(tokens, position, accepted))


def _expectation(tokens: list[Token], position: int, accepted: set[str]) -> str:
    found = _described(tokens[position])
    if (
        tokens[position].type == "ASSIGN"
        and "VAR" in accepted
        and tokens[position - 1].type == "RPAR"
        and "OPERATOR" not in accepted
    ):
        return "can't have a function call as lvalue"
    if {"ASSIGN", "LPAR"} <= accepted and "VAR" not in accepted:
        return "expected function call or assignment"
    return f"expected {_expected(accepted, found)}, found {found}"


def _expected(accepted: set[str], found: str) -> str:
    if accepted == {"DOT", "RBRACE"}:
        return ".id = expression or }"
    if accepted == {"NAME", "NUMBER"}:
        return "id or numeric constant"
    if found == "end of file" and "RBRACE" in accepted:
        return "}"
    if "NAME" in accepted:
        return "identifier"
    for kind in ("RPAR", "RSQB", "RBRACE", "COMMA", "LBRACE", "LPAR", "ASSIGN", "DOT"):
        if kind in accepted:
            return _DESCRIPTIONS[kind]
    return "identifier"


def _described(token: Token) -> str:
    return _SIGNS[token.text] if token.type in {"OPERATOR", "PREFIX"} else _DESCRIPTIONS[token.type]
