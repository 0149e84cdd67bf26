"""What is said about a text while it is being written, and which names are offered."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from pages import in_a_loop

import pybuzz
from pybuzz.buzz.signatures import BUILT_INS
from pybuzz.experiment import Experiment
from pybuzz.khepera import signatures
from pybuzz.sim import own_sensors
from pybuzz.workbench import problems
from pybuzz.workbench.descriptions import DESCRIPTIONS
from pybuzz.workbench.files import ExperimentFiles
from pybuzz.workbench.names import ScriptNames
from pybuzz.workbench.own_names import own_names
from pybuzz.workbench.problems import Checker
from pybuzz.workbench.viewers import Viewer

WHOLE = "function init() {}\nfunction step() { PLACE }\nfunction destroy() {}\n"

HOOKS = """\
from pybuzz.experiment import Hooks
class Lab(Hooks):
    def names(self, robot):
        return {"beacon": {"distance": lambda x: 1.0}}
"""


SENSOR = """\
from pybuzz import sensor
@sensor("nose")
class Nose:
    def read(self, robot, world):
        return 1.0
"""

EXPERIMENT = """\
arena: {size: [4, 4]}
python: [nose.py]
robots: [{script: walk.bzz, at: [0, 0], sensors: {nose: true}, globals: {role: 1}}]
"""


def lab(folder: Path) -> Experiment:
    """An experiment with a sensor, a global and hooks of its own."""
    (folder / "walk.bzz").write_text("role = 0\n" + WHOLE.replace("PLACE", ""))
    (folder / "nose.py").write_text(SENSOR)
    (folder / "hooks.py").write_text(HOOKS)
    (folder / "lab.yaml").write_text(EXPERIMENT)
    return pybuzz.load(folder / "lab.yaml", hooks=f"{folder}/hooks.py:Lab")


@pytest.fixture(autouse=True)
def _forget_sensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_sensors, "_registered", {})


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    (tmp_path / "walk.bzz").write_text(WHOLE)
    return Checker(ExperimentFiles(tmp_path))


def test_an_error_has_its_place_and_a_hint(checker: Checker) -> None:
    (problem,) = checker.problems("walk.bzz", "x = (1 + 2\n")
    assert (problem["line"], problem["severity"]) == (2, "error")
    assert problem["end_column"] > problem["column"] >= 1
    assert problem["text"]
    assert problem["hint"]


def test_a_warning_is_one(checker: Checker) -> None:
    (problem,) = checker.problems("walk.bzz", WHOLE.replace("PLACE", "set_wheel(1.0, 2.0)"))
    assert (problem["line"], problem["column"], problem["severity"]) == (2, 19, "warning")
    assert "set_wheels" in problem["hint"]


def test_the_text_counts_and_not_what_is_on_disk(checker: Checker) -> None:
    assert checker.problems("new.bzz", WHOLE.replace("PLACE", "")) == []


def test_names_of_the_experiment_its_hooks_and_its_sensors_are_known(checker: Checker, tmp_path: Path) -> None:
    text = WHOLE.replace("PLACE", "log(role, beacon.distance(1), nose[0])")
    assert len(checker.problems("walk.bzz", text)) == 3
    checker.names = ScriptNames(json.loads(json.dumps(own_names(lab(tmp_path)))))
    assert checker.problems("walk.bzz", text) == []


def test_what_is_wrong_in_an_included_file_is_told_at_the_top(checker: Checker, tmp_path: Path) -> None:
    (tmp_path / "part.bzz").write_text("x = = 1\n")
    (problem,) = checker.problems("walk.bzz", 'include "part.bzz"\n' + WHOLE.replace("PLACE", ""))
    assert (problem["line"], problem["severity"]) == (1, "error")
    assert "part.bzz" in problem["text"]


def test_the_experiments_file_is_checked_and_other_yaml_files_are_not(checker: Checker) -> None:
    checker.experiment = "walk.yaml"
    (problem,) = checker.problems("walk.yaml", "experiment: {}\narenas: {size: [4, 4]}\n")
    assert problem["line"] == 2
    assert checker.problems("fleet.yaml", "robots: 7\n") == []


def test_an_argos_file_is_checked_as_it_is_being_written(checker: Checker) -> None:
    (problem, *_) = checker.problems("walk.argos", "<argos-configuration>\n  <framework>\n</argos-configuration>\n")
    assert (problem["line"], problem["severity"]) == (3, "error")


def test_a_file_outside_is_not_looked_at(checker: Checker) -> None:
    (problem,) = checker.problems("../walk.bzz", "")
    assert "no such file" in problem["text"]


@in_a_loop
async def test_only_the_newest_text_of_a_page_is_checked() -> None:
    checked = []

    class Slow(Checker):
        def problems(self, name: str, text: str) -> list[problems.Problem]:
            checked.append(text)
            return []

    checker, viewer = Slow(ExperimentFiles(Path(os.curdir))), Viewer()
    for text in ("first", "second", "third"):
        checker.check(viewer, "walk.bzz", text)
    while not checked:
        await asyncio.sleep(0.01)
    assert checked == ["third"]


def test_every_name_that_the_checker_knows_is_described() -> None:
    known = BUILT_INS.joined(signatures())
    undescribed = {*known.functions, *known.tables, *known.values} - set(DESCRIPTIONS)
    assert undescribed == set()


def test_descriptions_take_as_many_arguments_as_the_checker() -> None:
    """Of those that take a fixed number: the commas outside of brackets of a function's own arguments."""
    known = BUILT_INS.joined(signatures()).functions
    for name, signature in known.items():
        detail = DESCRIPTIONS[name].detail
        if signature.least == signature.most:
            arguments = detail[1:-1].replace("key, value, result", "").replace("key, value", "")
            for inner in ("id, data, result", "id, data", "topic, value, robot"):
                arguments = arguments.replace(f"({inner})", "()")
            assert len([one for one in arguments.split(",") if one.strip()]) == signature.least, (name, detail)


def test_completions_have_the_experiments_own_names_too(tmp_path: Path) -> None:
    names = ScriptNames(own_names(lab(tmp_path)))
    found = {one["name"]: one for one in names.completions}
    assert found["set_wheels"] == {"name": "set_wheels", "kind": "function", "detail": "(left, right)",
                                   "info": "Wheel speeds in cm/s."}  # fmt: skip
    assert found["beacon.distance"]["detail"] == "(any)"
    assert {"nose", "role", "math.pi", "pose.orientation.yaw"} <= set(found)
