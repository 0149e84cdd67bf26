"""From script text to tokens.

`scan` reads one file. `with_roles` then settles, over the tokens of all files in a row, what the grammar need not
know: which sign belongs to a number, where a `return` has no value, and which body is empty. Separators (newline
and `;`) are no tokens: Buzz ignores them nearly everywhere, so each token only remembers the one before it.

A fault found here (an unknown character, a string without its end) is a Fault, and its text stands as in the language's
own messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pybuzz.buzz.tree import Source, Span

__all__ = ["KEYWORDS", "Fault", "Token", "scan", "with_roles"]

KEYWORDS = {
    "var": "VAR",
    "if": "IF",
    "else": "ELSE",
    "function": "FUNCTION",
    "return": "RETURN",
    "for": "FOR",
    "while": "WHILE",
    "and": "LOGIC",
    "or": "LOGIC",
    "not": "NOT",
    "nil": "NIL",
}

_SYMBOLS = {
    "{": "LBRACE", "}": "RBRACE", "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB",
    ",": "COMMA", ".": "DOT", "=": "ASSIGN", "!": "PREFIX",
    "==": "COMPARE", "!=": "COMPARE", "<": "COMPARE", "<=": "COMPARE", ">": "COMPARE", ">=": "COMPARE",
    "+": "OPERATOR", "-": "OPERATOR", "*": "OPERATOR", "/": "OPERATOR", "%": "OPERATOR", "^": "OPERATOR",
    "<<": "OPERATOR", ">>": "OPERATOR", "&": "OPERATOR", "|": "OPERATOR",
}  # fmt: skip

_PIECE = re.compile(
    r"""(?P<blank>[ \t\r]+)
    |(?P<newline>\n)
    |(?P<comment>\#[^\n]*)
    |(?P<word>[A-Za-z][A-Za-z0-9_]*)
    |(?P<symbol><<|>>|[<>=!]=|[{}()\[\],.=+\-*/%^&|!<>])
    |(?P<number>[0-9][0-9.]*)
    |(?P<string>"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')
    |(?P<semicolon>;)
    |(?P<unclosed>["'].*)
    |(?P<underscored>_[A-Za-z0-9_]*)
    |(?P<unknown>[\x80-\xff]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_PATH = re.compile(r"""[ \t\r\n]*(?:"([^"]*)"|'([^']*)')""")
_LINE_END = re.compile(r"[ \t\r]*(?:#.*)?$", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_BYTE_ORDER_MARK = "\xef\xbb\xbf"

_CHARACTER_HINTS = {
    "~": "unequal is written !=, bitwise not !",
    ":": "keys and values are joined with =, fields reached with a dot",
    "?": "Buzz has no ? : operator; write if(...) { ... } else { ... }",
} | {
    character: hint
    for characters, hint in (
        ("\u201c\u201d\u2018\u2019\u00ab\u00bb", "typographic quotes do not open a string; use \" or '"),
        ("\u00a0\f\v\u2003\u200b\ufeff", "this blank is not a plain space; retype it"),
    )
    for character in characters
}

_BEFORE_BINARY = frozenset({"NAME", "NUMBER", "STRING", "NIL", "RPAR", "RSQB", "RBRACE", "DOT"})
_HEADS = frozenset({"IF", "WHILE", "FOR"})


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with the characters themselves."""

    span: Span
    text: str
    hint: str = ""


class Token:
    """One token. `separator` is the first separator between the token before and this one: "", a newline or ";"."""

    __slots__ = (
        "column", "end_column", "end_line", "line", "separator", "source", "starts_line", "text", "type", "value",
    )  # fmt: skip

    def __init__(
        self,
        type_: str,
        text: str,
        source: Source,
        start: tuple[int, int],
        end: tuple[int, int],
        value: str | int | float = "",
    ) -> None:
        self.type = type_
        self.text = text
        self.source = source
        self.line, self.column = start
        self.end_line, self.end_column = end
        self.value = value
        self.separator = ""
        self.starts_line = False

    def __repr__(self) -> str:
        return f"Token({self.type}, {self.text!r}, {self.line}:{self.column})"

    @property
    def span(self) -> Span:
        return Span(self.source, self.line, self.column, self.end_line, self.end_column)


def scan(source: Source, faults: list[Fault]) -> Iterator[Token]:
    """The tokens of one file, with a last one of type "$END".

    `include "path"` is one token of type INCLUDE whose value is the path.
    """
    return _Scanner(source, faults).tokens()


class _Scanner:
    def __init__(self, source: Source, faults: list[Fault]) -> None:
        self._source = source
        self._text = source.text
        self._faults = faults
        self._line = 1
        self._line_start = 0
        self._separator = ""
        self._starts_line = True
        self._long_string = 0  # the line of the first string that runs over several

    def tokens(self) -> Iterator[Token]:
        text = self._text
        position = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        while position < len(text):
            found = _PIECE.match(text, position)
            assert found is not None  # the last alternative takes any character
            kind, start, position = found.lastgroup, position, found.end()
            if kind == "blank" or kind == "comment":
                continue
            if kind == "newline":
                self._line += 1
                self._line_start = position
                self._separator = self._separator or "\n"
                self._starts_line = True
            elif kind == "semicolon":
                self._separator = self._separator or ";"
            elif kind == "word":
                word = found.group()
                if word != "include":
                    yield self._token(KEYWORDS.get(word, "NAME"), start, position)
                else:
                    path = _PATH.match(text, position)
                    position = path.end() if path else position
                    yield self._include(path, start, position)
            elif kind == "symbol":
                yield self._token(_SYMBOLS[found.group()], start, position)
            elif kind == "number":
                yield self._number(start, position)
            elif kind == "string":
                value = found.group()[1:-1]
                if "\\" in value:
                    value = _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), value)
                token = self._token("STRING", start, position, value)
                if token.end_line > token.line and not self._long_string:
                    self._long_string = token.line
                yield token
            else:
                yield self._faulty(str(kind), start, position)
        self._separator = self._separator or "\n"
        self._starts_line = True
        yield self._token("$END", position, position)

    def _token(self, type_: str, start: int, end: int, value: str | int | float = "") -> Token:
        text = self._text[start:end]
        first = (self._line, start - self._line_start + 1)
        if "\n" in text:
            self._line += text.count("\n")
            self._line_start = start + text.rindex("\n") + 1
        token = Token(type_, text, self._source, first, (self._line, end - self._line_start + 1), value)
        token.separator, token.starts_line = self._separator, self._starts_line
        self._separator, self._starts_line = "", False
        return token

    def _number(self, start: int, end: int) -> Token:
        digits = self._text[start:end]
        whole, dot, fraction = digits.partition(".")
        value = float(f"{whole}.{fraction.partition('.')[0]}") if dot else _integer(whole)
        return self._token("NUMBER", start, end, value)

    def _include(self, path: re.Match[str] | None, start: int, end: int) -> Token:
        if path:
            return self._token("INCLUDE", start, end, path[1] if path[1] is not None else path[2])
        token = self._token("BAD", start, end)
        quote = self._text[end:].lstrip(" \t\r")[:1]
        text = "expected end of string" if quote in {'"', "'"} and quote else "expected string after include"
        self._fault(token, text, 'write include "file.bzz"; `include` cannot be the name of a variable')
        return token

    def _faulty(self, kind: str, start: int, end: int) -> Token:
        if kind == "unclosed":
            token = self._token("BAD", start, end)
            hint = f"the string that opens here needs a closing {token.text[0]}"
            if self._long_string:
                hint += f"; or the string of line {self._long_string}, which runs over several lines, needs one"
            self._fault(token, "string closing quote not found", hint)
        elif kind == "underscored":
            token = self._token("NAME", start, end)
            self._fault(token, _unknown("_"), "a name begins with a letter; underscores may follow")
        else:
            token = self._token("BAD", start, end)
            opens_block = token.text == ":" and _LINE_END.match(self._text, end)
            hint = "a block stands in braces: { ... }" if opens_block else _character_hint(token.text)
            self._fault(token, _unknown(token.text), hint)
        return token

    def _fault(self, token: Token, text: str, hint: str) -> None:
        self._faults.append(Fault(token.span, text, hint))


def _integer(digits: str) -> int:
    """Reduced modulo 2**32 into the signed range; what does not fit 64 bits is -1, as C's strtoull gives it."""
    significant = digits.lstrip("0")
    value = int(significant or "0") if len(significant) <= 20 else 2**64
    return -1 if value >= 2**64 else wrap(value)


def wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def _unknown(characters: str) -> str:
    code = ord(characters[0])
    shown = characters.encode("latin-1").decode("utf-8", "replace") if code > 127 else characters
    shown = shown if shown.isprintable() else "\ufffd"
    return f"unknown character '{shown}' (octal: {code:o}; hex: {code:x})"


def _character_hint(characters: str) -> str:
    shown = characters.encode("latin-1").decode("utf-8", "replace")
    return _CHARACTER_HINTS.get(
        shown[0], "outside strings and comments only ASCII letters, digits and Buzz's signs may stand"
    )


def with_roles(tokens: list[Token]) -> Iterator[Token]:
    """The same tokens with their roles settled.

    - a sign where an operand begins is PREFIX, and folded into a number that follows directly: `-2 ^ 2` is 4.0;
    - `return` before `}`, a newline or `;` is RETURN_NOTHING;
    - the body of an `if`, `while` or `for` before `}`, or with a `;` right after the head's `)`, is an EMPTY token.
    """
    before = "$START"
    heads: list[bool] = []
    position, last = 0, len(tokens) - 1
    while position <= last:
        token = tokens[position]
        kind = token.type
        if kind == "LPAR":
            heads.append(before in _HEADS)
        elif kind == "OPERATOR" and token.text in {"+", "-"} and before not in _BEFORE_BINARY:
            following = tokens[position + 1]
            if following.type == "NUMBER":
                token = _signed(token, following)
                position += 1
            else:
                token.type = "PREFIX"
        elif kind == "RETURN":
            following = tokens[position + 1]
            if following.separator or following.type in {"RBRACE", "$END"}:
                token.type = "RETURN_NOTHING"
        yield token
        before = token.type
        position += 1
        if (kind == "RPAR" and heads and heads.pop()) or kind == "ELSE":
            following = tokens[position]
            if following.type == "RBRACE" or (kind == "RPAR" and following.separator == ";"):
                end = (token.end_line, token.end_column)
                empty = Token("EMPTY", "", token.source, end, end)
                empty.separator = following.separator
                yield empty


def _signed(sign: Token, number: Token) -> Token:
    value = number.value
    if sign.text == "-":
        value = wrap(-value) if isinstance(value, int) else -float(value)
    folded = Token(
        "NUMBER",
        sign.text + number.text,
        sign.source,
        (sign.line, sign.column),
        (number.end_line, number.end_column),
        value,
    )
    folded.separator, folded.starts_line = sign.separator, sign.starts_line
    return folded
