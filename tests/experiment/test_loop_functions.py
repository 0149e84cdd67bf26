"""Python in place of ARGoS's loop functions: found by the experiment file, called from init to destroy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment import Experiment, Hooks

YAML = """\
experiment: {length: 0.5, seed: 1}
arena: {size: [4, 4]}
obstacles:
  - {box: [0.4, 0.2, 0.5], at: [1, 0], yaw: 90, name: door}
  - {cylinder: {radius: 0.1, height: 0.5}, at: [-1, 0], name: puck, movable: true, mass: 1}
robots:
  - {name: kh1, script: demo.bzz, at: [0, 0]}
"""
SCRIPT = "n = 0\nfunction init() { log(n) }\nfunction step() { n = n + 1 }\nfunction destroy() { log(n) }\n"


def _load(folder: Path, script: str = SCRIPT, **options: Any) -> Experiment:
    (folder / "demo.yaml").write_text(YAML, encoding="utf-8")
    (folder / "demo.bzz").write_text(script, encoding="utf-8")
    return pybuzz.load(folder / "demo.yaml", **options)


class Listening(Hooks):
    """Notes every call in order."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def init(self, experiment: Experiment) -> None:
        self.calls.append(f"init at {experiment.tick}")

    def reset(self, experiment: Experiment) -> None:
        self.calls.append(f"reset at {experiment.tick}")

    def post_experiment(self, experiment: Experiment) -> None:
        self.calls.append(f"post_experiment at {experiment.tick}")

    def destroy(self, experiment: Experiment) -> None:
        self.calls.append(f"destroy at {experiment.tick}")


def test_a_run_is_framed_by_init_post_experiment_and_destroy(tmp_path: Path) -> None:
    hooks = Listening()
    lines: list[str] = hooks.calls
    _load(tmp_path, hooks=hooks, on_log=lambda line: lines.append(line.text)).run()
    assert lines == ["0", "init at 0", "post_experiment at 5", "5", "destroy at 5"]


def test_boxes_and_cylinders_are_found_by_name_and_moved(tmp_path: Path) -> None:
    entities = _load(tmp_path).entities
    assert [(name, one.kind, one.movable) for name, one in entities.items()] == [
        ("door", "box", False),
        ("puck", "cylinder", True),
    ]
    assert entities["door"].size == (0.4, 0.2)
    assert entities["puck"].size == (0.2, 0.2)
    entities["door"].move(0.5, -0.5, 0.25)
    assert entities["door"].pose == (0.5, -0.5, 0.25)
    with pytest.raises(KeyError, match="did you mean 'door'"):
        entities["dor"]


def test_the_floor_is_read_and_painted_while_running(tmp_path: Path) -> None:
    experiment = _load(tmp_path)
    places = np.array([-1.0, 1.0])
    assert experiment.floor.brightness(places, places).tolist() == [1.0, 1.0]
    experiment.paint_floor(lambda x, y: (0, 0, 0) if x < 0 else (255, 255, 255))
    assert experiment.floor.brightness(places, places).tolist() == [0.0, 1.0]
    experiment.paint_floor(None)
    assert experiment.floor.brightness(places, places).tolist() == [1.0, 1.0]


def test_a_reset_run_is_the_same_run_once_more(tmp_path: Path) -> None:
    script = (
        "function init() { n = 0 }\nfunction reset() { log(\"reset at \", n) }\n"
        "function step() { n = n + 1\n set_wheels(math.rng.uniform(10.0), 10.0) }\n"
    )  # fmt: skip
    hooks, lines = Listening(), []
    experiment = _load(tmp_path, script, hooks=hooks, on_log=lambda line: lines.append(line.text))
    for _ in range(4):
        experiment.step()
    pose = experiment.robots["kh1"].pose
    experiment.entities["door"].move(0.0, 1.5, 0.0)
    experiment.remove("puck")
    experiment.reset()
    assert lines == ["reset at 4"]
    assert experiment.tick == 0
    assert experiment.robots["kh1"].pose == (0.0, 0.0, 0.0)
    assert experiment.robots["kh1"].globals["n"] == 0
    assert experiment.entities["door"].pose[:2] == (1.0, 0.0)
    assert "puck" in experiment.entities
    for _ in range(4):
        experiment.step()
    assert experiment.robots["kh1"].pose == pose
    assert experiment.run().ticks == 5
    assert hooks.calls == ["init at 0", "reset at 0", "post_experiment at 5", "destroy at 5"]


def test_a_failing_reset_is_a_warning(tmp_path: Path) -> None:
    script = "function init() {}\nfunction reset() { x = nil + 1 }\nfunction step() {}\n"
    lines: list[str] = []
    experiment = _load(tmp_path, script, on_log=lambda line: lines.append(line.text))
    experiment.reset()
    assert len(lines) == 1
    assert lines[0].startswith("its reset failed: ")
    assert experiment.robots["kh1"].alive


def test_what_is_recorded_in_a_folder_cannot_start_over(tmp_path: Path) -> None:
    experiment = _load(tmp_path, record=tmp_path / "kept")
    with pytest.raises(InputError, match="recorded in a folder cannot start over"):
        experiment.reset()
    experiment.close()
    with pytest.raises(InputError, match="was closed cannot start over"):
        experiment.reset()


@pytest.fixture
def argos(tmp_path: Path) -> Path:
    """A scene of ARGoS that one can give loop functions."""
    source = Path(__file__).parents[2] / "scripts" / "examples" / "obstacle_avoidance"
    for file in source.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / "obstacle_avoidance.argos"


def _with_loop_functions(argos: Path, attributes: str) -> Path:
    text = argos.read_text(encoding="utf-8")
    argos.write_text(text.replace("  <arena", f"  <loop_functions {attributes}/>\n  <arena", 1), encoding="utf-8")
    return argos


def test_an_argos_file_names_a_python_class_beside_it(argos: Path) -> None:
    (argos.parent / "mine.py").write_text(
        "class Mine:\n    def is_finished(self, experiment):\n        return experiment.tick == 3\n", encoding="utf-8"
    )
    experiment = pybuzz.load(_with_loop_functions(argos, 'library="mine.py" label="Mine"'))
    assert experiment.warnings == ()
    assert experiment.run().ticks == 3


def test_hooks_of_the_caller_replace_those_of_the_file(argos: Path) -> None:
    (argos.parent / "mine.py").write_text("class Mine:\n    def init(self, experiment):\n        1 / 0\n", "utf-8")
    hooks = Listening()
    pybuzz.load(_with_loop_functions(argos, 'library="mine.py" label="Mine"'), hooks=hooks)
    assert hooks.calls == ["init at 0"]


@pytest.mark.parametrize("library", ["build/liblab.so", "build/liblab"])
def test_loop_functions_in_cpp_are_left_out_with_a_warning(argos: Path, library: str) -> None:
    experiment = pybuzz.load(_with_loop_functions(argos, f'library="{library}" label="lab"'), ticks=1)
    (warning,) = experiment.warnings
    assert f"'{library}' (label 'lab') is C++ and does not run here" in str(warning)
    assert 'library="my_functions.py" label="MyClass"' in warning.hint
    assert experiment.run().ticks == 1


def test_a_python_file_that_is_not_there_and_a_misspelt_label_are_errors(argos: Path) -> None:
    text = argos.read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"obstacle_avoidance.argos:\d+:\d+: missing file: there is no Python file"):
        pybuzz.load(_with_loop_functions(argos, 'library="none.py" label="Mine"'))
    argos.write_text(text, encoding="utf-8")
    (argos.parent / "mine.py").write_text("class Mine:\n    def init(self, experiment): ...\n", encoding="utf-8")
    with pytest.raises(InputError, match="did you mean 'Mine'"):
        pybuzz.load(_with_loop_functions(argos, 'library="mine.py" label="Mime"'))


def test_jobs_go_with_an_argos_file(argos: Path) -> None:
    (argos.parent / "extras.yaml").write_text(
        "changes:\n  - {tick: 1, remove: box1}\nstop: tick == 2\n", encoding="utf-8"
    )
    experiment = pybuzz.load(argos, with_=argos.parent / "extras.yaml")
    assert experiment.run().ticks == 2
    assert "box1" not in experiment.entities
