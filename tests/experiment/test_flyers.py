"""The robot kind `flyer`: motion without contacts, its table `clearance`, terrains in YAML."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.conversion import convert_file
from pybuzz.experiment.yaml_file import read
from pybuzz.recording.foxglove import _transforms

EXAMPLE = Path(__file__).parents[2] / "scripts" / "examples" / "city_flight" / "city_flight.yaml"


def scene(tmp_path: Path, step: str, robot: str = "", rest: str = "terrain: {heights: wall.npy}") -> Path:
    """20 x 20 m of ground with a wall 8 m high, 1 m thick, its near face at x = 4; a flyer 5 m over the origin."""
    heights = np.zeros((20, 20))
    heights[14, :] = 8.0
    np.save(tmp_path / "wall.npy", heights)
    (tmp_path / "s.bzz").write_text(f"function init() {{}}\nfunction step() {{ {step} }}\n")
    file = tmp_path / "e.yaml"
    file.write_text(
        f"arena: {{size: [20, 20]}}\n{rest}\n"
        f"robots:\n  - {{kind: flyer, altitude: 5, script: s.bzz, at: [0, 0]{robot}}}\n"
    )
    return file


def after(file: Path, ticks: int = 1) -> Any:
    experiment = pybuzz.load(file, seed=1, ticks=100)
    for _ in range(ticks):
        experiment.step()
    view = experiment.robots["kh1"]
    assert view.error is None
    return view


def test_goto_flies_along_a_vector_in_the_robots_frame(tmp_path: Path) -> None:
    """300 cm/s ahead and 100 cm/s to the left, turned by 90 degrees: after a second at (-1, 3)."""
    view = after(scene(tmp_path, "goto(300, 100)", ", yaw: 90"), ticks=11)
    assert view.pose == pytest.approx((-1.0, 3.0, math.pi / 2))
    assert view.read("pose")[2] == 5.0


def test_it_flies_no_faster_than_it_can(tmp_path: Path) -> None:
    """10 m/s (robots/flyer.yaml), in the direction of (3, 4)."""
    assert after(scene(tmp_path, "goto(30000, 40000)"), ticks=2).pose == pytest.approx((0.6, 0.8, 0.0))


def test_nothing_on_the_ground_stops_it_nor_other_flyers(tmp_path: Path) -> None:
    file = scene(tmp_path, "goto(100, 0)")
    text = file.read_text() + "  - {kind: flyer, name: other9, altitude: 5, script: null, at: [0.5, 0]}\n"
    file.write_text(
        text + "  - {name: kh7, script: null, at: [0.3, 0]}\nobstacles: [{box: [0.2, 9, 9], at: [0.8, 0]}]\n"
    )
    assert after(file, ticks=11).pose == pytest.approx((1.0, 0.0, 0.0))


def test_scripts_find_shares_of_the_range_and_angles(tmp_path: Path) -> None:
    """The wall is 4 m ahead of range 10 m."""
    options = ", sensors: {clearance: {num_beams: 4, max_range: 10, mode: exact}}"
    script = "n = size(clearance) a = clearance[0].value b = clearance[1].value c = clearance[3].angle"
    found = dict(after(scene(tmp_path, script, options)).globals)
    assert (found["n"], found["a"], found["b"]) == (4, 0.4, 1.0)
    assert found["c"] == pytest.approx(1.5 * math.pi)


def test_beams_turn_with_the_robot(tmp_path: Path) -> None:
    options = ", yaw: 90, sensors: {clearance: {num_beams: 4, max_range: 10, n_steps: 10}}"
    assert after(scene(tmp_path, "", options)).read("clearance") == [1.0, 1.0, 1.0, 0.4]


def test_noise_blurs_what_is_not_clear_and_is_kept_by_a_copy(tmp_path: Path) -> None:
    """At most 0.5 m of a range of 10 m; the wall is at 0.4."""
    options = ", sensors: {clearance: {num_beams: 4, max_range: 10, mode: exact, noise: 0.5}}"
    file = scene(tmp_path, "", options)
    recording = pybuzz.load(file, seed=1, ticks=40, record_sensors=["clearance"]).run()
    readings = recording.sensors["clearance"]
    assert readings[0].tolist() == [[0.4, 1.0, 1.0, 1.0]]
    assert (readings[:, 0, 1:] == 1.0).all()
    assert np.abs(readings[1:, 0, 0] - 0.4).max() == pytest.approx(0.05, abs=0.01)
    assert len(set(readings[1:, 0, 0].tolist())) == 40
    assert convert_file(file, tmp_path / "copy.yaml") == []


def test_a_recording_knows_how_high_they_fly(tmp_path: Path) -> None:
    recording = pybuzz.load(scene(tmp_path, ""), seed=1, ticks=2).run()
    (mark,) = recording.description.robots
    assert (mark.kind, mark.altitude) == ("flyer", 5.0)
    (transform,) = _transforms(recording, 1)["transforms"]
    assert transform["translation"]["z"] == 5.0


def test_a_flyer_above_the_wall_sees_nothing_and_without_a_terrain_nothing_is_in_the_way(tmp_path: Path) -> None:
    high = scene(tmp_path, "").read_text().replace("altitude: 5", "altitude: 9")
    (tmp_path / "e.yaml").write_text(high)
    assert set(after(tmp_path / "e.yaml").read("clearance")) == {1.0}
    assert set(after(scene(tmp_path, "", rest="")).read("clearance")) == {1.0}


def test_the_middle_of_the_terrain_is_that_of_the_arena(tmp_path: Path) -> None:
    file = scene(tmp_path, "", ", sensors: {clearance: {num_beams: 4, max_range: 10, mode: exact}}")
    file.write_text(file.read_text().replace("size: [20, 20]", "size: [20, 20], center: [-2, 0]"))
    assert after(file).read("clearance")[0] == pytest.approx(0.2)


def test_each_flyer_has_the_beams_it_asked_for(tmp_path: Path) -> None:
    file = scene(tmp_path, "", ", sensors: {clearance: {num_beams: 3}}")
    file.write_text(file.read_text() + "  - {kind: flyer, script: null, at: [1, 1]}\n")
    experiment = pybuzz.load(file, seed=1, ticks=2, record_sensors=["clearance"])
    experiment.step()
    assert [len(view.read("clearance")) for view in experiment.robots.values()] == [3, 8]
    assert experiment.close().sensors["clearance"].shape == (2, 2, 8)


def test_flyers_come_and_go_among_robots_on_wheels(tmp_path: Path) -> None:
    file = scene(tmp_path, "goto(100, 0)")
    (tmp_path / "w.bzz").write_text("function init() {}\nfunction step() { set_wheels(10, 10) }\n")
    file.write_text(file.read_text() + "  - {name: kh7, script: w.bzz, at: [0, 2]}\n")
    experiment = pybuzz.load(file, seed=1, ticks=30)
    for _ in range(5):
        experiment.step()
    experiment.robots["kh1"].move(3.0, 0.0, 0.0)
    experiment.step()
    assert experiment.robots["kh1"].pose[0] == pytest.approx(3.1)
    experiment.remove("kh1")
    for _ in range(5):
        experiment.step()
    assert experiment.robots["kh7"].pose[0] == pytest.approx(0.1, abs=0.02), "10 cm/s for a second"


def test_ten_flyers_cross_the_city_of_the_example_and_none_flies_into_a_building() -> None:
    experiment = pybuzz.load(EXAMPLE)
    recording = experiment.run()
    ground = experiment.simulation.world.terrain
    assert ground is not None
    assert experiment.failures == []
    assert (recording.poses[-1, :, 0] > 80).all()
    assert all(ground.height_at(x, y) < 30 for x, y, _ in recording.poses.reshape(-1, 3))
    assert recording.sensors["clearance"].min() < 0.3, "there were buildings in the way"


def test_converting_to_yaml_keeps_terrain_altitude_and_lidar(tmp_path: Path) -> None:
    file = scene(tmp_path, "", ", sensors: {pose: false, clearance: {num_beams: 5, mode: exact}}")
    assert convert_file(file, tmp_path / "copy.yaml") == []
    file = scene(tmp_path, "", rest="terrain: {alpha: 0.2, seed: 3, cell_size: 2}")
    assert convert_file(file, tmp_path / "other.yaml") == []


@pytest.mark.parametrize(
    ("robot", "rest", "message"),
    [
        ("", "terrain: {alpha: 1.5}", "alpha: 1.5 is no share of the ground between 0 and 1"),
        ("", "terrain: {beta: 0}", "beta: 0 must be above 0"),
        ("", "terrain: {cell_size: 3}", "the arena is no whole number of cells of 3 m"),
        ("", "terrain: {heights: none.npy}", "there is no file of heights 'none.npy'"),
        ("", "terrain: {gama: 3}", "terrain has no key 'gama'"),
        (", sensors: {clearance: {num_beams: 0}}", "", "num_beams: 0 is not between 1 and 1000"),
        (", sensors: {clearance: {mode: exakt}}", "", "mode: 'exakt' is not known here; it is march or exact"),
        (", sensors: {ground: true}", "", "sensors has no key 'ground'"),
        (", wheels: {bias_avg: 1}", "", "robots[1] has no key 'wheels'"),
    ],
)
def test_faults_have_one_message(tmp_path: Path, robot: str, rest: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(scene(tmp_path, "", robot, rest))
    assert [fault.text for fault in caught.value.diagnostics] == [message]


@pytest.mark.parametrize("content", [b"no numbers", b""])
def test_a_file_that_holds_no_heights_is_refused(tmp_path: Path, content: bytes) -> None:
    file = scene(tmp_path, "")
    (tmp_path / "wall.npy").write_bytes(content)
    with pytest.raises(InputError, match=r"wall\.npy: error: cannot read the heights"):
        pybuzz.load(file, seed=1, ticks=1)
