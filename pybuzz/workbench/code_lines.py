"""Lines of Buzz files at which a run can stop: those where a statement begins.

Python tells of a line whenever the place of its instructions changes, so also in the middle of a statement that goes
over several lines, and when it comes back to the first of them. Here all of them count as the statement's first line.
"""

from __future__ import annotations

import dis
from bisect import bisect_left
from collections.abc import Iterator
from types import CodeType
from typing import Final

from pybuzz.buzz.failures import source_line
from pybuzz.buzz.program import Program
from pybuzz.buzz.tree import FunctionDefinition, Lambda, Node, Source, Statement, children

__all__ = ["CodeLines"]

_FunctionKey = tuple[str, int]
"""File and first line of a function; line 0: the code outside functions."""
_Place = tuple[str, int]
_JUMPS: Final = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)


class CodeLines:
    """The statements of one program, by function."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._statements: dict[_FunctionKey, list[tuple[Source, int, int]]] = {}
        for function, statement in _statements(program.script, ("", 0)):
            span = statement.span
            self._statements.setdefault(function, []).append((span.source, span.line, span.end_line))
        self._known: dict[tuple[CodeType, int], _Place | None] = {}
        self._turns: dict[CodeType, frozenset[int]] = {}

    def statement_at(self, code: CodeType, line: int) -> _Place | None:
        """File and first line of the innermost statement at Python's line of some code; None: it is part of none."""
        key = code, line
        if key not in self._known:
            self._known[key] = self._find(code, line)
        return self._known[key]

    def resolve(self, file: str, line: int) -> int | None:
        """The first line of a file, from this one on, where a statement begins; None if there is none."""
        spans = (span for spans in self._statements.values() for span in spans)
        starts = sorted({start for source, start, _ in spans if source.name == file})
        place = bisect_left(starts, line)
        return starts[place] if place < len(starts) else None

    def begins_turn(self, code: CodeType, instruction: int) -> bool:
        """Whether a loop of some code goes back to this instruction, or from it, of which Python 3.13 tells."""
        if code not in self._turns:
            self._turns[code] = frozenset(_ends_of_jumps_back(code))
        return instruction in self._turns[code]

    def _find(self, code: CodeType, python_line: int) -> _Place | None:
        source, line = source_line(code, python_line, self._program)
        outside = code.co_name.startswith("__part_")
        first, first_line = (None, 0) if outside else source_line(code, code.co_firstlineno, self._program)
        within = self._statements.get((first.name if first is not None else "", first_line), ())
        starts = [start for home, start, end in within if home is source and start <= line <= end]
        return (source.name, max(starts)) if starts else None


def _ends_of_jumps_back(code: CodeType) -> Iterator[int]:
    for instruction in dis.get_instructions(code):
        if instruction.opcode in _JUMPS and instruction.argval <= instruction.offset:
            yield from (instruction.argval, instruction.offset)


def _statements(node: Node, function: _FunctionKey) -> Iterator[tuple[_FunctionKey, Statement]]:
    """Every statement that is code by itself, with the function that it is part of."""
    for part in children(node):
        if isinstance(part, Statement) and not isinstance(part, FunctionDefinition):
            yield function, part
        inner = (part.span.source.name, part.span.line) if isinstance(part, FunctionDefinition | Lambda) else function
        yield from _statements(part, inner)
