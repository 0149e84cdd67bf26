"""Functions and tables of a person's own, as scripts and `check` find them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pybuzz
from pybuzz.buzz.checks import check_script
from pybuzz.buzz.signatures import HostNames, Signature
from pybuzz.errors import InputError
from pybuzz.experiment.hook_names import host_names

_PAGE = (Path(__file__).parents[2] / "docs" / "host-functions.md").read_text()


@pytest.fixture
def project(tmp_path: Path) -> str:
    """The Python file that docs/host-functions.md shows."""
    code = re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)[0]
    (tmp_path / "project.py").write_text(code)
    return f"{tmp_path / 'project.py'}:Project"


def test_names_of_hooks_have_signatures(project: str) -> None:
    assert host_names(project) == HostNames(
        {
            "nearest_food": Signature(1, 2, ("string", "integer"), result="table"),
            "arm.lift": Signature(0, 0),
        },
        frozenset({"nearest_food", "arm"}),
        frozenset({"arm.length"}),
    )


@pytest.mark.parametrize(
    ("script", "finding"),
    [
        ('nearest_food("apple", 1, 2)', "nearest_food() takes 1 to 2 arguments, not 3 [argument-count]"),
        ("nearest_food(3)", "argument 1 of nearest_food() must be a string, not an integer [argument-kind]"),
        ("x = arm.lenght", "'arm' has no field 'lenght': it is nil [undefined-field]"),
        ("nearest_foot(1)", "nothing sets the global 'nearest_foot': it is nil [undefined-global]"),
    ],
)
def test_check_knows_what_hooks_give(project: str, script: str, finding: str) -> None:
    assert [found.text for found in check_script("x.bzz", script, signatures=host_names(project))] == [finding]


def test_scripts_find_them(project: str, tmp_path: Path) -> None:
    script = tmp_path / "s.bzz"
    script.write_text(
        'function init() { food = nearest_food("apple") x = food.x kind = food.kind reach = arm.length\n'
        "  who = arm.lift() }\nfunction step() { }\n"
    )
    assert check_script(script, signatures=host_names(project)) == []
    with pybuzz.load(script, hooks=project, robots=1, seed=1, ticks=0) as experiment:
        found = experiment.robots["kh1"].globals
        assert (found["x"], found["kind"], found["reach"], found["who"]) == (1.0, "apple", 0.3, "kh1")


def test_the_page_without_an_experiment_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("script.bzz").write_text("log(double(21))")
    exec(re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)[1], {})
    assert "42" in capsys.readouterr().out


def test_functions_of_c_that_do_not_tell_their_arguments_take_any(tmp_path: Path) -> None:
    file = tmp_path / "c.py"
    file.write_text("class C:\n    def names(self, robot):\n        return {'biggest': max}\n")
    assert host_names(f"{file}:C").functions == {"biggest": Signature(0, None)}


@pytest.mark.parametrize("body", ["return 5", "return robot.pose", "raise KeyError(1)"])
def test_hooks_that_fail_while_they_are_asked_are_named(tmp_path: Path, body: str) -> None:
    file = tmp_path / "bad.py"
    file.write_text(f"class C:\n    def names(self, robot):\n        {body}\n")
    with pytest.raises(InputError, match="error in names"):
        host_names(f"{file}:C")


def test_a_file_that_is_no_python_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "script.bzz"
    file.write_text("function step() {\n}\n")
    with pytest.raises(InputError, match=r"script.bzz:1: error in the file: SyntaxError"):
        host_names(str(file))


def test_the_sensors_of_a_file_are_known_though_it_was_loaded_before() -> None:
    file = Path(__file__).parents[2] / "scripts" / "examples" / "own_sensor" / "nearest.py"
    assert host_names(str(file)) == host_names(str(file))


def test_numbers_from_python_are_rounded_for_scripts_in_single_precision(project: str, tmp_path: Path) -> None:
    script = tmp_path / "s.bzz"
    script.write_text(
        'gain = 0.0\nfunction init() { from_table = (arm.length == 0.3) food = nearest_food("apple", 1) }\n'
        "function step() { from_outside = (gain == 0.1) }\n"
    )
    with pybuzz.load(script, hooks=project, robots=1, seed=1, ticks=1, exact=True) as experiment:
        robot = experiment.robots["kh1"]
        robot.globals["gain"] = 0.1
        experiment.step()
        assert (robot.globals["from_table"], robot.globals["from_outside"]) == (1, 1)
