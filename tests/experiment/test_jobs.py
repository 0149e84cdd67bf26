"""Jobs without code: what they do, and what a person reads who writes them wrongly."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment import Experiment

YAML = """\
experiment: {length: 1, seed: 1}
arena: {size: [4, 2]}
obstacles:
  - {box: [0.2, 0.2, 0.5], at: [1, 0], yaw: 90, name: door}
robots:
  - {name: kh1, script: demo.bzz, at: [0, 0]}
  - {name: kh2, script: demo.bzz, at: [0, 0.5]}
  - {name: kh3, script: demo.bzz, at: [0, -0.5]}
"""
SCRIPT = 'SPEED = 1\nmode = "go"\nfunction init() { n = 0\n seen = SPEED }\nfunction step() { n = n + id }\n'


def _load(folder: Path, jobs: str, script: str = SCRIPT, **options: Any) -> Experiment:
    (folder / "demo.yaml").write_text(YAML, encoding="utf-8")
    (folder / "demo.bzz").write_text(script, encoding="utf-8")
    (folder / "jobs.yaml").write_text(jobs, encoding="utf-8")
    return pybuzz.load(folder / "demo.yaml", with_=folder / "jobs.yaml", **options)


def _complaint(folder: Path, jobs: str) -> str:
    with pytest.raises(InputError) as caught:
        _load(folder, jobs).step()
    return str(caught.value)


def test_globals_are_set_for_all_for_one_and_for_a_range_before_init(tmp_path: Path) -> None:
    jobs = (
        "set:\n  - {globals: {SPEED: 5}}\n  - {globals: {SPEED: 7.5}, ids: [2, 3]}\n"
        "  - {globals: {mode: stop}, ids: 3}\n"
    )
    robots = _load(tmp_path, jobs).robots.values()
    assert [robot.globals["seen"] for robot in robots] == [5, 7.5, 7.5]
    assert [robot.globals["mode"] for robot in robots] == ["go", "go", "stop"]


def test_ids_that_no_robot_has_and_globals_that_no_script_uses_are_refused(tmp_path: Path) -> None:
    assert "jobs.yaml:2: unknown robot: no robot has the id 7 to 9" in _complaint(
        tmp_path, "set:\n  - {globals: {SPEED: 5}, ids: [7, 9]}\n"
    )
    assert "did you mean 'SPEED'?" in _complaint(tmp_path, "set:\n  - {globals: {SPED: 5}}\n")


def test_globals_are_written_every_so_many_ticks(tmp_path: Path) -> None:
    file = tmp_path / "out" / "n.csv"
    _load(tmp_path, f"write:\n  - {{globals: [n, mode], file: {file}, every: 5, poses: true}}\n").run()
    assert file.read_text() == (
        "tick,robot,id,x,y,yaw,n,mode\n"
        "5,kh1,1,0.0,0.0,0.0,5,go\n5,kh2,2,0.0,0.5,0.0,10,go\n5,kh3,3,0.0,-0.5,0.0,15,go\n"
        "10,kh1,1,0.0,0.0,0.0,10,go\n10,kh2,2,0.0,0.5,0.0,20,go\n10,kh3,3,0.0,-0.5,0.0,30,go\n"
    )


def test_globals_are_written_at_the_end_with_nil_as_nothing_and_tables_as_json(tmp_path: Path) -> None:
    file = tmp_path / "end.csv"
    script = "function init() { place = {.x = 1.5, .y = id} }\nfunction step() { if(id == 1) { place = nil } }\n"
    _load(tmp_path, f"write:\n  - {{globals: [place], file: {file}, at_end: true}}\n", script, ticks=2).run()
    lines = file.read_text().splitlines()
    assert lines[:2] == ["tick,robot,id,place", "2,kh1,1,"]
    assert lines[2] == '2,kh2,2,"{""x"": 1.5, ""y"": 2}"'


def test_a_run_that_starts_over_writes_its_file_anew(tmp_path: Path) -> None:
    file = tmp_path / "n.csv"
    experiment = _load(tmp_path, f"write:\n  - {{globals: [n], file: {file}}}\n", ticks=1)
    experiment.step()
    experiment.reset()
    experiment.run()
    assert file.read_text() == "tick,robot,id,n\n1,kh1,1,1\n1,kh2,2,2\n1,kh3,3,3\n"


def test_shapes_lie_on_a_colour_the_later_on_top(tmp_path: Path) -> None:
    jobs = (
        "floor:\n  color: 51\n  shapes:\n    - {rectangle: [[1, 1], [-1, -1]], color: 0}\n"
        "    - {circle: {center: [0.5, 0], radius: 0.25}, color: [255, 0, 0]}\n"
    )
    floor = _load(tmp_path, jobs).floor
    seen = floor.brightness(np.array([1.5, -0.9, 0.7, 0.8]), np.array([0.0, 0.9, 0.0, 0.0]))
    # 0.2 for the grey 51 of 255; 0.299 is the weight of red.
    assert seen.tolist() == pytest.approx([0.2, 0.0, 0.299, 0.0], abs=1e-7)


def test_an_image_covers_the_arena_top_row_first(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 255], [102, 255]], dtype=np.uint8)).save(tmp_path / "floor.png")
    floor = _load(tmp_path, "floor: {image: floor.png}").floor
    seen = floor.brightness(np.array([-1.0, 1.0, -1.0, -9.0]), np.array([0.5, 0.5, -0.5, 0.0]))
    assert seen.tolist() == pytest.approx([0.0, 1.0, 0.4, 1.0], abs=1e-7)


def test_things_are_moved_added_and_taken_out_at_their_tick(tmp_path: Path) -> None:
    jobs = (
        "changes:\n  - {tick: 3, remove: rock}\n  - {tick: 2, move: door, to: [1.5, 0.5]}\n"
        "  - {tick: 2, add: {name: rock, cylinder: {radius: 0.1, height: 0.3}, at: [-1, 0.5]}}\n"
        "  - {tick: 2, move: kh1, to: [-1, 0], yaw: 180}\n"
    )
    experiment = _load(tmp_path, jobs)
    experiment.step()
    assert experiment.entities["door"].pose[:2] == (1.0, 0.0)
    assert "rock" not in experiment.entities
    experiment.step()
    assert experiment.entities["door"].pose == pytest.approx((1.5, 0.5, math.pi / 2))
    assert experiment.entities["rock"].pose[:2] == (-1.0, 0.5)
    assert experiment.robots["kh1"].pose == (-1.0, 0.0, math.pi)
    experiment.step()
    assert "rock" not in experiment.entities


@pytest.mark.parametrize(
    ("expression", "ticks"),
    [
        ('all(buzz("n") >= 4)', 4),
        ('max(buzz("n")) == 9', 3),
        ("time >= 0.65", 7),
        ('any(buzz("mode") == "go") and tick == 2', 2),
        ("robots == 3 and min(y) < 0", 0),
        ('any(buzz("n") < 0)', 10),
    ],
)
def test_a_run_stops_when_an_expression_holds(tmp_path: Path, expression: str, ticks: int) -> None:
    assert _load(tmp_path, f"stop: '{expression}'\n").run().ticks == ticks


@pytest.mark.parametrize(
    ("jobs", "complaint"),
    [
        ("stopp: tick > 3\n", "jobs.yaml:1:1: unknown key: the file of jobs has no key 'stopp'"),
        ("stop: tik > 3\n", "there is no name 'tik'"),
        ("stop: buzz.n > 3\n", "may not use Attribute"),
        ("stop: all(buzz(\"m\") > 3)\n", "no script uses a global 'm'"),
        ("stop: x > 3\n", "it is true or false for each robot: say all(...) or any(...)"),
        ("changes:\n  - {tick: 1, move: dor, to: [0, 0]}\n", "jobs.yaml:2: unknown name: there is no robot, box or"),
        ("changes:\n  - {tick: 1, mov: door, to: [0, 0]}\n", "did you mean 'move'?"),
        ("changes:\n  - {tick: 0, remove: door}\n", "0 is not between 1 and"),
        ("write:\n  - {globals: [n]}\n", "write[1] needs the key 'file'"),
        ("write:\n  - {globals: [n], file: a.csv}\n  - {globals: [n], file: a.csv}\n", "is written by an entry above"),
        ("floor: {image: none.png}\n", "there is no image 'none.png'"),
        ("floor: {shapes: [{square: 1, color: 0}]}\n", "shapes[1] needs 'rectangle' or 'circle', one of them"),
        ("set:\n  - {globals: {SPEED: 1}, ids: [3, 1]}\n", "ids: the first, 3, is above the last, 1"),
        ("[1]\n", "a list are no jobs"),
    ],
)  # fmt: skip
def test_faults_are_told_with_place_and_remedy(tmp_path: Path, jobs: str, complaint: str) -> None:
    assert complaint in _complaint(tmp_path, jobs)


def test_an_experiment_in_yaml_has_its_own_jobs_and_hooks(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def is_finished(self, experiment):\n        return experiment.tick == 6\n", encoding="utf-8"
    )
    (tmp_path / "demo.bzz").write_text(SCRIPT, encoding="utf-8")
    text = f"{YAML}hooks: mine.py:Mine\njobs:\n  set: [{{globals: {{SPEED: 9}}, ids: 1}}]\n"
    (tmp_path / "demo.yaml").write_text(text, encoding="utf-8")
    experiment = pybuzz.load(tmp_path / "demo.yaml")
    assert [robot.globals["seen"] for robot in experiment.robots.values()] == [9, 1, 1]
    assert experiment.run().ticks == 6
    (tmp_path / "demo.yaml").write_text(f"{text}  stop: tick ==\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"demo.yaml:12:9: wrong expression: stop: 'tick ==' is no expression"):
        pybuzz.load(tmp_path / "demo.yaml")
