"""Script text in, syntax tree out.

    tokens (tokens.py, includes.py) -> LALR automaton (Lark, grammar.lark) -> nodes (building.py)

Every syntax error of the script and its includes is reported in one ScriptError; no exception of Lark leaves here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import cache_from_source
from typing import Any

from lark import Lark, UnexpectedToken
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser

from pybuzz.buzz.building import DEEPEST, TooDeepError, TreeBuilder
from pybuzz.buzz.diagnostics import compile_error, diagnostic
from pybuzz.buzz.includes import Splicer, read_script
from pybuzz.buzz.mistakes import mistake
from pybuzz.buzz.recovery import resume
from pybuzz.buzz.situation import unclosed, unclosed_brace
from pybuzz.buzz.tokens import Fault, Token, with_roles
from pybuzz.buzz.tree import Script, Source, Span
from pybuzz.buzz.walking import depth
from pybuzz.errors import Diagnostic, ScriptError

__all__ = ["parse"]

_MOST_ERRORS = 50
"""Reported for one script, at most, of each sort."""


def parse(
    path: str | os.PathLike[str],
    text: str | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
) -> Script:
    """The tree of a script, its includes spliced in.

    `text`, if given, is taken for the content of `path` (one character per byte). Raises ScriptError with every
    syntax and include error, InputError if the file cannot be read.
    """
    name = os.fspath(path)
    splicer = Splicer(include_dirs)
    tokens = splicer.tokens(name, read_script(name) if text is None else _bytewise(text))
    settled = list(with_roles(tokens))
    reading = _Reading(settled)
    last = tokens[-1]
    span = Span(splicer.sources[0], 1, 1, last.end_line, last.end_column)
    script = Script(span, reading.statements(), splicer.sources, splicer.warnings)
    faults = [_fault(fault) for fault in _first_of_lines(splicer.faults)[:_MOST_ERRORS]]
    errors = [*faults, *splicer.errors, *reading.errors] or _depth_errors(script)
    if errors:
        raise ScriptError(_in_order(errors, splicer))
    # Not of a script with errors, where nobody sees them: each shows its line, which may be very long.
    script.warnings += (warning for token in settled if (warning := _warning(token)) is not None)
    return script


def _depth_errors(script: Script) -> list[Diagnostic]:
    """Later stages go through the tree by recursion: a tree beyond their reach is refused here."""
    levels, deepest = depth(script)
    return [_too_deep(deepest.span)] if levels > DEEPEST else []


def _first_of_lines(faults: list[Fault]) -> list[Fault]:
    by_line: dict[tuple[Source, int], Fault] = {}
    for fault in faults:
        by_line.setdefault((fault.span.source, fault.span.line), fault)
    return list(by_line.values())


def _fault(fault: Fault) -> Diagnostic:
    return compile_error(fault.span, "syntax error", fault.text, code="character", hint=fault.hint)


class _Reading:
    """One pass of the automaton over the tokens, going on after errors."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._automaton: InteractiveParser = _parser().parse_interactive()
        self._definitions = _definition_names(tokens)
        self._nested: list[int] = []
        self._statements: list[Any] = []
        self.errors: list[Diagnostic] = []

    def statements(self) -> list[Any]:
        """The statements of the script; of no meaning if there are errors."""
        end = len(self._tokens) - 1
        try:
            failed = self._feed(0)
            while failed <= end:
                self._report(failed)
                resumed = resume(self._automaton.parser_state, self._tokens, failed)
                if resumed == end or self._is_hopeless():
                    break
                failed = self._feed(resumed)
        except TooDeepError as error:
            self.errors.append(_too_deep(error.span))
        self.errors += [_nested_function(self._tokens[position]) for position in self._nested]
        return self._statements

    def _feed(self, start: int) -> int:
        """Feeds all tokens from `start` on; returns the position of the one that does not fit, if any."""
        feed: Any = self._automaton.parser_state.feed_token
        position, end = start, len(self._tokens) - 1
        try:
            for position in range(start, end):
                feed(self._tokens[position])
                if position in self._definitions and self._is_nested():
                    self._nested.append(position)
            position = end
            self._statements = feed(self._tokens[end], is_end=True)
        except UnexpectedToken:
            return position
        return end + 1

    def _report(self, position: int) -> None:
        token = self._tokens[position]
        if token.type == "BAD" or (self.errors and self._is_consequence(token)):
            return  # a fault that the scanner has reported, or nothing new
        accepted: set[str] = self._automaton.accepts()  # type: ignore[no-untyped-call]
        self.errors.append(mistake(self._tokens, position, accepted))
        if token.type == "$END":
            # what looks nested behind a missing brace is not
            culprit = unclosed_brace(self._tokens)
            self._nested = [name for name in self._nested if name < culprit]

    def _is_consequence(self, token: Token) -> bool:
        """Whether this is no error by itself: a body assumed where brackets do not match, the end of sound braces."""
        if token.type == "$END":
            return not any(opener.type == "LBRACE" for opener in unclosed(self._tokens))
        return token.type == "EMPTY"

    def _is_hopeless(self) -> bool:
        """Whether what follows says nothing: too many errors, or what looks like text is string and the reverse."""
        return len(self.errors) >= _MOST_ERRORS or any(error.code == "string-quote" for error in self.errors)

    def _is_nested(self) -> bool:
        """Whether the automaton is within braces; named functions are defined at file level."""
        return any(
            isinstance(part, Token) and part.type == "LBRACE" for part in self._automaton.parser_state.value_stack
        )


def _nested_function(name: Token) -> Diagnostic:
    text = (
        f"the definition of function {name.text}() is nested within another scope. "
        f"To define local functions, use the lambda syntax {name.text} = function() {{ ... }}."
    )
    hint = "or a } is missing before it"
    return compile_error(name.span, "syntax error", text, code="nested-function", hint=hint)


def _definition_names(tokens: list[Token]) -> set[int]:
    return {
        position
        for position in range(1, len(tokens))
        if tokens[position].type == "NAME" and tokens[position - 1].type == "FUNCTION"
    }


def _too_deep(span: Span) -> Diagnostic:
    text = "nested too deeply"
    hint = f"at most {DEEPEST} levels: split it into several statements or functions"
    return compile_error(span, "syntax error", text, code="too-deep", hint=hint)


def _warning(token: Token) -> Diagnostic | None:
    """The warning about a token by itself, if it is doubtful."""
    if token.type == "EMPTY" and token.separator == ";":
        return _hidden_body(token)
    if token.type == "NUMBER" and token.text.count(".") > 1:
        return _many_points(token)
    return None


def _many_points(token: Token) -> Diagnostic:
    text = f"'{token.text}' has several decimal points: only the first counts, so this is {token.value}"
    hint = f"write {token.value}, or what is meant"
    return diagnostic(token.span, "warning", text, severity="warning", code="several-points", hint=hint)


def _hidden_body(token: Token) -> Diagnostic:
    text = "the ; ends this statement: its body is empty"
    hint = "remove the ;, or write {} if nothing is meant to be done (the C compiler takes the next statement as body)"
    return diagnostic(token.span, "warning", text, severity="warning", code="empty-body", hint=hint)


def _in_order(errors: list[Diagnostic], splicer: Splicer) -> list[Diagnostic]:
    order = {source.name: rank for rank, source in enumerate(splicer.sources)}
    return sorted(errors, key=lambda error: (order[error.place.file], error.place.line, error.place.column))


def _bytewise(text: str) -> str:
    """Text as handed over holds one character per byte; what holds others is taken for Unicode."""
    return text if all(character <= "\xff" for character in text) else text.encode().decode("latin-1")


class _NoLexer(Lexer):
    """Lark wants a lexer, but tokens are fed one by one from outside."""

    def __init__(self, _configuration: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(())


@cache
def _parser() -> Lark:
    grammar = files("pybuzz.buzz").joinpath("grammar.lark").read_text(encoding="utf-8")
    kept = False if sys.dont_write_bytecode else _kept_automaton()
    return Lark(grammar, parser="lalr", lexer=_NoLexer, transformer=TreeBuilder(), start="script", cache=kept)


def _kept_automaton() -> str:
    """Where the finished automaton is kept: beside Python's own compiled files, and made anew when the grammar changes.

    Building it takes ten times as long as reading it. A folder that cannot be written costs that time, no more.
    """
    return f"{cache_from_source(__file__)}.grammar"
