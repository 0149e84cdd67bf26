"""`pybuzz check` of experiments: their scripts are checked as their robots find them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pybuzz.cli.app import run_app
from pybuzz.errors import Diagnostic
from pybuzz.experiment.reading import read_plan
from pybuzz.experiment.script_checks import check_experiment
from pybuzz.experiment.script_names import names_of
from pybuzz.khepera import load_model

_WALK = """\
function init() { }
function step() {
  if(proximity[0].value > 0.5) set_wheels(5.0, 5.0)
}
"""
_YAML = """\
arena: {size: [4, 4]}
experiment: {length: 1}
robots:
  - {kind: kheperaiv, name: kh1, script: walk.bzz, at: [0, 0]%s}
"""
_ARGOS = """\
<argos-configuration>
  <framework><experiment length="1" ticks_per_second="10" random_seed="1"/></framework>
  <controllers>
    <buzz_controller_kheperaiv id="bzz">
      <actuators>
        <range_and_bearing implementation="default"/>
      </actuators>
      <sensors>
        <range_and_bearing implementation="medium" medium="rab"/>
      </sensors>
      <params bytecode_file="walk.bo" debug_file="walk.bdb"/>
    </buzz_controller_kheperaiv>
  </controllers>
  <arena size="4, 4, 1">
    <kheperaiv id="kh1"><body position="0,0,0" orientation="0,0,0"/><controller config="bzz"/></kheperaiv>
  </arena>
  <physics_engines><dynamics2d id="dyn2d"/></physics_engines>
  <media><range_and_bearing id="rab"/></media>
</argos-configuration>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.bzz").write_text(_WALK)
    return tmp_path


def _found(file: Path, text: str) -> list[Diagnostic]:
    file.write_text(text)
    return list(check_experiment(file).findings)


def test_a_device_that_an_argos_file_lacks_is_told_with_the_element_and_its_line(folder: Path) -> None:
    found = _found(folder / "x.argos", _ARGOS)
    assert [(one.place.line, one.code, one.hint) for one in found] == [
        (3, "missing-device", 'add <kheperaiv_proximity implementation="default"/> to <sensors> of controller bzz '
                              "(line 8) of x.argos"),
        (3, "missing-device", 'add <differential_steering implementation="default"/> to <actuators> of controller bzz '
                              "(line 5) of x.argos"),
    ]  # fmt: skip


def test_a_sensor_that_argos_does_not_have_is_told_with_where_it_is(folder: Path) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { x = line.error }")
    (found,) = _found(folder / "x.argos", _ARGOS)
    assert found.hint == "ARGoS has no such sensor; an experiment in YAML has it with sensors: {line: true}"


def test_a_run_tells_the_same_way_out(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "x.argos").write_text(_ARGOS)
    assert run_app(("run", "x.argos", "--ticks", "1")) == 1
    assert (
        'add <kheperaiv_proximity implementation="default"/> to <sensors> of controller bzz (line 8) of x.argos'
        in capfd.readouterr().err
    )


def test_the_element_that_is_told_mends_the_experiment(folder: Path) -> None:
    text = _ARGOS
    for found in _found(folder / "x.argos", text):
        told = re.match("add (<.*?>) to (<.*?>)", found.hint)
        assert told is not None
        text = text.replace(told[2], told[2] + told[1])
    assert _found(folder / "x.argos", text) == []


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        (", sensors: {proximity: false}", "write sensors: {proximity: true} in robots[1] (line 4) of x.yaml"),
        ("", None),
    ],
)
def test_a_sensor_that_a_yaml_file_takes_away_is_told_with_its_key(folder: Path, more: str, hint: str | None) -> None:
    assert [one.hint for one in _found(folder / "x.yaml", _YAML % more)] == ([hint] if hint else [])


def test_a_flyer_is_told_how_it_steers(folder: Path) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { set_wheels(1.0, 1.0) goto(900.0, 0.0) }")
    found = _found(folder / "x.yaml", (_YAML % "").replace("kheperaiv", "flyer"))
    assert [one.hint for one in found] == ["a robot that flies is steered with goto(x, y)"]


def test_errors_of_a_script_are_errors_of_its_experiment(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "walk.bzz").write_text("x = = 2")
    (folder / "x.argos").write_text(_ARGOS)
    assert run_app(("check", "x.argos")) == 1
    assert "walk.bzz:1:5: compile error" in capfd.readouterr().err


def test_a_script_is_checked_once_for_each_set_of_devices(folder: Path) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { x = light[0] y = math.PI }")
    robots = "".join(
        f"  - {{name: kh{number}, script: walk.bzz, at: [{number - 3}, 1], sensors: {{light: {light}}}}}\n"
        for number, light in ((2, "false"), (3, "true"), (4, "false"))
    )
    found = _found(folder / "x.yaml", _YAML % "" + robots)
    assert [one.code for one in found] == ["missing-device", "missing-device", "undefined-field"]


def test_sensors_of_ones_own_and_globals_and_jobs_are_known(folder: Path) -> None:
    (folder / "own.py").write_text(
        "from pybuzz import sensor\n@sensor('nearest_thing')\nclass Nearest:\n"
        "    def read(self, robot, world):\n        return 1.0\n"
        "from pybuzz import Hooks\nclass Game(Hooks):\n"
        "    def names(self, robot):\n        return {'score': lambda: 1}\n"
    )
    (folder / "walk.bzz").write_text(
        "function init() { } function step() { log(nearest_thing.value, speed, score(), given) }"
    )
    text = _YAML % ", globals: {speed: 1}, sensors: {nearest_thing: true}"
    text += "python: [own.py]\nhooks: own.py:Game\njobs: {set: [{globals: {given: 1}}]}\n"
    assert [one.render() for one in _found(folder / "x.yaml", text)] == []


def test_a_script_beside_its_experiment_is_checked_as_its_robots_find_it(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { log(speed) }")
    (folder / "x.yaml").write_text(_YAML % ", globals: {speed: 1}")
    assert run_app(("check", "--strict", "walk.bzz", "x.yaml")) == 0
    assert run_app(("check", "--strict", "walk.bzz")) == 1
    assert "2 files checked: 0 errors, 0 warnings" in capfd.readouterr().err


def test_the_size_of_a_laser_scan_is_that_of_the_experiment(folder: Path) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { x = lidar[100] }")
    assert _found(folder / "x.yaml", _YAML % "") == []
    (found,) = _found(folder / "x.yaml", _YAML % ", sensors: {lidar: {readings: 90}}")
    assert (found.code, found.hint) == ("entry-range", "lidar has entries 0 to 89")


def test_an_unset_global_may_be_set_from_outside(folder: Path) -> None:
    (folder / "walk.bzz").write_text("function init() { } function step() { x = threshold * 2 }")
    (found,) = _found(folder / "x.yaml", _YAML % "")
    assert found.hint == "if the experiment should set it: --set buzz.threshold=1"


@pytest.mark.parametrize("kind", ["kheperaiv", "line_follower", "flyer"])
def test_what_robots_find_is_what_is_known_of_them(folder: Path, kind: str) -> None:
    """The tables of the first step have exactly the entries and fields that checks know."""
    import pybuzz

    (folder / "walk.bzz").write_text(
        "function init() { } function step() { log(proximity, light, ultrasound, ground, lidar, line, clearance) }"
    )
    (folder / "x.yaml").write_text((_YAML % "").replace("kheperaiv", kind))
    plan, _ = read_plan(folder / "x.yaml")
    known = names_of(plan.controllers["robots[1]"], load_model(kind))
    with pybuzz.load(folder / "x.yaml", seed=1) as experiment:
        experiment.step()
        found = experiment.robots["kh1"].globals
        for name, entries in known.entries.items():
            numbered = [key for key in found[name] if isinstance(key, int)]
            assert len(numbered) == entries.count, name
            entry = found[name][0]
            assert set(entry if isinstance(entry, dict) else ()) == set(entries.fields or ()) - {"raw"}, name
        assert {name for name in known.absent if name in found} == set()
