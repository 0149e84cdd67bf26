"""Script text in, syntax tree out.

    tokens (tokens.py, includes.py) -> LALR automaton (Lark, grammar.lark) -> nodes (building.py)

Every syntax error of the script and its includes is reported in one ScriptError; no exception of Lark leaves here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark, UnexpectedToken
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser

from pybuzz.buzz.building import TreeBuilder
from pybuzz.buzz.diagnostics import compile_error, diagnostic
from pybuzz.buzz.includes import Splicer
from pybuzz.buzz.mistakes import mistake
from pybuzz.buzz.tokens import Token, with_roles
from pybuzz.buzz.tree import Script, Span
from pybuzz.errors import Diagnostic, InputError, ScriptError

__all__ = ["parse"]


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
    tokens = splicer.tokens(name, _read(name) if text is None else _bytewise(text))
    reading = _Reading(list(with_roles(tokens)))
    statements = reading.statements()
    faults = [compile_error(fault.span, "syntax error", fault.text, hint=fault.hint) for fault in splicer.faults]
    errors = [*faults, *splicer.errors, *reading.errors]
    if errors:
        raise ScriptError(_in_order(errors, splicer))
    main, last = splicer.sources[0], tokens[-1]
    span = Span(main, 1, 1, last.end_line, last.end_column)
    return Script(span, statements, splicer.sources, [*splicer.warnings, *reading.warnings])


class _Reading:
    """One pass of the automaton over the tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._automaton: InteractiveParser = _parser().parse_interactive()
        self.errors: list[Diagnostic] = []
        self.warnings = [_hidden_body(token) for token in tokens if token.type == "EMPTY" and token.separator == ";"]

    def statements(self) -> list[Any]:
        feed = self._automaton.parser_state.feed_token
        definitions = _definition_names(self._tokens)
        position = 0
        try:
            for position, token in enumerate(self._tokens[:-1]):
                feed(token)  # type: ignore[arg-type]
                if position in definitions:
                    self._check_level(token)
            position = len(self._tokens) - 1
            found: list[Any] = feed(self._tokens[position], is_end=True)  # type: ignore[arg-type]
        except UnexpectedToken:
            if self._tokens[position].type != "BAD":
                accepted: set[str] = self._automaton.accepts()  # type: ignore[no-untyped-call]
                self.errors.append(mistake(self._tokens, position, accepted))
            return []
        return found

    def _check_level(self, name: Token) -> None:
        """Named functions are defined at file level outside braces."""
        if any(
            isinstance(value, Token) and value.type == "LBRACE" for value in self._automaton.parser_state.value_stack
        ):
            text = (
                f"the definition of function {name.text}() is nested within another scope. "
                f"To define local functions, use the lambda syntax {name.text} = function() {{ ... }}."
            )
            self.errors.append(compile_error(name.span, "syntax error", text, code="nested-function"))


def _definition_names(tokens: list[Token]) -> set[int]:
    return {
        position
        for position in range(1, len(tokens))
        if tokens[position].type == "NAME" and tokens[position - 1].type == "FUNCTION"
    }


def _hidden_body(token: Token) -> Diagnostic:
    text = "the ; ends this statement: its body is empty"
    hint = "remove the ;, or write {} if nothing is meant to be done (the C compiler takes the next statement as body)"
    return diagnostic(token.span, "warning", text, severity="warning", code="empty-body", hint=hint)


def _in_order(errors: list[Diagnostic], splicer: Splicer) -> list[Diagnostic]:
    order = {source.name: rank for rank, source in enumerate(splicer.sources)}
    return sorted(errors, key=lambda error: (order[error.place.file], error.place.line, error.place.column))


def _read(name: str) -> str:
    try:
        return Path(name).read_bytes().decode("latin-1")
    except OSError as error:
        raise InputError.at(name, f"cannot read the script: {error.strerror}") from None


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
    return Lark(grammar, parser="lalr", lexer=_NoLexer, transformer=TreeBuilder(), start="script")
