"""The parser against the grammar of the language, and its errors against the cases of tests/data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pybuzz.buzz.parsing import parse
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    CallStatement,
    Expression,
    Float,
    For,
    FunctionDefinition,
    If,
    Index,
    Integer,
    Lambda,
    Name,
    Not,
    Return,
    Script,
    String,
    TableConstructor,
    Unary,
    VarDeclaration,
)
from pybuzz.errors import Diagnostic, InputError, ScriptError


def _script(text: str) -> Script:
    return parse("test.bzz", text)


def _value(expression: str) -> Expression:
    (statement,) = _script(f"x = {expression}").statements
    assert isinstance(statement, Assignment)
    return statement.value


def _shape(node: Expression) -> str:
    """An expression with every grouping in brackets."""
    if isinstance(node, Binary):
        return f"[{_shape(node.left)} {node.operator} {_shape(node.right)}]"
    if isinstance(node, Unary):
        return f"[{node.operator}{_shape(node.operand)}]"
    if isinstance(node, Name):
        return node.name
    assert isinstance(node, (Integer, Float))
    return str(node.value)


def _errors(text: str) -> list[Diagnostic]:
    with pytest.raises(ScriptError) as caught:
        _script(text)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a + b * c", "[a + [b * c]]"),
        ("a - b - c", "[[a - b] - c]"),
        ("a * b % m", "[a * [b % m]]"),
        ("a ^ b ^ c", "[a ^ [b ^ c]]"),
        ("1 << 2 + 1", "[[1 << 2] + 1]"),
        ("a & b | c", "[[a & b] | c]"),
        ("a << b & c", "[a << [b & c]]"),
        ("-2 ^ 2", "[-2 ^ 2]"),
        ("-a ^ 2", "[-[a ^ 2]]"),
        ("-a & 3", "[-[a & 3]]"),
        ("-a << 1", "[-[a << 1]]"),
        ("-a % b", "[[-a] % b]"),
        ("-a * 2", "[[-a] * 2]"),
        ("- -a", "[-[-a]]"),
        ("2 - -3", "[2 - -3]"),
        ("2 * -a", "[2 * [-a]]"),
        ("!a & b", "[[!a] & b]"),
        ("!-a ^ 2 * b", "[[![-[a ^ 2]]] * b]"),
        ("a - (b - c)", "[a - [b - c]]"),
        ("+a", "[+a]"),
    ],
)
def test_operators_bind_as_in_the_table_of_precedence(text: str, shape: str) -> None:
    assert _shape(_value(text)) == shape


@pytest.mark.parametrize(
    ("text", "value"),
    [("007", 7), ("2147483648", -2147483648), ("4294967295", -1), ("4294967296", 0), ("99999999999999999999", -1),
     ("-2147483648", -2147483648), ("1.", 1.0), ("-0.5", -0.5), ("+3", 3)],
)  # fmt: skip
def test_numbers_are_read_as_32_bit_integers_or_floats(text: str, value: float) -> None:
    found = _value(text)
    assert isinstance(found, (Integer, Float))
    assert (type(found.value), found.value) == (type(value), value)


def test_a_call_may_continue_on_the_next_line() -> None:
    (statement,) = _script("x = f\n(3)").statements
    assert isinstance(statement, Assignment)
    assert statement.span.end_line == 2


def test_return_ends_at_a_newline_even_behind_a_comment() -> None:
    first, second = _script("return # why\nlog(1)").statements
    assert isinstance(first, Return)
    assert first.value is None
    assert isinstance(second, CallStatement)


def test_return_takes_a_value_from_its_own_line() -> None:
    (statement,) = _script("return -1").statements
    assert isinstance(statement, Return)
    assert isinstance(statement.value, Integer)


def test_a_semicolon_right_after_the_head_is_an_empty_body_and_a_warning() -> None:
    script = _script("if(x);\nlog(1)")
    branch, _ = script.statements
    assert isinstance(branch, If)
    assert branch.then.statements == []
    assert [(warning.code, warning.place.line) for warning in script.warnings] == [("empty-body", 1)]


def test_a_newline_after_the_head_is_not_an_empty_body() -> None:
    script = _script("while(x)\nlog(1)")
    assert len(script.statements) == 1
    assert script.warnings == []


def test_else_belongs_to_the_nearest_if() -> None:
    (outer,) = _script("if(a) if(b) c() else d()").statements
    assert isinstance(outer, If)
    inner = outer.then.statements[0]
    assert isinstance(inner, If)
    assert outer.otherwise is None
    assert inner.otherwise is not None


def test_every_statement_gets_its_node() -> None:
    text = """
    var a
    function f(x, y) "adds" { return x + y }
    for(i = 0, i < 3, i = i + 1) { }
    t[1] = function() { }
    x = {.a = 1, .2 = "two", .1.5 = nil}
    """
    kinds = [type(statement) for statement in _script(text).statements]
    assert kinds == [VarDeclaration, FunctionDefinition, For, Assignment, Assignment]


def test_a_table_constructor_keeps_the_types_of_its_keys() -> None:
    table = _value('{.a = 1, .2 = "two", .1.5 = nil}')
    assert isinstance(table, TableConstructor)
    assert [entry.key for entry in table.entries] == ["a", 2, 1.5]


def test_not_takes_all_that_follows() -> None:
    (statement,) = _script("return not a and b").statements
    assert isinstance(statement, Return)
    assert isinstance(statement.value, Not)


def test_spans_reach_from_the_first_character_to_after_the_last() -> None:
    (statement,) = _script("  t.a[1] = (b +\n  3) * c").statements
    assert isinstance(statement, Assignment)
    target, value = statement.target, statement.value
    assert isinstance(target, Index)
    assert (target.span.column, target.span.end_column) == (3, 9)
    assert (value.span.line, value.span.column, value.span.end_line, value.span.end_column) == (1, 12, 2, 9)


def test_a_body_knows_whether_it_has_braces() -> None:
    found = _script("if(a) b() else { c() }").statements[0]
    assert isinstance(found, If)
    assert not found.then.braced
    assert isinstance(found.otherwise, Block)
    assert found.otherwise.braced


def test_escapes_give_one_character_each() -> None:
    found = _value(r'"a\tb\n\"\\c"')
    assert isinstance(found, String)
    assert found.value == 'a\tb\n"\\c'


def test_a_name_may_begin_with_include() -> None:
    found = _value("includes")
    assert isinstance(found, Name)


def test_text_with_windows_line_ends_parses() -> None:
    assert len(_script("a = 1\r\nb = 2\r\n").statements) == 2


def test_an_empty_script_has_no_statements() -> None:
    assert _script("# nothing here").statements == []


def test_a_script_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the script"):
        parse(tmp_path / "missing.bzz")


def test_an_error_shows_the_place_and_the_line() -> None:
    (error,) = _errors("y = 1\nx = y == 2")
    assert error.render().splitlines()[:3] == [
        "test.bzz:2:7: compile error: syntax error: expected identifier, found == != < <= > >=",
        "    x = y == 2",
        "          ^^",
    ]


def _cases() -> list[Path]:
    folder = Path(__file__).parent.parent / "data" / "conformance" / "errors_compile"
    return sorted(file for file in folder.glob("*.err") if "kind: duplicated symbol" not in file.read_text())


@pytest.mark.parametrize("expected", _cases(), ids=lambda file: file.stem)
def test_errors_equal_those_of_the_reference(expected: Path) -> None:
    wanted = dict(line.split(": ", 1) for line in expected.read_text().splitlines())
    with pytest.raises(ScriptError) as caught:
        parse(expected.with_suffix(".bzz"))
    error = caught.value.diagnostics[0]
    prefix = "Syntax error: " if error.kind == "syntax error" else ""
    assert (error.stage, error.kind, prefix + error.text) == ("compile error", wanted["kind"], wanted["message"])
    assert error.place.line == int(wanted["line"])


def test_lambdas_nest_in_arguments() -> None:
    (statement,) = _script("foreach(t, function(k, v) { log(k, v) })").statements
    assert isinstance(statement, CallStatement)
    callback = statement.call.arguments[1]
    assert isinstance(callback, Lambda)
    assert [parameter.name for parameter in callback.parameters] == ["k", "v"]


def test_the_automaton_is_kept_between_processes_and_survives_a_damaged_file(tmp_path: Path) -> None:
    code = "from pybuzz.buzz.parsing import parse; print(len(parse('a.bzz', 'x = 1 y = 2').statements))"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert (run.stdout, run.stderr) == ("2\n", "")
        (kept,) = tmp_path.rglob("*.grammar")
        kept.write_bytes(kept.read_bytes()[:200])
