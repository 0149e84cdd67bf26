"""Whatever comes in, as a script or as a packet: nothing but ScriptError and InputError comes out, and soon."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from generators import input_number, packets, scripts
from target import KINDS, Kind, run_input

_SLOWEST = 1.0
"""Seconds of processing that one input may take."""

_SHORT, _LONG = 600, 200_000


def outcomes(first: int, count: int) -> Counter[tuple[Kind, str]]:
    """Runs inputs by their numbers and counts what came of them, by kind and outcome."""
    found: Counter[tuple[Kind, str]] = Counter()
    for number in range(first, first + count):
        kind, data = input_number(number)
        before = time.process_time()
        try:
            outcome = run_input(kind, data)
        except BaseException as error:
            error.add_note(f"input {number}, a {kind}: {data!r}")
            raise
        taken = time.process_time() - before
        assert taken < _SLOWEST, f"input {number}, a {kind}, took {taken:.1f} s: {data!r}"
        found[kind, outcome] += 1
    return found


def report(found: Counter[tuple[Kind, str]]) -> str:
    return "\n".join(f"{kind:14} {outcome:8} {count:7}" for (kind, outcome), count in sorted(found.items()))


def test_the_same_number_gives_the_same_input() -> None:
    assert [input_number(number) for number in range(20)] == [input_number(number) for number in range(20)]


def test_the_corpus_itself_runs() -> None:
    assert {run_input("packet", data) for data in packets()} == {"ran", "failed"}
    assert {run_input("script", text) for text in scripts()[::5]} == {"ran", "failed", "refused"}


def test_no_input_brings_down_the_host() -> None:
    found = outcomes(0, _SHORT)
    assert found.total() == _SHORT
    # All ways are taken, or the inputs have become too tame or too wild to find anything.
    for kind in KINDS:
        assert found[kind, "ran"] > 10, report(found)
        assert found[kind, "failed"] > 4, report(found)
    assert found["script", "refused"] > 10, report(found)


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_no_input_of_very_many_brings_down_the_host(half: int, capsys: pytest.CaptureFixture[str]) -> None:
    """In two halves, for two processors: `-m long -k "very_many and 0"` is the first of them."""
    found = outcomes(_SHORT + half * _LONG // 2, _LONG // 2)
    with capsys.disabled():
        print(f"\n{report(found)}")
    assert found.total() == _LONG // 2
