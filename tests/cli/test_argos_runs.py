"""`pybuzz run FILE.argos` as typed: what it prints, what it warns of, how it ends."""

from __future__ import annotations

import json

import pytest

SCENE = """\
<argos-configuration>
  <framework>
    <experiment length="1" ticks_per_second="10" random_seed="1"/>
  </framework>
  <controllers>
    <buzz_controller_kheperaiv id="bz">
      <actuators>
        <differential_steering implementation="default"/>
        <range_and_bearing implementation="default"/>
      </actuators>
      <sensors>
        <range_and_bearing implementation="medium" medium="rab"/>
        <kheperaiv_light implementation="rot_z_only"/>
      </sensors>
      <params bytecode_file="script.bo" debug_file="script.bdb"/>
    </buzz_controller_kheperaiv>
  </controllers>
  <arena size="4,4,2">
    <box id="wall" size="4,0.1,0.5" movable="false"><body position="0,2,0"/></box>
    <kheperaiv id="kh1" rab_data_size="20"><body position="0,0,0"/><controller config="bz"/></kheperaiv>
    <kheperaiv id="kh2" rab_data_size="20"><body position="1,0,0"/><controller config="bz"/></kheperaiv>
  </arena>
  <physics_engines><dynamics2d id="dyn2d"/></physics_engines>
  <media><range_and_bearing id="rab"/></media>
</argos-configuration>
"""
WALL = '    <box id="wall" size="4,0.1,0.5" movable="false"><body position="0,2,0"/></box>\n'
ROBOTS = SCENE[SCENE.index("    <kheperaiv id") : SCENE.index("  </arena>")]
WALK = "function init() { }\nfunction step() { set_wheels(5.0, 5.0) }\nfunction reset() { }\nfunction destroy() { }\n"


def walk_with(line: str) -> str:
    return WALK.replace("step() {", f"step() {{ {line}")


def lines_before_summary(text: str) -> list[str]:
    return [line for line in text.splitlines() if "ticks/s" not in line]


def test_one_line_names_what_the_script_uses_that_differs_from_argos(pybuzz, write) -> None:
    write("script.bzz", walk_with("var seen = light[0].value gotop(1.0, 0.0)"))
    write("scene.argos", SCENE)
    result = pybuzz("run", "scene.argos", "--ticks", "0")
    assert lines_before_summary(result.err) == [
        "note: without --exact these follow the documentation, not ARGoS's code: gotop, light"
    ]


@pytest.mark.parametrize("arguments", [("--exact",), ()])
def test_nothing_is_said_about_differences_if_there_are_none(pybuzz, write, arguments) -> None:
    write("script.bzz", walk_with("var seen = light[0].value") if arguments else WALK)
    write("scene.argos", SCENE)
    result = pybuzz("run", "scene.argos", *arguments)
    assert (result.code, lines_before_summary(result.err)) == (0, [])


@pytest.mark.parametrize("arguments", [(), ("--single-precision",), ("--exact",)])
def test_a_run_in_double_precision_says_that_rounding_leaves_argos_s_course(pybuzz, write, arguments) -> None:
    write("script.bzz", walk_with("var x = 0.1 * 3"))
    write("scene.argos", SCENE)
    told = [line for line in lines_before_summary(pybuzz("run", "scene.argos", *arguments).err) if "round" in line]
    assert len(told) == (0 if arguments else 1)


def test_a_difference_from_c_buzz_is_told_once_for_all_robots_and_gone_with_exact(pybuzz, write) -> None:
    write("script.bzz", walk_with("log(string.tostring(nil))"))
    write("scene.argos", SCENE)
    result = pybuzz("run", "scene.argos", "--ticks", "3")
    [warning] = [line for line in result.err.splitlines() if "tostring" in line]
    assert "script.bzz:2:" in warning
    assert "[nil]" in result.out
    result = pybuzz("run", "scene.argos", "--ticks", "3", "--exact")
    assert "tostring" not in result.err
    assert "0.000000" in result.out


def test_a_message_that_does_not_fit_is_named_with_its_size_and_the_limit_and_the_position_still_goes_out(
    pybuzz, write
) -> None:
    # Length 2, type 1, topic 3 + 4, value 3 + 24 bytes: 37. The packet holds 20, of which 2 are the robot's id.
    script = walk_with('neighbors.broadcast("news", "four and twenty letters.") log(neighbors.count())')
    write("script.bzz", script)
    write("scene.argos", SCENE)
    result = pybuzz("run", "scene.argos", "--ticks", "2")
    text = 'broadcast "news" is dropped: it takes 37 bytes, but must take less than 18 at a data size of 20 bytes'
    assert lines_before_summary(result.err) == [
        f"[kh1] tick 1: warning: {text}",
        f"the same warning 3 more times: {text}",
    ]
    assert result.out.splitlines()[-2:] == ["[kh1] 1", "[kh2] 1"]
    assert result.code == 0


def test_a_robot_outside_the_arena_is_a_warning_once_and_the_run_goes_on(pybuzz, write) -> None:
    write("script.bzz", WALK)
    write("scene.argos", SCENE.replace("1,0,0", "1.98,0,0").replace('"0,0,0"/><con', '"1.99,1,0"/><con'))
    result = pybuzz("run", "scene.argos")
    # The first order acts in tick 2, in ten sub-steps from 0 by at most 3.75 cm/s each: 0 + 0.375 + 8 x 0.5 = 4.375 mm.
    # Then 5 mm a tick: 1.99 m + 14.375 mm in tick 4.
    assert lines_before_summary(result.err) == [
        "[kh1] tick 4: warning: outside the arena, at 2.00437, 1: ARGoS would end the run unless its radio has "
        'index="dummy"; here it goes on'
    ]
    assert result.code == 0
    assert "10 ticks" in result.err


def test_warnings_while_the_robots_run_are_in_the_json_summary(pybuzz, write) -> None:
    write("script.bzz", WALK)
    write("scene.argos", SCENE.replace("1,0,0", "3,0,0"))
    summary = json.loads(pybuzz("run", "scene.argos", "--json").out)
    assert [(one["tick"], one["robot"]) for one in summary["run_warnings"]] == [(0, "kh2")]


@pytest.mark.parametrize("removed", [WALL, ROBOTS, WALL + ROBOTS], ids=["no walls", "no robots", "empty"])
def test_without_walls_robots_or_lights_a_run_is_fine(pybuzz, write, removed) -> None:
    write("script.bzz", WALK)
    write("scene.argos", SCENE.replace(removed, ""))
    result = pybuzz("run", "scene.argos", "--exact")
    said = [line for line in lines_before_summary(result.err) if "warning" in line]
    nobody = ["scene.argos:18:4: warning: no robots: there are no robots"] if ROBOTS in removed else []
    assert (result.code, said) == (0, nobody)


def test_a_script_error_ends_with_1_and_a_faulty_file_with_2_and_all_its_faults(pybuzz, write) -> None:
    write("script.bzz", walk_with("nothing()"))
    write("scene.argos", SCENE)
    assert pybuzz("run", "scene.argos").code == 1
    write("scene.argos", SCENE.replace("script.bo", "lost.bo").replace("rab_data_size", "rab_size", 1))
    result = pybuzz("run", "scene.argos")
    assert result.code == 2
    assert [line.split(": ", 1)[1] for line in result.err.splitlines() if line.startswith("scene.argos")] == [
        "missing script: there is no script 'lost.bzz' to compile for 'lost.bo'",
        "warning: unknown attribute: <kheperaiv> has no attribute 'rab_size'; it is ignored",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<dynamics2d id="dyn2d"', '<dynamics2d id="dyn2d" iterations="4000000000"'),
        ('rab_data_size="20"', 'rab_data_size="4294967295"'),
    ],
)
def test_numbers_that_no_machine_can_compute_with_are_refused(pybuzz, write, old, new) -> None:
    write("script.bzz", WALK)
    write("scene.argos", SCENE.replace(old, new))
    result = pybuzz("run", "scene.argos")
    assert result.code == 2
    assert "is more than this can be here" in result.err
