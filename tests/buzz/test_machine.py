"""Machines: life cycle, what the host may do, budget, many robots of one program."""

import sys
import tracemalloc

import pytest

from pybuzz.buzz import compile_program, host_function
from pybuzz.errors import ScriptError


def machine_of(text, *, log=lambda values: None, host_names=frozenset(), budget=100_000, run=True):
    program = compile_program("script.bzz", text, host_names=host_names)
    machine = program.new_machine(7, log=log, budget=budget)
    if run:
        machine.run_global_part()
    return machine


def failure_of(run):
    with pytest.raises(ScriptError) as caught:
        run()
    return caught.value.diagnostics[0]


def test_the_global_part_runs_and_functions_are_called_by_name():
    machine = machine_of("x = 1 function step() { x = x + 1 }")
    machine.call_named("step")
    assert machine.get_global("x") == 2


def test_a_return_at_file_level_ends_the_global_part():
    assert machine_of("x = 1 if(x == 1) { return } x = 2").get_global("x") == 1


def test_the_robot_id_is_a_plain_global():
    assert machine_of("x = id + 1").get_global("x") == 8


def test_a_missing_function_is_reported_as_the_c_runtime_does():
    found = failure_of(lambda: machine_of("").call_named("init"))
    assert (found.kind, found.text) == ("type mismatch", "cannot find function 'init()'")


def test_a_function_that_is_none_is_reported_as_the_c_runtime_does():
    found = failure_of(lambda: machine_of("step = 3").call_named("step"))
    assert found.text == "function 'step()': expected closure, got integer"


def test_names_of_python_are_ordinary_globals():
    machine = machine_of("class = 1 None = 2 True = class + None x = print")
    assert (machine.get_global("None"), machine.get_global("True"), machine.get_global("x")) == (2, 3, None)


def test_a_registered_function_replaces_a_named_function():
    machine = machine_of("function pose() { return 1 } x = pose()", run=False)
    machine.register("pose", host_function("pose", 0, lambda: 5))
    machine.run_global_part()
    assert machine.get_global("x") == 5


def test_globals_are_seen_as_a_mapping():
    machine = machine_of("a = 1 b = nil")
    machine.globals["c"] = 2.5
    assert "b" not in machine.globals
    assert machine.globals["a"] == 1
    assert machine.get_global("c") == 2.5
    assert {"a", "c", "math"} <= set(machine.globals)


@pytest.mark.parametrize(("value", "result"), [(5, 7), (2.5, 4.5), (2**31 - 1, 1 - 2**31)])
def test_the_host_may_give_a_global_a_value_of_another_type_than_the_script_does(value, result):
    machine = machine_of("s = 0 function add(a, b) { return a + b } function step() { s = add(s, 2) }")
    machine.set_global("s", value)
    machine.call_named("step")
    assert machine.get_global("s") == result


def test_the_host_may_set_a_global_to_nil_and_the_script_fails_as_it_should():
    machine = machine_of("s = 0 function step() { if(s < 1) { s = s + 1 } }")
    machine.set_global("s", None)
    found = failure_of(lambda: machine.call_named("step"))
    assert (found.kind, found.place.line) == ("type mismatch", 1)
    assert "`s` is nil here" in found.text


def test_the_host_may_call_a_function_with_arguments_the_script_never_gives():
    machine = machine_of("function add(a, b) { return a + b } x = add(1, 2)")
    add = machine.get_global("add")
    assert machine.call(add, 1.5, 2) == 3.5
    assert machine.call(add, 1, 2, 3, 4) == 3
    assert failure_of(lambda: machine.call(add, 1)).kind == "wrong number of local variables"


def test_only_the_machine_whose_host_does_so_pays_for_it():
    program = compile_program("script.bzz", "s = 0 function step() { s = s + 1 }")
    first, second = (program.new_machine(1, log=lambda values: None) for _ in range(2))
    first.run_global_part()
    second.run_global_part()
    first.set_global("s", 0.5)
    codes = [machine.get_global("step").__code__ for machine in (first, second)]
    assert codes[0] != codes[1]


def test_names_that_the_host_announces_are_of_any_type_from_the_start():
    machine = machine_of("s = 0 function step() { s = s + 1 }", host_names={"s"})
    code = machine.get_global("step").__code__
    machine.set_global("s", 0.5)
    machine.call_named("step")
    assert machine.get_global("s") == 1.5
    assert machine.get_global("step").__code__ is code


def test_an_endless_loop_exhausts_the_budget():
    found = failure_of(lambda: machine_of("x = 0\nwhile(1) { x = x + 1 }"))
    assert (found.kind, found.place.line) == ("budget exceeded", 2)


def test_loops_within_loops_share_the_budget():
    text = "i = 0 while(i < 1000) { j = 0 while(j < 1000) { j = j + 1 } i = i + 1 }"
    assert failure_of(lambda: machine_of(text)).kind == "budget exceeded"


def test_the_budget_is_fresh_in_every_call_from_the_host():
    machine = machine_of("function step() { var i = 0 while(i < 900) { i = i + 1 } }", budget=1000)
    for _ in range(5):
        machine.call_named("step")


@pytest.mark.parametrize(
    "text",
    [
        "function f(n) { if(n > 0) { f(n - 1) f(n - 1) } } f(40)",
        "function f(n) { if(n > 0) { g(n) g(n) } } function g(n) { f(n - 1) } f(40)",
        "t = {.f = function(n) { if(n > 0) { self.f(n - 1) self.f(n - 1) } }} t.f(40)",
        "f = function(n) { if(n > 0) { foreach({.a = 1, .b = 2}, function(k, v) { f(n - 1) }) } } f(40)",
    ],
)
def test_calls_that_branch_without_end_exhaust_the_budget(text):
    assert failure_of(lambda: machine_of(text)).kind == "budget exceeded"


@pytest.mark.parametrize(
    "text",
    [
        "function f(n) { return f(n + 1) } f(0)",
        "t = {} t.f = function(n) { return self.f(n + 1) } t.f(0)",
        "f = function(k, v) { map({.a = 1}, f) } f(1, 2)",
        "f = function(k, v) { foreach({.a = 1}, f) } f(1, 2)",
        "f = function(k, v) { return reduce({.a = 1}, function(k, v, a) { f(1, 2) }, 0) } f(1, 2)",
    ],
)
def test_recursion_without_end_is_a_script_error(text):
    assert failure_of(lambda: machine_of(text, budget=10_000_000)).kind == "recursion too deep"


def test_recursion_may_be_twenty_thousand_levels_deep():
    machine = machine_of("function f(n) { if(n == 0) { return 0 } return 1 + f(n - 1) } x = f(20000)")
    assert machine.get_global("x") == 20000


def test_running_leaves_pythons_recursion_limit_as_it_was():
    before = sys.getrecursionlimit()
    machine_of("x = 1")
    assert sys.getrecursionlimit() == before


def test_machines_of_one_program_run_equal_code_and_share_no_variables():
    program = compile_program("script.bzz", "x = id function step() { x = x + 1 }")
    first, second = (program.new_machine(robot, log=lambda values: None) for robot in (1, 2))
    first.run_global_part()
    second.run_global_part()
    second.call_named("step")
    assert (first.get_global("x"), second.get_global("x")) == (1, 3)
    assert first.get_global("step").__code__ == second.get_global("step").__code__


def test_a_machine_needs_less_than_fifty_kilobytes():
    program = compile_program("script.bzz", 'include "vec2.bzz" function step() { x = math.vec2.new(1, 2) }')
    program.new_machine(1, log=lambda values: None).run_global_part()
    tracemalloc.start()
    machines = [program.new_machine(robot, log=lambda values: None) for robot in range(100)]
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert used / len(machines) < 50_000


def test_strings_made_at_run_time_are_numbered_after_the_programs():
    machine = machine_of('x = "a"')
    new = machine.string_id("never seen")
    assert new > machine.string_id("a")
    assert machine.string_id("never seen") == new


def test_the_python_of_a_function_can_be_shown():
    program = compile_program("script.bzz", "function twice(x) { return x * 2 } y = twice(1.5)")
    assert program.python_source("twice") == "def twice(_x):\n    return _x * 2"
