"""Sensors that people write: registered, asked for in YAML, read by scripts, recorded."""

from __future__ import annotations

import math
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError, PybuzzError
from pybuzz.experiment.conversion import convert_file
from pybuzz.sim import own_sensors
from pybuzz.sim.world import World

EXAMPLE = Path(__file__).parents[2] / "scripts" / "examples" / "own_sensor"


@pytest.fixture(autouse=True)
def _forget_sensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_sensors, "_registered", {})


def scene(tmp_path: Path, sensors: str, script: str, python: str = "") -> Path:
    """Two robots at x = 0 and x = 1, a box 0.2 m wide with its centre at x = -1."""
    (tmp_path / "s.bzz").write_text(f"function init() {{}}\nfunction step() {{ {script} }}\n")
    (tmp_path / "mine.py").write_text(python)
    file = tmp_path / "e.yaml"
    file.write_text(
        "arena: {size: [4, 4]}\npython: [mine.py]\nobstacles: [{box: [0.2, 0.2, 1], at: [-1, 0]}]\nrobots:\n"
        f"  - {{script: s.bzz, at: [0, 0], sensors: {{{sensors}}}}}\n  - {{script: s.bzz, at: [1, 0], yaw: 90}}\n"
        "record: {sensors: []}\n"
    )
    return file


def found_after_a_tick(file: Path) -> dict[str, Any]:
    experiment = pybuzz.load(file, seed=1, ticks=3)
    experiment.step()
    assert experiment.robots["kh1"].error is None
    return dict(experiment.robots["kh1"].globals)


def test_a_sensor_of_the_persons_file_is_a_table_with_its_fields(tmp_path: Path) -> None:
    python = (
        "from pybuzz import sensor\n@sensor('nearest', fields=('distance',))\nclass Nearest:\n"
        "    def read(self, robot, world):\n        return world.distance_to_nearest_obstacle(robot.position)\n"
    )
    found = found_after_a_tick(scene(tmp_path, "nearest: true", "d = nearest.distance", python))
    assert found["d"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("reading", "script", "expected"),
    [
        ("7", "a = tail.value", [7]),
        ("[robot.x, robot.index, 5]", "a = tail[1] b = tail[2]", [0, 5]),
        ("{'far': 2.5, 'high': 3}", "a = tail.far b = tail.high", [2.5, 3]),
        ("robot.yaw + len(world.robots)", "a = tail.value", [2]),
    ],
)
def test_readings_are_numbers_sequences_or_mappings(
    tmp_path: Path, reading: str, script: str, expected: list[float]
) -> None:
    python = (
        f"from pybuzz import sensor\n@sensor('tail')\nclass T:\n    def read(self, robot, world): return {reading}\n"
    )
    found = found_after_a_tick(scene(tmp_path, "tail: true", script, python))
    assert [found[name] for name in "ab"[: len(expected)]] == expected


def test_read_all_gives_the_rows_of_all_robots_and_options_go_to_the_class(tmp_path: Path) -> None:
    python = (
        "from pybuzz import sensor\n@sensor('east')\nclass East:\n"
        "    def __init__(self, factor, name='', whole=False): self.factor = (factor, factor * 10)[whole] + len(name)\n"
        "    def read_all(self, world): return {'x': world.poses[:, 0] * self.factor + 1, 'yaw': world.poses[:, 2]}\n"
    )
    file = scene(tmp_path, "east: false", "", python)
    options = "east: {factor: 2.5, name: ab, whole: true}"
    file.write_text(file.read_text().replace("yaw: 90", f"yaw: 90, sensors: {{{options}}}"))
    (tmp_path / "s.bzz").write_text(
        "function init() {}\n"
        "function step() { if(id == 2) { x = east.x  yaw = east.yaw } else { none = isnil(east) } }\n"
    )
    experiment = pybuzz.load(file, seed=1, ticks=3, record_sensors=["east"])
    experiment.step()
    assert experiment.robots["kh2"].globals["x"] == pytest.approx(28.0)
    assert experiment.robots["kh2"].globals["yaw"] == pytest.approx(math.pi / 2)
    assert experiment.robots["kh1"].globals["none"] == 1
    recorded = experiment.close().sensors["east"]
    assert recorded[1] == pytest.approx(np.array([[0, 0], [28.0, math.pi / 2]]))


def test_objects_may_be_registered_and_keep_what_they_know(tmp_path: Path) -> None:
    class Counter:
        def __init__(self) -> None:
            self.calls = 0

        def read(self, robot: object, world: object) -> int:
            self.calls += 1
            return self.calls

    pybuzz.sensor("calls")(Counter())
    experiment = pybuzz.load(scene(tmp_path, "calls: true", "n = calls.value + calls.value"), seed=1, ticks=9)
    for _ in range(3):
        experiment.step()
    assert experiment.robots["kh1"].globals["n"] == 2 * 4, "once before the first tick, once in each"
    experiment.remove("kh2")
    experiment.step()
    assert experiment.robots["kh1"].globals["n"] == 2 * 5, "the same object goes on when robots come or go"


def test_the_example_slows_down_near_obstacles() -> None:
    experiment = pybuzz.load(EXAMPLE / "own_sensor.yaml", ticks=100)
    recording = experiment.run()
    readings = recording.sensors["nearest"][:, :, 0]
    assert experiment.failures == []
    assert readings.shape == (101, 4)
    assert 0.07 < readings.min() < 0.5
    assert readings.max() <= 1.0


def test_an_experiment_with_them_is_written_as_yaml(tmp_path: Path) -> None:
    python = (
        "from pybuzz import sensor\n@sensor('east')\nclass East:\n"
        "    def __init__(self, factor=1, name='', whole=False): self.factor = factor + whole + len(name)\n"
        "    def read(self, robot, world): return robot.x * self.factor\n"
    )
    options = "east: {factor: 2.5, name: 'a: b', whole: true}"
    file = scene(tmp_path, options, "e = east.value", python)
    file.write_text(file.read_text().replace("yaw: 90", "yaw: 90, sensors: {east: true}"))
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "copy.yaml"
    assert convert_file(file, copy) == []
    own_sensors._registered.clear()
    experiment = pybuzz.load(copy, seed=1, ticks=3, record_sensors=["east"])
    experiment.step()
    assert experiment.close().sensors["east"][1].tolist() == [[0.0], [1.0]]


def test_a_package_registers_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("installed", f"{__name__}:Installed", own_sensors.GROUP)
    monkeypatch.setattr(own_sensors, "_installed", lambda: {"installed": entry})
    monkeypatch.setattr(EntryPoint, "load", lambda self: Installed)
    assert own_sensors.own_names() == ["installed"]
    assert own_sensors.make_sensor("installed", {}).fields == ("here",)


class Installed:
    fields = ("here",)

    def read(self, robot: object, world: object) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("python", "sensors", "message"),
    [
        ("1 / 0\n", "", "mine.py:1: error in the file: ZeroDivisionError"),
        (
            "from pybuzz import sensor\n@sensor('tail')\nclass T:\n"
            "    def read(self, robot, world):\n        return 1 / 0\n",
            "tail: true",
            "mine.py:5: error in the sensor tail: ZeroDivisionError: division by zero",
        ),
        (
            "from pybuzz import sensor\n@sensor('tail')\nclass T:\n    def read(self, robot, world): return 'x'\n",
            "tail: true",
            "tail: error: kh1 reads 'x', but numbers are needed",
        ),
        (
            "from pybuzz import sensor\n@sensor('tail')\nclass T:\n    def read_all(self, world): return [1, 2, 3]\n",
            "tail: true",
            "tail: error: read_all gave the shape (3, 1) for 2 robots",
        ),
        (
            "from pybuzz import sensor\n@sensor('tail', fields=('a', 'b'))\nclass T:\n"
            "    def read(self, robot, world): return 1\n",
            "tail: true",
            "tail: error: it gives 1 numbers, but has 2 fields: a, b",
        ),
        (
            "from pybuzz import sensor\n@sensor('tail')\nclass T:\n    def read(self, robot, world): return 1\n",
            "tail: {length: 3}",
            "e.yaml:5:49: wrong value: TypeError",
        ),
        (
            "from pybuzz import sensor\n@sensor('tail')\nclass T:\n    def read(self, robot, world): return 1\n",
            "tial: true",
            "did you mean 'tail'?",
        ),
        ("from pybuzz import sensor\nsensor('pose')\n", "", "pose: error: scripts have something of that name already"),
    ],
)
def test_faults_have_one_clear_message(tmp_path: Path, python: str, sensors: str, message: str) -> None:
    file = scene(tmp_path, sensors, "x = tail", python)
    with pytest.raises(PybuzzError) as caught:
        pybuzz.load(file, seed=1, ticks=2).step()
    assert message in str(caught.value)
    assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize("name", ["pose", "id", "my sensor", "2nd"])
def test_a_name_that_no_table_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=name):
        pybuzz.sensor(name)


def test_something_without_read_is_no_sensor() -> None:
    with pytest.raises(InputError, match=r"a sensor needs read\(robot, world\) or read_all\(world\)"):
        pybuzz.sensor("empty")(object())


# -- distances -------------------------------------------------------------------------------------------------------


def test_distances_to_boxes_and_cylinders_by_hand() -> None:
    """A box of 2 x 1 m turned by 90 degrees at the origin reaches to x = 0.5, y = 1; a cylinder of 0.5 m at (4, 0)."""
    world = World(0.1)
    assert world.distance_to_nearest_obstacle((0, 0)) == math.inf
    world.add_box("box", (2, 1, 1), 0, 0, math.pi / 2)
    world.add_cylinder("post", 0.5, 1, 4, 0)
    places = np.array([[1.5, 0], [0, 3], [0.5 + 3, 1 + 4], [3, 0], [0.1, 0.1], [4, 0]])
    found = world.distances_to_nearest_obstacles(places[[0, 1, 3, 4, 5]])
    assert found == pytest.approx([1.0, 2.0, 0.5, 0.0, 0.0])
    assert world.distance_to_nearest_obstacle((-0.5 - 3, 1 + 4)) == pytest.approx(5.0), "from its corner: 3, 4, 5"


def test_robots_count_if_asked_for_and_a_pose_must_be_a_number() -> None:
    world = World(0.1)
    world.add_robot("kh0", 0, 0, 0, radius=0.1, mass=1, axle=0.1, top=0.1)
    world.add_cylinder("post", 0.5, 1, 4, 0)
    assert world.distance_to_nearest_obstacle((1, 0)) == 2.5
    assert world.distance_to_nearest_obstacle((1, 0), robots=True) == 0.9
    with pytest.raises(InputError, match="there is a place that is no number"):
        world.distance_to_nearest_obstacle((math.nan, 0))
