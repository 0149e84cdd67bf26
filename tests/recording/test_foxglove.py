"""MCAP files, read back with the reader of the format's authors."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, ObstacleMark, Recorder, RobotMark, RunDescription
from pybuzz.recording.exports import export

reader = pytest.importorskip("mcap.reader")


def record(folder: Path) -> Path:
    """Two robots, the second only in ticks 1 and 2; the first lights up in tick 2, logs, and fails in tick 3."""
    description = RunDescription(
        "pair.yaml",
        5,
        robots=(RobotMark("a", radius=0.1), RobotMark("b", radius=0.1)),
        arena=ArenaMark((4.0, 2.0)),
        obstacles=(
            ObstacleMark("wall", "box", (1.0, 0.0), (0.2, 1.0), 0.5),
            ObstacleMark("post", "cylinder", (0, 0), (1, 1)),
        ),
        lights=((0.0, 0.5),),
    )
    recorder = Recorder(description, folder, sensors=["ring"], globals_=["state"])
    for tick in range(4):
        robots = np.array([0, 1] if tick in (1, 2) else [0], dtype=np.int32)
        poses = np.array([[tick / 10, index, math.pi / 2] for index in robots.tolist()])
        leds = np.zeros((len(robots), 3), dtype=np.uint8)
        leds[0, 0] = 255 if tick >= 2 else 0
        ring = np.full((len(robots), 2), math.nan if tick == 0 else 0.5)
        recorder.record_tick(tick, poses, leds, {"ring": ring}, {"state": ["go"] * len(robots)}, robots=robots)
    recorder.log(2, 0, "red")
    recorder.event(3, 0, "failed", "type mismatch")
    recorder.close()
    return folder


@pytest.fixture
def messages(tmp_path: Path) -> list[tuple[str, str, int, dict]]:
    """(topic, schema, time in ns, content) of all messages."""
    path = export(record(tmp_path / "run"), tmp_path / "new/run.mcap")
    with path.open("rb") as file:
        return [
            (channel.topic, schema.name, message.log_time, json.loads(message.data))
            for schema, channel, message in reader.make_reader(file).iter_messages()
        ]


def test_poses_are_transforms_tick_by_tick(messages) -> None:
    found = [(time, content["transforms"]) for topic, _, time, content in messages if topic == "/tf"]
    assert [time for time, _ in found] == [0, 100_000_000, 200_000_000, 300_000_000]
    assert [[item["child_frame_id"] for item in items] for _, items in found] == [["a"], ["a", "b"], ["a", "b"], ["a"]]
    second = found[2][1][1]
    assert second["translation"] == {"x": 0.2, "y": 1.0, "z": 0.0}
    assert second["rotation"]["z"] == pytest.approx(math.sin(math.pi / 4))
    assert second["timestamp"] == {"sec": 0, "nsec": 200_000_000}


def test_robots_are_markers_that_change_with_their_leds_and_go_with_them(messages) -> None:
    found = [(time // 100_000_000, content) for topic, _, time, content in messages if topic == "/robots"]
    drawn = [
        (tick, entity["id"], entity["cylinders"][0]["color"]["r"]) for tick, c in found for entity in c["entities"]
    ]
    assert [(tick, name) for tick, name, _ in drawn] == [(0, "a"), (1, "b"), (2, "a")]
    assert drawn[2][2] == 1.0
    assert [(tick, gone["id"]) for tick, c in found for gone in c["deletions"]] == [(3, "b")]


def test_the_arena_comes_once_with_all_that_stands_in_it(messages) -> None:
    (content,) = (content for topic, _, _, content in messages if topic == "/arena")
    assert [entity["id"] for entity in content["entities"]] == ["wall", "post", "light 0", "outline of the arena"]
    assert content["entities"][0]["cubes"][0]["size"] == {"x": 0.2, "y": 1.0, "z": 0.2}


def test_log_lines_and_failures_are_in_the_log(messages) -> None:
    found = [content for topic, _, _, content in messages if topic == "/log"]
    assert [(line["name"], line["message"], line["level"]) for line in found] == [
        ("a", "red", 2),
        ("a", "type mismatch", 4),
    ]


def test_states_hold_sensors_and_variables_with_null_for_nan(messages) -> None:
    found = [content for topic, schema, _, content in messages if (topic, schema) == ("/state/a", "pybuzz.RobotState")]
    assert [state["ring"] for state in found] == [[None, None], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    assert found[0]["globals"] == {"state": "go"}


def test_equal_recordings_give_equal_files(tmp_path: Path) -> None:
    one, two = (export(record(tmp_path / name), tmp_path / f"{name}.mcap") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_one_table_is_no_mcap(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"an \.mcap holds the whole recording"):
        export(record(tmp_path / "run"), tmp_path / "run.mcap", table="poses")


def test_without_mcap_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path / "run")
    monkeypatch.setitem(sys.modules, "mcap", None)
    with pytest.raises(InputError, match="needs mcap") as error:
        export(tmp_path / "run", tmp_path / "run.mcap")
    assert error.value.diagnostics[0].hint == "pip install 'pybuzz[mcap]'"
    assert not (tmp_path / "run.mcap").exists()


def test_a_pushed_obstacle_is_drawn_anew_where_it_is_and_deleted_when_it_goes(tmp_path: Path) -> None:
    crate = ObstacleMark("crate", "box", (1.0, 0.0), (0.2, 0.2), movable=True)
    recorder = Recorder(RunDescription("push", 1, robots=(RobotMark("a"),), obstacles=(crate,)), tmp_path / "run")
    for tick, x in enumerate((1.0, 1.0, 1.5, math.nan)):
        if tick != 1:
            recorder.record_objects(tick, np.zeros(1, dtype=np.int32), np.array([[x, 0.0, 0.0]]))
        recorder.record_tick(tick, np.zeros((1, 3)))
    recorder.close()
    with export(tmp_path / "run", tmp_path / "run.mcap").open("rb") as file:
        found = [
            (message.log_time // 100_000_000, json.loads(message.data))
            for _, _, message in reader.make_reader(file).iter_messages(topics=["/arena"])
        ]
    drawn = [
        (tick, entity["cubes"][0]["pose"]["position"]["x"]) for tick, content in found for entity in content["entities"]
    ]
    assert drawn == [(0, 1.0), (2, 1.5)]
    assert [(tick, content["deletions"][0]["id"]) for tick, content in found if content["deletions"]] == [(3, "crate")]
