"""The driver of several robots, beyond what the conformance cases show of it."""

from __future__ import annotations

import pytest

from pybuzz.buzz.program import compile_program
from pybuzz.errors import InputError
from pybuzz.swarm.driver import Arrangement, run


def report(text: str) -> list[str]:
    lines: list[str] = []
    run(compile_program("robots.bzz", text), Arrangement.of_script("robots.bzz", text), lines.append)
    return lines


def test_a_script_without_a_directive_gets_the_defaults() -> None:
    assert Arrangement.of_script("a.bzz", "x = 1\n") == Arrangement(2, 0, 3, 100, "full", dump=False)


def test_in_a_ring_the_ends_hear_each_other_from_afar() -> None:
    ring = "# sim: robots=4 steps=1 comm=ring\nfunction init() {}\n"
    step = "function step() { if(id == 0) { neighbors.foreach(function(r, d) { log(r, ' ', d.distance) }) } }\n"
    assert [line for line in report(ring + step) if line.startswith("R0")] == [
        "R0: 1 100.000000",
        "R0: 3 300.000000",
    ]


def test_two_robots_in_a_ring_and_one_alone() -> None:
    assert Arrangement(robots=2, comm="ring").hears(0, 1)
    assert not Arrangement(robots=1, comm="ring").hears(0, 0)


@pytest.mark.parametrize(
    ("directive", "message", "hint"),
    [
        ("robot=3", 'knows no "robot"', "did you mean robots?"),
        ("comm=star", 'comm is "star"', "use full, line or ring"),
        ("steps=many", 'steps is "many", but should be a whole number', ""),
    ],
)
def test_a_faulty_directive_is_an_input_error_at_its_line(directive: str, message: str, hint: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Arrangement.of_script("a.bzz", f"x = 1\n# sim: {directive}\n")
    problem = caught.value.diagnostics[0]
    assert (problem.place.line, problem.hint) == (2, hint)


def test_a_built_in_as_callback_that_takes_other_arguments_says_so() -> None:
    text = "# sim: robots=2 steps=1\nfunction init() {}\nfunction step() { neighbors.foreach(math.abs) }\n"
    assert "R0! step: wrong number of local variables: expected 1 parameters, got 2" in report(text)
