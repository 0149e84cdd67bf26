"""How an exact program walks a table that its callbacks change: by place within each bucket, as the C runtime does."""

from __future__ import annotations

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.errors import ScriptError


def _logged(text: str, *, exact: bool = True, budget: int = 10_000) -> str:
    lines: list[str] = []
    program = compile_program("script.bzz", text, exact=exact)
    program.new_machine(
        1, log=lambda values: lines.append("".join(map(format_value, values))), budget=budget
    ).run_global_part()
    return " ".join(lines)


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        ("t = {.0 = 1, .1 = 2} foreach(t, function(k, v) { t[1] = 9 log(k, v) })", "01 19"),
        ("t = {.a = 1, .b = 2} foreach(t, function(k, v) { t.b = 9 log(k, v) })", "a1 b9"),
        ("t = {.a = 1, .b = 2} foreach(t, function(k, v) { t.n = v log(k, v) }) log(size(t))", "a1 b2 n2 3"),
        ("t = {.0 = 1, .1 = 2} log(reduce(t, function(k, v, sum) { t[k + 2] = nil return sum + v }, 0))", "3"),
        ("t = {.0 = 1, .10 = 2, .20 = 3} u = map(t, function(k, v) { t[k] = v + 1 return v }) log(u[0], u[10], u[20])",
         "1[nil]4"),
        ("t = {.0 = 1} u = filter(t, function(k, v) { t[10] = 2 return 1 }) log(size(u), size(t))", "22"),
        # A walk within a walk over the same table: both see the change.
        ("t = {.0 = 1, .10 = 2}\n"
         "foreach(t, function(k, v) { foreach(t, function(i, w) { if(i == 0) t[20] = 3 }) log(k) })", "0 10 20"),
    ],
)  # fmt: skip
def test_changes_count_from_the_moment_on(text: str, logged: str) -> None:
    assert _logged(text) == logged


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "t = {.3 = 1, .12 = 2, .2 = 3, .a = 4} foreach(t, function(k, v) { log(k, v) })",
        "t = {.a = 1, .b = 2} foreach(t, function(k, v) { foreach(t, function(i, w) { log(k, i) }) }) t.a = 3 log(t.a)",
        "t = {.a = 1} foreach(t, function(k, v) { log(t | 1) })",
        "foreach(3, function(k, v) { })",
        "foreach({}, 3)",
    ],
)
def test_a_walk_that_changes_nothing_is_the_same(text: str, exact: bool) -> None:
    def outcome(exact: bool) -> str:
        try:
            return _logged(text, exact=exact)
        except ScriptError as error:
            return str(error)

    assert outcome(exact) == outcome(not exact)


def test_a_walk_that_feeds_itself_ends_by_the_budget() -> None:
    with pytest.raises(ScriptError, match="budget exceeded"):
        _logged("t = {.0 = 1} foreach(t, function(k, v) { t[k + 10] = 1 })")
