"""Reading .argos files: what a Plan holds, and the whole text of the message for every typical mistake."""

from __future__ import annotations

import contextlib
import shlex
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argos_compat import read
from pybuzz.errors import InputError
from pybuzz.experiment.plan import Battery, Box, Distribution, Draw, Plan, Robot
from pybuzz.experiment.reading import read_plan
from pybuzz.settings import ReadSettings, parse_sets

CASES = Path(__file__).parents[1] / "data" / "argos-cases"

SCENE = """\
<argos-configuration>
  <framework>
    <experiment length="10" ticks_per_second="10" random_seed="1"/>
  </framework>
  <controllers>
    <buzz_controller_kheperaiv id="bz">
      <actuators>
        <differential_steering implementation="default"/>
        <range_and_bearing implementation="default"/>
      </actuators>
      <sensors>
        <range_and_bearing implementation="medium" medium="rab"/>
        <kheperaiv_proximity implementation="default" noise_level="0.1"/>
      </sensors>
      <params bytecode_file="script.bo" debug_file="script.bdb"/>
    </buzz_controller_kheperaiv>
  </controllers>
  <arena size="8,8,2">
    <box id="wall" size="3,0.1,0.5" movable="false">
      <body position="0,1.5,0" orientation="90,0,0"/>
    </box>
    <kheperaiv id="kh1"><body/><controller config="bz"/></kheperaiv>
  </arena>
  <physics_engines><dynamics2d id="dyn2d"/></physics_engines>
  <media><range_and_bearing id="rab"/></media>
</argos-configuration>
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.bzz").write_text("function init() {}\n")
    return tmp_path


def plan_of(text: str, **settings: object) -> Plan:
    Path("s.argos").write_text(text)
    return read("s.argos", ReadSettings(**settings))[0]  # type: ignore[arg-type]


def changed(old: str, new: str) -> str:
    assert old in SCENE
    return SCENE.replace(old, new)


def complaint(text: str, **settings: object) -> str:
    with pytest.raises(InputError) as caught:
        plan_of(text, **settings)
    return str(caught.value)


def warnings_of(text: str, **settings: object) -> str:
    Path("s.argos").write_text(text)
    return "\n".join(found.render() for found in read("s.argos", ReadSettings(**settings))[1])  # type: ignore[arg-type]


@pytest.mark.parametrize("case", sorted(path.parent.name for path in CASES.glob("*/scene.argos")))
def test_the_published_scenes_are_read_without_a_word(case: str) -> None:
    plan, warnings = read(CASES / case / "scene.argos")
    assert warnings == ()
    assert plan.argos
    assert all(controller.script is not None for controller in plan.controllers.values())


def test_a_plan_holds_what_the_file_says() -> None:
    plan = plan_of(SCENE)
    wall, robot = plan.items
    assert (plan.ticks, plan.ticks_per_second, plan.seed) == (100, 10, 1)
    assert wall == Box("wall", (3.0, 0.1, 0.5), (0.0, 1.5, 0.0), (90 * (3.141592653589793 / 180), 0.0, 0.0))
    assert isinstance(robot, Robot)
    assert (robot.radio_range, robot.data_size, robot.number) == (3.0, 10, None)
    sensors = plan.controllers["bz"].sensors
    assert [(device.name, dict(device.noise)) for device in sensors] == [
        ("radio", {}), ("proximity", {"noise_level": 0.1}),
    ]  # fmt: skip


def test_distributions_come_after_single_entities_and_keep_their_draws_in_degrees() -> None:
    plan, _ = read(CASES / "layout_gaussian" / "scene.argos")
    last = plan.items[-1]
    assert isinstance(last, Distribution)
    assert last.orientation == Draw("gaussian", (0.0, 0.0, 0.0), (360.0, 0.0, 0.0))
    assert (last.quantity, last.max_trials, last.base_num, last.template.name) == (25, 100, 7, "kh")


def test_length_zero_is_endless_and_so_is_less_than_one_tick() -> None:
    assert plan_of(changed('length="10"', 'length="0"')).ticks is None
    assert plan_of(changed('length="10"', 'length="0.05"')).ticks is None


def test_seed_zero_is_no_seed_and_a_given_one_wins() -> None:
    assert plan_of(changed('random_seed="1"', 'random_seed="0"')).seed is None
    assert plan_of(SCENE, seed=7).seed == 7


def test_a_battery_keeps_the_factors_of_its_model() -> None:
    plan, _ = read(CASES / "battery_models" / "scene.argos")
    batteries = [item.battery for item in plan.items if isinstance(item, Robot)]
    assert batteries[1] == Battery("motion", factors={"pos_delta": 0.05, "orient_delta": 0.03})
    assert batteries[3] is None


def test_no_robots_no_walls_no_lights_is_fine() -> None:
    start, end = SCENE.index('    <box id="wall"'), SCENE.index("  </arena>")
    plan = plan_of(SCENE[:start] + SCENE[end:])
    assert plan.items == ()


def test_a_controller_that_nobody_uses_is_not_looked_at() -> None:
    text = changed("</controllers>", '<lua_controller id="lua"><params script="a.lua"/></lua_controller></controllers>')
    assert warnings_of(text) == ""


def test_a_script_beside_the_experiment_will_do_for_byte_code_of_another_folder() -> None:
    text = changed("script.bo", "/home/me/build/script.bo")
    assert warnings_of(text) == (
        "s.argos:15:8: script found elsewhere: there is no '/home/me/build/script.bzz'; script.bzz is taken\n"
        '          <params bytecode_file="/home/me/build/script.bo" debug_file="script.bdb"/>\n'
        "           ^^^^^^"
    )
    assert plan_of(text).controllers["bz"].script == Path("script.bzz")


def test_a_controller_without_params_runs_the_script_that_is_given(tmp_path: Path) -> None:
    text = changed('      <params bytecode_file="script.bo" debug_file="script.bdb"/>\n', "")
    (tmp_path / "e.argos").write_text(text)
    (tmp_path / "other.bzz").write_text("function step() { }\n")
    plan, warnings = read_plan(tmp_path / "e.argos")
    assert [controller.script for controller in plan.controllers.values()] == [None]
    assert "--script" in "\n".join(map(str, warnings))
    plan, _ = read_plan(tmp_path / "e.argos", scripts=[str(tmp_path / "other.bzz")])
    assert [controller.script for controller in plan.controllers.values()] == [tmp_path / "other.bzz"]


def test_a_robot_may_bring_params_of_its_own() -> None:
    Path("other.bzz").write_text("")
    text = changed(
        '<controller config="bz"/>',
        '<controller config="bz"><params bytecode_file="other.bo" debug_file="other.bdb"/></controller>',
    )
    plan = plan_of(text)
    robot = plan.items[1]
    assert isinstance(robot, Robot)
    assert plan.controllers[robot.controller].script == Path("other.bzz")


MISTAKES = [
    ('ticks_per_second="10"', 'tick_per_second="10"', """\
s.argos:3:29: unknown attribute: <experiment> has no attribute 'tick_per_second'
        <experiment length="10" tick_per_second="10" random_seed="1"/>
                                ^^^^^^^^^^^^^^^
  hint: did you mean 'ticks_per_second'?"""),
    ('config="bz"', 'config="bs"', """\
s.argos:22:52: unknown controller: there is no controller 'bs'
        <kheperaiv id="kh1"><body/><controller config="bs"/></kheperaiv>
                                                       ^^
  hint: controllers of the file: bz"""),
    ("script.bo", "skript.bo", """\
s.argos:15:30: missing script: there is no script 'skript.bzz' to compile for 'skript.bo'
          <params bytecode_file="skript.bo" debug_file="script.bdb"/>
                                 ^^^^^^^^^
  hint: did you mean 'script.bzz'? pybuzz run s.argos --script script.bzz"""),
    ('"medium" medium', '"default" medium', """\
s.argos:12:44: wrong value: implementation of <range_and_bearing>: 'default' is not known here; it must be medium
            <range_and_bearing implementation="default" medium="rab"/>
                                               ^^^^^^^
  hint: pybuzz run s.argos --set \
controllers/buzz_controller_kheperaiv/sensors/range_and_bearing/@implementation=medium"""),
    ('<kheperaiv id="kh1">', '<floor id="f" source="image" path="floor.png"/><kheperaiv id="kh1">', """\
s.argos:22:40: missing file: there is no image 'floor.png'
        <floor id="f" source="image" path="floor.png"/><kheperaiv id="kh1"><body/><controller config="bz"/></kheperaiv>
                                           ^^^^^^^^^
  hint: looked in ., in the working directory and all below ."""),
    ('"0,1.5,0"', '"0,1.5,0.1"', """\
s.argos:20:23: wrong value: z is 0.1, but everything stands on the ground, at z = 0
          <body position="0,1.5,0.1" orientation="90,0,0"/>
                          ^^^^^^^^^
  hint: pybuzz run s.argos --set arena/box/body/@position=0,1.5,0"""),
    ('ticks_per_second="10"', 'ticks_per_second="10x"', """\
s.argos:3:47: wrong value: ticks_per_second of <experiment>: '10x' is not a whole number
        <experiment length="10" ticks_per_second="10x" random_seed="1"/>
                                                  ^^^
  hint: pybuzz run s.argos --set framework/experiment/@ticks_per_second=10"""),
    ('ticks_per_second="10"', 'ticks_per_second="TPS"', """\
s.argos:3:47: wrong value: ticks_per_second of <experiment>: 'TPS' is not a whole number
        <experiment length="10" ticks_per_second="TPS" random_seed="1"/>
                                                  ^^^
  hint: give a value to what stands there: pybuzz run s.argos --set TPS=5"""),
    ('"8,8,2"', '"8,8"', """\
s.argos:18:16: wrong value: size of <arena>: '8,8' has 2 values, 3 are needed: "x,y,z"
      <arena size="8,8">
                   ^^^"""),
    ('movable="false"', 'movable="no"', """\
s.argos:19:46: wrong value: movable of <box>: 'no' is neither 'true' nor 'false'
        <box id="wall" size="3,0.1,0.5" movable="no">
                                                 ^^
  hint: pybuzz run s.argos --set arena/box/@movable=false"""),
    ('id="wall"', 'id="kh1"', """\
s.argos:22:20: duplicate id: 'kh1' is the id of the entity of line 19 already
        <kheperaiv id="kh1"><body/><controller config="bz"/></kheperaiv>
                       ^^^"""),
    ("kheperaiv_proximity", "kheperaiv_camera", """\
s.argos:13:10: not supported: <kheperaiv_camera> has no simulated version, in ARGoS neither
            <kheperaiv_camera implementation="default" noise_level="0.1"/>
             ^^^^^^^^^^^^^^^^
  hint: remove it"""),
    ("dynamics2d", "dynamics3d", """\
s.argos:24:4: missing element: there is no <dynamics2d> engine to hold the bodies of the arena
      <physics_engines><dynamics3d id="dyn2d"/></physics_engines>
       ^^^^^^^^^^^^^^^
  hint: add <dynamics2d id="dyn2d"/> to it"""),
    ("buzz_controller_kheperaiv", "lua_controller", """\
s.argos:6:6: not supported: <lua_controller> is no Buzz controller: robots run Buzz scripts here
        <lua_controller id="bz">
         ^^^^^^^^^^^^^^
  hint: use <buzz_controller_kheperaiv>"""),
    ("</sensors>", "</sensor>", """\
s.argos:14:9: XML syntax error: </sensor> does not close <sensors>
          </sensor>
            ^
  hint: <sensors> was opened in line 11"""),
    ("<argos-configuration>", "<!DOCTYPE argos-configuration>\n<argos-configuration>", """\
s.argos:1:30: XML syntax error: a document type (DTD) is not allowed in an experiment
    <!DOCTYPE argos-configuration>
                                 ^
  hint: remove the <!DOCTYPE ...>"""),
    ('id="wall"', 'id="&wall;"', """\
s.argos:19:5: XML syntax error: entities are not allowed here (except &lt; &gt; &amp; &quot; &apos;)
        <box id="&wall;" size="3,0.1,0.5" movable="false">
        ^"""),
    ("<arena", "<!-- <arena", """\
s.argos:18:3: XML syntax error: this comment is never closed
      <!-- <arena size="8,8,2">
      ^^^^"""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_a_mistake_is_explained_where_it_is(old: str, new: str, message: str) -> None:
    assert complaint(changed(old, new)) == message


def test_a_file_that_is_no_xml_is_told_so() -> None:
    assert complaint("hello world") == (
        "s.argos:1:1: XML syntax error: this is not XML\n    hello world\n    ^\n"
        "  hint: an ARGoS experiment starts with <argos-configuration>"
    )


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"^gone\.argos: missing file: cannot be read: No such file or directory$"):
        read("gone.argos")


def test_all_faults_of_a_file_come_in_one_report_in_the_order_of_the_file() -> None:
    text = changed('config="bz"', 'config="bs"').replace('"8,8,2"', '"8,8"').replace('length="10"', 'length="ten"')
    with pytest.raises(InputError) as caught:
        plan_of(text)
    assert [found.place.line for found in caught.value.diagnostics] == [3, 18, 22]


def test_an_unknown_attribute_is_a_warning_and_with_strict_an_error() -> None:
    text = changed('length="10"', 'lenght="10"')
    assert warnings_of(text) == (
        "s.argos:3:17: unknown attribute: <experiment> has no attribute 'lenght'; it is ignored\n"
        '        <experiment lenght="10" ticks_per_second="10" random_seed="1"/>\n'
        "                    ^^^^^^\n"
        "  hint: did you mean 'length'?"
    )
    assert "has no attribute 'lenght'" in complaint(text, strict=True)


def test_a_comment_that_xml_forbids_is_taken_with_a_warning() -> None:
    assert warnings_of(changed("  <arena", "  <!-- a -- b\n <!-- c -->\n  <arena")) == (
        "s.argos:18:3: comment: this comment contains '<!--', which XML forbids; it ends at the first '-->'\n"
        "      <!-- a -- b\n"
        "      ^^^^"
    )


def test_loop_functions_are_named_with_their_line() -> None:
    assert warnings_of(changed("  <media>", '  <loop_functions library="x" label="y"/>\n  <media>')) == (
        "s.argos:25:4: not supported: 'x' (label 'y') is C++ and does not run here: the run goes on without it\n"
        '      <loop_functions library="x" label="y"/>\n'
        "       ^^^^^^^^^^^^^^\n"
        '  hint: a Python class does the same: library="my_functions.py" label="MyClass", or --hooks '
        "my_functions.py:MyClass; the usual jobs need no code: --with extras.yaml"
    )


def test_loop_functions_need_no_library_and_say_so_once() -> None:
    said = warnings_of(changed("  <media>", '  <loop_functions label="y"/>\n  <media>'))
    assert said.startswith("s.argos:25:4: not supported: the code of these loop functions is C++ and does not run here")
    assert said.count("s.argos:") == 1


def test_lights_on_a_box_are_left_out_with_one_warning() -> None:
    said = warnings_of(
        changed("      <body position=", '<leds medium="leds"><led color="red"/></leds>\n<body position=')
    )
    assert said.count("s.argos:") == 1


def test_an_engine_that_is_left_out_is_asked_for_nothing() -> None:
    said = warnings_of(changed("<physics_engines>", "<physics_engines><tracking/>"))
    assert said.startswith("s.argos:24:21: not supported: <tracking> is left out: a Khepera IV lives in <dynamics2d>\n")
    assert said.count("s.argos:") == 1


def test_robots_of_another_kind_are_refused_once_and_left_out_on_request() -> None:
    text = changed("  </arena>", '    <eye-bot id="e1"/>\n    <eye-bot id="e2"/>\n  </arena>')
    said = complaint(text)
    assert said.count("there is no eye-bot here") == 1
    assert said.endswith("  hint: leave them out: pybuzz run s.argos --substitute eye-bot=none")
    assert [item.name for item in plan_of(text, substitute={"eye-bot": "none"}).items] == ["wall", "kh1"]


@pytest.mark.parametrize("name", ["$$COUNT$$", "{{ COUNT }}", "@COUNT@", "%COUNT%", "COUNT"])
def test_a_placeholder_of_any_template_is_filled_by_the_command_of_the_message(name: str) -> None:
    text = changed('movable="false">', 'movable="false">\n').replace('size="3,0.1,0.5"', f'size="3,0.1,{name}"')
    setting = shlex.split(complaint(text).rpartition("--set ")[2])[0]
    box = plan_of(text, **settings_from(setting)).items[0]
    assert isinstance(box, Box)
    assert box.size == (3.0, 0.1, 5.0)


def test_clones_share_the_names_of_all_entities() -> None:
    text = changed(
        "  </arena>",
        '<distribute><position method="constant" values="0,0,0"/><orientation method="constant" values="0,0,0"/>'
        '<entity quantity="3" max_trials="1"><cylinder id="kh" radius="1" height="1" movable="false"/></entity>'
        "</distribute></arena>",
    )
    assert "duplicate id: 'kh1' is the id of the entity of line 22 already" in complaint(text)


def test_two_robots_with_one_numeric_id_are_a_warning() -> None:
    second = '<kheperaiv id="a_1"><body position="1,0,0"/><controller config="bz"/></kheperaiv>'
    text = changed("</arena>", f"{second}</arena>")
    assert "the robots 'kh1' and 'a_1' both have the numeric id 1" in warnings_of(text)


FOOTBOT = (
    SCENE.replace("<kheperaiv id", "<foot-bot id").replace("</kheperaiv>", "</foot-bot>")
    .replace("kheperaiv_proximity", "footbot_proximity").replace("buzz_controller_kheperaiv", "buzz_controller_footbot")
    .replace("</actuators>", '<footbot_turret implementation="default"/></actuators>')
)  # fmt: skip


def test_a_foot_bot_is_refused_with_the_way_out() -> None:
    assert complaint(FOOTBOT) == (
        "s.argos:22:6: not supported: there is no foot-bot here, only Khepera IVs\n"
        '        <foot-bot id="kh1"><body/><controller config="bz"/></foot-bot>\n'
        "         ^^^^^^^^\n"
        "  hint: put Khepera IVs in their place: pybuzz run s.argos --substitute foot-bot=kheperaiv"
    )


def test_a_khepera_stands_in_for_a_foot_bot_and_says_what_is_lost() -> None:
    Path("script.bzz").write_text("function step() {\n  set_led(1, 255, 0, 0)  # turret_set in a comment\n}\n")
    settings = {"substitute": {"foot-bot": "kheperaiv"}}
    plan = plan_of(FOOTBOT, **settings)
    assert isinstance(plan.items[1], Robot)
    assert plan.items[1].kind == "kheperaiv"
    assert [device.name for device in plan.controllers["bz"].sensors] == ["radio", "proximity"]
    said = warnings_of(FOOTBOT, **settings)
    assert "a Khepera IV has no <footbot_turret>; it is left out" in said
    assert "hint: script.bzz uses set_led (line 2)" in said
    assert "turret_set (line" not in said


@pytest.mark.parametrize(
    ("kind", "other", "message"),
    [
        ("footbot", "kheperaiv", "unknown robot: a footbot cannot be replaced\n  hint: did you mean 'foot-bot'?"),
        ("drone", "kheperaiv", "unknown robot: a drone cannot be replaced\n"
                               "  hint: drone=none leaves it out"),
        ("e-puck", "foot-bot", "unknown robot: there is no foot-bot here that could stand in\n"
                               "  hint: write e-puck=kheperaiv, or e-puck=none"),
    ],
)  # fmt: skip
def test_a_stand_in_must_exist(kind: str, other: str, message: str) -> None:
    assert complaint(SCENE, substitute={kind: other}) == f"--substitute {kind}={other}: {message}"


def settings_from(*sets: str) -> dict[str, object]:
    return {"sets": parse_sets(sets)}


def test_an_attribute_is_set_by_its_path() -> None:
    plan = plan_of(SCENE, **settings_from("arena/box[1]/@size=1,1,1", "framework/experiment/@random_seed=9"))
    assert isinstance(plan.items[0], Box)
    assert (plan.items[0].size, plan.seed) == ((1.0, 1.0, 1.0), 9)


def test_an_attribute_that_is_not_written_may_be_set() -> None:
    plan = plan_of(SCENE, **settings_from("arena/kheperaiv/@rab_range=1.5"))
    assert isinstance(plan.items[1], Robot)
    assert plan.items[1].radio_range == 1.5


def test_a_placeholder_is_filled_also_inside_a_vector() -> None:
    text = changed('"3,0.1,0.5"', '"LONG,0.1,0.5"')
    box = plan_of(text, **settings_from("LONG=2")).items[0]
    assert isinstance(box, Box)
    assert box.size == (2.0, 0.1, 0.5)


def test_a_buzz_global_goes_to_every_controller() -> None:
    assert plan_of(SCENE, **settings_from("buzz.SPEED=5.0", "buzz.N=3")).controllers["bz"].globals == {
        "SPEED": 5.0, "N": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("arena/boxes/@size=1,1,1", "--set arena/boxes/@size=1,1,1: unknown setting: <arena> has no element <boxes>\n"
                                    "  hint: known here: box, kheperaiv"),
        ("arena/box/@sise=1,1,1", "--set arena/box/@sise=1,1,1: unknown setting: <box> has no attribute 'sise'\n"
                                  "  hint: did you mean 'size'?"),
        ("arena/box[2]/@size=1,1,1", "--set arena/box[2]/@size=1,1,1: unknown setting: <arena> has 1 elements <box>, "
                                     "counted from 1: there is no box[2]\n  hint: known here: box, kheperaiv"),
        ("N=5", "--set N=5: unknown setting: no value of the file is the placeholder N"),
    ],
)  # fmt: skip
def test_a_setting_without_a_target_is_an_error(setting: str, message: str) -> None:
    assert complaint(SCENE, **settings_from(setting)) == message


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_an_input_error_only(data: bytes) -> None:
    _read_bytes(data)


@given(st.integers(0, len(SCENE)), st.integers(0, 40), st.text(max_size=12))
def test_any_damage_to_a_scene_gives_a_plan_or_an_input_error(start: int, length: int, put: str) -> None:
    _read_bytes((SCENE[:start] + put + SCENE[start + length :]).encode("utf-8", "surrogatepass"))


def _read_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "script.bzz").write_text("")
        file = Path(folder) / "s.argos"
        file.write_bytes(data)
        with contextlib.suppress(InputError):
            read(file)
