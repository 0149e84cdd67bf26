"""Whatever ends a run: hooks' `destroy` is called, files are closed, and what was recorded is kept."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment import Experiment, Hooks

YAML = """\
experiment: {length: 2, seed: 1}
arena: {size: [4, 4]}
obstacles: [{box: [0.2, 0.2, 0.5], at: [1, 1], name: door}]
robots:
  - {name: kh1, script: count.bzz, at: [0, 0]}
  - {name: kh2, script: count.bzz, at: [0, 0.5]}
jobs:
  write:
    - {globals: [n], file: FOLDER/states.csv}
    - {globals: [n], file: FOLDER/last.csv, at_end: true}
"""
SCRIPT = "function init() { n = 0 }\nfunction step() { n = n + 1 }\nfunction destroy() { }\n"
BLOCKED = "  changes:\n    - {tick: 7, add: {name: rock, cylinder: {radius: 0.1, height: 0.3}, at: [0, 0]}}\n"


class Keeping(Hooks):
    """Has a file of its own, and fails or presses Ctrl-C where it is told to."""

    def __init__(self, folder: Path, where: str = "", kind: type[BaseException] | None = None) -> None:
        self._where, self._kind = where, kind
        self._file = (folder / "own.txt").open("w", encoding="utf-8")
        self.destroyed = 0

    def _maybe(self, where: str, tick: int) -> None:
        self._file.write(f"{where} {tick}\n")
        if where == self._where and (tick == 7 or where in {"init", "post_experiment"}):
            if self._kind is None:
                signal.raise_signal(signal.SIGINT)
            else:
                raise self._kind("on purpose")

    def init(self, experiment: Experiment) -> None:
        self._maybe("init", 0)

    def pre_step(self, experiment: Experiment) -> None:
        self._maybe("pre_step", experiment.tick)

    def is_finished(self, experiment: Experiment) -> bool:
        self._maybe("is_finished", experiment.tick)
        return False

    def post_experiment(self, experiment: Experiment) -> None:
        self._maybe("post_experiment", experiment.tick)

    def destroy(self, experiment: Experiment) -> None:
        self.destroyed += 1
        self._file.close()

    @property
    def closed(self) -> bool:
        return self._file.closed


def _write(folder: Path, more: str = "") -> Path:
    (folder / "count.bzz").write_text(SCRIPT, encoding="utf-8")
    (folder / "demo.yaml").write_text(YAML.replace("FOLDER", str(folder)) + more, encoding="utf-8")
    return folder / "demo.yaml"


def _rows(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("where", ["pre_step", "is_finished"])
@pytest.mark.parametrize("kind", [None, RuntimeError, KeyboardInterrupt, SystemExit])
def test_files_are_complete_up_to_the_tick_that_was_cut_short(
    tmp_path: Path, where: str, kind: type[BaseException] | None
) -> None:
    hooks = Keeping(tmp_path, where, kind)
    experiment = pybuzz.load(_write(tmp_path), hooks=hooks)
    with pytest.raises((InputError, KeyboardInterrupt, SystemExit)):
        experiment.run()
    last = 6 if where == "pre_step" else 7
    assert len(_rows(tmp_path / "states.csv")) == 2 * last
    assert _rows(tmp_path / "last.csv") == [f"7,kh1,1,{last}", f"7,kh2,2,{last}"]
    assert hooks.closed
    assert experiment.close().status == ("interrupted" if kind in (None, KeyboardInterrupt) else "failed")


def test_hooks_are_ended_once(tmp_path: Path) -> None:
    hooks = Keeping(tmp_path)
    with pybuzz.load(_write(tmp_path), hooks=hooks) as experiment:
        experiment.run()
        experiment.close()
    assert hooks.destroyed == 1


@pytest.mark.parametrize("where", ["init", "post_experiment"])
def test_hooks_that_fail_at_either_end_are_ended_too(tmp_path: Path, where: str) -> None:
    hooks = Keeping(tmp_path, where, RuntimeError)
    with pytest.raises(InputError, match="on purpose"):
        pybuzz.load(_write(tmp_path), hooks=hooks, record=tmp_path / "rec").run()
    assert (hooks.closed, hooks.destroyed) == (True, 1)
    assert pybuzz.Recording.open(tmp_path / "rec").status == "failed"


def test_leaving_with_an_error_ends_the_hooks(tmp_path: Path) -> None:
    hooks = Keeping(tmp_path)
    experiment = pybuzz.load(_write(tmp_path), hooks=hooks)

    def leave() -> None:
        with experiment:
            while experiment.step():
                if experiment.tick == 4:
                    raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        leave()
    assert hooks.closed
    assert len(_rows(tmp_path / "states.csv")) == 8


def test_hooks_whose_destroy_fails_keep_no_others_from_it(tmp_path: Path) -> None:
    class Failing(Hooks):
        def destroy(self, experiment: Experiment) -> None:
            raise RuntimeError("cannot end")

    experiment = pybuzz.load(_write(tmp_path), hooks=Failing(), ticks=3)
    with pytest.raises(InputError, match="cannot end"):
        experiment.run()
    assert len(_rows(tmp_path / "last.csv")) == 2


def test_the_first_error_is_told_and_the_one_of_destroy_noted_with_it(tmp_path: Path) -> None:
    class Failing(Hooks):
        def post_step(self, experiment: Experiment) -> None:
            raise RuntimeError("the first")

        def destroy(self, experiment: Experiment) -> None:
            raise RuntimeError("the second")

    with pytest.raises(InputError, match="the first") as caught:
        pybuzz.load(_write(tmp_path), hooks=Failing()).run()
    assert "the second" in caught.value.__notes__[0]


def test_a_change_that_cannot_be_made_names_its_tick_its_line_and_why(tmp_path: Path) -> None:
    file = _write(tmp_path, BLOCKED)
    with pytest.raises(InputError) as caught:
        pybuzz.load(file).run()
    assert str(caught.value).startswith(f"{file}:12: no room: in tick 7: rock: ")
    assert len(_rows(tmp_path / "states.csv")) == 12
