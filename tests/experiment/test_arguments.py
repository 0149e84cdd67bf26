"""What is asked of an experiment from Python and from the command line, and what it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment import Hooks, convert_file

YAML = """\
experiment: {{length: {length}, seed: 1}}
arena: {{size: [4, 4]}}
robots: [{{name: kh1, script: a.bzz, at: [0, 0]}}]
"""
NO_NUMBERS = [
    {"seed": "a"},
    {"seed": 1.5},
    {"seed": -1},
    {"seed": 2**32},
    {"ticks": 2.5},
    {"ticks": -1},
    {"robots": "3"},
]


def _file(folder: Path, length: float = 1) -> Path:
    (folder / "a.bzz").write_text("n = 0\nfunction init() { }\nfunction step() { }\n", encoding="utf-8")
    (folder / "a.yaml").write_text(YAML.format(length=length), encoding="utf-8")
    return folder / "a.yaml"


class Ending(Hooks):
    def is_finished(self, experiment: pybuzz.Experiment) -> bool:
        return experiment.tick == 3


@pytest.mark.parametrize(
    "options",
    [{"seed": "a"}, {"seed": 1.5}, {"seed": 2**32}, {"ticks": 2.5}, {"ticks": -1}, {"robots": "3"}],
)
def test_numbers_that_are_none_are_refused_with_their_name(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))}: error: .* is no whole number from 0"):
        pybuzz.load(_file(tmp_path), **options)


def test_a_run_backwards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="-3 is no whole number"):
        pybuzz.load(_file(tmp_path)).run(ticks=-3)


def test_ticks_and_seconds_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="both say how long"):
        pybuzz.load(_file(tmp_path), ticks=3, seconds=2.0)


def test_hooks_may_end_a_run_without_length(tmp_path: Path) -> None:
    assert pybuzz.load(_file(tmp_path, length=0), hooks=Ending()).run().ticks == 3
    with pytest.raises(InputError, match="has no end"):
        pybuzz.load(_file(tmp_path, length=0), hooks=Hooks()).run()


def test_no_robots_is_a_warning(tmp_path: Path) -> None:
    _file(tmp_path)
    experiment = pybuzz.load(tmp_path / "a.bzz", robots=0)
    assert [(warning.severity, warning.kind) for warning in experiment.warnings] == [("warning", "no robots")]


def test_experiments_and_globals_say_what_they_are(tmp_path: Path) -> None:
    experiment = pybuzz.load(_file(tmp_path))
    experiment.step()
    assert repr(experiment).endswith("a.yaml: 1 robots, tick 1 of 10, seed 1>")
    assert "n" in repr(experiment.robots["kh1"].globals)


def test_convert_writes_neither_over_its_input_nor_over_another_file(tmp_path: Path) -> None:
    file = _file(tmp_path)
    before = file.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="this is the file to convert"):
        convert_file(file, file)
    assert file.read_text(encoding="utf-8") == before
    (tmp_path / "b.yaml").write_text("# mine\n", encoding="utf-8")
    with pytest.raises(InputError, match="has content"):
        convert_file(file, tmp_path / "b.yaml")
    (tmp_path / "empty.yaml").touch()
    convert_file(file, tmp_path / "empty.yaml")


def test_failed_scripts_are_a_warning_of_run_or_raised(tmp_path: Path) -> None:
    file = _file(tmp_path)
    (tmp_path / "a.bzz").write_text("function init() { }\nfunction step() { x = nil + 1 }\n", encoding="utf-8")
    with pytest.warns(RuntimeWarning, match=r"scripts that failed: 1; kh1 in tick 1: .*a\.bzz:2"):
        pybuzz.load(file).run()
    with pytest.raises(pybuzz.ScriptError, match=r"a\.bzz:2"):
        pybuzz.load(file, on_error="raise").run()
    (tmp_path / "a.bzz").write_text("x = nil + 1\nfunction init() { }\nfunction step() { }\n", encoding="utf-8")
    with pytest.raises(pybuzz.ScriptError, match=r"a\.bzz:1"):
        pybuzz.load(file, on_error="raise")


def test_the_errors_of_the_api_are_exported() -> None:
    assert issubclass(pybuzz.InputError, pybuzz.PybuzzError)
    assert issubclass(pybuzz.ScriptError, pybuzz.PybuzzError)
    assert pybuzz.RunOptions().keep


def test_a_run_starts_over_with_another_seed_as_if_loaded_with_it(tmp_path: Path) -> None:
    _file(tmp_path)
    experiment = pybuzz.load(tmp_path / "a.bzz", seed=1, ticks=3)
    first = experiment.robots["kh1"].pose
    experiment.reset(seed=2)
    assert experiment.robots["kh1"].pose == pybuzz.load(tmp_path / "a.bzz", seed=2).robots["kh1"].pose != first
    assert experiment.run().description.seed == 2
