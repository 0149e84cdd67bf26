"""Functions that are reached by a path of names without its tables being asked: which, and that nobody can tell."""

from random import Random

import pytest
from oracle import agree

from pybuzz.buzz import Table, compile_program, host_function
from pybuzz.buzz.compilation.types import FLOAT, INTEGER
from pybuzz.errors import ScriptError

LIBRARY = "lib = {} lib.f = function(a) { return a + 1 } "


def paths_of(text, **options):
    return {name for name in compile_program("script.bzz", text, **options).facts.named if "." in name}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (LIBRARY, {"lib.f"}),
        ("lib = {.f = function() { }, .n = 1}", {"lib.f"}),
        ("lib = {.sub = {.f = function() { }}}", {"lib.sub.f"}),
        ("lib = {} lib.sub = {} lib.sub.f = function() { lib.sub.f() }", {"lib.sub.f"}),
        ("math.vec2 = {} math.vec2.add = function(a, b) { return a.x + b.x }", {"math.vec2.add"}),
        ("string.twice = function(s) { return string.concat(s, s) }", {"string.twice"}),
        (LIBRARY + "function step() { lib.count = 1  lib.seen = {}  lib.seen.x = step }", {"lib.f"}),
        (LIBRARY + "x = lib.f  foreach({.a = 1}, lib.f)", {"lib.f"}),
    ],
)
def test_a_function_that_is_stored_once_into_a_table_of_its_own_is_known_by_its_path(text, paths):
    assert paths_of(text) == paths


@pytest.mark.parametrize(
    "text",
    [
        LIBRARY + "lib.f = function() { }",
        LIBRARY + "function step() { lib.f = 1 }",
        LIBRARY + "lib = {}",
        LIBRARY + "function step() { lib = {} }",
        "lib = {} if(id) { lib.f = function() { } }",
        "function init() { lib = {} } init() lib.f = function() { }",
        "lib = clone({}) lib.f = function() { }",
        "neighbors.f = function() { }",
    ],
)
def test_a_function_whose_path_may_mean_something_else_later_is_not_known(text):
    assert not paths_of(text)


@pytest.mark.parametrize(
    "spoiler",
    [
        "other = lib",
        'lib["f"] = nil',
        'x = lib["f"]',
        "foreach(lib, log)",
        "function give() { return lib }",
        "other = {.lib = lib}",
        "lib.me = function() { return self }",
        "lib.me = function() { return function() { return self } }",
        "lib.me = give",
    ],
)
def test_a_table_that_gets_into_other_hands_may_have_other_functions(spoiler):
    assert not paths_of(LIBRARY + spoiler)


@pytest.mark.parametrize(
    "text",
    [
        "function g() { lib.f() } g() lib = {} lib.f = function() { }",
        "lib = {} lib.g = lib.f  lib.f = function() { }",
        "lib = {} if(id) { return } lib.f = function() { }",
        "lib = {.f = function() { return 1 }, .x = lib.f()}",
    ],
)
def test_a_function_that_may_be_called_before_it_is_stored_is_not_known(text):
    assert not paths_of(text)


def test_nothing_is_known_of_functions_in_tables_that_the_host_announces():
    assert not paths_of(LIBRARY, host_names={"lib"})


def test_the_parameters_have_the_types_of_the_arguments_of_all_calls():
    facts = compile_program("script.bzz", LIBRARY + "x = lib.f(1) y = lib.f(0.5)").facts
    function = facts.named["lib.f"]
    assert facts.variables[function.parameters[0]] == facts.results[function] == INTEGER | FLOAT
    assert not facts.counted


def test_a_function_that_is_a_value_somewhere_may_get_any_argument():
    facts = compile_program("script.bzz", LIBRARY + "x = lib.f(1) y = lib.f").facts
    assert facts.named["lib.f"] not in facts.callers


def test_the_table_is_not_looked_up():
    program = compile_program("script.bzz", LIBRARY + "function step() { return lib.f(1) + lib.f(2) }")
    assert "lib" not in program.python_source("step")


def test_the_host_may_exchange_the_table():
    machine = compile_program("script.bzz", LIBRARY + "function step() { return lib.f(1) }").new_machine(1, log=print)
    machine.run_global_part()
    assert machine.call_named("step") == 2
    machine.set_global("lib", Table.of([("f", host_function("f", 1, lambda a: a + 10))]))
    assert machine.call_named("step") == 11


def test_the_host_may_call_the_function_with_what_the_script_never_gives():
    machine = compile_program("script.bzz", LIBRARY + "function step() { return lib.f(1) }").new_machine(1, log=print)
    machine.run_global_part()
    function = machine.get_global("lib")["f"]
    assert machine.call(function, 0.5) == 1.5
    with pytest.raises(ScriptError, match="no argument for 'a'"):
        machine.call(function)


def test_a_function_that_travels_is_the_other_machines_own():
    program = compile_program("script.bzz", "n = 0 lib = {} lib.f = function(a) { n = n + a } given = lib.f")
    sender, receiver = program.new_machine(1, log=print), program.new_machine(2, log=print)
    for machine in (sender, receiver):
        machine.run_global_part()
    number = sender.closure_index(sender.get_global("given"))
    receiver.call(receiver.closure_at(number), 3)
    assert (sender.get_global("n"), receiver.get_global("n")) == (0, 3)


@pytest.mark.parametrize(
    "called", ["x = lib.f(1)", "neighbors.foreach(lib.f)", "neighbors.map(function(robot, d) { return d.distance })"]
)
def test_another_script_may_send_a_function_that_this_one_only_calls_in_ways_that_are_known(called):
    library = "lib = {}\nlib.f = function(a, d) { return a }\n"
    sender = compile_program("sender.bzz", f"{library} given = lib.f").new_machine(1, log=print)
    receiver = compile_program("receiver.bzz", f"{library} function step() {{ {called} }}").new_machine(2, log=print)
    for machine in (sender, receiver):
        machine.run_global_part()
    number = sender.closure_index(sender.get_global("given"))
    assert receiver.closure_at(number + 100) is None
    assert receiver.call(receiver.closure_at(number), "text", 2.5) == "text"


def test_an_error_in_it_tells_what_it_tells_of_any_function():
    program = compile_program(
        "script.bzz", "lib = {}\nlib.f = function(a) {\nreturn a.x }\nfunction step() { lib.f(1) }"
    )
    machine = program.new_machine(1, log=print)
    machine.run_global_part()
    with pytest.raises(ScriptError) as failure:
        machine.call_named("step")
    [found] = failure.value.diagnostics
    assert (found.place.line, found.text) == (3, "expected table, got integer; `a` is 1 here")
    assert [(entry.function, entry.place.line) for entry in found.stack] == [("step", 4)]


@pytest.mark.parametrize("seed", range(80))
def test_programs_with_libraries_do_what_they_do_without_knowing_them(seed):
    agree(library_program(Random(seed)), single_precision=seed % 3 == 0)


TABLES = ("lib", "lib.sub", "math.vec", "math.vec.sub")
FUNCTIONS = ("function(a) { return a }", "function(a, b) { return a + b }", "function(a) { log(a)  return {.x = a} }")
SPOILERS = (
    "{table} = {{}}",
    "{table} = {{.f = {function}}}",
    "{table}.f = {function}",
    "{table}.g = nil",
    "other = {table}",
    "{table}.me = function() {{ return self }}  other = {table}.me()",
    "if(n < 2) {{ {table}.f = {function} }}",
    "if(n < 2) {{ return }}",
    'other = {table}  other["f"] = {function}',
    "foreach({table}, function(k, v) {{ log(k) }})",
)
CALLS = ("{table}.f(n)", "{table}.g(n, 0.5)", "{table}.f({table}.g(n, 1))", "taken({table}.f, n)", "{table}.f")


def library_program(random):
    """Tables of functions made, called and now and then spoiled, in any order."""

    def filled(text):
        return text.format(table=random.choice(TABLES), function=random.choice(FUNCTIONS))

    made = [f"{table} = {{}}" for table in TABLES]
    stored = [f"{table}.{name} = {random.choice(FUNCTIONS)}" for table in TABLES for name in "fg"]
    uses = [f"x = {filled(random.choice(CALLS))}" for _ in range(4)]
    lines = [*made, *stored, *random.sample(uses, random.randrange(3))]
    for _ in range(random.choice((0, 0, 1, 2))):
        lines.insert(random.randrange(len(lines) + 1), filled(random.choice(SPOILERS)))
    if random.random() < 0.2:
        lines.insert(random.randrange(len(lines) + 1), "step()")
    body = [*uses, *(filled(random.choice(SPOILERS[3:])) for _ in range(random.randrange(2)))]
    random.shuffle(body)
    return "\n".join(
        ["n = 3", "function taken(f, a) { return f(a, 1) }", *lines, "function step() {", *body, "log(x)", "}"]
    )
