"""A recording whose files were damaged on a disk is told as damaged, by whatever reads it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.exports import export
from pybuzz.recording.queries import query

TABLES = ("events", "globals", "leds", "log", "poses", "sensor_light")
FLIPS = 5


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flips") / "run"
    marks = tuple(RobotMark(f"kh{number}") for number in range(3))
    recorder = Recorder(RunDescription("x.bzz", 1, robots=marks), folder, sensors=["light"], globals_=["n"])
    for tick in range(6):
        recorder.log(tick, tick % 3, f"line {tick}")
        recorder.event(tick, tick % 3, "debug", '{"text": "a", "color": [1, 2, 3], "rays": []}')
        places = np.full((3, 3), float(tick))
        colors = np.full((3, 3), tick, dtype=np.uint8)
        recorder.record_tick(tick, places, colors, {"light": places}, {"n": [tick, "a", {"b": 1.0}]})
    recorder.close()
    return folder


def read_all(folder: Path) -> None:
    recording = Recording.open(folder)
    _ = recording.poses, recording.leds, recording.log, recording.events, recording.notes
    for shelf in (recording.sensors, recording.globals):
        _ = [shelf[name] for name in shelf]


READERS: dict[str, Callable[[Path], object]] = {
    "Recording": read_all,
    "export": lambda folder: export(folder, folder.parent / "all.csv"),
    "query": lambda folder: query(folder, "SELECT * FROM poses JOIN leds USING (tick, robot)"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["run.json", *(f"{table}.parquet" for table in TABLES)])
def test_flipped_bytes_give_an_input_error_or_other_numbers(
    whole: Path, tmp_path: Path, name: str, reader: str
) -> None:
    draw = random.Random(f"{name} {reader}")
    content = (whole / name).read_bytes()
    shutil.copytree(whole, tmp_path / "run")
    for _ in range(FLIPS):
        damaged = bytearray(content)
        damaged[draw.randrange(len(damaged))] ^= draw.randrange(1, 256)
        (tmp_path / "run" / name).write_bytes(damaged)
        with suppress(InputError):
            READERS[reader](tmp_path / "run")


def test_an_export_names_the_recording_whose_text_is_damaged(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    table = folder / "globals.parquet"
    table.write_bytes(table.read_bytes().replace(b"string", b"st\xebing"))
    with pytest.raises(InputError, match=r"run.*this recording is damaged"):
        export(folder, tmp_path / "all.csv")


def test_a_table_with_a_negative_tick_is_damaged(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    earlier = f"SELECT * REPLACE ((tick - 99)::INTEGER AS tick) FROM '{whole}/leds.parquet'"
    duckdb.sql(f"COPY ({earlier}) TO '{folder}/leds.parquet'")
    with pytest.raises(InputError, match="the table leds is damaged: a tick is negative"):
        _ = Recording.open(folder).leds
