"""The laser scanner: whole centimetres from radius 0.0904 m."""

from __future__ import annotations

import math

import pytest

from pybuzz.experiment.plan import Device
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA
from tests.oracles.sensing import lonely_robot, sense


def test_the_middle_beam_looks_ahead_and_the_first_to_the_right() -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 1, 0.5), 1.0904 + 0.055, 0, 0)
    values = sense(world, "lidar", num_readings=5)[0]
    assert values.tolist() == [0, 0, 100, 0, 0]
    assert sense(post_at(-105), "lidar", num_readings=5)[0].tolist() == [100, 0, 0, 0, 0]


def post_at(degrees: float) -> World:
    world, angle = lonely_robot(), math.radians(degrees)
    world.add_cylinder("post", 0.1, 0.5, 1.1954 * math.cos(angle), 1.1954 * math.sin(angle))
    return world


def test_other_robots_and_low_boxes_are_below_the_beams() -> None:
    world = lonely_robot()
    world.add_robot("kh1", 0.5, 0, 0, **KHEPERA)
    world.add_box("low", (0.1, 1, 0.14), 1, 0, 0)
    assert not sense(world, "lidar").any()


@pytest.mark.parametrize(("exact", "expected"), [(False, 100.0), (True, 0.0)])
def test_a_single_beam_looks_ahead_but_sees_nothing_in_argos(exact: bool, expected: float) -> None:
    world = lonely_robot()
    world.add_box("wall", (0.1, 1, 0.5), 1.0904 + 0.055, 0, 0)
    assert sense(world, "lidar", num_readings=1, exact=exact).tolist() == [[expected]]


def test_noise_is_in_centimetres_cut_to_whole_ones_and_not_limited() -> None:
    """First two uniform draws of seed 1: 0.417022, 0.997185."""
    values = sense(lonely_robot(), "lidar", num_readings=2, noise={"noise_level": 30.0}, seed=1)[0]
    assert values.tolist() == [math.trunc(60 * 0.417022 - 30), math.trunc(60 * 0.997185 - 30)]
    assert values[0] == -4


def test_robots_may_carry_scanners_of_different_sizes() -> None:
    """Beams at 52.5 degrees: 1.0954 / cos 52.5 - 0.0904 = 1.709 m."""
    world = lonely_robot()
    world.add_robot("kh1", 0, 5, 0, **KHEPERA)
    world.add_box("wall", (0.1, 20, 0.5), 1.0904 + 0.055, 0, 0)
    mounts = [[Mount(Device("lidar", num_readings=beams))] for beams in (3, 5)]
    sensors = Sensors(world, mounts)
    sensors.new_tick()
    assert sensors.read("lidar").tolist() == [[0, 100, 0, 0, 0], [0, 170, 100, 170, 0]]


def test_threads_change_no_reading() -> None:
    world = lonely_robot()
    for k in range(80):
        world.add_robot(f"r{k}", 0.3 * (k % 9), 0.4 * (k // 9) + 0.5, 0.1 * k, **KHEPERA)
        world.add_cylinder(f"c{k}", 0.05, 0.5, 0.3 * (k % 9) + 0.15, 0.4 * (k // 9) + 0.7)
    assert sense(world, "lidar", threads=2).tolist() == sense(world, "lidar").tolist()
