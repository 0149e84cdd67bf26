"""`.argos` to `.yaml` and back: what both can say survives to the last bit, what cannot is reported."""

from __future__ import annotations

from math import pi
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.errors import InputError
from pybuzz.experiment.conversion import convert_file
from pybuzz.experiment.placing import Placed, PlacedRobot, place
from pybuzz.experiment.reading import read_plan
from pybuzz.experiment.wording import degrees_text, length_text, number_text
from pybuzz.sim.world import World

CASES = Path(__file__).parents[1] / "data" / "argos-cases"
EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"
OBSTACLES_FIRST = "obstacles come before robots in the copy: crowded motion may differ in last digits"
OTHER_ORDER = "things are made in another order: random places and numbers come out differently"


def layout_of(path: Path) -> dict[str, tuple[object, ...]]:
    plan, _ = read_plan(path)
    placed = place(plan, plan.seed or 1, World(0.1))
    return {thing.name: _all_but_its_item(thing) for thing in placed if thing.name not in ("floor", "dark")}


def _all_but_its_item(thing: Placed) -> tuple[object, ...]:
    robot = (thing.number, thing.script_seed, dict(thing.seeds)) if isinstance(thing, PlacedRobot) else ()
    return (thing.position, thing.quaternion, *robot)


@pytest.mark.parametrize("case", sorted(path.parent.name for path in CASES.glob("*/scene.argos")))
def test_a_scene_goes_to_yaml_and_back(case: str, tmp_path: Path) -> None:
    source = CASES / case / "scene.argos"
    losses = convert_file(source, tmp_path / "a.yaml")
    if OTHER_ORDER not in losses and not any("wheel_sensor" in loss for loss in losses):
        assert layout_of(tmp_path / "a.yaml") == layout_of(source)
    assert convert_file(tmp_path / "a.yaml", tmp_path / "b.argos") == []
    assert layout_of(tmp_path / "b.argos") == layout_of(tmp_path / "a.yaml")


@pytest.mark.parametrize("name", ["follow_the_leader", "hexagon", "obstacle_avoidance"])
def test_an_example_of_kheperas_goes_to_argos_without_loss(name: str, tmp_path: Path) -> None:
    example = EXAMPLES / name / f"{name}.yaml"
    assert convert_file(example, tmp_path / "a.argos") == []
    assert layout_of(tmp_path / "a.argos") == layout_of(example)


def test_hooks_go_over_both_ways(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def init(self, experiment): ...\n", encoding="utf-8")
    (tmp_path / "a.yaml").write_text("arena: {size: [1, 1]}\nhooks: mine.py:Mine\n", encoding="utf-8")
    assert not [text for text in convert_file(tmp_path / "a.yaml", tmp_path / "b.argos") if "runs along" in text]
    assert '<loop_functions library="mine.py" label="Mine"/>' in (tmp_path / "b.argos").read_text()
    assert convert_file(tmp_path / "b.argos", tmp_path / "c.yaml") == []
    assert 'hooks: "mine.py:Mine"' in (tmp_path / "c.yaml").read_text()


def test_a_robot_that_argos_does_not_know_is_reported_with_what_it_loses(tmp_path: Path) -> None:
    losses = convert_file(EXAMPLES / "line_follower" / "line_follower.yaml", tmp_path / "a.argos")
    assert {"kh1: kind", "kh1: has no sensor line in the copy"} <= set(losses)


def test_light_and_ground_sensors_find_a_dark_light_and_a_white_floor_in_argos(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text("")
    (tmp_path / "e.yaml").write_text(
        "arena: {size: [4, 4]}\nobstacles: [{cylinder: {radius: 0.1, height: 0.5}, name: dark, at: [1, 1]}]\n"
        "robots: [{script: a.bzz, at: [0, 0]}]\n"
    )
    assert convert_file(tmp_path / "e.yaml", tmp_path / "a.argos") == []
    text = (tmp_path / "a.argos").read_text()
    assert '<light id="dark_" position="0,0,0" color="black" intensity="0" medium="leds"/>' in text
    assert '<floor id="floor" source="loop_functions" pixels_per_meter="100"/>' in text
    assert text.index("<floor") < text.index("<kheperaiv id")
    assert read_plan(tmp_path / "a.argos")[1] == ()


def test_nothing_is_added_for_sensors_that_are_not_there_or_find_what_they_need(tmp_path: Path) -> None:
    convert_file(CASES / "light_one_spin" / "scene.argos", tmp_path / "a.argos")
    assert "<!--" not in (tmp_path / "a.argos").read_text()


def test_foot_bots_are_converted_with_kheperas_in_their_place(tmp_path: Path) -> None:
    scene = (CASES / "robot_ids" / "scene.argos").read_text().replace("<kheperaiv id", "<foot-bot id")
    scene = scene.replace("</kheperaiv>", "</foot-bot>").replace("controller_kheperaiv", "controller_footbot")
    (tmp_path / "scene.argos").write_text(scene)
    (tmp_path / "script.bzz").write_text("")
    with pytest.raises(InputError, match="--substitute foot-bot=kheperaiv"):
        convert_file(tmp_path / "scene.argos", tmp_path / "a.yaml")
    convert_file(tmp_path / "scene.argos", tmp_path / "a.yaml", substitute={"foot-bot": "kheperaiv"})
    assert layout_of(tmp_path / "a.yaml") == layout_of(CASES / "robot_ids" / "scene.argos")


def test_what_argos_cannot_say_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text("")
    (tmp_path / "e.yaml").write_text(
        "arena: {size: [4, 4]}\n"
        "robots:\n"
        "  - {name: leader, id: 4, script: a.bzz, at: [0, 0], globals: {role: 1}}\n"
        "  - {count: 3, id: 5, name: r2d, script: a.bzz, place: {uniform: [[-1, -1], [1, 1]]}}\n"
        "record: {globals: [state]}\n"
    )
    assert convert_file(tmp_path / "e.yaml", tmp_path / "a.argos") == [
        "record: globals", "leader: is called leader_4", "leader: the globals role",
        "r2d5 to r2d7: is called r2d_5 to r2d_7",
    ]  # fmt: skip
    numbers = {name: row[2] for name, row in layout_of(tmp_path / "a.argos").items()}
    assert numbers == {"leader_4": 4, "r2d_5": 5, "r2d_6": 6, "r2d_7": 7}


def test_what_yaml_cannot_say_is_reported(tmp_path: Path) -> None:
    assert convert_file(CASES / "noise_all" / "scene.argos", tmp_path / "a.yaml") == [
        "kh5, kh2, kh9: has no sensor wheel_sensor in the copy", OBSTACLES_FIRST,
    ]  # fmt: skip


def test_robots_that_share_a_number_get_numbers_of_their_own_in_yaml(tmp_path: Path) -> None:
    scene = (CASES / "robot_ids" / "scene.argos").read_text().replace('"kh_x7"', '"kh3"')
    (tmp_path / "scene.argos").write_text(scene)
    (tmp_path / "script.bzz").write_text("")
    assert convert_file(tmp_path / "scene.argos", tmp_path / "a.yaml") == ["kh3: numeric id 3 became 2"]


def test_a_converted_file_reads_like_one_written_by_hand(tmp_path: Path) -> None:
    for name in ("script.bzz", "scene.argos"):
        (tmp_path / name).write_bytes((CASES / "layout_uniform" / name).read_bytes())
    convert_file(tmp_path / "scene.argos", tmp_path / "scene.yaml")
    assert (tmp_path / "scene.yaml").read_text().splitlines() == [
        "experiment: {ticks_per_second: 10, length: 0.1, seed: 124}",
        "arena: {size: [8, 8]}",
        "obstacles:",
        "  - {box: [4, 0.1, 0.5], name: wall_north, at: [0, 2]}",
        "  - {box: [4, 0.1, 0.5], name: wall_south, at: [0, -2]}",
        "  - {box: [0.1, 4, 0.5], name: wall_east, at: [2, 0]}",
        "  - {box: [0.1, 4, 0.5], name: wall_west, at: [-2, 0]}",
        "robots:",
        "  - {kind: kheperaiv, name: kh, id: 0, script: script.bzz, count: 30, place: {uniform: [[-2, -2], [2, 2]]}, "
        "yaw: {uniform: [0, 360]}, max_trials: 100, leds: false, sensors: {proximity: false, light: false, "
        "ultrasound: false, lidar: false, ground: false, battery: false}}",
        "radio: {range: 3, data_size: 10}",
    ]


def test_an_unknown_target_is_refused(tmp_path: Path) -> None:
    message = r"nothing here can write '\.xml' files\n  hint: known: \.argos, \.yaml, \.yml"
    with pytest.raises(InputError, match=message):
        convert_file(CASES / "leds" / "scene.argos", tmp_path / "a.xml")


@given(st.floats(-1e6, 1e6))
def test_degrees_are_printed_so_that_they_read_back_to_the_angle(degrees: float) -> None:
    angle = degrees * (pi / 180)
    assert float(degrees_text(angle)) * (pi / 180) == angle


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.integers(1, 10**6), st.integers(1, 1000))
def test_a_length_is_cut_to_the_ticks_it_stands_for(ticks: int, rate: int) -> None:
    assert int(float(length_text(ticks, rate)) * rate) == ticks
