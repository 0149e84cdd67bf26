"""Rows of readings are plain numbers, the same however many robots there are."""

import gc

import numpy as np
import pytest

from pybuzz.experiment.readings import Readings


class Sensed:
    """Stands for `Sensors`: one ring of eight."""

    def __init__(self, robots: int) -> None:
        self.readings = np.random.default_rng(robots).random((robots, 8))

    def read(self, name: str) -> np.ndarray:
        return self.readings


@pytest.mark.parametrize("robots", [1, 500, 501, 2000])
def test_a_robots_row_is_a_list_of_its_numbers(robots: int) -> None:
    sensed = Sensed(robots)
    rows = Readings(sensed).rows["proximity"]  # type: ignore[arg-type]
    for robot in (0, robots // 2, robots - 1):
        assert rows[robot] == sensed.readings[robot].tolist()
        assert {type(number) for number in rows[robot]} == {float}


def test_reading_all_rows_of_a_large_swarm_leaves_nothing_for_the_search_for_garbage() -> None:
    rows = Readings(Sensed(2000)).rows["proximity"]  # type: ignore[arg-type]
    latest = [rows[robot] for robot in range(2000)]
    before, _, _ = gc.get_count()
    for robot in range(2000):
        latest[robot] = rows[robot]
    after, _, _ = gc.get_count()
    assert after - before < 100
