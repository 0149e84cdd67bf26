"""Measures of a run, by hand-worked numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, Recorder, RobotMark, RunDescription
from pybuzz.sweep.measures import RunView, check_expression, evaluate, variables_of


def view(poses: list[list[tuple[float, float, float]]], states: list[list[object]] | None = None) -> RunView:
    robots = tuple(RobotMark(f"r{index}") for index in range(len(poses[0])))
    description = RunDescription("x.yaml", 1, robots=robots, arena=ArenaMark((1.0, 1.0)))
    names = ("state",) if states else ()
    recorder = Recorder(description, None, sensors=(), globals_=names)
    for tick, row in enumerate(poses):
        variables = {"state": states[tick]} if states else {}
        recorder.record_tick(tick, np.array(row), np.zeros((len(row), 3), dtype=np.uint8), {}, variables)
    return RunView(recorder.close(), ended_early=False, failed=0, messages=None)


def test_distance_is_the_length_of_the_way_mean_over_robots() -> None:
    moved = view([[(0, 0, 0), (0, 0, 0)], [(3, 4, 0), (0, 0, 0)], [(3, 4, 0), (0, 1, 0)]])
    assert moved.distance_travelled == pytest.approx((5.0 + 1.0) / 2)


def test_order_is_one_for_equal_and_nothing_for_opposite_headings() -> None:
    assert view([[(0, 0, 1.0), (1, 0, 1.0)]]).order_parameter == pytest.approx(1.0)
    assert view([[(0, 0, 0.0), (1, 0, math.pi)]]).order_parameter == pytest.approx(0.0, abs=1e-12)


def test_aggregation_is_the_share_of_the_largest_group() -> None:
    line = view([[(0, 0, 0), (0.25, 0, 0), (0.5, 0, 0), (2, 0, 0)]])
    assert line.aggregation() == 0.75
    assert line.aggregation(0.2) == 0.25


def test_coverage_counts_cells_of_a_quarter_metre() -> None:
    assert view([[(-0.4, -0.4, 0)], [(0.4, 0.4, 0)], [(0.41, 0.41, 0)]]).coverage() == 2 / 16


def test_a_collision_counts_when_it_begins() -> None:
    apart, touching = (0.2, 0.0, 0.0), (0.1409, 0.0, 0.0)
    home = (0.0, 0.0, 0.0)
    assert view([[home, one] for one in (apart, touching, touching, apart, touching)]).collisions == 2


def test_expressions_see_measures_globals_and_functions() -> None:
    run = view([[(0, 0, 0), (0, 0, 0)]] * 3, [[0, 0], [1, None], [3, 5]])
    assert evaluate('mean(final("state"))', run) == 4.0
    assert evaluate('list(final("state"))', run) == [3.0, 5.0]
    assert evaluate("robots * 2 + ticks", run) == 6.0
    assert evaluate('max(where(series("state") > 2, 1, 0))', run) == 1.0


@pytest.mark.parametrize(
    "text", ["().__class__", "open('x')", "[x for x in (1,)]", "lambda: 1", "final.__self__", "1 +"]
)
def test_expressions_can_do_nothing_else(text: str) -> None:
    assert check_expression(text) is not None


def test_a_measure_that_fails_says_so() -> None:
    with pytest.raises(InputError, match="the measure failed"):
        evaluate('final("nothing")', view([[(0, 0, 0)]]))


def test_the_globals_of_expressions_are_known_before_the_run() -> None:
    assert variables_of(['mean(final("a"))', 'sum(series("b")) + ticks', "x.py:f"]) == ["a", "b"]
