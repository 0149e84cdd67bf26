"""Expressions that are computed once and read again: where that is done, and that nobody can tell."""

from random import Random

import pytest
from oracle import agree

from pybuzz.buzz import compile_program


def python_of(body: str) -> str:
    return compile_program("script.bzz", f"function f(d) {{ {body} }} x = f({{.a = 1, .b = 2}})").python_source("f")


def test_a_field_is_read_once_within_an_expression() -> None:
    assert python_of("return d.a * d.a + d.a").count("['a']") == 1


def test_a_field_is_read_once_across_statements_that_change_nothing_it_depends_on() -> None:
    assert python_of("var p = math.cos(d.a) var q = math.sin(d.a) return p + q").count("['a']") == 1


def test_a_store_into_any_table_may_have_changed_a_field() -> None:
    assert python_of("var p = d.a d.b = 3 return p + d.a").count("['a']") == 2


def test_a_call_of_the_script_may_have_changed_a_field_but_no_product_of_locals() -> None:
    written = python_of("var p = 2 var q = p * p + d.a g() return q + p * p + d.a")
    assert written.count("['a']") == 2
    assert written.count("_p * _p") == 1


def test_what_a_branch_computes_is_computed_again_behind_it() -> None:
    assert python_of("var p = 0 if(d.b) { p = d.a } return p + d.a").count("['a']") == 2


def test_what_was_computed_before_a_branch_is_known_in_it_and_behind_it() -> None:
    assert python_of("var p = d.a if(d.b) { p = p + d.a } return p + d.a").count("['a']") == 1


def test_turns_of_a_loop_compute_anew() -> None:
    assert python_of("var p = d.a while(p < 9) { p = p + d.a + d.a } return p + d.a").count("['a']") == 3


@pytest.mark.parametrize("seed", range(30))
def test_programs_full_of_repeats_do_what_they_do_without(seed: int) -> None:
    random = Random(seed)
    agree(
        f"""
        n = 0
        i = 0
        g = 3
        t = {{.x = 1, .y = 2.5}}
        t[0] = 7
        t[1] = 8
        u = t
        function f(v) {{ t.x = t.x + 1  g = g + 1  return v }}
        function step() {{
            var a = 1
            var b = 0.25
            {_statements(random, 12, depth=2)}
        }}
        """,
        single_precision=seed % 3 == 0,
    )


def _statements(random: Random, count: int, depth: int) -> str:
    return "\n".join(_statement(random, depth) for _ in range(count))


def _statement(random: Random, depth: int) -> str:
    inner = _statements(random, 2, depth - 1) if depth else ""
    return random.choice(
        [
            f"log({_expression(random)}, {_expression(random)})",
            f"{random.choice(['a', 'b', 'g', 't.x', 't.y', 't[i]', 'u.x'])} = {_expression(random)}",
            random.choice(["f(b)", "i = 1 - i", "u = {.x = 4, .y = 5}"]),
            f"if({_expression(random)} < 5) {{ {inner} }} else {{ {inner} }}",
            f"n = n + 1 while(n % 3) {{ n = n + 1 {inner} }}",
        ]
    )


def _expression(random: Random) -> str:
    """Small, of few names, so that much of it has been there before."""
    one, other = (random.choice(["t.x", "t[i]", "u.x", "a * b", "g + a", "math.sin(b)", "f(a)"]) for _ in range(2))
    return f"({one} {random.choice('+-*')} {other})"
