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


def test_answers_in_json_are_json_whatever_their_types(pybuzz, recorded) -> None:
    recorded("run", 1)
    values = (
        "'nan'::DOUBLE AS n, DATE '2020-02-03' AS d, 'x'::BLOB AS b, 1.5::DECIMAL(4,2) AS e, [1, 'inf'::DOUBLE] AS l"
    )
    done = pybuzz("query", "run", "--json", f"SELECT {values} FROM range(2)")
    assert json.loads(done.out) == 2 * [{"n": None, "d": "2020-02-03", "b": "b'x'", "e": 1.5, "l": [1, None]}]
    assert json.loads(pybuzz("query", "run", "--json", "SELECT 1 AS x WHERE false").out) == []


def test_a_long_answer_is_printed_to_its_last_row(pybuzz, recorded) -> None:
    recorded("run", 1)
    lines = pybuzz("query", "run", "SELECT i FROM range(25000) AS t(i)").out.splitlines()
    assert lines == ["i", *map(str, range(25000))]
