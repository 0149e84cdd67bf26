"""Experiments that are made in Python, without a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError

SCRIPT = "function init() {}\nfunction step() { set_wheels(SPEED, SPEED) }\nfunction destroy() {}\n"


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    (tmp_path / "drive.bzz").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return {
        "experiment": {"length": 1, "seed": 3},
        "arena": {"size": (3, 3), "walls": True},
        "robots": [{"kind": "kheperaiv", "script": Path("drive.bzz"), "at": [0, 0], "globals": {"SPEED": 5.0}}],
    }


def test_a_mapping_is_the_experiment_that_a_file_would_be(experiment: dict[str, Any], tmp_path: Path) -> None:
    text = """\
experiment: {length: 1, seed: 3}
arena: {size: [3, 3], walls: true}
robots: [{kind: kheperaiv, script: drive.bzz, at: [0, 0], globals: {SPEED: 5.0}}]
"""
    (tmp_path / "same.yaml").write_text(text)
    made, read = (pybuzz.load(one).run() for one in (experiment, tmp_path / "same.yaml"))
    assert np.array_equal(made.poses, read.poses)
    assert made.poses[-1, 0, 0] > 0.03


def test_one_robot_may_stand_in_the_list_twice(experiment: dict[str, Any]) -> None:
    group = {"kind": "kheperaiv", "script": "drive.bzz", "place": {"uniform": [[-1, -1], [1, 1]]}, "count": 2}
    found = pybuzz.load({**experiment, "robots": [group, group]}, set={"buzz.SPEED": 1.0})
    assert len(found.robots) == 4


def test_mistakes_are_told_as_those_of_a_file(experiment: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="did you mean 'walls'"):
        pybuzz.load({**experiment, "arena": {"size": [3, 3], "wals": True}})
    with pytest.raises(InputError, match="is no value of an experiment"):
        pybuzz.load({**experiment, "arena": {"size": np.ones(2)}})
