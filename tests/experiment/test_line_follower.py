"""The robot kind `line_follower`: its track, its table in Buzz, its options in YAML."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment import read_plan
from pybuzz.experiment.conversion import convert_file
from pybuzz.experiment.yaml_file import read

EXAMPLE = Path(__file__).parents[2] / "scripts" / "examples" / "line_follower" / "line_follower.yaml"


@pytest.mark.parametrize("sensors", [2, 5, 8])
def test_a_lap_at_10_cm_s_without_losing_the_line(sensors: int) -> None:
    experiment = pybuzz.load(EXAMPLE, set={"robots[1].sensors.line.num_sensors": sensors})
    recording = experiment.run()
    lines = recording.sensors["line"][1:, 0]
    assert lines.shape[1] == 3 + sensors
    assert not lines[:, 2].any(), "column 2: lost"
    x, y = recording.poses[:, 0, 0], recording.poses[:, 0, 1]
    around = np.unwrap(np.arctan2(y, x))
    assert around[-1] - around[0] > 2 * math.pi
    assert np.hypot(np.diff(x), np.diff(y))[2:].mean() == pytest.approx(0.01, rel=0.02), "10 cm/s, 10 ticks a second"
    assert np.abs(lines[:, 1]).max() < 0.025, "the line stays within 2.5 cm of the axis"


def scene(tmp_path: Path, robot: str, arena: str = "size: [1, 1], floor: floor.png") -> Path:
    """A floor whose left half (y > 0) is black, 1 x 1 m in pixels of 1 cm."""
    from PIL import Image

    pixels = np.full((100, 100), 255, dtype=np.uint8)
    pixels[:50] = 0
    Image.fromarray(pixels).save(tmp_path / "floor.png")
    (tmp_path / "s.bzz").write_text(
        "function init() {}\n"
        "function step() { error = line.error; position = line.position; lost = line.lost\n"
        "  first = line[0].value; last = line[4].value }\n"
    )
    file = tmp_path / "e.yaml"
    file.write_text(f"arena: {{{arena}}}\nrobots:\n  - {{script: s.bzz, at: [0, 0], {robot}}}\n")
    return file


def after_a_tick(file: Path) -> dict[str, Any]:
    experiment = pybuzz.load(file, seed=1, ticks=5)
    experiment.step()
    return dict(experiment.robots["kh1"].globals)


def test_scripts_find_a_table(tmp_path: Path) -> None:
    """Span 6 cm: sensors at -3, -1.5, 0, 1.5, 3 cm; the middle one sees half black, so (0.5 + 1) / 2.5."""
    found = after_a_tick(scene(tmp_path, "kind: line_follower, sensors: {line: {sensor_aperture: 0.008}}"))
    assert found["error"] == pytest.approx(0.6)
    assert found["position"] == pytest.approx(0.6 * 0.03)
    assert (found["lost"], found["first"], found["last"]) == (0, 0.0, 1.0)


def test_any_robot_may_carry_a_bar_and_only_the_kind_has_it_by_itself(tmp_path: Path) -> None:
    assert after_a_tick(scene(tmp_path, "sensors: {line: true}"))["last"] == 1.0
    plain = pybuzz.load(scene(tmp_path, "kind: kheperaiv"), seed=1, ticks=1)
    assert "line" not in plain.robots["kh1"]._robot.body.sensors
    bare = pybuzz.load(scene(tmp_path, "kind: line_follower, sensors: {line: false}"), seed=1, ticks=1)
    assert "line" not in bare.robots["kh1"]._robot.body.sensors


def test_the_floor_may_have_a_resolution_of_its_own(tmp_path: Path) -> None:
    """Half as large, its corner on the arena's: a robot in the middle of the arena stands on its upper right corner."""
    from_corner = "size: [1, 1], floor: floor.png, resolution: 0.005"
    found = after_a_tick(scene(tmp_path, "kind: line_follower", from_corner))
    assert found["lost"] == 1
    shifted = "size: [1, 1], center: [0.25, 0.5], floor: floor.png, resolution: 0.01"
    found = after_a_tick(scene(tmp_path, "kind: line_follower", shifted))
    assert (found["lost"], found["last"]) == (1, 0.0), "the black half begins at y = 0.5"


def test_the_line_map_image_is_the_floor_by_another_name(tmp_path: Path) -> None:
    robot = "sensors: {line: {sensor_noise: 0.1}}"
    named = [
        scene(tmp_path, robot, f"size: [1, 1], {key}: floor.png").read_text() for key in ("floor", "line_map_image")
    ]
    plans = []
    for text in named:
        (tmp_path / "scene.yaml").write_text(text)
        plans.append(read_plan(tmp_path / "scene.yaml")[0])
    assert plans[0] == plans[1]
    both = named[0].replace("floor: floor.png", "floor: floor.png, line_map_image: floor.png")
    (tmp_path / "scene.yaml").write_text(both)
    with pytest.raises(InputError, match="are the same picture"):
        read_plan(tmp_path / "scene.yaml")


def test_noise_differs_between_robots_and_comes_from_the_seed(tmp_path: Path) -> None:
    file = scene(tmp_path, "kind: line_follower, sensors: {line: {noise: 0.2, sensor_aperture: 0.008}}")
    text = file.read_text()
    file.write_text(text + "  - {kind: line_follower, script: s.bzz, at: [0, 0.3], sensors: {line: {noise: 0.2}}}\n")
    runs = [pybuzz.load(file, seed=3, ticks=20, record_sensors=["line"]).run().sensors["line"] for _ in range(2)]
    assert np.array_equal(runs[0], runs[1])
    middle = runs[0][1:, 0, 5]
    assert 0.1 < middle.std() < 0.3
    assert not np.array_equal(runs[0][:, 0, 3:], runs[0][:, 1, 3:])


def test_what_a_bar_remembers_does_not_depend_on_who_looks(tmp_path: Path) -> None:
    """The robot leaves the black half; a script that first looks then still learns where the line was."""
    file = scene(tmp_path, "kind: line_follower")
    late = tmp_path / "s.bzz"
    late.write_text("n = 0\nfunction init() {}\nfunction step() { n = n + 1\n if(n > 1) { error = line.error } }\n")
    experiment = pybuzz.load(file, seed=1, ticks=5)
    experiment.step()
    experiment.robots["kh1"].move(0.0, -0.3, 0.0)
    experiment.step()
    assert experiment.robots["kh1"].globals["error"] == pytest.approx(0.5, abs=0.2)


def test_robots_that_come_and_go_leave_the_others_memory_alone(tmp_path: Path) -> None:
    file = scene(tmp_path, "kind: line_follower")
    file.write_text(file.read_text() + "  - {name: other5, script: s.bzz, at: [0, -0.3]}\n")
    experiment = pybuzz.load(file, seed=1, ticks=9)
    experiment.step()
    experiment.robots["kh1"].move(0.0, -0.1, 0.0)
    experiment.step()
    before = experiment.robots["kh1"].read("line")
    experiment.remove("other5")
    experiment.step()
    assert before[2] == 1.0
    assert experiment.robots["kh1"].read("line") == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("num_sensors: 1", "num_sensors: 1 is not between 2 and 1000"),
        ("sensor_span: 0", "sensor_span: 0 must be above 0"),
        ("sensor_aperture: -1", "sensor_aperture: -1 must be at least 0"),
        ("noise: x", "noise: 'x' is not a number"),
        ("sensor_offst: 0.1", "did you mean 'sensor_offset'?"),
    ],
)
def test_faulty_options_have_one_message_with_their_place(tmp_path: Path, options: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(scene(tmp_path, f"kind: line_follower, sensors: {{line: {{{options}}}}}"))
    (fault,) = caught.value.diagnostics
    assert fault.place.line == 3
    assert message.replace("'x'", "x") in fault.render().replace("'x'", "x")


@pytest.mark.parametrize(
    ("arena", "message"),
    [
        ("size: [1, 1], floor: floor.png, resolution: 0", "resolution: 0 must be above 0"),
        ("size: [1, 1], floor: floor.png, resolution: -0.1", "resolution: -0.1 must be above 0"),
        ("size: [1, 1], resolution: 0.1", "the arena has no floor whose pixels it could be"),
        ("size: [1, 1], floor: none.png", "there is no image 'none.png'"),
    ],
)
def test_a_faulty_floor_has_one_message(tmp_path: Path, arena: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(scene(tmp_path, "kind: line_follower", arena))
    (fault,) = caught.value.diagnostics
    assert message in fault.text


def test_an_unknown_kind_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'line_follower'"):
        read(scene(tmp_path, "kind: line_folower"))


def test_converting_to_yaml_keeps_the_bar(tmp_path: Path) -> None:
    file = scene(tmp_path, "kind: line_follower, sensors: {line: {num_sensors: 8, noise: 0.1}}")
    assert convert_file(file, tmp_path / "copy.yaml") == []
