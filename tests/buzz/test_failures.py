"""Run-time errors as a person sees them: whole messages, places, stacks and hints."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pybuzz.buzz import compile_program, host_function
from pybuzz.errors import ScriptError


def failure_of(text, *, register=None, path="script.bzz", **options):
    machine = compile_program(path, dedent(text).lstrip("\n"), **options).new_machine(1, log=lambda values: None)
    for name, value in (register or {}).items():
        machine.register(name, value)
    with pytest.raises(ScriptError) as caught:
        machine.run_global_part()
    return caught.value


def message_of(text, **options):
    return str(failure_of(text, **options))


def text_of(text, **options):
    return failure_of(text, **options).diagnostics[0].text


def test_a_message_shows_the_place_the_calls_and_what_is_nil():
    found = message_of(
        """
        function speed(robot) {
          return robot.wheels.left + 1
        }
        function control() {
          var fast = speed({.name = "kh1"})
          return fast
        }
        control()
        """
    )
    assert found == dedent(
        """\
        script.bzz:2:10: runtime error: type mismatch: expected table, got nil; `robot.wheels` is nil here
              return robot.wheels.left + 1
                     ^^^^^^^^^^^^^^^^^
          called from control (script.bzz:5:14)
          called from the global part (script.bzz:8:1)"""
    )


def test_a_misspelt_function_is_told_with_the_name_that_was_meant():
    found = message_of("function set_speed(x) { return x }\nset_sped(3)")
    assert found == dedent(
        """\
        script.bzz:2:1: runtime error: type mismatch: expected closure, got nil; `set_sped` is nil here
            set_sped(3)
            ^^^^^^^^^^^
          hint: did you mean 'set_speed'?"""
    )


@pytest.mark.parametrize("name", ["True", "False", "None"])
def test_globals_that_python_keeps_names_of_are_read_by_their_own_name(name):
    assert text_of(f"{name} = {{}}\nx = {name} * 2.0") == "a table * a float"
    assert f"did you mean '{name}'" in message_of(f"{name} = {{}}\nx = {name}e.a")


def test_a_misspelt_field_is_told_with_the_name_that_was_meant():
    found = failure_of("x = math.sqtr(2)").diagnostics[0]
    assert (found.text, found.hint) == ("expected closure, got nil; `math.sqtr` is nil here", "did you mean 'sqrt'?")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1 y = x + nil", "an integer + nil"),
        ("x = {} y = x.a * 2", "nil * an integer; `x.a` is nil here"),
        ('x = "a" y = x + "b"', "a string + a string"),
        ('x = "a" y = x * 1000000', "a string * an integer"),
        ("x = {} y = 1 - x", "an integer - a table"),
        ("function f() {} y = f / 2", "a closure / an integer"),
        ('x = "3" y = x % 2', "a string % an integer"),
        ("y = nil ^ 2", "nil ^ an integer"),
        ("x = {} y = -x", "cannot negate a table"),
        ("x = 1.5 y = x & 1", "expected integer, got float"),
        ("x = nil y = x << 1", "expected integer, got nil; `x` is nil here"),
        ('y = !"a"', "expected integer, got string"),
        ("x = 5 y = x.a", "expected table, got integer; `x` is 5 here"),
        ('x = "abc" y = x[0]', "expected table, got string"),
        ('x = "abc" y = x.a', 'expected table, got string; `x` is "abc" here'),
        ("x = 1.5 x.a = 1", "expected table, got float; `x` is 1.500000 here"),
        ("t = {.a = 7} y = t.a.b", "expected table, got integer; `t.a` is 7 here"),
        ("x = 1 x[2] = 1", "expected table, got integer; `x` is 1 here"),
        ("x = {} x[nil] = 1", "a nil value can't be used as table key"),
        ("x = {} x[x] = 1", "a table value can't be used as table key"),
        ("x = {} y = x[log]", "a closure value can't be used as table key"),
        ("x = {} x()", "expected closure, got table; `x` is a table here"),
        ("x = {} x.f()", "expected closure, got nil; `x.f` is nil here"),
        ("x = (log < log)", "cannot order a closure and a closure"),
        ('x = int("3")', 'expected int or float, got string; argument 1 of int() is "3"'),
        ("x = size(3)", "expected table, got integer; argument 1 of size() is 3"),
        ("foreach({.a = 1}, 3)", "expected closure, got integer; argument 2 of foreach() is 3"),
        ('x = {.a = 1} f = "f" foreach(x, f)', 'expected closure, got string; argument 2 of foreach() is "f"'),
    ],
)
def test_type_mismatches_name_the_types_and_what_is_nil(text, told):
    found = failure_of(text).diagnostics[0]
    assert (found.kind, found.text) == ("type mismatch", told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = math.abs()", "expected 1 parameters, got 0"),
        ("x = math.abs(1, 2)", "expected 1 parameters, got 2"),
        ("x = math.atan(1)", "expected 2 parameters, got 1"),
        ('x = string.sub("a")', "expected 2 or 3 parameters, got 1"),
        ('x = string.concat("a")', "expected at least 2 parameters, got 1"),
        ("x = math.rng.uniform(1, 2, 3)", "expected 0, 1, or 2 parameters, got 3"),
        ("foreach({.a = 1}, math.abs)", "expected 1 parameters, got 2"),
    ],
)
def test_built_ins_check_the_number_of_arguments(text, told):
    found = failure_of(text).diagnostics[0]
    assert (found.kind, found.text) == ("wrong number of local variables", told)


def test_a_missing_argument_fails_where_it_is_read_and_is_named():
    found = failure_of("f = function(a, b) {\n  var c = a\n  return b\n}\nf(1)").diagnostics[0]
    assert (found.kind, found.place.line) == ("wrong number of local variables", 3)
    assert found.hint == "the call gave no argument for 'b'"


@pytest.mark.parametrize(("value", "name"), [("2 * b", "b"), ("b + a", "b"), ("a + b", "b"), ("0.5 - (a * b)", "b")])
def test_a_missing_argument_is_named_in_code_that_has_run_often(value, name):
    found = failure_of(
        f"f = function(a, b) {{ return {value} }} i = 0 while(i < 50) {{ i = f(i, 1) - f(i, 1) + i + 1 }} f(1)"
    )
    assert found.diagnostics[0].hint == f"the call gave no argument for '{name}'"


def test_a_missing_argument_that_a_lambda_captures_fails_where_the_lambda_reads_it():
    text = "f = function(a) {\n  return function() {\n    return a\n  }\n}\ng = f()\nx = 1\ng()"
    found = failure_of(text).diagnostics[0]
    assert (found.kind, found.place.line) == ("wrong number of local variables", 3)


@pytest.mark.parametrize("operator", ["/", "%"])
def test_division_of_integers_by_zero_has_a_kind_of_its_own(operator):
    found = failure_of(f"z = 0\nx = 1 {operator} z").diagnostics[0]
    assert (found.kind, found.place.line) == ("division by zero", 2)


def test_the_caret_marks_the_faulty_part_and_not_the_whole_line():
    found = failure_of("x = 1 + 2 * nil + 3").diagnostics[0]
    assert (found.place.column, found.place.end_column) == (9, 16)


def test_errors_in_an_included_file_bear_its_name_and_how_it_came_in(tmp_path):
    (tmp_path / "part.bzz").write_text("function broken(x) {\n  return x.y\n}\nz = 1\n")
    text = '# main\ninclude "part.bzz"\nbroken(3)\n'
    found = failure_of(text, path=str(tmp_path / "main.bzz")).diagnostics[0]
    assert found.place.file.endswith("part.bzz")
    assert found.place.line == 2
    assert found.stack[0].place.file.endswith("main.bzz")
    assert found.stack[0].place.line == 3
    assert "included from" in found.hint


def test_a_file_included_within_a_function_keeps_its_lines(tmp_path):
    (tmp_path / "part.bzz").write_text("var a = nil\na.b = 1\n")
    text = 'function f() {\n  include "part.bzz"\n}\nf()\n'
    found = failure_of(text, path=str(tmp_path / "main.bzz")).diagnostics[0]
    assert (found.place.file.endswith("part.bzz"), found.place.line) == (True, 2)


def test_callbacks_show_in_the_stack_where_they_were_called_from():
    found = failure_of("function each(k, v) {\n  return v + k\n}\nforeach({.a = 1}, each)").diagnostics[0]
    assert (found.place.line, [entry.function for entry in found.stack]) == (2, ["the global part"])


def test_lambdas_are_named_after_what_they_are_stored_as():
    found = failure_of("t = {.go = function() { return nil + 1 }}\nf = function() { t.go() }\nf()").diagnostics[0]
    assert [entry.function for entry in found.stack] == ["f", "the global part"]


def test_endless_recursion_shows_its_ends_only():
    found = failure_of("function f(n) { return g(n) }\nfunction g(n) { return f(n) }\nf(1)").diagnostics[0]
    assert found.kind == "recursion too deep"
    assert len(found.stack) < 20
    assert any("more calls" in entry.function for entry in found.stack)


def test_a_fault_of_the_host_is_not_told_as_one_of_the_script():
    def broken():
        return {}["missing"]

    found = failure_of("x = broken()", register={"broken": host_function("broken", 0, broken)}).diagnostics[0]
    assert (found.kind, found.text) == ("host error", "KeyError: 'missing'")


def test_columns_count_characters_where_the_script_holds_utf8():
    found = failure_of('x = "é" y = nil + 1'.encode().decode("latin-1")).diagnostics[0]
    assert found.place.column == 13


def test_nothing_is_told_twice():
    found = failure_of("x = nil\nx.a = 1")
    assert len(found.diagnostics) == 1
    assert str(found).count("is nil here") == 1


def test_both_types_of_a_product_are_told_where_neither_operand_can_be_read_again():
    found = failure_of('function f(a) { return a }\ng = f\nx = math.sqrt(4) * f("s")').diagnostics[0]
    assert (found.kind, found.text) == ("type mismatch", "a float * a string")
