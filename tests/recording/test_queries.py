import csv
from pathlib import Path

import duckdb
import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import Recorder, RobotMark, RunDescription
from pybuzz.recording.exports import export
from pybuzz.recording.queries import query


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    robots = tuple(RobotMark(name, number=number) for number, name in enumerate(["b", "a"], 10))
    recorder = Recorder(
        RunDescription("x.bzz", 1, robots=robots),
        tmp_path / "run's",
        sensors=["ground"],
        globals_=["count", "mode", "it's"],
    )
    for tick in range(3):
        poses = np.array([[tick, 0.5, 0.1], [tick, -0.5, 0.2]])
        ground = {"ground": np.full((2, 2), tick / 4)}
        values = {"count": [tick, None], "mode": ["go", 2.5], "it's": [1, 0.5]}
        recorder.record_tick(tick, poses, np.full((2, 3), tick, dtype=np.uint8), ground, values)
    recorder.log(2, 1, "done")
    recorder.close()
    return tmp_path / "run's"


def test_each_table_can_be_asked(folder: Path) -> None:
    answer = query(folder, "SELECT robot, sum(x) AS way FROM poses GROUP BY robot ORDER BY robot")
    assert answer.columns == ["robot", "way"]
    assert answer.rows == [("a", 3.0), ("b", 3.0)]
    assert query(folder, "SELECT * FROM log").rows == [(2, "a", "done")]
    assert query(folder, "SELECT number FROM globals WHERE name = 'count' AND tick = 2").rows == [(2.0,), (None,)]
    assert query(folder, "SELECT robot, number FROM robots ORDER BY index").rows == [("b", 10), ("a", 11)]


def test_faulty_sql_names_the_tables_that_there_are(folder: Path) -> None:
    with pytest.raises(InputError, match="pose does not exist") as error:
        query(folder, "SELECT * FROM pose")
    assert error.value.diagnostics[0].hint == "tables: globals, leds, log, poses, robots, sensor_ground"


def test_a_csv_file_has_one_row_per_tick_and_robot(folder: Path, tmp_path: Path) -> None:
    with export(folder, tmp_path / "out/all.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert rows[4] == {
        "tick": "2", "time": "0.2", "robot": "b", "x": "2.0", "y": "0.5", "yaw": "0.1",
        "red": "2", "green": "2", "blue": "2", "ground_0": "0.5", "ground_1": "0.5",
        "count": "2", "it's": "1.0", "mode": "go",
    }  # fmt: skip
    assert (rows[5]["robot"], rows[5]["count"], rows[5]["mode"]) == ("a", "", "2.5")


def test_a_parquet_file_keeps_types(folder: Path, tmp_path: Path) -> None:
    path = export(folder, tmp_path / "all.parquet")
    assert duckdb.sql(f"SELECT count, \"it's\", mode FROM '{path}' WHERE tick = 1 AND robot = 'b'").fetchall() == [
        (1, 1.0, "go")
    ]


def test_one_table_can_be_exported_as_it_is(folder: Path, tmp_path: Path) -> None:
    assert export(folder, tmp_path / "log.csv", table="log").read_text() == "tick,robot,text\n2,a,done\n"


def test_an_unknown_table_and_an_unknown_suffix_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table 'posess'") as error:
        export(folder, tmp_path / "x.csv", table="posess")
    assert error.value.diagnostics[0].hint == "did you mean 'poses'?"
    with pytest.raises(InputError, match=r"cannot export to a '\.xlsx' file"):
        export(folder, tmp_path / "x.xlsx")


@pytest.mark.parametrize("text", ["", " ; ", "-- nothing"])
def test_a_text_without_a_question_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    Recorder(RunDescription("x", 1), tmp_path).close()
    with pytest.raises(InputError, match="there is no question in it"):
        query(tmp_path, text)


def test_a_question_that_fails_while_its_rows_are_read_is_an_input_error(tmp_path: Path) -> None:
    Recorder(RunDescription("x", 1), tmp_path).close()
    with pytest.raises(InputError, match="late"):
        query(tmp_path, "SELECT CASE WHEN i = 99999 THEN error('late') ELSE i END FROM range(100000) AS t(i)")
