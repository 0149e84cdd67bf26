"""Python code that runs along with an experiment."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pybuzz.buzz.tables import to_python
from pybuzz.buzz.values import BuzzFailure, host_arity
from pybuzz.errors import InputError
from pybuzz.experiment.hooks import HookRunner, Hooks, load_hooks, script_value


def _file(folder: Path, text: str) -> str:
    path = folder / "demo_hooks.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_class_is_found_by_its_name_and_made(tmp_path: Path) -> None:
    file = _file(tmp_path, "class Demo:\n    def post_step(self, experiment):\n        experiment.seen = True\n")
    experiment = SimpleNamespace(seen=False)
    runner = HookRunner(load_hooks(f"{file}:Demo"))
    assert runner.pre_step is None
    assert runner.post_step is not None
    runner.post_step(experiment)
    assert experiment.seen


def test_the_only_subclass_needs_no_name(tmp_path: Path) -> None:
    file = _file(tmp_path, "import pybuzz.experiment.hooks as h\nclass Demo(h.Hooks):\n    pass\n")
    assert type(load_hooks(file)).__name__ == "Demo"


def test_hooks_that_are_not_overridden_are_not_called() -> None:
    runner = HookRunner(Hooks())
    assert (runner.pre_step, runner.is_finished, runner.floor_color) == (None, None, None)


def test_a_misspelt_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    file = _file(tmp_path, "class Demo:\n    def pre_step(self, experiment): ...\n")
    with pytest.raises(InputError, match="did you mean 'Demo'"):
        load_hooks(f"{file}:Dema")


def test_an_object_without_any_hook_is_refused(tmp_path: Path) -> None:
    file = _file(tmp_path, "class Demo:\n    def prestep(self, experiment): ...\n")
    with pytest.raises(InputError, match="'Demo' has no hook"):
        load_hooks(f"{file}:Demo")


def test_an_error_in_a_hook_names_the_line_of_the_hook(tmp_path: Path) -> None:
    file = _file(tmp_path, "class Demo:\n    def pre_step(self, experiment):\n        return 1 / 0\n")
    runner = HookRunner(load_hooks(f"{file}:Demo"))
    assert runner.pre_step is not None
    with pytest.raises(InputError, match=r"demo_hooks.py:3: error in pre_step: ZeroDivisionError"):
        runner.pre_step(None)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="there is no such Python file"):
        load_hooks("nowhere.py:Demo")


def test_a_function_takes_and_gives_plain_python_data() -> None:
    def nearest(kind: str, limit: int = 3) -> dict[str, Any]:
        return {"kind": kind, "at": [1.5, limit]}

    function = script_value("nearest", nearest)
    assert host_arity(function.__qualname__) == (1, 2)
    assert to_python(function("food")) == {"kind": "food", "at": {0: 1.5, 1: 3}}


def test_an_error_of_a_function_fails_the_script() -> None:
    def strict(value: int) -> int:
        raise ValueError("only even numbers")

    with pytest.raises(BuzzFailure, match="only even numbers"):
        script_value("strict", strict)(3)


def test_tables_may_hold_functions() -> None:
    table = script_value("arm", {"length": 0.3, "lift": lambda: 1})
    assert table["length"] == 0.3
    assert table["lift"]() == 1


def test_what_has_no_buzz_form_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be given to a script"):
        script_value("thing", object())
