"""`pybuzz query`, `export` and `diff`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def recorded(pybuzz, write):
    """Records a short run of two robots in the folder named."""
    write("walk.bzz", "function init() { }\nfunction step() { set_wheels(10.0, 10.0) }\n")

    def record(folder: str, seed: int) -> None:
        arguments = ("--robots", "2", "--ticks", "3", "--seed", str(seed), "--record", folder)
        assert pybuzz("run", "walk.bzz", *arguments).code == 0

    return record


def test_query_answers_sql_as_a_table(pybuzz, recorded) -> None:
    recorded("run", 1)
    result = pybuzz("query", "run", "SELECT count(*) AS rows FROM poses")
    assert result.out.split() == ["rows", "8"]


def test_query_answers_sql_as_json(pybuzz, recorded) -> None:
    recorded("run", 1)
    answer = pybuzz(
        "query", "--json", "run", "SELECT robot, max(tick) AS last FROM poses GROUP BY robot ORDER BY robot"
    )
    assert [row["last"] for row in json.loads(answer.out)] == [3, 3]


def test_wrong_sql_names_the_tables(pybuzz, recorded) -> None:
    recorded("run", 1)
    result = pybuzz("query", "run", "SELECT * FROM positions")
    assert result.code == 2
    assert "poses" in result.err


def test_export_writes_a_row_per_tick_and_robot(pybuzz, recorded, tmp_path) -> None:
    recorded("run", 1)
    assert pybuzz("export", "run", "-o", "run.csv").code == 0
    assert len((tmp_path / "run.csv").read_text().splitlines()) == 9


def test_diff_says_nothing_differs_or_where(pybuzz, recorded) -> None:
    recorded("one", 1)
    recorded("same", 1)
    recorded("other", 2)
    assert pybuzz("diff", "one", "same").code == 0
    different = pybuzz("diff", "one", "other")
    assert different.code == 1
    assert different.out.startswith("tick 0, robot ")
