"""After a syntax error: back to a state in which parsing can go on, so that one run reports every error of a file.

The automaton's stack is cut back to where the faulty statement began, and tokens are skipped up to one that is likely
to begin the next. Buzz has no statement separator to hold on to; line starts, indentation and braces stand in. In
doubt more is skipped: an error that is missed shows in the next run, one that is none misleads.
"""

from __future__ import annotations

from typing import Any

from lark.parsers.lalr_parser_state import ParserState

from pybuzz.buzz.situation import lacks_closing_brace
from pybuzz.buzz.tokens import Token
from pybuzz.buzz.tree import Node

__all__ = ["resume"]

_STATEMENT_WORDS = frozenset({"VAR", "IF", "WHILE", "FOR", "RETURN", "RETURN_NOTHING", "FUNCTION"})
_BEFORE_NAME = frozenset({"DOT", "VAR", "COMMA", "FUNCTION"})
_HEADS = frozenset({"IF", "WHILE", "FOR", "FUNCTION"})
_DEEPER = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}


def resume(state: ParserState[Any], tokens: list[Token], position: int) -> int:
    """Cuts `state` back and returns the position of the token to go on with; that of "$END" if there is none."""
    if _lacks_brace(state, tokens):
        _feed(state, ["LBRACE"], tokens[position])
        return position
    cut = _cut(state)
    if lacks_closing_brace(tokens, position) and _close(state):
        _feed(state, ["RBRACE"], tokens[position])
        return position
    head = cut[0].type if cut and isinstance(cut[0], Token) else ""
    column = _indentation(tokens, position, cut)
    braces = _level(cut, "LBRACE", "RBRACE")
    parentheses = _level(cut, "LPAR", "RPAR") + _level(cut, "LSQB", "RSQB")
    if _is_misused_word(tokens, position) or (not cut and tokens[position].type not in {"LBRACE", "RBRACE"}):
        position += 1
    while tokens[min(position, len(tokens) - 1)].type != "$END":
        token = tokens[position]
        if token.type == "RBRACE" and (braces <= 0 or (token.starts_line and token.column < column)):
            if _close(state):
                return position
            parentheses = 0
        elif (
            token.type == "LBRACE"
            and head in _HEADS
            and braces == 0
            and (parentheses <= 0 or tokens[position + 1].starts_line)
        ):
            _enter(state, head, token)
            return position
        elif _begins_statement(tokens, position, column, braces, parentheses):
            return position
        if token.type in {"LBRACE", "RBRACE"}:
            braces = max(braces + _DEEPER[token.type], 0)
        else:
            parentheses = max(parentheses + _DEEPER.get(token.type, 0), 0)
        position += 1
    return len(tokens) - 1


def _cut(state: ParserState[Any]) -> list[Any]:
    """Takes what belongs to the unfinished statement off the stack, and returns it."""
    level, closed = len(state.state_stack) - 1, 0
    while closed > 0 or not _can(state, level, "VAR"):
        # a block that has just been closed may still lie there in its parts
        level -= 1
        closed += _is(state.value_stack[level], "RBRACE") - _is(state.value_stack[level], "LBRACE")
    cut = state.value_stack[level:]
    del state.value_stack[level:], state.state_stack[level + 1 :]
    return cut


def _can(state: ParserState[Any], level: int, kind: str) -> bool:
    """Whether a token of this type fits a state of the stack without first finishing something below."""
    action, argument = state.parse_conf.states[state.state_stack[level]].get(kind, (None, None))
    return action is not None and (isinstance(argument, int) or not argument.expansion)


def _close(state: ParserState[Any]) -> bool:
    """Cuts back to the innermost block that a `}` can close; does nothing if none is open."""
    for level in range(len(state.state_stack) - 1, -1, -1):
        if _can(state, level, "VAR") and _can(state, level, "RBRACE"):
            del state.value_stack[level:], state.state_stack[level + 1 :]
            return True
    return False


def _enter(state: ParserState[Any], head: str, origin: Token) -> None:
    """Feeds a sound head in place of the faulty one, so that the body can be read."""
    kinds = {"IF": "IF LPAR NIL RPAR", "FUNCTION": "FUNCTION NAME LPAR RPAR"}.get(head, "WHILE LPAR NIL RPAR")
    _feed(state, kinds.split(), origin)


def _feed(state: ParserState[Any], kinds: list[str], origin: Token) -> None:
    place = (origin.line, origin.column)
    feed: Any = state.feed_token
    for kind in kinds:
        feed(Token(kind, "", origin.source, place, place))


def _lacks_brace(state: ParserState[Any], tokens: list[Token]) -> bool:
    """Whether the body of a function must begin here, and a `}` too many tells that only its `{` is missing."""
    wanted = {kind for kind in state.parse_conf.states[state.position] if kind.isupper()} - {"STRING"}
    return wanted == {"LBRACE"} and sum(_is(t, "RBRACE") - _is(t, "LBRACE") for t in tokens) > 0


def _begins_statement(tokens: list[Token], position: int, column: int, braces: int, parentheses: int) -> bool:
    token = tokens[position]
    is_word = token.type in _STATEMENT_WORDS and (token.type != "FUNCTION" or tokens[position + 1].type == "NAME")
    if not is_word and token.type != "NAME":
        return False
    if token.starts_line and token.column <= column:
        return True
    return braces <= 0 and parentheses <= 0 and (is_word or token.separator == ";")


def _is_misused_word(tokens: list[Token], position: int) -> bool:
    """A keyword where a name was wanted begins no statement."""
    return tokens[position].type in _STATEMENT_WORDS and tokens[max(position - 1, 0)].type in _BEFORE_NAME


def _indentation(tokens: list[Token], position: int, cut: list[Any]) -> int:
    """The column at which the line of the unfinished statement begins."""
    first = cut[0] if cut and isinstance(cut[0], (Token, Node)) else tokens[position]
    line = first.span.line
    while position > 0 and not (tokens[position].starts_line and tokens[position].line <= line):
        position -= 1
    return tokens[position].column


def _level(parts: list[Any], opener: str, closer: str) -> int:
    return sum(_is(part, opener) - _is(part, closer) for part in parts)


def _is(part: Any, kind: str) -> bool:
    return isinstance(part, Token) and part.type == kind
