"""Names and the variables they mean."""

import pytest

from pybuzz.buzz import parse
from pybuzz.buzz.scopes import resolve
from pybuzz.buzz.tree import Lambda, Name, walk
from pybuzz.errors import ScriptError


def scopes_of(text):
    return resolve(parse("script.bzz", text))


def test_names_without_a_declaration_are_globals():
    scopes = scopes_of("x = y function f(a) { z = a }")
    assert scopes.globals == {"x", "y", "f", "z"}


def test_var_at_file_level_declares_a_global_but_a_local_within_braces():
    scopes = scopes_of("var x = 1 if(x) { var y = 2 y = 3 }")
    assert scopes.globals == {"x"}
    assert [variable.name for variable in scopes.variables.values()] == ["y", "y"]


def test_a_mention_before_the_declaration_means_the_global():
    scopes = scopes_of("function f() { x = 1 var x = 2 x = 3 }")
    assert "x" in scopes.globals
    [function] = scopes.functions[1:]
    assert len(function.locals) == 1


def test_lambdas_get_copies_of_outer_variables_through_every_function_between():
    script = parse("script.bzz", "function f(a) { return function() { return function() { return a } } }")
    scopes = resolve(script)
    outer, inner = (scopes.function_of[node] for node in walk(script) if isinstance(node, Lambda))
    assert [copy.name for copy in inner.captures] == ["a"]
    assert inner.captures[0].origin is outer.captures[0]
    assert outer.captures[0].origin is scopes.functions[1].parameters[0]


def test_assigning_a_captured_variable_does_not_touch_the_outer_one():
    scopes = scopes_of("function f(a) { return function() { a = 2 } }")
    assert not scopes.functions[1].parameters[0].assigned
    assert scopes.functions[2].captures[0].assigned


def test_parameters_of_a_lambda_shadow_what_is_visible():
    scopes = scopes_of("function f(a) { return function(a) { return a } }")
    assert scopes.functions[2].captures == []


def test_self_within_a_function_is_a_variable_and_at_file_level_a_global():
    scopes = scopes_of("x = self function f() { return function() { return self } }")
    assert "self" in scopes.globals
    assert [copy.name for copy in scopes.functions[2].captures] == ["self"]
    assert scopes.functions[2].captures[0].origin is scopes.functions[1].captures[0]


def test_a_second_parameter_of_the_same_name_does_not_count():
    assert [p.name for p in scopes_of("function f(a, b, a) {}").functions[1].parameters] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "function f(a) {\n var a = 1\n}",
        "function f() {\n var a = 1 if(a) { var a = 2 }\n}",
        "function f(a) {\n return function() { var a = 1 }\n}",
        "if(1) {\n var a = 1 var a = 2\n}",
    ],
)
def test_a_local_cannot_be_declared_again_while_it_is_visible(text):
    with pytest.raises(ScriptError) as caught:
        scopes_of(text)
    found = caught.value.diagnostics[0]
    assert (found.stage, found.kind, found.text) == ("compile error", "duplicated symbol", "Duplicated symbol 'a'")
    assert found.place.line == 2


def test_all_duplicates_are_reported_at_once():
    with pytest.raises(ScriptError) as caught:
        scopes_of("function f(a, b) { var a var b }")
    assert len(caught.value.diagnostics) == 2


def test_a_local_may_be_declared_again_when_its_block_has_ended():
    scopes = scopes_of("function f(c) { if(c) { var a = 1 } else { var a = 2 } }")
    assert [variable.name for variable in scopes.functions[1].locals] == ["a", "a"]


def test_strings_are_numbered_in_order_of_first_appearance():
    # The C runtime's compiler counts globals, fields and string constants, but neither locals nor docstrings.
    text = 'function f(p) "doc" { var l = p.field l.other = "text" } x = f({.key = y, .1 = "text"})'
    assert scopes_of(text).strings == ["f", "field", "other", "text", "x", "key", "y"]


def test_functions_are_named_after_what_they_are_stored_as():
    text = "function f() {} g = function() {} t.h = function() {} u = {.i = function() {}} map(t, function() {})"
    names = [function.name for function in scopes_of(text).functions]
    assert names == ["the global part", "f", "g", "h", "i", "a function"]


def test_every_name_of_a_local_leads_to_its_variable():
    script = parse("script.bzz", "function f(a) { var b = a return a + b }")
    scopes = resolve(script)
    locals_ = [node for node in walk(script) if isinstance(node, Name) and node in scopes.variables]
    assert [node.name for node in locals_] == ["a", "a", "b"]
