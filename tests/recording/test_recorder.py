import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, ObstacleMark, Recorder, Recording, RobotMark, RunDescription

ROBOTS = ("kh0", "kh1", "kh 'two'")
VALUES = [None, 3, 1.5, "text \u00e9", -0.0, {0: 1, "0": "a", "in": {2.5: None}}]


def description(**changes: Any) -> RunDescription:
    settings: dict[str, Any] = {
        "experiment": "demo.yaml",
        "seed": 7,
        "robots": tuple(RobotMark(name, number=number) for number, name in enumerate(ROBOTS)),
        "arena": ArenaMark((4.0, 3.0), (0.5, 0.0)),
        "obstacles": (ObstacleMark("box", "box", (1.0, 0.0), (0.3, 0.5), 0.25),),
        "lights": ((0.0, 1.0),),
        "options": {"exact": True},
    }
    return RunDescription(**settings | changes)


def made_poses(ticks: int, robots: int = 3) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(ticks + 1, robots, 3))


def record(
    folder: Path | None, ticks: int = 5, *, memory_bytes: int = 2**29, flushes: tuple[int, ...] = ()
) -> Recording:
    recorder = Recorder(description(), folder, sensors=["proximity"], globals_=["state"], memory_bytes=memory_bytes)
    for tick, poses in enumerate(made_poses(ticks)):
        leds = np.full((3, 3), tick % 256, dtype=np.uint8)
        readings = np.outer(np.arange(3.0), np.arange(8.0)) + tick
        state = [VALUES[(tick + robot) % len(VALUES)] for robot in range(3)]
        recorder.log(tick, tick % 3, f"tick {tick}")
        recorder.record_tick(tick, poses, leds, {"proximity": readings}, {"state": state})
        if tick in flushes:
            recorder._flush()
    recorder.event(ticks, 1, "script failed", "division by zero")
    return recorder.close()


def test_a_recording_in_memory_has_what_was_recorded() -> None:
    check(record(None), 5)


def test_a_recording_in_a_folder_has_what_was_recorded(tmp_path: Path) -> None:
    check(record(tmp_path / "run"), 5)


def test_an_opened_recording_has_what_was_recorded(tmp_path: Path) -> None:
    record(tmp_path / "run")
    opened = Recording.open(tmp_path / "run")
    check(opened, 5)
    assert opened.description == description()
    assert opened.status == "completed"


def test_a_recording_too_large_for_memory_spills_and_reads_the_same() -> None:
    check(record(None, 50, memory_bytes=2000), 50)


def check(recording: Recording, ticks: int) -> None:
    assert recording.robots == list(ROBOTS)
    assert recording.ticks == ticks
    assert recording.poses.dtype == np.float64
    np.testing.assert_array_equal(recording.poses, made_poses(ticks))
    assert recording.leds[4, 2].tolist() == [4, 4, 4]
    assert list(recording.sensors) == ["proximity"]
    assert recording.sensors["proximity"].shape == (ticks + 1, 3, 8)
    assert recording.sensors["proximity"][2, 1].tolist() == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    state = recording.globals["state"]
    assert [repr(state[tick, 1]) for tick in range(6)] == [repr(VALUES[(tick + 1) % 6]) for tick in range(6)]
    assert recording.log[4] == (4, "kh1", "tick 4")
    assert len(recording.log) == ticks + 1
    assert recording.events == [(ticks, "kh1", "script failed", "division by zero")]


def test_two_equal_runs_are_byte_identical_wherever_their_chunks_were_cut(tmp_path: Path) -> None:
    record(tmp_path / "a", 3000)
    record(tmp_path / "b", 3000, flushes=(3, 4, 700, 1700, 2999))
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == [
        "events.parquet", "globals.parquet", "leds.parquet", "log.parquet", "poses.parquet", "run.json",
        "sensor_proximity.parquet",
    ]  # fmt: skip
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == files
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_chunks_leave_no_trace_in_large_tables_either(tmp_path: Path) -> None:
    # 200,200 rows are two of DuckDB's row groups of 122,880
    for folder, flushes in ((tmp_path / "a", ()), (tmp_path / "b", (1, 317, 700))):
        recorder = Recorder(description(robots=tuple(map(RobotMark, map(str, range(200))))), folder)
        for tick, poses in enumerate(made_poses(1000, 200)):
            recorder.record_tick(tick, poses)
            if tick in flushes:
                recorder._flush()
        recorder.close()
    assert (tmp_path / "a/poses.parquet").read_bytes() == (tmp_path / "b/poses.parquet").read_bytes()
    assert duckdb.sql(
        f"SELECT count(DISTINCT row_group_id) FROM parquet_metadata('{tmp_path}/a/poses.parquet')"
    ).fetchall() == [(2,)]


def test_other_tools_read_the_files(tmp_path: Path) -> None:
    record(tmp_path / "run")
    rows = duckdb.sql(f"SELECT robot, x FROM '{tmp_path}/run/poses.parquet' WHERE tick = 5").fetchall()
    assert rows == [(name, made_poses(5)[5, robot, 0]) for robot, name in enumerate(ROBOTS)]


def test_a_killed_run_leaves_a_recording_that_opens(tmp_path: Path) -> None:
    script = f"""
import numpy as np, os, signal
from pathlib import Path
from pybuzz.recording import Recorder, RobotMark, RunDescription
recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a"),)), Path({str(tmp_path / "run")!r}))
for tick in range(100):
    recorder.log(tick, 0, "line")
    recorder.record_tick(tick, np.full((1, 3), float(tick)))
    if tick in (30, 60):
        recorder._flush()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    opened = Recording.open(tmp_path / "run")
    assert opened.status == "running"
    assert opened.ticks == 60
    assert opened.poses[:, 0, 0].tolist() == list(range(61))
    assert len(opened.log) == 61


def test_chunks_are_written_every_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [time.monotonic()]
    monkeypatch.setattr("pybuzz.recording.recorder.monotonic", lambda: clock[0])
    recorder = Recorder(description(), tmp_path / "run")
    for tick in range(10):
        clock[0] += 0.25
        recorder.record_tick(tick, np.zeros((3, 3)))
    assert len(list((tmp_path / "run/chunks").glob("poses-*.parquet"))) == 2
    assert Recording.open(tmp_path / "run").ticks == 7


def test_robots_that_come_and_go_are_nan_where_they_were_not() -> None:
    recorder = Recorder(description(robots=(RobotMark("a"), RobotMark("b"))))
    recorder.record_tick(0, np.zeros((2, 3)))
    late = recorder.add_robot(RobotMark("late"))
    recorder.record_tick(1, np.ones((2, 3)), robots=np.array([1, late], dtype=np.int32))
    recording = recorder.close()
    assert recording.robots == ["a", "b", "late"]
    assert np.isnan(recording.poses[:, :, 0]).tolist() == [[False, False, True], [True, False, False]]


def test_a_robot_that_comes_back_is_the_same_robot(tmp_path: Path) -> None:
    recorder = Recorder(description(), tmp_path / "run")
    recorder.record_tick(0, np.zeros((2, 3)), robots=np.array([0, 2], dtype=np.int32))
    back = recorder.add_robot(RobotMark(ROBOTS[1]))
    assert back == 1
    recorder.record_tick(1, np.zeros((1, 3)), robots=np.array([back], dtype=np.int32))
    assert np.isnan(recorder.close().poses[:, :, 0]).tolist() == [[False, True, False], [True, False, True]]


def test_a_recording_of_the_same_experiment_is_replaced(tmp_path: Path) -> None:
    record(tmp_path / "run", 9)
    assert record(tmp_path / "run", 3).ticks == Recording.open(tmp_path / "run").ticks == 3


def test_another_experiment_s_recording_is_kept(tmp_path: Path) -> None:
    record(tmp_path / "run")
    before = (tmp_path / "run/run.json").read_bytes()
    with pytest.raises(InputError, match=r"another experiment \(demo.yaml\)"):
        Recorder(description(experiment="other.yaml"), tmp_path / "run")
    assert (tmp_path / "run/run.json").read_bytes() == before


def test_what_robots_did_is_kept_though_the_script_is_the_same(tmp_path: Path) -> None:
    deployed = RunDescription("script.bzz", 0, 10, (RobotMark("kh1", number=1),), options={"deployed": True})
    Recorder(deployed, tmp_path / "run").close()
    before = (tmp_path / "run/run.json").read_bytes()
    with pytest.raises(InputError, match="what robots did in an earlier deployment"):
        Recorder(deployed, tmp_path / "run")
    assert (tmp_path / "run/run.json").read_bytes() == before


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="not empty and is no recording"):
        Recorder(description(), tmp_path)
    with pytest.raises(InputError, match="this is a file"):
        Recorder(description(), tmp_path / "thesis.tex")


def test_the_recorder_keeps_copies() -> None:
    recorder = Recorder(description())
    poses = np.zeros((3, 3))
    recorder.record_tick(0, poses)
    poses += 1
    assert not recorder.close().poses.any()


def test_a_run_in_memory_does_not_wait_for_the_database() -> None:
    script = """
import sys, numpy as np
from pybuzz.recording import Recorder, RobotMark, RunDescription
recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a"),)))
recorder.record_tick(0, np.zeros((1, 3)))
assert recorder.close().poses.shape == (1, 1, 3)
assert "duckdb" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_sensor_names_what_was_recorded() -> None:
    with pytest.raises(KeyError, match="'lidar' was not recorded; recorded are: proximity"):
        record(None).sensors["lidar"]


def test_nan_is_nan_again_when_read_from_a_folder(tmp_path: Path) -> None:
    recorder = Recorder(
        RunDescription("x", 1, robots=(RobotMark("a"), RobotMark("b"))), tmp_path, sensors=["ring"], globals_=["g"]
    )
    for tick in range(2):
        poses = np.array([[math.nan] * 3, [1.0, 2.0, 3.0]])
        recorder.record_tick(tick, poses, sensors={"ring": poses[:, :2]}, globals_={"g": [math.nan, 0.5]})
    recorder.close()
    recording = Recording.open(tmp_path)
    assert np.isnan(recording.poses[:, 0]).all()
    assert recording.sensors["ring"][1, 1].tolist() == [1.0, 2.0]
    assert np.isnan(recording.sensors["ring"][:, 0]).all()
    assert math.isnan(recording.globals["g"][1, 0])
    assert recording.globals["g"][1, 1] == 0.5


def test_rows_of_texts_are_packed_few_at_a_time(tmp_path) -> None:
    recorder = Recorder(description(), tmp_path / "run", globals_=("t",))
    for tick in range(9_000):
        recorder.record_tick(tick, made_poses(0)[0], globals_={"t": [{"a": tick}] * 3})
    recorder.close()
    file = tmp_path / "run" / "globals.parquet"
    found = duckdb.sql(f"SELECT max(row_group_num_rows) FROM parquet_metadata('{file}')")
    assert found.fetchall()[0][0] <= 16_384


def test_the_text_of_globals_is_a_string_also_where_there_is_none(tmp_path) -> None:
    recorder = Recorder(description(), tmp_path / "run", globals_=("t",))
    recorder.record_tick(0, made_poses(0)[0], globals_={"t": [1.5] * 3})
    recorder.close()
    schema = duckdb.sql(f"DESCRIBE FROM '{tmp_path / 'run' / 'globals.parquet'}'").fetchall()
    assert {name: kind for name, kind, *_ in schema}["text"] == "VARCHAR"
