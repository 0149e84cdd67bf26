"""What a script reads by default and what becomes of what it asks for, by the contract's hand-worked values.

The robot stands at the origin, yaw 0: hull radius 0.0704 m, sensors 0.0145 m over the floor.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import pybuzz
from pybuzz.experiment.experiment import Experiment

HEAD = """\
experiment: {{ticks_per_second: 10, length: 10}}
arena: {{size: [10, 10], walls: false}}
obstacles: {obstacles}
lights: {lights}
robots:
  - {{kind: kheperaiv, name: kh, script: demo.bzz, at: [0, 0], yaw: 0}}
  - {{kind: kheperaiv, name: other, script: demo.bzz, at: [0, 0.5], yaw: 90}}
radio: {{range: 1.5, data_size: 100}}
"""


def _alone(
    folder: Path,
    step: str,
    *,
    obstacles: str = "[]",
    lights: str = "[]",
    robot: str = "",
    others: bool = False,
    **options: Any,
) -> Experiment:
    (folder / "demo.bzz").write_text(f"function init() {{}}\nfunction step() {{ {step} }}\n", encoding="utf-8")
    text = HEAD.format(obstacles=obstacles, lights=lights)
    if robot:
        text = text.replace("yaw: 0}", f"yaw: 0, {robot}}}")
    if not others:
        text = "\n".join(line for line in text.splitlines() if "name: other" not in line) + "\n"
    (folder / "demo.yaml").write_text(text, encoding="utf-8")
    return pybuzz.load(folder / "demo.yaml", seed=1, **options)


def _wall(face_x: float) -> str:
    """A wall across the x axis whose near face stands at x."""
    return f"[{{box: [0.2, 8, 0.5], at: [{face_x + 0.1!r}, 0], yaw: 0, movable: false}}]"


def _value(experiment: Experiment, name: str = "x") -> Any:
    experiment.step()
    return experiment.robots["kh"].globals[name]


def test_proximity_follows_the_law_of_the_distance_from_the_hull(tmp_path: Path) -> None:
    # d = 0.06 ahead; 0.1304 / cos 45 degrees - 0.0704 = 0.114013 at the two beside it
    script = "x = proximity[0].value y = proximity[1].value z = proximity[7].value w = proximity[2].value"
    experiment = _alone(tmp_path, script, obstacles=_wall(0.1304))
    assert _value(experiment) == pytest.approx(0.486607, abs=1e-6)
    assert _value(experiment, "y") == pytest.approx(0.011159, abs=1e-6)
    assert _value(experiment, "z") == pytest.approx(0.011159, abs=1e-6)
    assert _value(experiment, "w") == 0.0


def test_ultrasound_gives_centimetres_from_the_hull(tmp_path: Path) -> None:
    script = "x = map(ultrasound, function(k, v) { return v.value })"
    experiment = _alone(tmp_path, script, obstacles=_wall(1.0704))
    values = _value(experiment)
    assert [values[k] for k in range(5)] == pytest.approx([100.0, 144.3374, 200.0, 200.0, 144.3374], abs=1e-4)


def test_ultrasound_reads_25_for_whatever_is_nearer(tmp_path: Path) -> None:
    assert _value(_alone(tmp_path, "x = ultrasound[0].value", obstacles=_wall(0.2704))) == 25.0


def test_light_falls_with_distance_and_angle(tmp_path: Path) -> None:
    script = "x = map(light, function(k, v) { return v.value })"
    experiment = _alone(tmp_path, script, lights="[{at: [1.0704, 0, 0.0145], intensity: 0.5}]")
    values = _value(experiment)
    assert values[0] == pytest.approx(0.25, abs=1e-6)
    assert values[1] == pytest.approx(0.112287, abs=1e-6)
    assert values[2] == 0.0


def test_a_wall_hides_a_light(tmp_path: Path) -> None:
    lights = "[{at: [1.0704, 0, 0.0145], intensity: 0.5}]"
    assert _value(_alone(tmp_path, "x = light[0].value", lights=lights, obstacles=_wall(0.5))) == 0.0


def test_the_laser_gives_whole_centimetres_from_where_its_beams_start(tmp_path: Path) -> None:
    # beams start at 0.0904 m: 1.0 - 0.0904 = 0.9096 m ahead
    experiment = _alone(tmp_path, "x = size(lidar) y = lidar[340]", obstacles=_wall(1.0))
    assert _value(experiment) == 682
    assert _value(experiment, "y") == 90


def test_a_single_laser_beam_looks_straight_ahead_unless_exact(tmp_path: Path) -> None:
    one = "sensors: {lidar: {readings: 1}}"
    experiment = _alone(tmp_path, "x = size(lidar) y = lidar[0]", obstacles=_wall(1.0), robot=one)
    assert (_value(experiment), experiment.robots["kh"].globals["y"]) == (1, 90)
    assert _value(_alone(tmp_path, "x = lidar[0]", obstacles=_wall(1.0), robot=one, exact=True)) == 0


def test_gotop_drives_forward_and_turns(tmp_path: Path) -> None:
    experiment = _alone(tmp_path, "gotop(10.0, 0.5)")
    experiment.step()
    command = experiment.robots["kh"].command
    assert (command.left_m_s, command.right_m_s) == (pytest.approx(0.07365), pytest.approx(0.12635))


def test_gotop_steers_by_an_angle_when_exact(tmp_path: Path) -> None:
    # 0.5 rad off is a soft turn: 10 -+ 10 x 0.5 / (pi / 2) cm/s
    experiment = _alone(tmp_path, "gotop(10.0, 0.5)", exact=True)
    experiment.step()
    command = experiment.robots["kh"].command
    off = 0.1 * 0.5 / (math.pi / 2)
    assert (command.left_m_s, command.right_m_s) == (pytest.approx(0.1 - off), pytest.approx(0.1 + off))


def test_neighbours_are_known_in_the_first_tick_in_centimetres_and_radians(tmp_path: Path) -> None:
    script = "x = neighbors.get(2).distance y = neighbors.get(2).azimuth z = neighbors.get(2).elevation"
    script = f"if(id == 1) {{ {script} }}"
    experiment = _alone(tmp_path, script, others=True)
    assert _value(experiment) == pytest.approx(50.0)
    assert _value(experiment, "y") == pytest.approx(math.pi / 2)
    assert _value(experiment, "z") == pytest.approx(0.0, abs=1e-9)


def test_what_is_asked_in_a_tick_acts_in_the_next(tmp_path: Path) -> None:
    experiment = _alone(tmp_path, "set_leds(255, 0, 0) set_wheels(10.0, 10.0)")
    view = experiment.robots["kh"]
    experiment.step()
    assert (view.leds, view.pose[0]) == ((0, 0, 0), 0.0)
    experiment.step()
    assert view.leds == (255, 0, 0)
    assert view.pose[0] == pytest.approx(0.008125, abs=1e-9)


def test_listeners_see_the_tables_of_the_last_tick_and_the_neighbours_of_this_one(tmp_path: Path) -> None:
    (tmp_path / "demo.bzz").write_text(
        "function init() { t = 0\n"
        '  neighbors.listen("a", function(topic, value, robot) {\n'
        "    seen_x = pose.position.x  count = neighbors.count() }) }\n"
        'function step() { t = t + 1  own_x = pose.position.x  neighbors.broadcast("a", t)  set_wheels(10.0, 10.0) }\n',
        encoding="utf-8",
    )
    (tmp_path / "demo.yaml").write_text(HEAD.format(obstacles="[]", lights="[]"), encoding="utf-8")
    with pybuzz.load(tmp_path / "demo.yaml", seed=1) as experiment:
        names = experiment.robots["kh"].globals
        for _ in range(4):
            last_x = names.get("own_x")
            experiment.step()
        assert names["seen_x"] == last_x
        assert names["own_x"] > last_x
        assert names["count"] == 1


def test_before_the_first_tick_nothing_is_measured_but_the_pose_is_known(tmp_path: Path) -> None:
    script = (
        "function init() { near = proximity[0].value  charge = battery.available_charge  x = pose.position.x }\n"
        "function step() { near = proximity[0].value }\n"
    )
    (tmp_path / "demo.yaml").write_text(
        HEAD.format(obstacles=_wall(0.1304), lights="[]").replace("at: [0, 0]", "at: [0.01, 0]"), encoding="utf-8"
    )
    (tmp_path / "demo.bzz").write_text(script, encoding="utf-8")
    experiment = pybuzz.load(tmp_path / "demo.yaml", seed=1)
    names = experiment.robots["kh"].globals
    assert (names["near"], names["charge"], names["x"]) == (0.0, 1.0, 0.01)
    experiment.step()
    assert names["near"] > 0.486607


def test_time_left_counts_control_steps_by_default(tmp_path: Path) -> None:
    # half charged, 0.01 a tick: after 3 ticks 0.47 are left, which is 47 steps; ARGoS says 4.8 s then
    battery = "battery: {model: time, start_charge: 0.5, delta: 0.01}"
    experiment = _alone(tmp_path, "x = battery.time_left y = battery.available_charge", robot=battery)
    experiment.step()
    experiment.step()
    assert _value(experiment) == pytest.approx(47.0)
    assert _value(experiment, "y") == pytest.approx(0.46)
    experiment = _alone(tmp_path, "x = battery.time_left", robot=battery, exact=True)
    experiment.step()
    experiment.step()
    assert _value(experiment) == pytest.approx(4.8, abs=1e-4)


def test_the_noise_preset_reaches_every_device_that_says_nothing_itself(tmp_path: Path) -> None:
    robot = "noise: realistic, sensors: {ground: {noise: 0.0}, proximity: {noise: 0.25}}"
    experiment = _alone(tmp_path, "x = 1", robot=robot)
    (controller,) = experiment.plan.controllers.values()
    levels = {device.name: dict(device.noise) for device in (*controller.actuators, *controller.sensors)}
    assert levels["proximity"] == {"noise_level": 0.25}
    assert levels["ground"] == {"noise_level": 0.0}
    assert levels["ultrasound"] == {"noise_level": 0.0114}
    assert levels["wheels"]["factor_stddev"] == 0.015


def test_noisy_ultrasound_stays_near_the_distance_and_is_repeated_by_the_seed(tmp_path: Path) -> None:
    runs = []
    for _ in range(2):
        experiment = _alone(tmp_path, "x = ultrasound[0].value", obstacles=_wall(1.0704), robot="noise: realistic")
        runs.append([_value(experiment) for _ in range(20)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 20
    assert all(abs(value - 100.0) <= 2.0 for value in runs[0])
