"""What a person reads after a mistake: whole texts, every error of a file at once, and no errors that are none."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pybuzz.buzz.parsing import parse
from pybuzz.errors import Diagnostic, ScriptError


def _errors(text: str) -> list[Diagnostic]:
    with pytest.raises(ScriptError) as caught:
        parse("test.bzz", text)
    return list(caught.value.diagnostics)


def _rendered(text: str) -> str:
    return "\n".join(error.render() for error in _errors(text))


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("x += 1", "compound-assignment", "Buzz has no +=: write x = x + ..."),
        ("x++", "compound-assignment", "Buzz has no ++: write x = x + 1"),
        ("if(a && b) c()", "foreign-sign", "write and"),
        ("if(a || b) c()", "foreign-sign", "write or"),
        ("if(a <> b) c()", "foreign-sign", "unequal is written !="),
        ("if(a => b) c()", "assignment-in-condition", "assignment inside a condition: write == to compare"),
        ("x = a ** b", "foreign-sign", "powers are written ^"),
        ('x = "a" .. "b"', "foreign-sign", "strings are joined with string.concat(a, b)"),
        ("// comment", "foreign-sign", "a comment begins with #"),
        ("-- comment", "foreign-sign", "a comment begins with #"),
        ('x = "a\ny = "b"', "character", "the string that opens here needs a closing \"; "
         "or the string of line 1, which runs over several lines, needs one"),
        ("if(a ~= b) c()", "character", "unequal is written !=, bitwise not !"),
        ("x = a ? b : c", "character", "Buzz has no ? : operator; write if(...) { ... } else { ... }"),
        ("x = 1e5 y = 2", "number-form", "Buzz has no exponents: write the number out, as in 100000.0 or 0.001"),
        ("x = 0x1F y = 2", "number-form", "Buzz has no hexadecimal numbers: write the number in decimal"),
        ("x = .5", "number-form", "a number begins with a digit: write 0.5"),
        ("x = 1e5\ny = 2", "number-form",
         "Buzz has no exponents: write 1e5 on line 1 out, as in 100000.0 or 0.001"),
        ("x = 0xFF\ny = 2", "number-form", "Buzz has no hexadecimal numbers: write 0xFF on line 1 in decimal"),
        ("Function step() { }", "keyword-case", "keywords are written in small letters: function, not Function"),
        ("If (x) { y() }", "keyword-case", "keywords are written in small letters: if, not If"),
        ("if(x AND y) z()", "keyword-case", "keywords are written in small letters: and, not AND"),
        ("if(x):\n  y()", "character", "a block stands in braces: { ... }"),
        ("x = [1, 2]", "table-entry",
         "a list is a table with numbers as keys: {.0 = a, .1 = b}, and { } for an empty one"),
        ('x = {"a" = 1}', "table-entry", "a key begins with a dot and has no quotes: {.a = 1}"),
        ("x = t.5", "number-form", "an element with a number is written [5]"),
        ("if(a) { } elseif(b) { }", "else-if", "write else if(condition)"),
        ("while(1) { break }", "foreign-word",
         "Buzz has no break: let the loop's condition end it, or leave the function with return"),
        ("local x = 1", "foreign-word", "variables are declared with var, whatever their type"),
        ("def f(a) { }", "foreign-word", "a function is written function name(a, b) { ... }"),
        ('print "a"', "foreign-word", "a call needs parentheses: print(...)"),
        ("if(x) then y = 1", "foreign-word", "Buzz has no then: write if(condition) { ... }"),
        ("for(k in t) { }", "for-each", "tables are gone through with foreach(t, function(key, value) { ... })"),
        ("for(i = 0; i < 3; i = i + 1) { }", "for-parts",
         "the parts of for are separated by commas: for(i = 0, i < 10, i = i + 1)"),
        ("for(i = 0 i < 3, i = i + 1) { }", "for-parts",
         "missing comma between the parts of for: for(i = 0, i < 10, i = i + 1)"),
        ("for(var i = 0, i < 3, i = i + 1) { }", "for-parts",
         "declare the variable before the loop: var i = 0, then for(i = 0, ...)"),
        ("for(, i < 3, i = i + 1) { }", "for-parts",
         "for has three parts, none of them empty: for(i = 0, i < 10, i = i + 1)"),
        ("if x > 3 { }", "head-parentheses", "the condition of if stands in parentheses: if(...)"),
        ("while() { }", "head-parentheses", "something is missing between the parentheses"),
        ("if(x = 3) { }", "assignment-in-condition", "assignment inside a condition: write == to compare"),
        ("f(x = 3)", "assignment-in-condition", "an assignment is a statement of its own; write == to compare"),
        ("if(a) return else b()", "lonely-else", "a return before else needs its end: write { return }"),
        ("else { }", "lonely-else", "this else belongs to no if"),
        ("x = a == b", "comparison-place", "a comparison on the right of = needs parentheses: x = (a == b)"),
        ("x = a and b", "comparison-place", "`and` on the right of = needs parentheses: x = (a and b)"),
        ("x = t[a < b]", "comparison-place", "a comparison within [ ] needs parentheses: t[(a < b)]"),
        ("if(a < b < c) d()", "comparison-place", "comparisons do not chain: write (a < b) and (b < c)"),
        ("x = not a", "not-place", "`not` on the right of = needs parentheses: x = (not a)"),
        ("if(a and not b) c()", "not-place", "`not` needs parentheses here: a and (not b)"),
        ("f() = 1", "assignment-place", "a call gives a value; store into a variable, t.name or t[key]"),
        ("x = y = 1", "assignment-place", "assign to one variable at a time"),
        ("x = = 1", "assignment-place", "one = assigns, == compares, with no blank between"),
        ("t = {.a = x .b = 2}", "assignment-place", "a comma is missing before this entry"),
        ("t = {.a = 1 .b = 2}", "table-entry", "a comma is missing between the entries"),
        ("t = {1, 2}", "table-entry", "each entry has a key: {.0 = 1, .1 = 2}"),
        ("t = {a = 1}", "table-entry", "a key begins with a dot: {.a = 1}"),
        ("t = {.a = 1,}", "table-entry", "no comma after the last entry"),
        ("t = {.if = 1}", "table-entry", 'if is a keyword: assign it afterwards, t["if"] = ...'),
        ("t = {.-1 = 1}", "table-entry",
         "keys in a constructor are names or numbers: assign others afterwards, t[key] = ..."),
        ("x = {} + 1", "table-operand", "a table cannot be an operand"),
        ("x = (f)()", "call-place",
         "only a name, or what follows one, can be called or indexed: store the value in a variable first"),
        ("return 1, 2", "one-at-a-time", "a function returns one value: return a table"),
        ("var a, b", "one-at-a-time", "one variable for each var"),
        ("a, b = 1, 2", "one-at-a-time", "assign to one variable at a time"),
        ("f(1 2)", "argument-comma", "a comma is missing here"),
        ("f(1,)", "argument-comma", "no comma before the closing parenthesis"),
        ("x = function f() { }", "function-head",
         "a function within an expression has no name: f = function(a) { ... }"),
        ("function (a) { }", "function-head", "a function that is a statement needs a name: function f(a) { ... }"),
        ("function math.f() { }", "function-head", "write math.f = function(...) { ... }"),
        ("function f() return 1", "function-head", "the body of a function stands in braces"),
        ("var else = 1", "keyword-as-name", "else is a keyword; choose another name"),
        ("x = t.if", "keyword-as-name", 'if is a keyword; choose another name, or write ["if"]'),
        ("a() }", "stray-bracket", "this } closes nothing"),
        ("function f() { { a() } }", "free-block", "a block stands only after if, else, while, for and function"),
        ("x = (1 + 2\ny = 3", "unclosed-bracket", "the ( of line 1, column 5, is not closed"),
        ("x = t[1\ny = 3", "unclosed-bracket", "the [ of line 1, column 6, is not closed"),
        ("function f() {\n  a()", "unclosed-bracket", "the { of line 1, column 14, is not closed"),
        ("foreach(t, function(k, v) {\n  a()\n)\nb()", "unclosed-bracket", "the { of line 1, column 27, is not closed"),
        ("x = 1 +", "missing-operand", "something is missing after +"),
        ("while(1)", "missing-body", "the body is missing: write { } for one that does nothing"),
        ("x\ny = 2", "bare-reference", "`x` on line 1 is no statement: call it, or assign to it"),
        ("a.b[1]\ny = 2", "bare-reference", "`a...` on line 1 is no statement: call it, or assign to it"),
        ("x = 5 5", "stray-value", "no statement begins with 5: is something missing before it?"),
        ("function f) { }", "missing-sign", "( is missing before this"),
        ("x = t[]", "missing-sign", "a value is missing before ]"),
        ('x = "a\ny = "b"\nlog("c")', "string-quote",
         "a string begins on line 1 and ends on line 2: is a quote missing?"),
    ],
)  # fmt: skip
def test_a_mistake_has_a_name_and_a_hint(text: str, code: str, hint: str) -> None:
    error = _errors(text)[0]
    assert (error.code, error.hint) == (code, hint)


def test_all_errors_of_a_file_come_in_one_go() -> None:
    text = """\
    function step() {
      x += 1
      if(x = 3) { y = = 2 }
      else if(x == 4 { log("b") }
      foreach(t, function(k v) {
        log(k)
      })
      while x > 3 {
        z = a == b
      }
    }
    t = {1, 2}
    log("fine")
    s = t.if
    """
    assert [(error.place.line, error.code) for error in _errors(dedent(text))] == [
        (2, "compound-assignment"),
        (3, "assignment-in-condition"),
        (3, "assignment-place"),
        (4, "unclosed-bracket"),
        (5, "argument-comma"),
        (8, "head-parentheses"),
        (9, "comparison-place"),
        (12, "table-entry"),
        (14, "keyword-as-name"),
    ]


def test_a_missing_brace_is_one_error_that_points_to_the_likely_line() -> None:
    text = """\
    function f() {
      if(a) {
        b()
    }

    function g() {
      c()
    }

    function h() {
      d()
    }
    """
    (error,) = _errors(dedent(text))
    assert error.hint == "the { of line 2, column 9, is not closed"


@pytest.mark.parametrize(
    "text",
    [
        "function f()\n  a()\n}\nfunction g() {\n  b()\n}\n",
        "foreach(t, function(k, v) {\n  a(k)\n)\nfunction g() {\n  b()\n}\n",
        "function f() {\n  if(a) {\n    b()\n  } {\n    c()\n  }\n  d()\n}\n",
        "x = function() {\n  a()\n}\n.y = 1\nfunction f() {\n}\n",
        "function f() {\n  if(a {\n    b()\n  } else {\n    c()\n  }\n}\n",
        "function f() {\n  if(a) b( return 1 else c()\n}\nd()\n",
    ],
)
def test_one_slip_is_one_error(text: str) -> None:
    assert len(_errors(text)) == 1


def test_a_nested_function_is_refused_with_the_way_out() -> None:
    assert _rendered("function f() {\n  function g() { }\n}") == (
        "test.bzz:2:12: compile error: syntax error: the definition of function g() is nested within another scope. "
        "To define local functions, use the lambda syntax g = function() { ... }.\n"
        "      function g() { }\n"
        "               ^\n"
        "  hint: or a } is missing before it"
    )


def test_an_error_is_shown_with_its_line_and_a_caret() -> None:
    assert _rendered("y = 1\nx = y == 2\n") == (
        "test.bzz:2:7: compile error: syntax error: expected identifier, found == != < <= > >=\n"
        "    x = y == 2\n"
        "          ^^\n"
        "  hint: a comparison on the right of = needs parentheses: x = (a == b)"
    )


def test_columns_are_characters_not_bytes() -> None:
    text = 's = "è" == 2'.encode().decode("latin-1")
    (error,) = _errors(text)
    assert (error.place.column, error.source_line) == (9, 's = "è" == 2')


def test_only_the_first_strange_character_of_a_line_is_reported() -> None:
    assert [error.place.line for error in _errors("x = a ? b : c\ny = a @ b")] == [1, 2]


def test_nested_too_deeply_is_an_error_of_its_own() -> None:
    for text in ("x = " + "-" * 500 + "a", "x = " + "a + " * 500 + "a", "if(1) " * 300 + "a()", "x = f" + "()" * 300):
        (error,) = _errors(text)
        assert error.text == "nested too deeply"


def test_errors_of_a_hopeless_file_are_limited() -> None:
    assert len(_errors("x = = 1\n" * 1000)) == 50
