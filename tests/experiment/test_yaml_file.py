"""Experiments in YAML: what a Plan holds, and the whole text of the message for every typical mistake."""

from __future__ import annotations

import contextlib
import tempfile
from math import pi
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Box, Cylinder, Device, Distribution, Draw, Light, Plan, Robot
from pybuzz.experiment.yaml_file import read
from pybuzz.settings import ReadSettings, parse_sets

EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"

SAMPLE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [4, 4], walls: true}
obstacles:
  - {box: [0.3, 0.3, 0.5], at: [1, 0], yaw: 30, movable: false}
  - {cylinder: {radius: 0.15, height: 0.5}, count: 5, place: {uniform: [[-1.5, -1.5], [1.5, 1.5]]}}
lights: [{at: [0, 0, 1], intensity: 1.0}]
robots:
  - {count: 10, script: a.bzz, place: {uniform: [[-1.5, -1], [1.5, 1]]}, sensors: {proximity: {noise: 0.05}}}
  - {kind: kheperaiv, name: leader, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
radio: {range: 1.5, data_size: 100, loss: 0.0}
record: {globals: [state], sensors: [proximity]}
"""
SMALL = "arena: {size: [4, 4]}\nrobots:\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.bzz", "b.bzz"):
        (tmp_path / name).write_text("")
    return tmp_path


def plan_of(text: str, *sets: str) -> Plan:
    Path("e.yaml").write_text(text)
    return read("e.yaml", ReadSettings(sets=parse_sets(sets)))[0]


def changed(old: str, new: str) -> str:
    assert old in SAMPLE
    return SAMPLE.replace(old, new, 1)


def complaint(text: str, *sets: str) -> str:
    with pytest.raises(InputError) as caught:
        plan_of(text, *sets)
    return str(caught.value)


def robots_of(text: str) -> list[Robot]:
    items = plan_of(SMALL + text).items
    found = [item.template if isinstance(item, Distribution) else item for item in items]
    return [robot for robot in found if isinstance(robot, Robot)]


@pytest.mark.parametrize(
    "file", sorted(set(EXAMPLES.glob("*/*.yaml")) - set(EXAMPLES.glob("*/study.yaml"))), ids=lambda path: path.stem
)
def test_the_examples_are_read_without_a_word(file: Path) -> None:
    assert read(file)[1] == ()


def test_the_sample_of_the_format_is_read_whole() -> None:
    plan = plan_of(SAMPLE)
    assert (plan.ticks_per_second, plan.ticks, plan.seed) == (10, 600, 1)
    *walls, box, light, leader, pillars, group = plan.items
    assert [wall.name for wall in walls if isinstance(wall, Box)] == [
        "wall_north", "wall_south", "wall_east", "wall_west",
    ]  # fmt: skip
    assert box == Box("box1", (0.3, 0.3, 0.5), (1.0, 0.0, 0.0), (30 * (pi / 180), 0.0, 0.0))
    assert light == Light("light1", (0.0, 0.0, 1.0), 1.0)
    assert isinstance(leader, Robot)
    assert (leader.name, leader.number, leader.radio_range, leader.data_size) == ("leader", 11, 1.5, 100)
    assert isinstance(pillars, Distribution)
    assert (pillars.template, pillars.quantity, pillars.base_num) == (Cylinder("cylinder", 0.15, 0.5), 5, 1)
    assert isinstance(group, Distribution)
    assert group.position == Draw("uniform", (-1.5, -1.0, 0.0), (1.5, 1.0, 0.0))
    assert group.orientation == Draw("uniform", (0.0, 0.0, 0.0), (360.0, 0.0, 0.0))
    assert plan.controllers[leader.controller].globals == {"role": 1}
    assert plan.controllers["robots[1]"].sensors[0] == Device("proximity", {"noise_level": 0.05})
    assert (plan.record.globals, plan.record.sensors) == (("state",), ("proximity",))


def test_walls_leave_the_whole_size_free() -> None:
    walls = [item for item in plan_of("arena: {size: [4, 6], walls: true}").items if isinstance(item, Box)]
    north, _, east, _ = walls
    assert north.position[1] - north.size[1] / 2 == pytest.approx(3.0)
    assert east.position[0] - east.size[0] / 2 == pytest.approx(2.0)
    assert (north.size[0], east.size[1]) == (4.2, 6.0)


def test_an_arena_alone_is_an_experiment_without_end() -> None:
    plan = plan_of("arena: {size: [4, 4]}")
    assert (plan.items, plan.ticks, plan.seed) == ((), None, None)


def test_a_robot_has_every_sensor_but_those_refused() -> None:
    plan = plan_of(SMALL + "  - {script: a.bzz, at: [0, 0], sensors: {lidar: false, battery: true}}\n")
    assert {device.name for device in plan.controllers["robots[1]"].sensors} == {
        "proximity", "light", "ultrasound", "ground", "battery", "pose", "radio",
    }  # fmt: skip


def test_loss_and_noise_of_the_radio_go_to_every_receiver() -> None:
    plan = plan_of(SMALL + "  - {script: a.bzz, at: [0, 0]}\nradio: {loss: 0.2, noise: 0.1, occlusion: false}\n")
    radio = plan.controllers["robots[1]"].sensors[-1]
    assert radio == Device("radio", {"noise_std_dev": 0.1, "packet_drop_prob": 0.2})
    assert not plan.radio.check_occlusions


def test_robots_are_numbered_from_1_around_the_numbers_that_are_given() -> None:
    groups = (
        "  - {script: a.bzz, count: 2, place: {constant: [0, 0]}}\n"
        "  - {script: a.bzz, name: kh2, at: [0, 0]}\n"
        "  - {script: a.bzz, name: leader, at: [1, 0]}\n"
        "  - {script: a.bzz, at: [2, 0], id: 9}\n"
    )
    numbers = {robot.name: robot.number for robot in robots_of(groups)}
    assert numbers == {"kh": 3, "kh2": 2, "leader": 1, "kh9": 9}


def test_yaw_may_be_fixed_or_drawn() -> None:
    plan = plan_of(
        SMALL + "  - {script: a.bzz, place: {constant: [0, 0]}}\n"
        "  - {script: a.bzz, place: {gaussian: [[0, 0], [1, 1]]}, yaw: {gaussian: [10, 5]}}\n"
        "  - {script: a.bzz, place: {uniform: [[0, 0], [1, 1]]}, yaw: 45}\n"
    )
    draws = [item.orientation for item in plan.items if isinstance(item, Distribution)]
    assert draws == [
        Draw("constant", (0.0, 0.0, 0.0)), Draw("gaussian", (10.0, 0.0, 0.0), (5.0, 0.0, 0.0)),
        Draw("constant", (45.0, 0.0, 0.0)),
    ]  # fmt: skip


def test_a_grid_is_read_with_its_layout() -> None:
    grid = "{center: [0, 0], distances: [0.3, 0.2], layout: [3, 2]}"
    plan = plan_of(f"{SMALL}  - {{script: a.bzz, count: 6, place: {{grid: {grid}}}}}\n")
    assert isinstance(plan.items[0], Distribution)
    assert plan.items[0].position == Draw("grid", (0.0, 0.0, 0.0), (0.3, 0.2, 0.0), (3, 2, 1))


MISTAKES = [
    ("walls: true", "wals: true", """\
e.yaml:2:23: unknown key: arena has no key 'wals'
    arena: {size: [4, 4], wals: true}
                          ^^^^
  hint: did you mean 'walls'?"""),
    ("size:", "sise:", """\
e.yaml:2:9: unknown key: arena has no key 'sise'
    arena: {sise: [4, 4], walls: true}
            ^^^^
  hint: did you mean 'size'?"""),
    ("walls: true", "walls: yes", """\
e.yaml:2:30: wrong value: walls: 'yes' is neither true nor false
    arena: {size: [4, 4], walls: yes}
                                 ^^^
  hint: write true"""),
    ("length: 60", 'length: "60"', """\
e.yaml:1:44: wrong value: length: '60' is not a number
    experiment: {ticks_per_second: 10, length: "60", seed: 1}
                                               ^^^^
  hint: without quotes: 60"""),
    ("length: 60", "length: true", """\
e.yaml:1:44: wrong value: length: 'true' is not a number
    experiment: {ticks_per_second: 10, length: true, seed: 1}
                                               ^^^^"""),
    ("length: 60", "length: LENGTH", """\
e.yaml:1:44: wrong value: length: 'LENGTH' is not a number
    experiment: {ticks_per_second: 10, length: LENGTH, seed: 1}
                                               ^^^^^^
  hint: if LENGTH stands for a value that is given later: --set LENGTH=VALUE"""),
    ("size: [4, 4]", "size: [4]", """\
e.yaml:2:15: wrong value: size: a list of 1, but 2 numbers are needed: [x, y]
    arena: {size: [4], walls: true}
                  ^^^"""),
    ("b.bzz", "bb.bzz", """\
e.yaml:9:45: missing script: there is no script 'bb.bzz'
      - {kind: kheperaiv, name: leader, script: bb.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
                                                ^^^^^^
  hint: did you mean 'b.bzz'?"""),
    ("kheperaiv", "khepera", """\
e.yaml:9:12: wrong value: kind: 'khepera' is not known here; it is flyer or kheperaiv or line_follower or a YAML file
      - {kind: khepera, name: leader, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
               ^^^^^^^
  hint: did you mean 'kheperaiv'?"""),
    ("name: leader", "name: 12", """\
e.yaml:9:29: wrong value: name: YAML takes 12 for a number
      - {kind: kheperaiv, name: 12, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
                                ^^
  hint: for a text write "12\""""),
    ("name: leader", "name: kh3, name: a", """\
e.yaml:9:34: YAML syntax error: the key 'name' is here twice, first in line 9
      - {kind: kheperaiv, name: kh3, name: a, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
                                     ^"""),
    ("name: leader", "id: 70000", """\
e.yaml:9:27: wrong value: id: 70000 is not between 0 and 65535
      - {kind: kheperaiv, id: 70000, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
                              ^^^^^"""),
    ("name: leader", "name: wall_north, id: 20", """\
e.yaml:9:29: duplicate name: the name 'wall_north' is taken by the entry of line 2
      - {kind: kheperaiv, name: wall_north, id: 20, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: 1}}
                                ^^^^^^^^^^"""),
    ("at: [0, 0], yaw", "yaw", """\
e.yaml:9:5: missing key: robots[2] needs 'at' or 'place'
      - {kind: kheperaiv, name: leader, script: b.bzz, yaw: 90, globals: {role: 1}}
        ^"""),
    ("role: 1", "role: true", """\
e.yaml:9:89: wrong value: role: Buzz has no true
      - {kind: kheperaiv, name: leader, script: b.bzz, at: [0, 0], yaw: 90, globals: {role: true}}
                                                                                            ^^^^
  hint: write 1 or 0, or a text in quotes"""),
    ("loss: 0.0", "loss: 2", """\
e.yaml:10:43: wrong value: loss: 2 is not a share between 0 and 1
    radio: {range: 1.5, data_size: 100, loss: 2}
                                              ^"""),
    ("[proximity]", "[proximty]", """\
e.yaml:11:38: wrong value: sensors: there is no 'proximty'
    record: {globals: [state], sensors: [proximty]}
                                         ^^^^^^^^
  hint: did you mean 'proximity'?"""),
    ("lights: [", "lights: {", """\
e.yaml:6:10: YAML syntax error: a key must be a plain word, but here stands a mapping
    lights: {{at: [0, 0, 1], intensity: 1.0}]
             ^"""),
    ("radio: {range", "radio: {robots[1].count: 2, range", """\
e.yaml:10:15: YAML syntax error: a key with brackets needs quotes between { and }
    radio: {robots[1].count: 2, range: 1.5, data_size: 100, loss: 0.0}
                  ^
  hint: write "robots[1].count\""""),
    ("[4, 4]", "[4, 4", """\
e.yaml:2:33: YAML syntax error: expected ',' or ']', but got '}'
    arena: {size: [4, 4, walls: true}
                                    ^
  hint: while parsing a flow sequence"""),
    ("count: 5, place: {uniform", "count: 5, place: {unifrom", """\
e.yaml:5:63: unknown key: place has no key 'unifrom'
      - {cylinder: {radius: 0.15, height: 0.5}, count: 5, place: {unifrom: [[-1.5, -1.5], [1.5, 1.5]]}}
                                                                  ^^^^^^^
  hint: did you mean 'uniform'?"""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_a_mistake_is_explained_where_it_is(old: str, new: str, message: str) -> None:
    assert complaint(changed(old, new)) == message


def test_all_faults_of_a_file_come_in_one_report() -> None:
    text = changed("length: 60", "length: x").replace("walls: true", "wals: true").replace("loss: 0.0", "loss: -1")
    with pytest.raises(InputError) as caught:
        plan_of(text)
    assert [found.place.line for found in caught.value.diagnostics] == [1, 2, 10]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("hello", "'hello' is no experiment"),
        ("\ta: 1", "a tab cannot start anything in YAML"),
        ("a: &a [*a]", "*a stands for nothing: there is no &a before it"),
        ("[" * 5000, "nested too deeply"),
        ("? " * 5000, "a key must be a plain word"),
        ("a0: &a0 [1, 1]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(30)), "too many"),
        ("a: 1\n---\nb: 2\n", "a second document starts here"),
        ("arena: !!python/object:os.system {}", "the tag 'tag:yaml.org,2002:python/object:os.system' is not allowed"),
    ],
)
def test_what_is_no_experiment_is_told_so(text: str, message: str) -> None:
    assert message in complaint(text)


def test_an_anchor_is_copied_where_its_alias_stands() -> None:
    plan = plan_of("arena: {size: &size [4, 4], center: *size}\n", "arena.center[1]=7")
    assert (plan.arena.size, plan.arena.center) == ((4.0, 4.0, 2.0), (7.0, 4.0, 0.0))


def test_settings_change_keys_lists_and_sections_that_are_not_written() -> None:
    plan = plan_of(SAMPLE, "radio.range=2", "yaml.arena.center=[1, 1]", "robots[1].count=3", "physics.iterations=20")
    group = plan.items[-1]
    assert isinstance(group, Distribution)
    assert isinstance(group.template, Robot)
    assert (group.quantity, group.template.radio_range) == (3, 2.0)
    assert (plan.arena.center, plan.physics.iterations) == ((1.0, 1.0, 0.0), 20)


def test_a_setting_of_a_global_wins_over_the_file() -> None:
    plan = plan_of(SAMPLE, "buzz.role=7", "buzz.NAME='x y'")
    assert plan.controllers["robots[2]"].globals == {"role": 7, "NAME": "x y"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("radio.rang=2", "--set radio.rang=2: unknown setting: radio has no key 'rang'\n"
                         "  hint: known keys: loss, range, data_size, noise, occlusion"),
        ("robots.count=2", "--set robots.count=2: unknown setting: a list of 2 stands before 'count': "
                           "say which entry, [1] to [2]"),
        ("robots[1].count=x", "--set robots[1].count=x: wrong value: count: 'x' is not a whole number"),
        ("arena/box/@size=2", "--set arena/box/@size=2: unknown setting: this is a path into an .argos file; "
                              "in a YAML file write key.key"),
        (
            "N=2",
            "--set N=2: unknown setting: no value of the file is the placeholder N; a key is yaml.N=",
        ),
    ],
)  # fmt: skip
def test_a_setting_without_a_target_is_an_error(setting: str, message: str) -> None:
    assert complaint(SAMPLE, setting) == message


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_an_input_error_only(data: bytes) -> None:
    _read_bytes(data)


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=12))
def test_any_damage_to_a_file_gives_a_plan_or_an_input_error(start: int, length: int, put: str) -> None:
    _read_bytes((SAMPLE[:start] + put + SAMPLE[start + length :]).encode("utf-8", "surrogatepass"))


def _read_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.bzz", "b.bzz"):
            (Path(folder) / name).write_text("")
        file = Path(folder) / "e.yaml"
        file.write_bytes(data)
        with contextlib.suppress(InputError):
            read(file)
