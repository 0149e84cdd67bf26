"""Making a program that shows a fault smaller: lines are left out, then parts in brackets become constants."""

from __future__ import annotations

import re
from collections.abc import Callable

_BRACKETS = re.compile(r"\([^()]*\)")
_SIMPLE = (" 1 ", "(1)", "()", "")

_Shows = Callable[[list[str]], bool]


def shrunk(text: str, shows: Callable[[str], bool]) -> str:
    """The smallest program found that still shows it."""

    def shows_it(lines: list[str]) -> bool:
        return shows("\n".join(lines) + "\n")

    lines, before = text.splitlines(), None
    while lines != before:
        before = lines
        lines = _with_brackets_simplified(
            _with_blocks_opened(_with_lines_left_out(lines, shows_it), shows_it), shows_it
        )
    return "\n".join(lines) + "\n"


def _with_lines_left_out(lines: list[str], shows: _Shows) -> list[str]:
    """Large runs of lines first, the last ones first."""
    length = max(len(lines) // 2, 1)
    while length:
        for start in range(len(lines) - length, -length, -length):
            shorter = lines[: max(start, 0)] + lines[start + length :]
            if shows(shorter):
                lines = shorter
        length //= 2
    return lines


def _with_blocks_opened(lines: list[str], shows: _Shows) -> list[str]:
    """Blocks left out as a whole, or the two lines around what is in them."""
    for first in range(len(lines) - 1, -1, -1):
        if first < len(lines) and lines[first].endswith("{"):
            last = _end_of_block(lines, first)
            inside = lines[first + 1 : last]
            for kept in ([], inside):
                shorter = lines[:first] + kept + lines[last + 1 :]
                if shows(shorter):
                    lines = shorter
                    break
    return lines


def _end_of_block(lines: list[str], first: int) -> int:
    depth = 0
    for number in range(first, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return len(lines) - 1


def _with_brackets_simplified(lines: list[str], shows: _Shows) -> list[str]:
    number = 0
    while number < len(lines):
        simpler = next((one for one in _simplifications(lines, number) if shows(one)), None)
        lines, number = (lines, number + 1) if simpler is None else (simpler, number)
    return lines


def _simplifications(lines: list[str], number: int) -> list[list[str]]:
    line = lines[number]
    return [
        [*lines[:number], line[: found.start()] + simple + line[found.end() :], *lines[number + 1 :]]
        for found in _BRACKETS.finditer(line)
        for simple in (found[0][1:-1], *_SIMPLE)
        if len(simple) < len(found[0])
    ]
