"""Obstacles that are pushed, moved, added or taken out, and lights that come and go: kept, read and drawn."""

import math
from pathlib import Path

import duckdb
import numpy as np
import pytest

from pybuzz.recording import (
    NO_ROBOT,
    ArenaMark,
    ObstacleMark,
    Recorder,
    Recording,
    RobotMark,
    RunDescription,
)  # fmt: skip
from pybuzz.recording.differences import first_difference
from pybuzz.recording.frames import FramePainter
from pybuzz.recording.scene import lights_at, moving_objects, obstacles_at, still_obstacles

PALE, SOLID, YELLOW = (0xEF, 0xEF, 0xEF), (0xB8, 0xB8, 0xB8), (0xF0, 0xC8, 0x00)


def pushed(folder: Path | None = None, *, until: float = 1.0, flush: bool = False) -> Recording:
    """10 ticks: a crate is pushed from x = -1 m to `until`, a rock stands, a can comes in tick 4 and goes in tick 8.

    A light shines until tick 5, another from tick 6 on.
    """
    crate = ObstacleMark("crate", "box", (-1.0, 0.0), (0.4, 0.4), movable=True)
    rock = ObstacleMark("rock", "cylinder", (1.5, 1.0), (0.4, 0.4))
    description = RunDescription(
        "push.yaml",
        1,
        robots=(RobotMark("a"),),
        arena=ArenaMark((4.0, 3.0)),
        obstacles=(crate, rock),
        lights=((0.0, 1.2),),
    )
    recorder = Recorder(description, folder)
    for tick in range(11):
        if tick == 4:
            can = recorder.add_object(ObstacleMark("can", "cylinder", (1.0, -1.0), (0.4, 0.4), since=4))
            recorder.record_objects(tick, np.array([can], dtype=np.int32), np.array([[1.0, -1.0, 0.0]]))
        if tick == 8:
            recorder.record_objects(tick, np.array([can], dtype=np.int32), np.full((1, 3), math.nan))
        if tick in (0, 2, 5):
            x = -1.0 if tick == 0 else until * tick / 5
            recorder.record_objects(tick, np.zeros(1, dtype=np.int32), np.array([[x, 0.0, 0.0]]))
        if tick == 5:
            recorder.event(tick, NO_ROBOT, "light removed", "[0.0, 1.2]")
        if tick == 6:
            recorder.event(tick, NO_ROBOT, "light added", "[0.5, 1.2]")
        recorder.record_tick(tick, np.array([[-1.5, -1.0, 0.0]]))
        if flush:
            recorder._flush()
    return recorder.close()


@pytest.mark.parametrize("place", ["memory", "folder"])
def test_an_object_is_where_it_was_last_until_it_moves(place: str, tmp_path: Path) -> None:
    if place == "memory":
        objects = pushed().objects
    else:
        pushed(tmp_path / "run")
        objects = Recording.open(tmp_path / "run").objects
    assert objects.names == ["crate", "can"]
    assert objects.obstacles.tolist() == [0, 2]
    assert objects.poses[:, 0, 0].tolist() == [-1.0, -1.0, 0.4, 0.4, 0.4, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert np.isfinite(objects.poses[:, 1, 0]).tolist() == [4 <= tick < 8 for tick in range(11)]


def test_only_what_moved_takes_rows(tmp_path: Path) -> None:
    pushed(tmp_path / "run")
    rows = duckdb.sql(f"SELECT tick, object, x FROM '{tmp_path}/run/objects.parquet'").fetchall()
    assert rows == [(0, "crate", -1.0), (2, "crate", 0.4), (4, "can", 1.0), (5, "crate", 1.0), (8, "can", None)]


def test_equal_ways_are_equal_files_wherever_chunks_were_cut(tmp_path: Path) -> None:
    pushed(tmp_path / "a")
    pushed(tmp_path / "b", flush=True)
    for name in ("objects.parquet", "events.parquet", "run.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_an_object_that_comes_back_is_the_same_object() -> None:
    recorder = Recorder(RunDescription("x", 1, obstacles=(ObstacleMark("rock", "box", (0.0, 0.0), (1.0, 1.0)),)))
    assert recorder.add_object(ObstacleMark("crate", "box", (1.0, 0.0), (0.1, 0.1))) == 1
    assert recorder.add_object(ObstacleMark("rock", "box", (2.0, 0.0), (1.0, 1.0))) == 0


def test_what_is_there_at_a_tick_and_where() -> None:
    recording = pushed()
    assert [mark.name for mark in still_obstacles(recording)] == ["rock"]
    assert [mark.name for mark, _ in moving_objects(recording)] == ["crate", "can"]
    there = {tick: {mark.name: mark.position for mark in obstacles_at(recording, tick)} for tick in (0, 4, 8)}
    rock = (1.5, 1.0)
    assert there == {
        0: {"rock": rock, "crate": (-1.0, 0.0)},
        4: {"rock": rock, "crate": (0.4, 0.0), "can": (1.0, -1.0)},
        8: {"rock": rock, "crate": (1.0, 0.0)},
    }
    assert [lights_at(recording, tick) for tick in (4, 5, 6)] == [[(0.0, 1.2)], [], [(0.5, 1.2)]]


def test_frames_show_objects_where_they_are_in_that_tick() -> None:
    painter = FramePainter(pushed())
    places = {"first": (-1.0, 0.1), "last": (1.0, 0.1), "can": (1.0, -1.1), "rock": (1.5, 1.1)}
    lamps = {"lamp": (0.0, 1.2), "later lamp": (0.5, 1.2)}
    pixels = {name: painter.pixel(*place) for name, place in (places | lamps).items()}
    colors = {"first": PALE, "last": PALE, "can": SOLID, "rock": SOLID, "lamp": YELLOW, "later lamp": YELLOW}
    for tick, seen in ((0, {"first", "rock", "lamp"}), (6, {"last", "can", "rock", "later lamp"})):
        frame = painter.paint(tick)
        assert {name for name, pixel in pixels.items() if frame.getpixel(pixel) == colors[name]} == seen


def test_a_different_way_of_an_object_is_a_difference() -> None:
    assert first_difference(pushed(), pushed()) is None
    assert str(first_difference(pushed(), pushed(until=0.5))) == "tick 2: object crate: pose x: 0.4 and 0.2"


def test_an_object_that_moved_in_one_run_only_is_a_difference() -> None:
    def run(moves: bool) -> Recording:
        rock = ObstacleMark("rock", "box", (1.0, 2.0), (1.0, 1.0), 0.5)
        recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a"),), obstacles=(rock,)))
        for tick in range(4):
            if moves and tick == 2:
                recorder.record_objects(tick, np.zeros(1, dtype=np.int32), np.array([[1.0, 2.0, 0.25]]))
            recorder.record_tick(tick, np.zeros((1, 3)))
        return recorder.close()

    assert str(first_difference(run(True), run(False))) == "tick 2: object rock: pose yaw: 0.25 and 0.5"
