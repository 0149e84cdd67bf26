"""Scripts that only read values of rings get no tables; everybody else still finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pybuzz
from pybuzz.experiment.experiment import Experiment

SCENE = """\
experiment: {ticks_per_second: 10, length: 10}
arena: {size: [10, 10], walls: false}
obstacles: [{box: [0.2, 8, 0.5], at: [0.24, 0], yaw: 0, movable: false}]
robots:
  - {kind: kheperaiv, name: kh, script: demo.bzz, at: [0, 0], yaw: 0}
radio: {range: 1.5, data_size: 100}
"""
STEP = (
    "near = proximity[n].value  side = ultrasound[4].angle  gray = ground[0].value  x = pose.position.x  n = n + 1  "
    "set_wheels(1.0, 1.0)"
)


def _load(folder: Path, step: str, scene: str = SCENE, **options: Any) -> Experiment:
    (folder / "demo.bzz").write_text(f"n = 0\nfunction init() {{}}\nfunction step() {{ {step} }}\n")
    (folder / "demo.yaml").write_text(scene)
    return pybuzz.load(folder / "demo.yaml", seed=1, **options)


def _columns(experiment: Experiment) -> set[str]:
    mind = experiment.simulation.robots[0].mind
    assert mind is not None
    return set(mind.machine.columns)


@pytest.mark.parametrize("exact", [False, True])
def test_a_script_reads_the_same_with_and_without_tables(tmp_path: Path, exact: bool) -> None:
    results = []
    sensors = ("proximity", "ultrasound", "ground", "pose")
    for more in ("", "  all = { .a = proximity, .b = ultrasound, .c = ground, .d = pose }"):
        with _load(tmp_path, STEP + more, exact=exact) as experiment:
            assert _columns(experiment) == (set() if more else set(sensors))
            seen = []
            for _ in range(8):
                experiment.step()
                names = experiment.robots["kh"].globals
                seen.append([names[name] for name in ("near", "side", "gray", "x", *sensors)])
            results.append(seen)
    assert results[0] == results[1]
    assert any(near > 0.1 for near, *_ in results[0])


def test_a_person_who_sets_the_ring_is_obeyed_until_the_next_step_and_then_finds_tables(tmp_path: Path) -> None:
    with _load(tmp_path, STEP) as experiment:
        names = experiment.robots["kh"].globals
        experiment.step()
        names["proximity"] = {0: {"value": 7.0}}
        assert names["proximity"] == {0: {"value": 7.0}}
        assert _columns(experiment) == set()
        experiment.step()
        assert names["near"] == names["proximity"][1]["value"] != 7.0
        assert len(names["ultrasound"]) == 5


def test_a_robot_without_the_sensor_that_runs_the_same_script_finds_nil(tmp_path: Path) -> None:
    flyer = "  - {kind: flyer, name: fly, altitude: 5, script: demo.bzz, at: [3, 0]}\n"
    with _load(tmp_path, STEP, SCENE.replace("radio:", f"{flyer}radio:")) as experiment:
        experiment.step()
        [failure] = experiment.failures
        assert failure.robot == "fly"
        assert "demo.bzz:3:26" in str(failure.error)
        assert "expected table, got nil; `proximity` is nil here" in str(failure.error)
        assert experiment.robots["kh"].globals["near"] > 0.1


def test_an_index_beyond_the_ring_fails_at_its_place(tmp_path: Path) -> None:
    with _load(tmp_path, STEP) as experiment:
        for _ in range(9):
            experiment.step()
        message = str(experiment.failures[0].error)
        assert "demo.bzz:3:26" in message
        assert "expected table, got nil; `proximity[n]` is nil here" in message


def test_a_recording_of_the_ring_holds_what_the_table_would(tmp_path: Path) -> None:
    recordings = [_load(tmp_path, STEP + more, record_globals=["near"]).run(5) for more in ("", " all = proximity")]
    first, second = (recording.globals["near"].tolist() for recording in recordings)
    assert first == second
