"""ARGoS's random numbers. Check values were printed by ARGoS 3 itself (seeds 1 and 124)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim.random_numbers import Generator, Seeder, Streams, bernoulli_from, gaussian_from, uniform_from


def test_raw_numbers_are_the_standard_mersenne_twister() -> None:
    generator = Generator(1)
    assert [generator.raw() for _ in range(3)] == [1791095845, 4282876139, 3093770124]


def test_the_seeder_gives_argos_seeds_in_order() -> None:
    seeder = Seeder(1)
    assert [seeder.next_seed() for _ in range(2)] == [1791095845, 4282876139]
    assert Seeder(124).next_seed() == 455545294


def test_the_first_generator_of_an_experiment_draws_what_argos_draws() -> None:
    generator = Seeder(1).next_generator()
    assert [generator.raw() for _ in range(3)] == [1028862084, 4086331612, 2908184508]
    generator = Seeder(124).next_generator()
    expected = [-1.2160686839409331, -1.2803041355871372, 1.2014878036457786]
    assert [generator.uniform(-2, 2) for _ in range(3)] == expected


def test_an_integer_is_cut_towards_zero_from_a_uniform_real() -> None:
    assert Generator(1).uniform_int(0, 65535) == int(1791095845 / 4294967295 * 65535)
    assert Generator(1).uniform_int(-10, 0) == int(1791095845 / 4294967295 * 10 - 10)


def test_bernoulli_takes_one_number_and_is_certain_at_its_ends() -> None:
    generator = Generator(7)
    assert not any(generator.bernoulli(0.0) for _ in range(100))
    assert all(generator.bernoulli(1.0) for _ in range(100))
    follower = Generator(7)
    for _ in range(200):
        follower.raw()
    assert generator.raw() == follower.raw()


def test_gaussian_draws_pairs_until_one_lies_in_the_circle() -> None:
    generator, raw = Generator(5), Generator(5)
    while True:
        x, y = (2 * (raw.raw() / 4294967295) - 1 for _ in range(2))
        if x * x + y * y < 1:
            break
    assert math.isclose(
        generator.gaussian(2.0, 1.0), 1 + 2 * x * math.sqrt(-2 * math.log(x * x + y * y) / (x * x + y * y))
    )
    assert generator.raw() == raw.raw()


def test_gaussian_and_exponential_have_the_moments_they_promise() -> None:
    generator = Generator(11)
    normal = np.array([generator.gaussian(2.0, 3.0) for _ in range(20000)])
    waits = np.array([generator.exponential(2.0) for _ in range(20000)])
    assert abs(normal.mean() - 3.0) < 0.05
    assert abs(normal.std() - 2.0) < 0.05
    assert abs(waits.mean() - 2.0) < 0.05


def test_a_bank_of_streams_draws_what_single_generators_draw() -> None:
    seeds = [1, 455545294, 4294967295]
    streams = Streams(seeds)
    low, high = np.full((3, 700), -0.5), np.full((3, 700), 1.5)
    drawn = streams.uniform(low, high)
    for row, seed in enumerate(seeds):
        generator = Generator(seed)
        assert drawn[row].tolist() == [generator.uniform(-0.5, 1.5) for _ in range(700)]


def test_skipped_draws_leave_a_stream_where_drawing_would() -> None:
    low, high = np.zeros((1, 4)), np.ones((1, 4))
    drawing, skipping = Streams([9]), Streams([9])
    for _ in range(300):
        drawing.uniform(low, high)
    assert skipping.uniform(low, high, skipped=1200).tolist() == drawing.uniform(low, high).tolist()


@kernel
def _drawn(states: NDArray[np.uint32], places: NDArray[np.int64]) -> tuple[float, bool, float]:
    return (
        gaussian_from(states, places, 0, 0.3),
        bernoulli_from(states, places, 0, 0.4),
        uniform_from(states, places, 0, -1.0, 4.0),
    )


def test_the_draws_of_kernels_equal_those_of_a_generator() -> None:
    streams, generator = Streams([123]), Generator(123)
    for _ in range(500):
        drawn = _drawn(streams.states, streams.places)
        assert drawn == (generator.gaussian(0.3), generator.bernoulli(0.4), generator.uniform(-1.0, 4.0))
