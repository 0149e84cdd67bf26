"""Checks of how a script is written, on its tokens: what lines and characters suggest and the language does not do."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.tokens import Token

__all__ = ["byte_order_marks", "continued_lines", "encodings", "large_integers", "string_escapes", "unusual_words"]

_OPENERS = frozenset({"LPAR", "LSQB"})
_CLOSERS = frozenset({"RPAR", "RSQB"})
_OPERAND_ENDS = frozenset({"NAME", "NUMBER", "STRING", "NIL", "RPAR", "RSQB", "RBRACE"})
_JOINING = frozenset({"OPERATOR", "COMPARE", "LOGIC", "NOT", "PREFIX", "ASSIGN", "DOT", "COMMA"})
_LARGEST = 2**31 - 1
_BYTE_ORDER_MARK = "\xef\xbb\xbf"


def continued_lines(study: Study) -> Iterator[Finding]:
    """A line that begins with ( [ + or - and is not indented: it continues the statement of the lines before."""
    depth, indentation = 0, 1
    before: Token | None = None
    for token in study.tokens:
        continues = token.type in _OPENERS or (token.type == "OPERATOR" and token.text in "+-")
        if token.starts_line and depth == 0:
            is_same = before is not None and before.type in _OPERAND_ENDS and before.source is token.source
            if continues and is_same and token.column <= indentation:
                text = f"this line continues the statement before it: a line's end does not stop before {token.text}"
                yield Finding("continued-line", token.span, text, "indent it if that is meant; else rewrite it")
            elif not continues and token.type not in _JOINING and (before is None or before.type not in _JOINING):
                indentation = token.column
        depth += (token.type in _OPENERS) - (token.type in _CLOSERS)
        depth = 0 if token.type in {"LBRACE", "RBRACE"} else max(depth, 0)
        before = token


def large_integers(study: Study) -> Iterator[Finding]:
    """Whole numbers beyond 32 bits, which lose their upper bits."""
    for token in study.tokens:
        digits = token.text.lstrip("+-")
        if token.type == "NUMBER" and digits.isdecimal() and not -(2**31) <= int(token.text) <= _LARGEST:
            text = f"an integer has 32 bits: {token.text} becomes {token.value}"
            yield Finding("large-integer", token.span, text, f"write {token.text}.0 for a float")


def string_escapes(study: Study) -> Iterator[Finding]:
    """Escapes and line ends in strings, which the C compiler gets wrong."""
    for token in study.tokens:
        if token.type != "STRING":
            continue
        if "\\" in token.text:
            yield Finding("portable-escape", token.span, "the C compiler adds stray characters to strings with a \\")
        elif "\n" in token.text:
            yield Finding("portable-escape", token.span, "the C compiler cannot read a string with a line end in it")


def unusual_words(study: Study) -> Iterator[Finding]:
    """Names and returns that the C compiler reads otherwise."""
    for position, token in enumerate(study.tokens):
        if token.type == "NAME" and token.text.startswith("include"):
            text = "the C compiler takes a name that begins with include for an include"
            yield Finding("portable-name", token.span, text, "choose another name")
        elif token.type == "RETURN_NOTHING" and study.tokens[position + 1].type not in {"RBRACE", "$END"}:
            text = "the C compiler takes the next line as the value of this return"
            yield Finding(
                "portable-return-value", token.span, text, "write return nil, or put return last in its block"
            )


def byte_order_marks(study: Study) -> Iterator[Finding]:
    """Files that begin with a byte order mark."""
    seen: set[str] = set()
    for token in study.tokens:
        is_first = token.source.name not in seen
        seen.add(token.source.name)
        if is_first and token.source.text.startswith(_BYTE_ORDER_MARK):
            yield Finding("portable-mark", token.span, "the C compiler refuses the byte order mark before this")


def encodings(study: Study) -> Iterator[Finding]:
    """Strings that are no UTF-8, which is what people are shown; the first of each file."""
    seen: set[str] = set()
    for token in study.tokens:
        if token.type != "STRING" or token.source.name in seen or token.text.isascii():
            continue
        try:
            token.text.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            seen.add(token.source.name)
            text = "this string is not UTF-8: what it logs is shown with \ufffd"
            yield Finding("text-encoding", token.span, text, "save the file as UTF-8")
