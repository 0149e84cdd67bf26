"""Whole programs, run in every way that must not differ; and that the programs use everything that there is."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from differential import Failure, difference, outcome, program_of
from restyling import restyled, spread_over_files
from shrinking import shrunk
from whole_programs import whole_program

from pybuzz.buzz import Table, compile_program, parse
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Call,
    Expression,
    Field,
    Index,
    Logic,
    Name,
    Node,
    Statement,
    Unary,
    walk,
)
from pybuzz.errors import ScriptError
from pybuzz.swarm.mind import Mind

OPERATORS = {*"+-*/%^&|<>", "<<", ">>", "==", "!=", "<=", ">=", "and", "or", "unary +", "unary -", "unary !"}
OF_OBJECTS = {
    *("others", "join", "leave", "in", "select", "exec", "put", "get", "size", "foreach", "map", "reduce"),
    *("onconflict", "onconflictlost", "count", "kin", "nonkin", "filter", "poses", "distance", "azimuth", "elevation"),
    *("robot", "data", "handle", "name", "id"),
}
"""Fields of what the library gives: swarms, stores, neighbours and their data, files."""


def check(first: int, count: int) -> None:
    for seed in range(first, first + count):
        text = whole_program(seed)
        found = difference(text, seed)
        if found is not None:
            small = shrunk(text, lambda candidate: difference(candidate, seed) is not None)  # noqa: B023
            pytest.fail(f"program {seed}: {found}\nsmaller:\n{small}\n{difference(small, seed)}", pytrace=False)


@pytest.mark.parametrize("part", range(4))
def test_programs_do_the_same_in_every_way_of_running_them(part: int) -> None:
    check(part * 25, 25)


@pytest.mark.long
@pytest.mark.parametrize("part", range(50))
def test_fifty_thousand_programs_do_the_same_in_every_way_of_running_them(part: int) -> None:
    check(1000 + part * 1000, 1000)


@pytest.mark.parametrize("seed", range(20))
def test_a_program_written_differently_does_the_same(seed: int, tmp_path) -> None:
    text, random = whole_program(seed), Random(seed)
    other = restyled(text, random) if seed % 2 else spread_over_files(text, tmp_path, random)
    one, another = (
        program_of(parse(tmp_path / "random.bzz", given), single_precision=False) for given in (text, other)
    )
    assert without_places(outcome(another, seed)) == without_places(outcome(one, seed))


def without_places(events):
    return [event.kind if isinstance(event, Failure) else event for event in events]


@cache
def nodes() -> list[Node]:
    return [node for seed in range(150) for node in walk(parse("random.bzz", whole_program(seed)))]


def test_programs_use_everything_that_the_language_has() -> None:
    found = nodes()
    kinds = {kind for base in (Expression, Statement) for kind in base.__subclasses__()}
    assert {type(node) for node in found} >= kinds
    operators = {node.operator for node in found if isinstance(node, Binary | Logic)}
    operators |= {f"unary {node.operator}" for node in found if isinstance(node, Unary)}
    assert operators == OPERATORS
    targets = {type(node.target) for node in found if isinstance(node, Assignment)}
    called = {type(node.function) for node in found if isinstance(node, Call)}
    assert (targets, called) == ({Name, Field, Index}, {Name, Field, Index, Call})


def test_programs_use_every_built_in() -> None:
    found = nodes()
    used = {path(node) for node in found if isinstance(node, Name | Field)}
    assert built_ins() - used == set()
    assert OF_OBJECTS - {node.name for node in found if isinstance(node, Field)} == set()


def path(node: Node) -> str:
    return f"{path(node.table)}.{node.name}" if isinstance(node, Field) else getattr(node, "name", "")


def built_ins() -> set[str]:
    """The names of all that a script finds when it starts, as it writes them."""
    program = compile_program("script.bzz", "")
    machine = program.new_machine(1, log=print)
    Mind(machine, 1, data_size=100, log_oversize=print)
    return set(names_in(machine.globals, ""))


def names_in(table, before):
    for name, value in table.items():
        yield f"{before}{name}"
        if isinstance(value, Table):
            yield from names_in(value, f"{before}{name}.")


def test_most_programs_run_to_their_end_and_some_fail() -> None:
    found = Counter(fate(seed) for seed in range(50))
    assert found["no error"] > 30, found
    assert found["type mismatch"] > 3, found


def fate(seed: int) -> str:
    events = outcome(program_of(parse("random.bzz", whole_program(seed)), single_precision=False), seed)
    return next((event.kind for event in events if isinstance(event, Failure)), "no error")


def test_a_program_that_shows_a_fault_is_made_small() -> None:
    text = whole_program(3) + "if(1) {\nlog(math.sin((1 + 2)) / 3)\n}\n"

    def shows(candidate: str) -> bool:
        try:
            return any(isinstance(node, Binary) and node.operator == "/" for node in walk(parse("a.bzz", candidate)))
        except ScriptError:
            return False

    small = shrunk(text, shows)
    assert len(small.splitlines()) == 1
    assert shows(small)
