"""Experiments as a new user writes them, from the habits of ARGoS's documentation: each judged by its first message."""

from __future__ import annotations

from pathlib import Path

import pytest

from argos_compat import read
from pybuzz.errors import InputError

SCENE = """\
<?xml version="1.0" ?>
<argos-configuration>
  <!-- ************************* -->
  <!-- * General configuration * -->
  <!-- ************************* -->
  <framework>
    <system threads="0" />
    <experiment length="10" ticks_per_second="10" random_seed="124" />
  </framework>
  <controllers>
    <buzz_controller_kheperaiv id="bck" library="libargos3plugin_simulator_buzz">
      <actuators>
        <differential_steering implementation="default" />
        <leds implementation="default" medium="leds" />
        <range_and_bearing implementation="default" />
      </actuators>
      <sensors>
        <range_and_bearing implementation="medium" medium="rab" noise_std_dev="0" />
        <kheperaiv_proximity implementation="default" show_rays="true" />
      </sensors>
      <params bytecode_file="flock.bo" debug_file="flock.bdb" />
    </buzz_controller_kheperaiv>
  </controllers>
  <arena size="5, 5, 1" center="0,0,0.5">
    <box id="wall_north" size="4,0.1,0.5" movable="false">
      <body position="0,2,0" orientation="0,0,0" />
    </box>
    <distribute>
      <position method="uniform" min="-1,-1,0" max="1,1,0" />
      <orientation method="gaussian" mean="0,0,0" std_dev="360,0,0" />
      <entity quantity="5" max_trials="100">
        <kheperaiv id="kh" rab_data_size="100"><controller config="bck" /></kheperaiv>
      </entity>
    </distribute>
  </arena>
  <physics_engines><dynamics2d id="dyn2d" /></physics_engines>
  <media>
    <range_and_bearing id="rab" />
    <led id="leds" />
  </media>
  <visualization>
    <qt-opengl autoplay="true">
      <camera><placements><placement index="0" position="0,0,13" look_at="0,0,0" /></placements></camera>
    </qt-opengl>
  </visualization>
</argos-configuration>
"""

NEWCOMERS: dict[str, tuple[list[tuple[str, str]], str]] = {
    "several params of a controller": (
        [("<params bytecode", '<params velocity="5" />\n      <params bytecode')],
        """\
x.argos:21:8: no script: without bytecode_file the robots of this controller do nothing
          <params velocity="5" />
           ^^^^^^
  hint: pybuzz run x.argos --script flock.bzz""",
    ),
    "a comment with hyphens, a comment between attributes": (
        [("<experiment length", '<!-- was: length="100" -- too long -->\n    <experiment <!-- seconds --> length')],
        """\
x.argos:9:17: XML syntax error: a comment cannot stand inside a tag
        <experiment <!-- seconds --> length="10" ticks_per_second="10" random_seed="124" />
                    ^
  hint: put it before the element""",
    ),
    "attributes that other robots have": (
        [('rab_data_size="100"', 'perspective_camera_range="4"')],
        """\
x.argos:32:28: unknown attribute: <kheperaiv> has no attribute 'perspective_camera_range'; it is ignored
            <kheperaiv id="kh" perspective_camera_range="4"><controller config="bck" /></kheperaiv>
                               ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: known attributes: id, rab_data_size, rab_range""",
    ),
    "a robot in other letters": (
        [("<kheperaiv id", "<KheperaIV id"), ("</kheperaiv>", "</KheperaIV>")],
        """\
x.argos:32:10: unknown element: an arena has no <KheperaIV>
            <KheperaIV id="kh" rab_data_size="100"><controller config="bck" /></KheperaIV>
             ^^^^^^^^^
  hint: did you mean 'kheperaiv'?""",
    ),
    "an arena without size": (
        [('<arena size="5, 5, 1" center="0,0,0.5">', "<arena>")],
        """\
x.argos:24:4: missing attribute: <arena> needs the attribute 'size'
      <arena>
       ^^^^^""",
    ),
    "an arena of two numbers, as in the plane": (
        [('size="5, 5, 1" center="0,0,0.5"', 'size="5, 5"')],
        """\
x.argos:24:16: wrong value: size of <arena>: '5, 5' has 2 values, 3 are needed: "x,y,z"
      <arena size="5, 5">
                   ^^^^""",
    ),
    "elements of the graphical window, misspelt": (
        [("<visualization>", "<visualisation>"), ("</visualization>", "</visualisation>")],
        """\
x.argos:41:4: unknown element: <argos-configuration> has no element <visualisation>; it is ignored
      <visualisation>
       ^^^^^^^^^^^^^
  hint: did you mean 'visualization'?""",
    ),
    "a medium that nobody declared": (
        [('    <led id="leds" />\n', "")],
        """\
x.argos:14:48: unknown medium: there is no <led> medium 'leds'
            <leds implementation="default" medium="leds" />
                                                   ^^^^
  hint: add <led id="leds"/> to <media>""",
    ),
    "a medium twice": (
        [('<led id="leds" />', '<led id="leds" />\n    <led id="leds" index="grid" />')],
        """\
x.argos:40:14: duplicate id: 'leds' is the id of the medium of line 39 already
        <led id="leds" index="grid" />
                 ^^^^""",
    ),
    "the engine of another tutorial": (
        [('dynamics2d id="dyn2d" /', 'dynamics3d id="dyn3d" iterations="25" /')],
        """\
x.argos:36:4: missing element: there is no <dynamics2d> engine to hold the bodies of the arena
      <physics_engines><dynamics3d id="dyn3d" iterations="25" /></physics_engines>
       ^^^^^^^^^^^^^^^
  hint: add <dynamics2d id="dyn2d"/> to it""",
    ),
    "boundaries for the engine": (
        [('<dynamics2d id="dyn2d" />', '<dynamics2d id="dyn2d"><boundaries /></dynamics2d>\n  ')],
        """\
x.argos:36:44: not supported: boundaries are left out: the one engine has no end
      <physics_engines><dynamics2d id="dyn2d"><boundaries /></dynamics2d>
                                               ^^^^^^^^^^""",
    ),
    "the controller of another tutorial": (
        [
            ('buzz_controller_kheperaiv id="bck" library="libargos3plugin_simulator_buzz"', 'lua_controller id="bck"'),
            ("</buzz_controller_kheperaiv>", "</lua_controller>"),
            ('bytecode_file="flock.bo" debug_file="flock.bdb"', 'script="flock.lua"'),
        ],
        """\
x.argos:11:6: not supported: <lua_controller> is no Buzz controller: robots run Buzz scripts here
        <lua_controller id="bck">
         ^^^^^^^^^^^^^^
  hint: use <buzz_controller_kheperaiv>""",
    ),
    "a truth value with a capital": (
        [('movable="false"', 'movable="False"')],
        """\
x.argos:25:52: wrong value: movable of <box>: 'False' is neither 'true' nor 'false'
        <box id="wall_north" size="4,0.1,0.5" movable="False">
                                                       ^^^^^
  hint: pybuzz run x.argos --set arena/box/@movable=false""",
    ),
    "a sensor of another robot": (
        [('<kheperaiv_proximity implementation="default"', '<footbot_proximity implementation="default"')],
        """\
x.argos:19:10: unknown device: a Khepera IV has no sensor <footbot_proximity>
            <footbot_proximity implementation="default" show_rays="true" />
             ^^^^^^^^^^^^^^^^^
  hint: a Khepera IV has <kheperaiv_proximity>""",
    ),
    "a box at half its height": (
        [('position="0,2,0" orientation="0,0,0"', 'position="0,2,0.25" orientation="0,0,0"')],
        """\
x.argos:26:23: wrong value: z is 0.25, but everything stands on the ground, at z = 0
          <body position="0,2,0.25" orientation="0,0,0" />
                          ^^^^^^^^
  hint: pybuzz run x.argos --set arena/box/body/@position=0,2,0""",
    ),
    "one angle for an orientation": (
        [('orientation="0,0,0"', 'orientation="90"')],
        """\
x.argos:26:43: wrong value: orientation of <body>: '90' has 1 value, 3 are needed: "z,y,x"
          <body position="0,2,0" orientation="90" />
                                              ^^""",
    ),
    "a name without a number": (
        [("<distribute>", '<kheperaiv id="leader"><body /><controller config="bck" /></kheperaiv>\n    <distribute>')],
        """\
x.argos:28:20: wrong value: 'leader' has no number, from which a robot gets its numeric id
        <kheperaiv id="leader"><body /><controller config="bck" /></kheperaiv>
                       ^^^^^^
  hint: pybuzz run x.argos --set arena/kheperaiv/@id=leader1""",
    ),
    "a number with two points": (
        [('size="4,0.1,0.5"', 'size="4,0.1,0.5.0"')],
        """\
x.argos:25:32: wrong value: size of <box>: '0.5.0' is not a number
        <box id="wall_north" size="4,0.1,0.5.0" movable="false">
                                   ^^^^^^^^^^^
  hint: pybuzz run x.argos --set arena/box/@size=4,0.1,0.5""",
    ),
    "lights on a box": (
        [('<body position="0,2,0"', '<leds medium="leds"><led color="red" /></leds><body position="0,2,0"')],
        """\
x.argos:25:6: not supported: LEDs of a <box> are left out: no sensor of a Khepera IV sees them
        <box id="wall_north" size="4,0.1,0.5" movable="false">
         ^^^""",
    ),
    "the controller of another robot": (
        [("buzz_controller_kheperaiv", "buzz_controller_spiri")],
        """\
x.argos:11:6: not supported: <buzz_controller_spiri> is for no kheperaiv
        <buzz_controller_spiri id="bck" library="libargos3plugin_simulator_buzz">
         ^^^^^^^^^^^^^^^^^^^^^
  hint: use <buzz_controller_kheperaiv>""",
    ),
}


@pytest.mark.parametrize("habit", NEWCOMERS)
def test_the_first_message_says_what_to_do(habit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flock.bzz").write_text("function init() { }\nfunction step() { }\nfunction destroy() { }\n")
    changes, message = NEWCOMERS[habit]
    scene = SCENE
    for old, new in changes:
        assert old in scene
        scene = scene.replace(old, new)
    Path("x.argos").write_text(scene)
    try:
        found = read("x.argos")[1]
    except InputError as error:
        found = tuple(error.diagnostics)
    assert found[0].render() == message


def test_the_experiment_without_these_habits_is_read_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flock.bzz").write_text("function step() { }\n")
    Path("x.argos").write_text(SCENE)
    assert read("x.argos")[1] == ()
