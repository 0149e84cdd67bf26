"""Where a token did not fit: what stands around it, and what would have fitted."""

from __future__ import annotations

from functools import cached_property

from pybuzz.buzz.tokens import KEYWORDS, Token

__all__ = ["Situation", "lacks_closing_brace", "unclosed", "unclosed_brace"]

_OPENERS = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSERS = frozenset({"RPAR", "RSQB", "RBRACE"})


class Situation:
    """`accepted` holds the types of the tokens that would have fitted at `position`."""

    def __init__(self, tokens: list[Token], position: int, accepted: set[str]) -> None:
        self.tokens = tokens
        self.position = position
        self.accepted = accepted
        self.token = tokens[position]

    def at(self, distance: int) -> Token:
        """The token so many places further on (or back, if negative); beyond the ends, the first or last one."""
        return self.tokens[min(max(self.position + distance, 0), len(self.tokens) - 1)]

    @property
    def before(self) -> Token:
        return self.at(-1)

    @property
    def after(self) -> Token:
        return self.at(1)

    def is_word(self, token: Token) -> bool:
        return token.text in KEYWORDS

    def touches(self, first: int, second: int) -> bool:
        """Whether two tokens, given by their distances, stand on one line with nothing between them."""
        left, right = self.at(first), self.at(second)
        return left is not right and (left.end_line, left.end_column) == (right.line, right.column)

    @property
    def wants_statement(self) -> bool:
        return "VAR" in self.accepted

    @property
    def wants_operand(self) -> bool:
        return "PREFIX" in self.accepted

    @property
    def in_condition(self) -> bool:
        """After something complete that a comparison or `and` could still follow."""
        return "LOGIC" in self.accepted

    @property
    def is_bare_reference(self) -> bool:
        return {"ASSIGN", "LPAR"} <= self.accepted and not self.wants_statement

    @property
    def stores_into_a_call(self) -> bool:
        is_call = self.before.type == "RPAR" and self.wants_statement and "OPERATOR" not in self.accepted
        return self.token.type == "ASSIGN" and is_call

    @cached_property
    def opener(self) -> Token | None:
        """The innermost bracket that is open here."""
        found = unclosed(self.tokens[: self.position])
        return found[-1] if found else None

    @cached_property
    def opener_position(self) -> int:
        return next((i for i, token in enumerate(self.tokens) if token is self.opener), 0)

    @property
    def before_opener(self) -> Token:
        return self.tokens[max(self.opener_position - 1, 0)]

    @cached_property
    def reference(self) -> Token:
        """The first token of the reference (`a.b[1](2)`) that ends just before; else the token before."""
        position = self.position - 1
        while position > 0:
            if self.tokens[position].type in {"RPAR", "RSQB"}:
                position = _matching(self.tokens, position) - 1
            elif self.tokens[position - 1].type == "DOT" and self.tokens[position].type == "NAME":
                position -= 2
            else:
                break
        return self.tokens[max(position, 0)]


def unclosed(tokens: list[Token]) -> list[Token]:
    """The brackets that are open at the end, outermost first. A brace closes what was left open within it."""
    stack: list[Token] = []
    pairs = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
    for token in tokens:
        if token.type in _OPENERS:
            stack.append(token)
        elif token.type in _CLOSERS:
            wanted = pairs[token.type]
            if token.type == "RBRACE" and any(opener.type == "LBRACE" for opener in stack):
                while stack[-1].type != wanted:
                    stack.pop()
            if stack and stack[-1].type == wanted:
                stack.pop()
    return stack


def lacks_closing_brace(tokens: list[Token], position: int) -> bool:
    """Whether a `)` or `,` stands where a block within parentheses was not closed, and a `}` is missing altogether."""
    if tokens[position].type not in {"RPAR", "COMMA"}:
        return False
    around = [opener.type for opener in unclosed(tokens[:position])]
    missing = sum((token.type == "LBRACE") - (token.type == "RBRACE") for token in tokens)
    return around[-2:] == ["LPAR", "LBRACE"] and missing > 0


def unclosed_brace(tokens: list[Token]) -> int:
    """The position of the `{` that most likely lacks its `}`, told by indentation; of the last token if none does.

    A `}` that begins a line further left than the line of the `{` which it closes was meant for another one.
    """
    stack: list[tuple[int, int]] = []
    indentation = 1
    for position, token in enumerate(tokens):
        indentation = token.column if token.starts_line else indentation
        if token.type == "LBRACE":
            stack.append((position, indentation))
        elif token.type == "RBRACE" and stack:
            opener, opened_at = stack.pop()
            if token.starts_line and token.column < opened_at:
                return opener
    return stack[-1][0] if stack else len(tokens) - 1


def _matching(tokens: list[Token], position: int) -> int:
    """The position of the bracket that the closing one at `position` belongs to; 0 if there is none."""
    level = 0
    for candidate in range(position, -1, -1):
        level += (tokens[candidate].type in _CLOSERS) - (tokens[candidate].type in _OPENERS)
        if level == 0:
            return candidate
    return 0
