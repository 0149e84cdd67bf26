"""Layouts equal to those of real ARGoS in every bit; sources: tests/data/argos-cases and its README."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pybuzz.buzz.libraries.random import BuzzRandom
from pybuzz.errors import InputError
from pybuzz.experiment.placing import Placed, PlacedRobot, place, quaternion
from pybuzz.experiment.plan import (
    Arena,
    Controller,
    Cylinder,
    Device,
    Distribution,
    Draw,
    Floor,
    Item,
    Light,
    Plan,
    Robot,
)  # fmt: skip
from pybuzz.experiment.reading import read_plan
from pybuzz.sim.random_numbers import Seeder
from pybuzz.sim.world import World

CASES = Path(__file__).parents[1] / "data" / "argos-cases"
ORIGIN = (0.0, 0.0, 0.0)


def placed_case(name: str) -> list[Placed]:
    plan, _ = read_plan(CASES / name / "scene.argos")
    assert plan.seed is not None
    return place(plan, plan.seed, World(0.1))


def layout_of(name: str) -> list[dict[str, str]]:
    with (CASES / name / "layout.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("case", sorted(path.parent.name for path in CASES.glob("*/layout.csv")))
def test_a_layout_is_argos_s_in_every_bit(case: str) -> None:
    found = [thing for thing in placed_case(case) if not isinstance(thing.item, Floor)]
    expected = layout_of(case)
    assert [thing.name for thing in found] == [row["id"] for row in expected]
    for thing, row in zip(found, expected, strict=True):
        assert thing.position == tuple(float(row[name]) for name in "xyz"), thing.name
        if row["qw"]:
            assert thing.quaternion == tuple(float(row[name]) for name in ("qw", "qx", "qy", "qz")), thing.name
            assert thing.yaw == float(row["yaw"]), thing.name
        if isinstance(thing, PlacedRobot):
            assert thing.number == int(row["buzz_id"]), thing.name


def test_scripts_draw_the_numbers_that_they_draw_in_argos() -> None:
    with (CASES / "layout_uniform" / "expected.csv").open() as file:
        drawn = [int(row["out_r"]) for row in csv.DictReader(file) if row["tick"] == "0"]
    robots = [thing for thing in placed_case("layout_uniform") if isinstance(thing, PlacedRobot)]
    assert [BuzzRandom(robot.script_seed).integer_between(0, 1000) for robot in robots] == drawn


def plan_of(*items: Item, devices: tuple[Device, ...] = ()) -> Plan:
    controllers = {"c": Controller("c", None, (), devices)}
    return Plan("e.yaml", Arena((4.0, 4.0, 2.0)), items, controllers, seed=1)


def test_noisy_devices_take_seeds_in_file_order_and_the_script_comes_last() -> None:
    devices = (
        Device("light", {"noise_level": 0.1}), Device("proximity"), Device("radio", {"packet_drop_prob": 0.5}),
        Device("battery", ranges={"noise_range": (0.0, 0.0)}), Device("pose", ranges={"pos_noise_range": (-0.1, 0.1)}),
    )  # fmt: skip
    (robot,) = place(plan_of(Robot("kh1", "c"), devices=devices), 1, World(0.1))
    seeder = Seeder(1)
    seeds = [seeder.next_seed() for _ in range(4)]
    assert isinstance(robot, PlacedRobot)
    assert dict(robot.seeds) == dict(zip(("light", "radio", "pose"), seeds[1:], strict=True))
    assert robot.script_seed == seeder.next_generator().uniform_int(0, 65535)


def test_what_finds_no_place_is_named_with_the_line_that_asks_for_it() -> None:
    draw = Draw("constant", ORIGIN)
    pillars = Distribution(draw, draw, Cylinder("pillar", 0.1, 0.5), 2, 3, 1, line=7)
    with pytest.raises(InputError) as caught:
        place(plan_of(pillars), 1, World(0.1))
    assert str(caught.value) == (
        "e.yaml:7: no room: pillar2 finds no free place: 4 of 4 trials hit something\n"
        "  hint: fewer or smaller things, more room, or more trials (max_trials)"
    )


def test_a_grid_does_not_try_again() -> None:
    grid = Draw("grid", ORIGIN, (1.0, 1.0, 0.0), (2, 1, 1))
    robots = Distribution(grid, Draw("constant", ORIGIN), Robot("kh", "c", 1), 2, 100, 1, line=3)
    with pytest.raises(InputError, match=r"^e\.yaml:3: no room: the place of kh2 on the grid is taken"):
        place(plan_of(Cylinder("c", 0.1, 0.5, (-0.5, 0.0, 0.0)), robots), 1, World(0.1))


def test_copies_count_on_from_the_number_of_their_template() -> None:
    draw = Draw("grid", ORIGIN, (0.5, 0.5, 0.0), (3, 1, 1))
    group = Distribution(draw, Draw("constant", ORIGIN), Robot("r2d", "c", 5), 3, 0, 5)
    found = place(plan_of(group), 1, World(0.1))
    assert [(robot.name, robot.number) for robot in found if isinstance(robot, PlacedRobot)] == [
        ("r2d5", 5), ("r2d6", 6), ("r2d7", 7),
    ]  # fmt: skip


def test_a_single_copy_may_keep_its_name() -> None:
    draw = Draw("uniform", (-1.0, -1.0, 0.0), (1.0, 1.0, 0.0))
    leader = Distribution(draw, draw, Robot("leader", "c", 4), 1, 0, numbered=False)
    assert [thing.name for thing in place(plan_of(leader), 1, World(0.1))] == ["leader"]


def test_lights_go_anywhere_and_stand_in_the_world() -> None:
    world = World(0.1)
    place(plan_of(Light("a", (0.0, 0.0, 1.0), 2.0), Robot("kh1", "c")), 1, world)
    assert (world.lights.names, world.robots) == (["a"], ["kh1"])


def test_an_orientation_about_one_axis_is_half_an_angle() -> None:
    assert quaternion((3.141592653589793, 0.0, 0.0)) == (6.123233995736766e-17, 0.0, 0.0, 1.0)
