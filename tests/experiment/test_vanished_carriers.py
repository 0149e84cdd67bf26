"""What is recorded of robots goes on when those that carry it, or all, are taken out, or when others come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pybuzz
from pybuzz.experiment import Experiment, Hooks
from pybuzz.experiment.plan import Robot
from pybuzz.recording import Recording

ARENA = "arena: {size: [6, 6]}\nexperiment: {length: 1, seed: 1}\n"
TWO = (
    "robots:\n  - {name: kh1, script: null, at: [0, 0]}\n"
    "  - {name: kh2, script: null, at: [1, 0], sensors: {proximity: false}}\n"
)
ONE = "robots: [{name: kh1, script: own.bzz, at: [0, 0]}]\n"
FOLLOWER = (
    "robots: [{kind: line_follower, name: kh1, script: null, at: [0, 0]}, {name: kh2, script: null, at: [1, 0]}]\n"
)
REMOVED = "jobs: {changes: [{tick: 5, remove: kh1}]}\n"


def _load(folder: Path, text: str, **options: object) -> Experiment:
    (folder / "own.bzz").write_text("n = 0\nfunction init() { }\nfunction step() { n = n + 1 }\n", encoding="utf-8")
    (folder / "demo.yaml").write_text(ARENA + text, encoding="utf-8")
    return pybuzz.load(folder / "demo.yaml", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("kept", [True, False], ids=["in a folder", "in memory"])
@pytest.mark.parametrize(("robots", "sensor"), [(TWO, "proximity"), (ONE, "proximity"), (FOLLOWER, "line")])
def test_readings_end_when_the_last_carrier_is_taken_out(tmp_path: Path, robots: str, sensor: str, kept: bool) -> None:
    folder = tmp_path / "rec" if kept else None
    record = f"record: {{sensors: [{sensor}], globals: []}}\n"
    recording = _load(tmp_path, robots + record + REMOVED, record=folder).run()
    if folder:
        recording = Recording.open(folder)
    assert (recording.status, recording.ticks) == ("completed", 10)
    assert np.isfinite(recording.sensors[sensor][:5, 0]).all()
    assert np.isnan(recording.sensors[sensor][5:]).all()


def test_globals_end_with_the_last_robot(tmp_path: Path) -> None:
    _load(tmp_path, ONE + "record: {globals: [n]}\n" + REMOVED, record=tmp_path / "rec").run()
    recording = Recording.open(tmp_path / "rec")
    assert recording.globals["n"][:, 0].tolist() == [0, 1, 2, 3, 4, *[None] * 6]
    assert recording.ticks == 10


def test_nothing_is_left_to_record_when_the_only_robot_goes_before_the_first_tick(tmp_path: Path) -> None:
    class Removing(Hooks):
        def init(self, experiment):
            experiment.remove("kh1")

    text = ONE + "record: {globals: [n], sensors: [proximity]}\n"
    _load(tmp_path, text, hooks=Removing(), record=tmp_path / "rec").run()
    recording = Recording.open(tmp_path / "rec")
    assert recording.ticks == 10
    assert np.isnan(recording.poses).all()


def test_the_first_carrier_may_come_later(tmp_path: Path) -> None:
    robots = (
        "robots:\n"
        "  - {name: kh1, script: null, at: [0, 0], sensors: {proximity: false}}\n"
        "  - {name: kh2, script: null, place: {constant: [1, 0]}, count: 0}\n"
    )

    class Adding(Hooks):
        def pre_step(self, experiment):
            if experiment.tick == 4:
                experiment.add(Robot("late", list(experiment.plan.controllers)[1], position=(1.0, 1.0, 0.0)))

    recording = _load(tmp_path, robots + "record: {sensors: [proximity]}\n", hooks=Adding()).run()
    assert np.isnan(recording.sensors["proximity"][:4]).all()
    assert np.isfinite(recording.sensors["proximity"][4:, 1]).all()


@pytest.mark.parametrize("kept", [True, False], ids=["in a folder", "in memory"])
def test_a_robot_that_measures_more_values_may_come_later(tmp_path: Path, kept: bool) -> None:
    robots = (
        "robots:\n"
        "  - {name: kh1, script: null, at: [0, 0], sensors: {lidar: {num_rays: 4}}}\n"
        "  - {name: kh2, script: null, at: [1, 0], sensors: {lidar: {num_rays: 6}}}\n"
    )
    text = robots + "record: {sensors: [lidar]}\n"

    class Changing(Hooks):
        def init(self, experiment):
            experiment.remove("kh2")

        def pre_step(self, experiment):
            if experiment.tick == 4:
                experiment.add(Robot("late", list(experiment.plan.controllers)[1], position=(1.0, 1.0, 0.0)))

    folder = tmp_path / "rec" if kept else None
    recording = _load(tmp_path, text, hooks=Changing(), record=folder).run()
    if folder:
        recording = Recording.open(folder)
    lidar = recording.sensors["lidar"]
    assert lidar.shape == (11, 3, 6)
    assert np.isfinite(lidar[:4, 0, :4]).all()
    assert np.isnan(lidar[:4, 0, 4:]).all()
    assert np.isfinite(lidar[5:, 2]).all()
