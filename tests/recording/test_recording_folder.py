import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.exports import export
from pybuzz.recording.plotting import plot_trajectories
from pybuzz.recording.queries import query
from pybuzz.recording.scene import obstacles_at


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    recorder = Recorder(RunDescription("x.bzz", 1, robots=(RobotMark("kh0"),)), tmp_path / "run")
    recorder.record_tick(0, np.zeros((1, 3)))
    recorder.close()
    return tmp_path / "run"


def test_a_missing_folder_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        Recording.open(tmp_path / "none")


def test_a_folder_without_run_file_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no recording: it has no run\.json"):
        Recording.open(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"what": "something else", "format": 1}', "null"])
def test_a_strange_run_file_is_an_input_error(folder: Path, text: str) -> None:
    (folder / "run.json").write_text(text)
    with pytest.raises(InputError, match="or it is damaged"):
        Recording.open(folder)


def test_a_run_file_with_missing_parts_is_an_input_error(folder: Path) -> None:
    data = json.loads((folder / "run.json").read_text())
    del data["run"]["seed"]
    (folder / "run.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match="the recording is damaged"):
        Recording.open(folder)


def test_a_newer_format_says_what_to_install(folder: Path) -> None:
    data = json.loads((folder / "run.json").read_text())
    data["format"] = 99
    (folder / "run.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match="format 99") as error:
        Recording.open(folder)
    assert "pip install -U pybuzz" in error.value.diagnostics[0].hint


def test_a_cut_table_is_named(folder: Path) -> None:
    content = (folder / "poses.parquet").read_bytes()
    (folder / "poses.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="the table poses is damaged"):
        Recording.open(folder)


def test_the_run_file_knows_no_clock(folder: Path) -> None:
    data = json.loads((folder / "run.json").read_text())
    assert sorted(data) == ["format", "run", "status", "ticks", "versions", "what"]
    assert sorted(data["run"]) == [
        "arena", "digest", "experiment", "lights", "obstacles", "options", "robots", "seed", "ticks_per_second",
        "views",
    ]  # fmt: skip


def test_a_place_that_cannot_be_written_is_an_input_error(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inside = tmp_path / "file" / "run"
    with pytest.raises(InputError, match="cannot write here: Not a directory"):
        Recorder(RunDescription("x.bzz", 1), inside)
    with pytest.raises(InputError, match="cannot write here"):
        export(folder, inside / "all.csv")
    with pytest.raises(InputError, match="cannot write here"):
        plot_trajectories(Recording.open(folder), inside / "ways.png")


def test_a_recording_whose_folder_vanishes_ends_with_an_input_error(tmp_path: Path) -> None:
    recorder = Recorder(RunDescription("x.bzz", 1, robots=(RobotMark("kh0"),)), tmp_path / "run")
    recorder.record_tick(0, np.zeros((1, 3)))
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(InputError, match="cannot write here"):
        recorder.close()


def test_a_damaged_table_is_named_by_queries_and_exports_too(folder: Path, tmp_path: Path) -> None:
    (folder / "leds.parquet").write_bytes(b"junk")
    for ask in (lambda: query(folder, "SELECT 1"), lambda: export(folder, tmp_path / "all.csv")):
        with pytest.raises(InputError, match="the table leds is damaged"):
            ask()


def test_a_table_with_robots_that_the_run_file_lacks_is_damaged(folder: Path) -> None:
    (folder / "run.json").write_text((folder / "run.json").read_text().replace('"kh0"', '"other"'))
    recording = Recording.open(folder)
    with pytest.raises(InputError, match=r"the table poses is damaged: run\.json has no robot 'kh0'"):
        _ = recording.poses


def test_a_run_without_time_is_damaged(folder: Path) -> None:
    data = json.loads((folder / "run.json").read_text())
    data["run"]["ticks_per_second"] = 0
    (folder / "run.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match=r"the recording is damaged: .*0 ticks per second"):
        Recording.open(folder)


def test_recordings_of_the_first_format_are_read(folder: Path) -> None:
    data = json.loads((folder / "run.json").read_text())
    data["format"] = 1
    del data["run"]["views"]
    data["run"]["obstacles"] = [
        {"name": "box", "shape": "box", "position": [1, 2], "size": [1, 1], "yaw": 0, "movable": True}
    ]
    (folder / "run.json").write_text(json.dumps(data))
    recording = Recording.open(folder)
    assert recording.objects.poses.shape == (1, 0, 3)
    assert [mark.position for mark in obstacles_at(recording, 0)] == [(1.0, 2.0)]
    assert not recording.views
