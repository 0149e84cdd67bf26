"""Mistakes that people make, by name: each rule knows one and says what to do about it.

A rule takes the Situation and returns its hint, or an empty string if this is not its mistake. The first that answers
counts, so the more particular ones stand first.
"""

from __future__ import annotations

from collections.abc import Callable

from pybuzz.buzz import foreign_hints
from pybuzz.buzz.situation import Situation, lacks_closing_brace, unclosed_brace
from pybuzz.buzz.tokens import Token

__all__ = ["RULES"]


def _place(token: Token) -> str:
    return f"line {token.line}"


def _string_quote(here: Situation) -> str:
    for distance in (-2, -1, 0):
        token = here.at(distance)
        if token.type == "STRING" and token.end_line > token.line:
            return f"a string begins on line {token.line} and ends on line {token.end_line}: is a quote missing?"
    return ""


# The heads of loops and conditions


def _for_each(here: Situation) -> str:
    if "in" not in {here.token.text, here.before.text} or here.before_opener.type != "FOR":
        return ""
    return "tables are gone through with foreach(t, function(key, value) { ... })"


def _for_commas(here: Situation) -> str:
    if here.before_opener.type != "FOR" or here.opener is None or here.opener.type != "LPAR":
        return ""
    if here.token.type == "VAR":
        return "declare the variable before the loop: var i = 0, then for(i = 0, ...)"
    if here.token.separator == ";":
        return "the parts of for are separated by commas: for(i = 0, i < 10, i = i + 1)"
    if here.token.type in {"COMMA", "RPAR"}:
        return "for has three parts, none of them empty: for(i = 0, i < 10, i = i + 1)"
    if "COMMA" in here.accepted and here.token.type not in {"COMPARE", "LOGIC", "ASSIGN", "LBRACE"}:
        return "missing comma between the parts of for: for(i = 0, i < 10, i = i + 1)"
    return ""


def _head_parenthesis(here: Situation) -> str:
    if here.before.type in {"IF", "WHILE"}:
        return f"the condition of {here.before.text} stands in parentheses: {here.before.text}(...)"
    if here.before.type == "FOR":
        return "the parts of for stand in parentheses: for(i = 0, i < 10, i = i + 1)"
    if here.token.type == "RPAR" and here.before.type == "LPAR" and here.wants_operand:
        return "something is missing between the parentheses"
    return ""


def _assignment_in_condition(here: Situation) -> str:
    if here.token.type != "ASSIGN" or not here.in_condition:
        return ""
    if here.before_opener.type in {"IF", "WHILE"}:
        return "assignment inside a condition: write == to compare"
    return "an assignment is a statement of its own; write == to compare"


def _lonely_else(here: Situation) -> str:
    if here.token.type != "ELSE":
        return ""
    if here.before.type in {"RETURN", "RETURN_NOTHING"}:
        return "a return before else needs its end: write { return }"
    return "this else belongs to no if"


# Expressions


def _comparison_place(here: Situation) -> str:
    token = here.token
    if token.type == "COMPARE" and here.in_condition:
        return "comparisons do not chain: write (a < b) and (b < c)"
    if token.type not in {"COMPARE", "LOGIC"} or here.wants_operand:
        return ""
    what = "a comparison" if token.type == "COMPARE" else f"`{token.text}`"
    if here.opener and here.opener.type == "LSQB":
        return f"{what} within [ ] needs parentheses: t[(a {token.text} b)]"
    if "OPERATOR" in here.accepted or here.wants_statement or "COMMA" in here.accepted:
        return f"{what} on the right of = needs parentheses: x = (a {token.text} b)"
    return ""


def _not_place(here: Situation) -> str:
    if here.token.type != "NOT":
        return ""
    if here.before.type == "LOGIC":
        return f"`not` needs parentheses here: a {here.before.text} (not b)"
    if here.before.type == "ASSIGN":
        return "`not` on the right of = needs parentheses: x = (not a)"
    return "`not` needs parentheses here: (not a)"


def _chained_assignment(here: Situation) -> str:
    if here.token.type != "ASSIGN":
        return ""
    if here.stores_into_a_call:
        return "a call gives a value; store into a variable, t.name or t[key]"
    if here.before.type in {"ASSIGN", "COMPARE"}:
        return "one = assigns, == compares, with no blank between"
    if here.opener and here.opener.type == "LBRACE" and "RBRACE" in here.accepted and not here.wants_statement:
        return "a comma is missing before this entry"
    return "assign to one variable at a time" if here.wants_statement else ""


def _callable(here: Situation) -> str:
    if here.token.type not in {"LPAR", "LSQB", "DOT"} or not here.wants_statement:
        return ""
    if here.before.type in {"RPAR", "RBRACE", "STRING", "NUMBER"} and not here.token.starts_line:
        return "only a name, or what follows one, can be called or indexed: store the value in a variable first"
    return ""


def _list(here: Situation) -> str:
    if here.token.type != "LSQB" or not here.wants_operand:
        return ""
    return "a list is a table with numbers as keys: {.0 = a, .1 = b}, and { } for an empty one"


def _table_operand(here: Situation) -> str:
    is_operand = here.token.type == "LBRACE" and here.wants_operand
    is_followed = here.token.type == "OPERATOR" and here.before.type == "RBRACE"
    return "a table cannot be an operand" if is_operand or is_followed else ""


def _missing_operand(here: Situation) -> str:
    if here.wants_operand and here.before.type in {"OPERATOR", "COMPARE", "LOGIC", "PREFIX", "ASSIGN", "NOT"}:
        return f"something is missing after {here.before.text}"
    return ""


# Tables


def _table_entry(here: Situation) -> str:
    token = here.token
    if here.accepted == {"DOT", "RBRACE"}:
        if token.type not in {"NAME", "STRING"} or here.after.type in {"COMMA", "RBRACE"}:
            return "each entry has a key: {.0 = 1, .1 = 2}"
        return "a key begins with a dot" + (" and has no quotes: " if token.type == "STRING" else ": ") + "{.a = 1}"
    if here.accepted == {"NAME", "NUMBER"}:
        if here.is_word(token):
            return f'{token.text} is a keyword: assign it afterwards, t["{token.text}"] = ...'
        return "keys in a constructor are names or numbers: assign others afterwards, t[key] = ..."
    if here.accepted == {"DOT"}:
        return "no comma after the last entry" if token.type == "RBRACE" else "a key begins with a dot: {.a = 1}"
    if token.type == "DOT" and "RBRACE" in here.accepted and "COMMA" in here.accepted:
        return "a comma is missing between the entries"
    return ""


# Lists


def _one_at_a_time(here: Situation) -> str:
    if here.token.type != "COMMA" or not (here.wants_statement or here.is_bare_reference):
        return ""
    if here.is_bare_reference:
        return "assign to one variable at a time"
    words = [token.text for token in here.tokens[max(0, here.position - 12) : here.position] if here.is_word(token)]
    if words and words[-1] == "return":
        return "a function returns one value: return a table"
    if words and words[-1] == "var":
        return "one variable for each var"
    return "statements stand one after the other, without commas"


def _arguments(here: Situation) -> str:
    if here.token.type == "RPAR" and here.before.type == "COMMA":
        return "no comma before the closing parenthesis"
    starts_operand = here.token.type in {"NAME", "NUMBER", "STRING", "NIL", "FUNCTION"} and not here.token.starts_line
    if {"COMMA", "RPAR"} <= here.accepted and starts_operand:
        return "a comma is missing here"
    return ""


# Functions and blocks


def _function_head(here: Situation) -> str:
    token, before = here.token, here.before
    if before.type == "FUNCTION":
        if here.accepted == {"LPAR"} or token.type == "NAME":
            return "a function within an expression has no name: f = function(a) { ... }"
        return "a function that is a statement needs a name: function f(a) { ... }" if token.type == "LPAR" else ""
    if token.type == "DOT" and here.at(-2).type == "FUNCTION":
        return f"write {before.text}.{here.after.text} = function(...) {{ ... }}"
    if here.accepted == {"LBRACE"} and token.type == "STRING":
        return "only named functions have a docstring"
    is_body = "LBRACE" in here.accepted and not here.wants_operand and not here.wants_statement
    return "the body of a function stands in braces" if is_body else ""


def _missing_body(here: Situation) -> str:
    return "the body is missing: write { } for one that does nothing" if "EMPTY" in here.accepted else ""


def _keyword_as_name(here: Situation) -> str:
    if "NAME" in here.accepted and here.accepted <= {"NAME", "RPAR"} and here.is_word(here.token):
        member = f', or write ["{here.token.text}"]' if here.before.type == "DOT" else ""
        return f"{here.token.text} is a keyword; choose another name{member}"
    return ""


def _stray_closer(here: Situation) -> str:
    if here.token.type in {"RBRACE", "RPAR", "RSQB"} and here.wants_statement:
        return f"this {here.token.text} closes nothing"
    return ""


def _free_block(here: Situation) -> str:
    if here.token.type == "LBRACE" and here.wants_statement:
        return "a block stands only after if, else, while, for and function"
    return ""


def _unclosed_bracket(here: Situation) -> str:
    opener = here.opener
    if opener is None or opener.type == "LBRACE":
        return ""
    closer = {"LPAR": "RPAR", "LSQB": "RSQB"}[opener.type]
    if closer in here.accepted:
        return f"the {opener.text} of {_place(opener)}, column {opener.column}, is not closed"
    return ""


def _unclosed_lambda(here: Situation) -> str:
    if here.opener is None or not here.wants_statement or not lacks_closing_brace(here.tokens, here.position):
        return ""
    return f"the {{ of {_place(here.opener)}, column {here.opener.column}, is not closed"


def _unclosed_brace(here: Situation) -> str:
    if here.token.type != "$END" or here.opener is None:
        return ""
    opener = here.tokens[unclosed_brace(here.tokens)]
    return f"the {{ of {_place(opener)}, column {opener.column}, is not closed"


def _bare_reference(here: Situation) -> str:
    if not here.is_bare_reference:
        return ""
    shown = here.reference.text if here.reference is here.before else f"{here.reference.text}..."
    return f"`{shown}` on {_place(here.reference)} is no statement: call it, or assign to it"


def _stray_value(here: Situation) -> str:
    if here.wants_statement:
        return f"no statement begins with {here.token.text}: is something missing before it?"
    return ""


def _missing_sign(here: Situation) -> str:
    signs = {"LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "LBRACE": "{", "ASSIGN": "=", "NAME": "a name"}
    if len(here.accepted) == 1:
        sign = signs.get(next(iter(here.accepted)), "")
        return f"{sign} is missing before this" if sign else ""
    return f"a value is missing before {here.token.text}" if here.wants_operand and here.token.text else ""


RULES: tuple[tuple[str, Callable[[Situation], str]], ...] = (
    ("string-quote", _string_quote),
    ("unclosed-bracket", _unclosed_lambda),
    ("compound-assignment", foreign_hints.compound_assignment),
    ("foreign-sign", foreign_hints.foreign_sign),
    ("foreign-sign", foreign_hints.line_comment),
    ("number-form", foreign_hints.number_form),
    ("keyword-case", foreign_hints.keyword_case),
    ("else-if", foreign_hints.else_if),
    ("foreign-word", foreign_hints.foreign_word),
    ("for-each", _for_each),
    ("for-parts", _for_commas),
    ("foreign-word", foreign_hints.then),
    ("head-parentheses", _head_parenthesis),
    ("assignment-in-condition", _assignment_in_condition),
    ("keyword-as-name", _keyword_as_name),
    ("lonely-else", _lonely_else),
    ("comparison-place", _comparison_place),
    ("not-place", _not_place),
    ("assignment-place", _chained_assignment),
    ("table-entry", _table_entry),
    ("table-entry", _list),
    ("table-operand", _table_operand),
    ("call-place", _callable),
    ("one-at-a-time", _one_at_a_time),
    ("argument-comma", _arguments),
    ("function-head", _function_head),
    ("stray-bracket", _stray_closer),
    ("free-block", _free_block),
    ("unclosed-bracket", _unclosed_bracket),
    ("unclosed-bracket", _unclosed_brace),
    ("missing-operand", _missing_operand),
    ("missing-body", _missing_body),
    ("bare-reference", _bare_reference),
    ("stray-value", _stray_value),
    ("missing-sign", _missing_sign),
)
