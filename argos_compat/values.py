"""The values of attributes, by ARGoS's rules but without its leniency: "10x" is not 10 here.

Every function takes the text of an attribute and raises ValueError with words for the reader of the file.
"""

from __future__ import annotations

import re

__all__ = ["boolean", "color", "near_values", "number", "number_range", "vector", "whole_number"]

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_LARGEST_UNSIGNED = 4294967295
_NAMES = ("black", "white", "red", "green", "blue", "magenta", "cyan", "yellow", "orange", "brown", "purple")
_COLORS = frozenset([*_NAMES, *(f"gray{percent}" for percent in range(10, 100, 10))])


def number(text: str) -> float:
    """A finite real number."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        raise ValueError(f"'{text}' is not a number")
    value = float(stripped)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"'{text}' is too large")
    return value


def whole_number(text: str) -> int:
    """An unsigned 32-bit number."""
    stripped = text.strip()
    if not _WHOLE.fullmatch(stripped):
        raise ValueError(f"'{text}' is not a whole number")
    value = int(stripped)
    if not 0 <= value <= _LARGEST_UNSIGNED:
        raise ValueError(f"{value} is not between 0 and {_LARGEST_UNSIGNED}")
    return value


def near_values(text: str) -> list[str]:
    """What `text` may be meant for: a truth value, or numbers without what ARGoS passes over behind each."""
    word = text.strip().lower()
    truth = {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}.get(word, word)
    parts = [_NUMBER.match(part.strip()) for part in text.split(",")]
    numbers = [",".join(part[0] for part in parts if part)] if all(parts) else []
    return [truth, *numbers] if truth in ("true", "false") else numbers


def boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"'{text}' is neither 'true' nor 'false'")
    return text == "true"


def vector(text: str, length: int, names: str = "x,y,z") -> tuple[float, ...]:
    """`length` numbers with commas between them; names: what they are called."""
    parts = text.split(",")
    if len(parts) != length:
        raise ValueError(f"'{text}' has {_counted(len(parts))}, {length} are needed: \"{names}\"")
    return tuple(number(part) for part in parts)


def number_range(text: str) -> tuple[float, float]:
    """Two numbers "min:max", min <= max."""
    parts = text.split(":")
    if len(parts) != 2:
        raise ValueError(f"'{text}' is not a range \"min:max\"")
    low, high = number(parts[0]), number(parts[1])
    if low > high:
        raise ValueError(f"'{text}': the first number must not be larger than the second")
    return low, high


def color(text: str) -> str:
    """The name of a colour, or "r,g,b,a" with each of them 0..255."""
    if text in _COLORS:
        return text
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() and int(part) < 256 for part in parts):
        raise ValueError(f"'{text}' is neither the name of a colour nor \"r,g,b,a\" with numbers from 0 to 255")
    return text


def _counted(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
