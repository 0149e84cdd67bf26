"""What the passes find out about programs, and that the code made from it bears the script's places."""

import pytest

from pybuzz.buzz import compile_program
from pybuzz.buzz.compilation.types import ANY, FLOAT, INTEGER, NIL, NUMBER, STRING, TABLE
from pybuzz.errors import ScriptError


def facts_of(text, **options):
    return compile_program("script.bzz", text, **options).facts


def counted(text):
    facts = facts_of(text)
    return {function.name for function in facts.scopes.functions if function in facts.counted}


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("x = 1 x = x + 1", INTEGER),
        ("x = 1 x = x * 0.5", NUMBER),
        ("x = 2 ^ 2", FLOAT),
        ("x = (1 < 2)", INTEGER),
        ('x = "a" x = nil', STRING | NIL),
        ("x = {} y = x.a x = y", ANY),
        ("x = math.sin(1)", FLOAT),
        ("math.sin = nil x = math.sin(1)", ANY),
        ("m = math m.sin = nil x = math.sin(1)", ANY),
        ("function f(a) { return a + 1 } x = f(1)", INTEGER),
        ("function f(a) { return a + 1 } x = f(1) y = f(0.5)", NUMBER),
        ("function f(a) { return a + 1 } x = f(1) g = f", NUMBER),
        ("function f(a) { if(a) { return 1 } } x = f(1)", INTEGER | NIL),
    ],
)
def test_a_global_has_the_types_of_all_that_is_assigned_to_it(text, types):
    assert facts_of(text).globals["x"] == types


@pytest.mark.parametrize(
    ("text", "may_be_nil"),
    [
        ("x = 1 y = x", False),
        ("y = x x = 1", True),
        ("x = x x = 1", True),
        ("function f() { return x } x = 1 f()", False),
        ("function f() { return x } f() x = 1", True),
        ("function f() { return x } foreach({.a = 1}, function(k, v) { f() }) x = 1", True),
        ("y = math.sqrt(2) x = 1 function f() { return x }", False),
        ("if(id) { x = 1 } function f() { return x }", True),
        ("if(id) { return } x = 1 function f() { return x }", True),
        ("function init() { x = 1 } function step() { x = x + 1 }", True),
    ],
)
def test_a_global_that_can_be_read_before_its_first_assignment_may_be_nil(text, may_be_nil):
    assert bool(facts_of(text).globals["x"] & NIL) == may_be_nil


def test_nothing_is_known_of_globals_that_the_host_announces():
    assert "x" not in facts_of("x = 1", host_names={"x"}).globals
    assert "id" not in facts_of("id = 1").globals


def test_parameters_of_callbacks_have_the_types_that_walks_give():
    facts = facts_of("foreach({.a = 1}, function(k, v) { return k })")
    [lambda_] = facts.scopes.functions[1:]
    key, value = (facts.variables[parameter] for parameter in lambda_.parameters)
    assert (key, value) == (NUMBER | STRING, ANY & ~NIL)


def test_a_function_used_as_a_value_or_given_too_little_has_callers_that_are_not_known():
    facts = facts_of("function f(a) {} function g(a) {} function h(a) {} f(1) x = g h() g(1)")
    assert {function.name for function in facts.callers} == {"f"}


def test_functions_that_the_host_calls_have_no_arguments_for_their_parameters():
    facts = facts_of("function step(a) {} function init() {}")
    assert {function.name for function in facts.callers} == {"init"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("function f() { g() } function g() { math.sin(1) } f()", set()),
        ("function f(n) { f(n - 1) }", {"f"}),
        ("function f() { g() } function g() { f() } function h() { f() }", {"f", "g"}),
        ("t = {} t.f = function() { t.f() }", {"f"}),
        ("t = {} t.f = function() { foreach(t, function(k, v) { v() }) }", {"f", "a function"}),
        ("function f() { foreach({.a = 1}, function(k, v) { log(k) }) }", set()),
    ],
)
def test_functions_that_may_call_themselves_are_counted(text, names):
    assert counted(text) == names


def test_the_order_of_stores_does_not_matter_where_nothing_is_walked():
    assert not facts_of("t = {} t.x = 1 log(size(t))").walks_tables
    assert facts_of("t = {} t.x = 1 foreach(t, log)").walks_tables


def test_a_table_is_a_table():
    assert facts_of("x = {.a = 1}").globals["x"] == TABLE


def test_code_bears_the_names_and_lines_of_the_buzz_files(tmp_path):
    (tmp_path / "part.bzz").write_text("\n\nfunction inside() { return 1 }\n")
    path = tmp_path / "main.bzz"
    path.write_text('include "part.bzz"\nfunction outside() { return 2 }\n')
    machine = compile_program(path).new_machine(1, log=print)
    places = [machine.get_global(name).__code__ for name in ("inside", "outside")]
    assert [(code.co_filename.rsplit("/")[-1], code.co_firstlineno) for code in places] == [
        ("part.bzz", 3),
        ("main.bzz", 2),
    ]


def test_a_script_nested_too_deeply_for_python_is_refused_with_advice():
    text = "function f() {" + "while(1) {" * 30 + "}" * 30 + "}"
    with pytest.raises(ScriptError, match="nested too deeply"):
        compile_program("script.bzz", text)


@pytest.mark.parametrize(
    ("body", "is_counter", "may_be_negative"),
    [
        ("var i = 0 while(i < 8) { i = i + 1 }", True, False),
        ("var i = 0 i = 5 i = i + 1 i = i - 1", True, True),
        ("var i = -3", True, True),
        ("var i", False, False),
        ("var i = 0 i = i + id", False, False),
        ("var i = 0 i = i * 2", False, False),
        ("var i = 0 i = i + 1000", False, False),
        ("var i = 0 i = i + 1.0", False, False),
        ("var i = 2000000000", False, False),
        ("var k = 0 var i = 0 i = k + 1", False, False),
    ],
)
def test_a_local_counts_if_it_only_gets_small_constants_and_itself_plus_or_minus_one(body, is_counter, may_be_negative):
    found = {variable.name: limits for variable, limits in facts_of(f"function f() {{ {body} }}").counters.items()}
    assert ("i" in found) == is_counter
    assert (found.get("i", (0, 0))[0] < 0) == may_be_negative


def test_parameters_and_globals_do_not_count():
    assert not facts_of("i = 0 function f(n) { n = 0 i = i + 1 } f(1)").counters


def test_counting_relies_on_the_budget():
    program = compile_program("script.bzz", "function f() { var i = 0 while(1) { i = i + 1 } }")
    usual, huge = (program.new_machine(1, log=print, budget=budget) for budget in (2_000_000, 200_000_000))
    assert "__wrap" not in usual.get_global("f").__code__.co_names
    assert "__wrap" in huge.get_global("f").__code__.co_names
