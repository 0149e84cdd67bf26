"""Mistakes of people who know other languages: signs and words that Buzz does not have. Rules as in hints.py."""

from __future__ import annotations

from pybuzz.buzz.situation import Situation
from pybuzz.buzz.tokens import KEYWORDS

__all__ = [
    "compound_assignment",
    "else_if",
    "foreign_sign",
    "foreign_word",
    "keyword_case",
    "line_comment",
    "number_form",
    "then",
]

_OTHER_LANGUAGES = {
    "break": "Buzz has no break: let the loop's condition end it, or leave the function with return",
    "continue": "Buzz has no continue: put the rest of the body into an if",
    "do": "Buzz has no do: write while(condition) { ... }",
    "then": "Buzz has no then: write if(condition) { ... }",
    "end": "a block ends with }",
    "until": "Buzz has no until: write while(not (condition)) { ... }",
    "repeat": "Buzz has no repeat: write while(condition) { ... }",
    "switch": "Buzz has no switch: write if(...) { ... } else if(...) { ... }",
    "case": "Buzz has no switch: write if(...) { ... } else if(...) { ... }",
    "import": 'another file is taken in with include "file.bzz"',
    "pass": "an empty body is written { }",
}
_TYPES = frozenset({"local", "let", "const", "int", "float", "double", "auto", "bool", "string", "global"})
_FUNCTION_WORDS = frozenset({"def", "func", "fn", "fun", "void"})


# Signs that other languages have


def compound_assignment(here: Situation) -> str:
    token, following = here.token, here.after
    if token.type != "OPERATOR" or not here.is_bare_reference or not here.touches(0, 1):
        return ""
    if following.type == "ASSIGN":
        return f"Buzz has no {token.text}=: write x = x {token.text} ..."
    if following.text == token.text and token.text in "+-":
        return f"Buzz has no {token.text}{token.text}: write x = x {token.text} 1"
    return ""


def foreign_sign(here: Situation) -> str:
    if here.token.type == "DOT" and here.after.type == "DOT" and here.touches(0, 1):
        return "strings are joined with string.concat(a, b)"
    if not here.touches(-1, 0):
        return ""
    return {
        "&&": "write and",
        "||": "write or",
        "**": "powers are written ^",
        "//": "a comment begins with #",
        "/*": "a comment begins with # and ends with the line",
        "<>": "unequal is written !=",
        "===": "equal is written ==",
        "!==": "unequal is written !=",
        "=>": "at least is written >=",
        "=<": "at most is written <=",
        "=!": "unequal is written !=",
    }.get(here.before.text + here.token.text, "")


def line_comment(here: Situation) -> str:
    is_comment = here.wants_statement and here.touches(0, 1) and here.token.text + here.after.text in {"//", "--", "/*"}
    return "a comment begins with #" if is_comment else ""


def number_form(here: Situation) -> str:
    name, number = here.before, here.at(-2)
    if here.is_bare_reference and number.type == "NUMBER" and name.type == "NAME" and here.touches(-2, -1):
        written = "the number" if number.line == here.token.line else f"{number.text}{name.text} on line {number.line}"
        if name.text[0] in "xX":
            return f"Buzz has no hexadecimal numbers: write {written} in decimal"
        if name.text[0] in "eE":
            return f"Buzz has no exponents: write {written} out, as in 100000.0 or 0.001"
        return "a name begins with a letter"
    if here.token.type == "DOT" and here.after.type == "NUMBER" and here.wants_operand:
        return f"a number begins with a digit: write 0.{here.after.text}"
    if here.token.type == "NUMBER" and here.before.type == "DOT" and here.accepted == {"NAME"}:
        return f"an element with a number is written [{here.token.text}]"
    return ""


# Words that other languages have


def keyword_case(here: Situation) -> str:
    for token in (here.reference, here.token):
        small = token.text.lower()
        if token.type == "NAME" and small in KEYWORDS:
            return f"keywords are written in small letters: {small}, not {token.text}"
    return ""


def else_if(here: Situation) -> str:
    return "write else if(condition)" if here.reference.text in {"elseif", "elif", "elsif"} else ""


def foreign_word(here: Situation) -> str:
    if not here.is_bare_reference:
        return ""
    word = here.before.text if here.reference is here.before else ""
    if word in _OTHER_LANGUAGES:
        return _OTHER_LANGUAGES[word]
    if word in _TYPES and here.token.type == "NAME" and not here.token.starts_line:
        return "variables are declared with var, whatever their type"
    if word in _FUNCTION_WORDS and here.token.type == "NAME" and not here.token.starts_line:
        return "a function is written function name(a, b) { ... }"
    if here.token.type == "STRING" and not here.token.starts_line:
        return f"a call needs parentheses: {here.before.text}(...)"
    return ""


def then(here: Situation) -> str:
    misplaced = here.token.type == "NAME" and here.token.text in {"then", "do", "begin"} and not here.wants_statement
    return _OTHER_LANGUAGES.get(here.token.text, "a block is written { ... }") if misplaced else ""
