"""Compiled programs against the oracle: a helper call per operation, relying on nothing."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from oracle import agree
from programs import program_texts
from running_programs import running_program

CORPUS = sorted((Path(__file__).parents[1] / "data" / "conformance").glob("[!m]*/*.bzz"))
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize("seed", range(60))
def test_programs_that_run_do_what_the_oracle_does(seed):
    agree(running_program(seed), single_precision=seed % 3 == 0)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW, derandomize=True)
@given(program_texts())
def test_programs_without_sense_fail_as_the_oracle_does(text):
    agree(text)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_scripts_never_crash_the_compiler(seed):
    agree(damaged(seed))


@pytest.mark.long
def test_thousands_of_programs_do_what_the_oracle_does():
    for seed in range(1000, 6000):
        agree(running_program(seed), single_precision=seed % 3 == 0)


@pytest.mark.long
@settings(max_examples=5000, deadline=None, suppress_health_check=SLOW)
@given(program_texts(3))
def test_thousands_of_programs_without_sense_fail_as_the_oracle_does(text):
    agree(text)


@pytest.mark.long
def test_thousands_of_damaged_scripts_never_crash_the_compiler():
    for seed in range(1000, 6000):
        agree(damaged(seed))


def damaged(seed):
    """A script of the corpus with some pieces of its lines lost, doubled or replaced by pieces of another."""
    random = Random(seed)
    pieces, others = (random.choice(CORPUS).read_bytes().decode("latin-1").split(" ") for _ in range(2))
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(pieces))
        pieces[place : place + random.randint(0, 2)] = random.choice(
            [[], pieces[place : place + 1] * 2, [random.choice(others)]]
        )
        pieces = pieces or [""]
    return " ".join(pieces)
