"""Maps, laser scanners, robots that pass through each other and Python controllers in YAML experiments."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.conversion import convert_file, differences
from pybuzz.experiment.plan import Plan
from pybuzz.experiment.reading import read_plan
from pybuzz.sim.lidar import Lidar

STILL = "  - {script: null, name: kh1, at: [0.75, 0.75]}\n"
SCRIPT = """function init() {}
function step() { seen = lidar[1].value  angle = lidar[2].angle  beams = size(lidar) }
"""
CONTROLLERS = '''"""Controllers for tests."""


def ahead(robot, world, goal, cfg, dt, lidar_readings=None):
    cfg.setdefault("seen", []).append((robot.pose, goal, dt, lidar_readings))
    return {"v": cfg["speed"], "omega": cfg.get("omega", 0.0)}


def wheels(robot, world, goal, cfg, dt, lidar_readings=None):
    return {"left": 0.05, "right": 0.05}


def wrong(robot, world, goal, cfg, dt, lidar_readings=None):
    return {"v": 0.1, "omga": 0.0}


def nowhere(robot, world, goal, cfg, dt, lidar_readings=None):
    return {"v": float("nan"), "omega": 0.0}


def broken(robot, world, goal, cfg, dt, lidar_readings=None):
    return {"v": 1 / 0}
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Beside experiments: a map of 4 x 3 pixels with a wall around one free row, a script, controllers."""
    pixels = np.array([[0, 0, 0, 0], [0, 255, 255, 0], [0, 0, 0, 0]], dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "map.png")
    (tmp_path / "text.png").write_text("hello")
    (tmp_path / "s.bzz").write_text(SCRIPT)
    (tmp_path / "c.py").write_text(CONTROLLERS)
    return tmp_path


def written(folder: Path, world: str, robots: str = STILL) -> Path:
    path = folder / "e.yaml"
    path.write_text(
        f"experiment: {{ticks_per_second: 10, length: 2, seed: 1}}\narena: {{size: [4, 4]}}\n{world}\nrobots:\n{robots}"
    )
    return path


def plan_of(folder: Path, world: str, robots: str = STILL) -> Plan:
    return read_plan(written(folder, world, robots))[0]


MAP = "map: {image: map.png, resolution: 0.5}"


def test_a_map_is_part_of_the_world(folder: Path) -> None:
    experiment = pybuzz.load(written(folder, MAP))
    world = experiment.simulation.world
    assert world.map is not None
    assert world.map.cells.sum() == 10
    scan = Lidar(num_rays=1, fov_deg=1e-9).cast_rays("kh1", world)
    assert scan.distances[0] == pytest.approx(0.75)
    description = experiment.close().description
    assert description.obstacles == ()
    assert "map" in description.views


def test_a_map_may_be_drawn_in_the_file_or_be_one_of_ros(folder: Path) -> None:
    (folder / "ros.yaml").write_text("image: map.png\nresolution: 0.5\norigin: [0, 0, 0]\n")
    drawn = plan_of(folder, 'map: {rows: ["####", "#..#", "####"], resolution: 0.5}')
    of_ros = plan_of(folder, "map: {ros: ros.yaml}")
    assert drawn.map is not None
    assert of_ros.map is not None
    assert np.array_equal(drawn.map.load().cells, of_ros.map.load().cells)


def test_robots_are_not_placed_in_walls(folder: Path) -> None:
    group = "  - {script: null, count: 3, place: {uniform: [[0, 0], [2, 1.5]]}}\n"
    experiment = pybuzz.load(written(folder, MAP, group))
    for robot in experiment.robots.values():
        assert 0.57 < robot.x < 1.43
        assert 0.57 < robot.y < 0.93


@pytest.mark.parametrize(
    ("world", "text"),
    [
        ("map: {image: none.png, resolution: 0.5}", "there is no such image"),
        ("map: {image: text.png, resolution: 0.5}", "this is not an image"),
        ("map: {image: map.png, resolution: 0}", "resolution: 0 must be above 0"),
        ("map: {image: map.png, resolution: -1}", "resolution: -1 must be above 0"),
        ("map: {image: map.png, resolution: .nan}", "is not a number"),
        ("map: {image: map.png}", "needs the key 'resolution'"),
        ("map: {image: map.png, resolution: 0.5, threshold: 127}", "is not between 0 and 1"),
        ("map: {image: map.png, resolution: 0.5, orign: [0, 0]}", "has no key 'orign'"),
        ('map: {rows: ["##", "#"], resolution: 0.5}', "not equally long"),
        ("map: {resolution: 0.5}", "needs 'image', 'ros' or 'rows'"),
        ("lidar: {num_rays: 0}", "num_rays: 0 is not between 1 and"),
        ("lidar: {range: 0}", "range: 0 must be above 0"),
        ("lidar: {fov_deg: 400}", "more than a full turn"),
        ("lidar: {num_ray: 5}", "has no key 'num_ray'"),
        ("interaction: {robot_colision: false}", "has no key 'robot_colision'"),
        ("collision_policy: sometimes", "'sometimes' is not known here"),
    ],
)
def test_each_fault_is_said_once(folder: Path, world: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(folder, world)
    assert len(caught.value.diagnostics) == 1
    assert text in str(caught.value)


# -- laser scanners --------------------------------------------------------------------------------------------------

SCRIPTED = "  - {script: s.bzz, name: kh1, at: [0.75, 0.75]}\n"


def test_a_script_finds_values_in_cm_and_angles(folder: Path) -> None:
    experiment = pybuzz.load(written(folder, f"{MAP}\nlidar: {{num_rays: 3, range: 0.9, fov_deg: 180}}", SCRIPTED))
    experiment.step()
    found = experiment.robots["kh1"].globals
    assert found["seen"] == pytest.approx(75.0)
    assert found["angle"] == pytest.approx(math.pi / 2)
    assert found["beams"] == 3


def test_a_robot_may_have_a_scanner_of_its_own_or_none(folder: Path) -> None:
    robots = (
        "  - {script: null, name: kh1, at: [0.7, 0.75], sensors: {lidar: {num_rays: 5, fov_deg: 90}}}\n"
        "  - {script: null, name: kh2, at: [1.0, 0.75], sensors: {lidar: {enabled: false}}}\n"
        "  - {script: null, name: kh3, at: [1.3, 0.75], sensors: {lidar: {readings: 7}}}\n"
    )
    experiment = pybuzz.load(written(folder, MAP, robots))
    experiment.step()
    own, nothing, khepera = experiment.simulation.robot_lidar_readings
    assert own is not None
    assert len(own) == 5
    assert (nothing, khepera) == (None, None)
    assert "lidar" not in experiment.robots["kh2"].read.__self__._robot.body.sensors
    assert len(experiment.robots["kh3"].read("lidar")) == 7


def test_the_simulation_keeps_the_scan_that_a_cast_gives(folder: Path) -> None:
    robots = "  - {script: null, count: 2, place: {grid: {center: [1, 0.75], distances: [0.4, 0], layout: [2, 1]}}}\n"
    experiment = pybuzz.load(written(folder, f"{MAP}\nlidar: {{num_rays: 9, range: 2}}", robots))
    experiment.step()
    simulation = experiment.simulation
    obstacles = simulation.lidar_obstacle_robots()
    for kept, robot in zip(simulation.robot_lidar_readings, experiment.robots.values(), strict=True):
        assert kept is not None
        assert np.array_equal(kept.distances, Lidar(9, 2.0).cast_rays(robot, simulation.world, obstacles).distances)
    assert simulation.lidar_readings is simulation.robot_lidar_readings[0]
    simulation.selected_robot = 1
    assert simulation.lidar_readings is simulation.robot_lidar_readings[1]


def test_noise_stays_within_its_level_and_comes_from_the_seed(folder: Path) -> None:
    def distances() -> np.ndarray:
        path = written(folder, f"{MAP}\nlidar: {{num_rays: 50, range: 2, noise: 0.05}}\nrecord: {{sensors: [lidar]}}")
        return pybuzz.load(path).run(ticks=5).sensors["lidar"][1:, 0]

    off = (
        distances()
        - Lidar(50, 2.0).cast_rays((0.75, 0.75, 0.0), pybuzz.load(written(folder, MAP)).simulation.world).distances
    )
    assert 0.02 < np.abs(off).max() <= 0.05
    assert np.array_equal(distances(), distances())


@pytest.mark.parametrize(
    "words",
    ["interaction: {robot_collision: false}", "collision_policy: none", "interaction: {collision_policy: none}"],
)
def test_robots_that_pass_through_each_other_are_no_obstacles(folder: Path, words: str) -> None:
    robots = (
        "  - {controller: c.py:wheels, name: kh1, at: [0.7, 0.75]}\n  - {script: null, name: kh2, at: [0.95, 0.75]}\n"
    )
    path = written(folder, f"{MAP}\nlidar: {{num_rays: 1, fov_deg: 1, endpoint: true}}\n{words}", robots)
    experiment = pybuzz.load(path, ticks=80)
    assert experiment.simulation.lidar_obstacle_robots() == []
    experiment.step()
    assert experiment.simulation.lidar_readings.distances[0] == pytest.approx(0.8, abs=0.01)
    while experiment.step():
        pass
    assert experiment.robots["kh1"].x > 1.0
    assert experiment.robots["kh2"].x == pytest.approx(0.95)


# -- Python controllers ----------------------------------------------------------------------------------------------


def driven(folder: Path, name: str, more: str = "") -> str:
    return f"  - {{controller: 'c.py:{name}', name: kh1, at: [0.75, 0.75]{more}}}\n"


def test_a_controller_is_told_goal_config_time_and_scan_and_drives(folder: Path) -> None:
    told = ", goal: [1.2, 0.7], config: {speed: 0.05, list: [1, a, true]}"
    path = written(folder, f"{MAP}\nlidar: {{num_rays: 4}}", driven(folder, "ahead", told))
    experiment = pybuzz.load(path, ticks=21)
    experiment.run()
    config = experiment.simulation.robots[0].pilot.config
    pose, goal, dt, scan = config["seen"][0]
    assert pose == (0.75, 0.75, 0.0)
    assert goal == (1.2, 0.7)
    assert dt == 0.1
    assert len(scan) == 4
    assert config["list"] == [1, "a", True]
    assert experiment.robots["kh1"].x == pytest.approx(0.85, abs=0.002)


def test_omega_turns_the_robot_counter_clockwise(folder: Path) -> None:
    path = written(folder, MAP, driven(folder, "ahead", ", config: {speed: 0.0, omega: 0.5}"))
    experiment = pybuzz.load(path, ticks=21)
    experiment.run()
    assert experiment.robots["kh1"].yaw == pytest.approx(1.0, abs=0.03)
    assert experiment.robots["kh1"].x == pytest.approx(0.75, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wrong", "did you mean 'omega'"),
        ("nowhere", "must be finite numbers"),
        ("broken", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_controller_that_fails_stops_its_robot_with_its_line(folder: Path, name: str, text: str) -> None:
    experiment = pybuzz.load(written(folder, MAP, driven(folder, name)))
    experiment.run()
    (failure,) = experiment.failures
    assert text in str(failure.error)
    assert str(failure.error).startswith(f"{folder / 'c.py'}:")
    assert not experiment.robots["kh1"].alive
    assert experiment.robots["kh1"].x == 0.75


def test_a_robot_without_a_script_can_be_driven_from_python(folder: Path) -> None:
    experiment = pybuzz.load(written(folder, MAP))
    experiment.robots["kh1"].drive(lambda *told, lidar_readings: {"v": 0.05, "omega": 0.0})
    experiment.run(ticks=11)
    assert experiment.robots["kh1"].x > 0.79


def test_a_robot_with_a_script_cannot_be_driven_from_python_too(folder: Path) -> None:
    experiment = pybuzz.load(written(folder, f"{MAP}\nlidar: {{num_rays: 3}}", SCRIPTED))
    with pytest.raises(InputError, match="a script drives this robot"):
        experiment.robots["kh1"].drive(lambda *told, lidar_readings: {})


@pytest.mark.parametrize(
    ("robot", "text"),
    [
        ("{controller: none.py, at: [0.75, 0.75]}", "there is no Python file 'none.py'"),
        ("{controller: c.py, script: s.bzz, at: [0.75, 0.75]}", "exclude each other"),
        ("{script: null, goal: [1, 1], at: [0.75, 0.75]}", "goal is for a Python controller"),
    ],
)
def test_faults_of_controllers_are_said(folder: Path, robot: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(folder, MAP, f"  - {robot}\n")
    assert text in str(caught.value)
    assert len(caught.value.diagnostics) == 1


def test_a_controller_that_is_not_in_its_file_gets_the_nearest_name(folder: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'wheels'"):
        pybuzz.load(written(folder, MAP, driven(folder, "whels")))


# -- conversion ------------------------------------------------------------------------------------------------------


def test_a_world_survives_being_written_as_yaml(folder: Path) -> None:
    world = (
        "map: {image: map.png, resolution: 0.5, origin: [-1, 0.5], threshold: 0.4, height: 0.2}\n"
        "collision_policy: none\nlidar: {num_rays: 5, endpoint: false, noise: 0.01}"
    )
    path = written(folder, world, driven(folder, "ahead", ", goal: [1, 2], config: {speed: 0.1, more: {a: [1, x]}}"))
    assert convert_file(path, folder / "copy.yaml") == []
    original, copy = read_plan(path)[0], read_plan(folder / "copy.yaml")[0]
    assert (copy.map, copy.robot_collision) == (original.map, False)
    assert copy.controllers["robots[1]"].config == original.controllers["robots[1]"].config


def test_what_argos_cannot_say_is_reported(folder: Path) -> None:
    plan = plan_of(folder, f"{MAP}\ncollision_policy: none\nlidar: {{num_rays: 5}}", driven(folder, "wheels"))
    bare = plan_of(folder, "", "  - {script: null, name: kh1, at: [0.75, 0.75]}\n")
    found = "\n".join(differences(plan, bare))
    for text in ("map", "robot_collision", "its Python controller", "parameters of the sensor lidar"):
        assert text in found
