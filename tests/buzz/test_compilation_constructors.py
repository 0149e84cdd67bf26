"""Table constructors in compiled code: what they make, in which order it is walked, and that nobody can tell."""

from random import Random

import pytest
from oracle import agree

from pybuzz.buzz import compile_program

MANY = ", ".join(f".k{number} = {'function() { }' if number % 3 == 0 else number}" for number in range(25))


def test_entries_are_stored_in_the_order_in_which_they_are_written():
    agree(f"t = {{{MANY}}} foreach(t, function(k, v) {{ log(k) }})")


def test_an_entry_that_is_nil_is_none():
    agree('a = {} t = {.x = a.x, .y = nil, .z = 1} t.x = 2 log(size(t)) foreach(t, function(k, v) { log(k, " ", v) })')


def test_an_entry_that_is_a_closure_has_the_table_as_its_self():
    agree("a = {.f = function() { return self.n }, .n = 1} t = {.n = 2, .f = a.f} log(a.f(), t.f())")


def test_a_function_written_in_a_constructor_has_the_table_as_its_self():
    agree("t = {.f = function() { return self.n }, .in = {.n = 3, .f = function() { return self.n }}, .n = 2} "
          "log(t.f(), t.in.f())")  # fmt: skip


def test_values_of_any_type_are_stored_without_a_helper():
    program = compile_program("script.bzz", "function f(v) { return {.x = v.x, .y = v} } x = f({}) y = f")
    assert "__new_table" not in program.python_source("f")


@pytest.mark.parametrize("seed", range(40))
def test_constructors_of_all_values_make_what_the_oracle_makes(seed):
    agree(constructing_program(Random(seed)), single_precision=seed % 3 == 0)


VALUES = (
    "nil",
    "1",
    "0.5",
    '"s"',
    "n",
    "a.x",
    "a.missing",
    "g",
    "a.f",
    "g()",
    "function() { return self }",
    "{.x = n}",
)


def constructing_program(random):
    """Tables of random entries, made, updated, walked and made again."""

    def table():
        keys = random.choices([f"k{number}" for number in range(25)], k=random.randint(1, 6))
        return "{" + ", ".join(f".{key} = {random.choice(VALUES)}" for key in keys) + "}"

    lines = [f"t = {table()}", f"t.k{random.randrange(25)} = n", "foreach(t, show)", "n = n + 1"]
    return "\n".join(
        [
            "function show(k, v) { log(k, type(v)) }",
            "function g() { n = n + 1  return n }",
            "n = 3",
            "a = {.x = 7, .f = function() { return self.x }}",
            *lines,
            *(f"function made{number}(n) {{ return {table()} }}" for number in range(3)),
            "function step() {",
            *(f"  t = made{number}({random.choice(VALUES)})  foreach(t, show)" for number in range(3)),
            *(f"  t.k{random.randrange(25)} = n  foreach(t, show)" for _ in range(3)),
            "}",
        ]
    )


def test_a_variable_is_nil_in_a_constructor_that_makes_it():
    agree("function step() { var t = {.x = 1, .t = t} log(size(t), t.x) }")


def test_a_return_at_file_level_evaluates_its_constructor():
    agree("function f() { log(1) return 2 } return {.x = f()}")
