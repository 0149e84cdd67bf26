"""Inputs by number: each is made from the corpus and its number alone, so that a finding can be made again."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from target import CORPUS, KINDS, Kind

_CONFORMANCE = Path(__file__).parents[1] / "data" / "conformance"
_LARGEST_SEED = 3000
"""Bytes of a corpus script: larger ones only make a run slower."""

_TOKEN = re.compile(rb'"[^"\n]*"|\w+|\s+|[<>=!]=|<<|>>|.', re.DOTALL)
_ODD_TOKENS = (
    *(b"nil", b"{}", b"()", b"0", b"-1", b"2147483647", b"1e308", b'""', b"@f", b"#", b"'", b"\\", b"return "),
    *(b"self", b"while(1) {", b"if(1) {", b"}", b"function(x) { x", b"foreach(t, ", b"[", b".", b"include ", b"var "),
)
_OPERATORS = frozenset(b"+ - * / % ^ < > <= >= == != & | << >>".split())
_KEYWORDS = frozenset(b"var if else function return for while and or not nil include".split())
_ODD_NUMBERS = (b"\0\0", b"\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\4\xff", b"\5\1\0\0\0\0", b"\3\xff\xff")


def input_number(number: int) -> tuple[Kind, bytes]:
    """The kind and bytes of one input. Kinds alternate; one script in eight is random bytes."""
    kind = KINDS[number % len(KINDS)]
    source = random.Random(number)
    if kind.endswith("packet"):
        return kind, _packet(source)
    return kind, source.randbytes(source.randrange(120)) if number // len(KINDS) % 8 == 0 else _script(source)


@cache
def scripts() -> Sequence[bytes]:
    """The corpus' own scripts and the small conformance scripts, by path."""
    paths = [*sorted(CORPUS.glob("*.bzz")), *sorted(_CONFORMANCE.glob("*/*.bzz"))]
    return [text for text in (path.read_bytes() for path in paths) if len(text) <= _LARGEST_SEED]


@cache
def packets() -> Sequence[bytes]:
    """The corpus' packets: lines of hexadecimal digits, with comments."""
    lines = (CORPUS / "packets.hex").read_text().splitlines()
    return [bytes.fromhex(line.partition("#")[0]) for line in lines if line.partition("#")[0].strip()]


def _script(source: random.Random) -> bytes:
    text = source.choice(scripts())
    if source.random() < 0.3:
        other = source.choice(scripts())
        text = text + other if source.random() < 0.5 else _spliced(source, text, other)
    tokens = _TOKEN.findall(text)
    for _ in range(source.randrange(4)):
        tokens = _with_token_exchanged(source, tokens)
    for _ in range(source.choice((0, 0, 0, 1, 4))):
        tokens = _with_token_changed(source, tokens)
    text = b"".join(tokens)
    return _with_bytes_changed(source, text) if source.random() < 0.1 else text


def _packet(source: random.Random) -> bytes:
    data = source.choice(packets())
    if source.random() < 0.3:
        data = _spliced(source, data, source.choice(packets()))
    if source.random() < 0.3:
        at = source.randrange(len(data) + 1)
        odd = source.choice(_ODD_NUMBERS)
        data = data[:at] + odd + data[at + len(odd) * source.randrange(2) :]
    return _with_bytes_changed(source, data) if source.random() < 0.8 else data


def _spliced(source: random.Random, first: bytes, second: bytes) -> bytes:
    return first[: source.randrange(len(first) + 1)] + second[source.randrange(len(second) + 1) :]


def _with_token_exchanged(source: random.Random, tokens: list[bytes]) -> list[bytes]:
    """A word, number, string or operator in place of one of the same class: such scripts often compile."""
    if not tokens:
        return tokens
    at = source.randrange(len(tokens))
    same = [token for token in tokens if _class_of(token) == _class_of(tokens[at])]
    return [*tokens[:at], source.choice(same), *tokens[at + 1 :]]


def _class_of(token: bytes) -> str:
    if token in _OPERATORS:
        return "operator"
    if token in _KEYWORDS or token.isspace():
        return token.decode()
    return "value" if token[:1].isalnum() or token[:1] in b'_"' else token.decode("latin-1")


def _with_token_changed(source: random.Random, tokens: list[bytes]) -> list[bytes]:
    """One token deleted, doubled, exchanged with another, or an odd one put in its place."""
    if not tokens:
        return [source.choice(_ODD_TOKENS)]
    at, other = source.randrange(len(tokens)), source.randrange(len(tokens))
    match source.randrange(5):
        case 0:
            return tokens[:at] + tokens[at + 1 :]
        case 1:
            return [*tokens[:at], tokens[at], *tokens[at:]]
        case 2:
            changed = list(tokens)
            changed[at], changed[other] = changed[other], changed[at]
            return changed
        case 3:
            return [*tokens[:at], source.choice(_ODD_TOKENS), *tokens[at + 1 :]]
        case _:
            return [*tokens[:at], *tokens[min(at, other) : max(at, other)][:20], *tokens[at:]]


def _with_bytes_changed(source: random.Random, data: bytes) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(changed))
        match source.randrange(3):
            case 0:
                changed[at] ^= 1 << source.randrange(8)
            case 1:
                changed[at] = source.randrange(256)
            case _ if len(changed) > 1:
                del changed[at]
    return bytes(changed)
