"""Robots of a kind that a user describes in a file beside the experiment."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import pybuzz
from pybuzz.cli.app import run_app
from pybuzz.errors import InputError

MINI = """\
kind: mini
like: kheperaiv
body: {radius: 0.035, axle: 0.053}
radio: {height: 0.04}
proximity: {angles: [0, 30, 60, 90, 120, 150, 180, -150, -120, -90, -60, -30], radius: 0.035}
ground: {places: [[0.03, 0.0]]}
lidar: {readings: 11}
"""
SCRIPT = """\
function init() {}
function step() {
  gotop(0.0, 1.0)
  rays = size(proximity)  nearest = proximity[1].value  direction = proximity[1].angle  grounds = size(ground)
  scan = size(lidar)
}
function destroy() {}
"""
BOTH = """\
arena: {size: [3, 3]}
experiment: {length: 1, seed: 1}
robots:
  - {kind: mini.yaml, name: m1, script: turn.bzz, at: [0, 0]}
  - {kind: kheperaiv, name: kh2, script: turn.bzz, at: [0.9, 0]}
obstacles: [{box: [0.1, 0.1, 0.5], at: [0.12, 0.05]}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mini.yaml").write_text(MINI)
    (tmp_path / "turn.bzz").write_text(SCRIPT)
    (tmp_path / "both.yaml").write_text(BOTH)
    return tmp_path


def _after(path: Path, ticks: int) -> pybuzz.Experiment:
    experiment = pybuzz.load(path)
    for _ in range(ticks):
        experiment.step()
    return experiment


def test_a_robot_has_the_body_and_the_sensors_of_its_own_kind(folder: Path) -> None:
    mini, khepera = _after(folder / "both.yaml", 5).robots.values()
    assert (mini.radius, khepera.radius) == (0.035, 0.0704)
    # gotop(0, 1) turns by 1 rad/s from the second tick on: 0.4 rad after five ticks, less the start of motion.
    assert mini.pose[2] == pytest.approx(khepera.pose[2], abs=1e-9)
    assert mini.pose[2] == pytest.approx(0.39, abs=0.001)
    sizes = [(robot.globals["rays"], robot.globals["grounds"], robot.globals["scan"]) for robot in (mini, khepera)]
    assert sizes == [(12, 1, 11), (8, 4, 682)]
    assert mini.globals["direction"] == pytest.approx(math.radians(30))
    assert (len(mini.read("proximity")), len(khepera.read("proximity"))) == (12, 8)


def test_a_ray_starts_at_the_hull_of_its_own_kind(folder: Path) -> None:
    """The box begins 7 cm ahead of the centre: 3.5 cm from the small hull, which counts as near."""
    (folder / "turn.bzz").write_text(SCRIPT.replace("gotop(0.0, 1.0)", "").replace("[1].value", "[0].value"))
    ahead = BOTH.replace("[0.12, 0.05]", "[0.12, 0.0]")
    (folder / "both.yaml").write_text(ahead)
    mini, khepera = _after(folder / "both.yaml", 2).robots.values()
    assert (mini.globals["nearest"], khepera.globals["nearest"]) == (1.0, 0.0)


def test_a_copy_of_the_khepera_under_another_name_does_the_same(folder: Path) -> None:
    (folder / "twin.yaml").write_text("kind: twin\nlike: kheperaiv\n")
    (folder / "twins.yaml").write_text(BOTH.replace("mini.yaml", "twin.yaml"))
    (folder / "kheperas.yaml").write_text(BOTH.replace("mini.yaml", "kheperaiv"))
    twins, kheperas = (_after(folder / name, 10) for name in ("twins.yaml", "kheperas.yaml"))
    for name in ("m1", "kh2"):
        assert twins.robots[name].pose == kheperas.robots[name].pose
        assert dict(twins.robots[name].globals) == dict(kheperas.robots[name].globals)


def test_robots_of_several_kinds_hear_each_other_and_come_and_go(folder: Path) -> None:
    (folder / "turn.bzz").write_text(SCRIPT.replace("gotop(0.0, 1.0)", "heard = neighbors.count()"))
    (folder / "both.yaml").write_text(BOTH.partition("obstacles")[0])
    experiment = _after(folder / "both.yaml", 3)
    assert [robot.globals["heard"] for robot in experiment.robots.values()] == [1, 1]
    experiment.remove("m1")
    experiment.step()
    assert experiment.robots["kh2"].globals["rays"] == 8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            MINI.replace("radius: 0.035, axle", "radus: 0.035, axle"),
            ["mini.yaml", "body.radus", "did you mean 'radius'"],
        ),
        (MINI.replace("like: kheperaiv", "like: khepera"), ["there is no such kind", "did you mean 'kheperaiv'"]),
        ("kind: [", ["mini.yaml:1:8", "YAML syntax error"]),
        (MINI + "lidar: {readings: 12}\n", ["mini.yaml:8:1", "'lidar'"]),
        (None, ["mini.yaml", "cannot be read"]),
    ],
    ids=["unknown key", "unknown parent", "no YAML", "repeated key", "missing"],
)
def test_a_faulty_file_is_told_with_its_name_and_where_it_is_named(
    folder: Path, text: str | None, words: list[str]
) -> None:
    if text is None:
        (folder / "mini.yaml").unlink()
    else:
        (folder / "mini.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        pybuzz.load(folder / "both.yaml")
    assert "both.yaml:4:12: wrong robot kind: kind: 'mini.yaml' describes no robot" in str(caught.value)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("proximity: {angles: [0, .inf]}", "'proximity.angles[1]' must be a finite number, not inf"),
        ("proximity: {angles: []}", "'proximity.angles' must have at least 1 and at most 1000 values, not 0"),
        ("proximity: {range: -1}", "'proximity.range' must be above 0 and at most 10000, not -1.0"),
        ("proximity: {range: .nan}", "'proximity.range' must be a finite number, not nan"),
        ("proximity: {near: 0.2}", "'proximity.near' must be at most 'proximity.range'"),
        ("lidar: {readings: -3}", "'lidar.readings' must be at least 1 and at most 100000, not -3"),
        ("lidar: {readings: 1000000000}", "'lidar.readings' must be at least 1 and at most 100000, not 1000000000"),
        ("lidar: {first_angle: 110}", "'lidar.first_angle' must be less than 'lidar.last_angle'"),
        ("ultrasound: {nearest: 2}", "'ultrasound.nearest' must be less than 'ultrasound.farthest'"),
        ("body: {height: -1}", "'body.height' must be above 0 and at most 10, not -1.0"),
        ("body: {radius: 100000}", "'body.radius' must be above 0 and at most 10, not 100000.0"),
        ("body: {radius: 1" + "0" * 400 + "}", "'body.radius' must be a finite number, not inf"),
        ("body: {radius: 2026-99-99}", "not readable as YAML: month must be in 1..12"),
        ("body: {max_force: -1}", "'body.max_force' must be at least 0, not -1.0"),
        ("limits: {wheel_speed: 0}", "'limits.wheel_speed' must be above 0, not 0.0"),
        ("limits: {wheel_speed: 0.5}", "'limits.wheel_speed' must be at most 'limits.wheel_speed_ceiling'"),
        ("radio: {data_size: -3}", "'radio.data_size' must be at least 4 and at most 1000000, not -3"),
        ("radio: {range: -1}", "'radio.range' must be at least 0, not -1.0"),
        ("leds: {levels: 0}", "'leds.levels' must be at least 1 and at most 1000000, not 0"),
        ("ground: {places: [[0, 1000]]}", "'ground.places[0][1]' must be at least -10 and at most 10, not 1000.0"),
        (
            "noise: {realistic: {light: {noise_level: -1}}}",
            "'noise.realistic.light.noise_level' must be at least 0, not -1.0",
        ),
    ],
)
def test_a_value_that_no_robot_can_have_is_told_with_its_file_and_key(folder: Path, line: str, message: str) -> None:
    (folder / "mini.yaml").write_text(f"kind: mini\nlike: kheperaiv\n{line}\n")
    with pytest.raises(InputError) as caught:
        pybuzz.load(folder / "both.yaml")
    fault = caught.value.diagnostics[0]
    assert (fault.place.file, fault.place.line) == (str(folder / "mini.yaml"), 0 if "YAML" in message else 3)
    assert message in fault.text


def test_check_of_an_experiment_tells_all_faults_of_a_kind_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mini.yaml").write_text("kind: mini\nlike: kheperaiv\nbody: {mass: 0}\nradio: {height: -1, range: -1}\n")
    assert run_app(["check", str(folder / "both.yaml")]) == 1
    report = "".join(capsys.readouterr())
    assert all(key in report for key in ("'body.mass'", "'radio.height'", "'radio.range'"))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("kind: mini\nbody: {radius: 0.03}\n", "it lacks radio, leds", "add like: kheperaiv"),
        (
            "kind: kheperaiv\nlike: kheperaiv\n",
            "'kind' is 'kheperaiv', which comes with the package",
            "name of its own",
        ),
        ("like: kheperaiv\n", "'kind' is missing", "kind: NAME"),
        ("kind: mini\nlike: [1]\n", "it is like '[1]', but there is no such kind", "known kinds: flyer, kheperaiv"),
    ],
    ids=["no parent", "name of another", "no name", "parent is no name"],
)
def test_a_file_that_does_not_say_what_it_describes_is_one_fault(
    folder: Path, text: str, message: str, hint: str
) -> None:
    (folder / "mini.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        pybuzz.load(folder / "both.yaml")
    found = [fault for fault in caught.value.diagnostics if fault.place.file == str(folder / "mini.yaml")]
    assert len(found) == 1
    assert message in found[0].text
    assert hint in found[0].hint


@pytest.mark.parametrize(
    ("noise", "message", "hint"),
    [
        ("{proxmity: {noise_level: 3}}", "'noise.lab.proxmity' is no device", "did you mean 'proximity'?"),
        ("{pose: {noise_level: 3}}", "'noise.lab.pose' is no device", "devices: proximity, light"),
        ("{light: {noise_lvel: 3}}", "unknown key 'noise.lab.light.noise_lvel'", "did you mean 'noise_level'?"),
        ("{wheels: {bias_stddev_left: -1}}", "'noise.lab.wheels.bias_stddev_left' must be at least 0, not -1.0", ""),
        ("{radio: {packet_drop_prob: 2}}", "'noise.lab.radio.packet_drop_prob' must be at least 0 and at most 1", ""),
    ],
)
def test_a_preset_of_noise_names_devices_and_parameters_that_exist(
    folder: Path, noise: str, message: str, hint: str
) -> None:
    (folder / "mini.yaml").write_text(f"kind: mini\nlike: kheperaiv\nnoise: {{lab: {noise}}}\n")
    with pytest.raises(InputError) as caught:
        pybuzz.load(folder / "both.yaml")
    assert message in caught.value.diagnostics[0].text
    assert hint in caught.value.diagnostics[0].hint
