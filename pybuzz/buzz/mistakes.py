"""From a token that does not fit to a message for a person.

The text is in the language's own words ("expected X, found Y"), as the C compiler would say it. The hint, and the
code that names the mistake, come from the first rule of hints.py that knows the situation.
"""

from __future__ import annotations

from pybuzz.buzz.diagnostics import compile_error
from pybuzz.buzz.hints import RULES
from pybuzz.buzz.situation import Situation
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

_CLOSERS = ("RPAR", "RSQB", "RBRACE", "COMMA", "LBRACE", "LPAR", "ASSIGN", "DOT")


def mistake(tokens: list[Token], position: int, accepted: set[str]) -> Diagnostic:
    """The diagnostic for the token at `position`, where the automaton accepts only the types in `accepted`."""
    situation = Situation(tokens, position, accepted)
    text = _text(situation)
    for code, rule in RULES:
        hint = rule(situation)
        if hint:
            return compile_error(situation.token.span, "syntax error", text, code=code, hint=hint)
    return compile_error(situation.token.span, "syntax error", text, code="syntax")


def _text(situation: Situation) -> str:
    if situation.stores_into_a_call:
        return "can't have a function call as lvalue"
    if situation.is_bare_reference:
        return "expected function call or assignment"
    return f"expected {_expected(situation)}, found {_described(situation.token)}"


def _expected(situation: Situation) -> str:
    accepted = situation.accepted
    if accepted == {"DOT", "RBRACE"}:
        return ".id = expression or }"
    if accepted == {"NAME", "NUMBER"}:
        return "id or numeric constant"
    if situation.token.type == "$END" and "RBRACE" in accepted:
        return "}"
    if "NAME" in accepted:
        return "identifier"
    return next((_DESCRIPTIONS[kind] for kind in _CLOSERS if kind in accepted), "identifier")


def _described(token: Token) -> str:
    return _SIGNS[token.text] if token.type in {"OPERATOR", "PREFIX"} else _DESCRIPTIONS[token.type]
