"""Experiments in trees as public repositories have them: each runs, or its message holds the command that makes it run.

`way_out` takes that command from the message and runs it as it stands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest

WALK = 'function init() {{ log("{}") }}\nfunction step() {{ set_wheels(5.0, 5.0) }}\nfunction destroy() {{ }}\n'

SCENE = """\
<?xml version="1.0" ?>
<argos-configuration>
  <framework><experiment length="0.3" ticks_per_second="10" random_seed="1"/></framework>
  <controllers>
    <buzz_controller_kheperaiv id="bcf" library="build/libkh.so">
      <actuators>
        <differential_steering implementation="default"/>
        <range_and_bearing implementation="default"/>
      </actuators>
      <sensors><range_and_bearing implementation="medium" medium="rab"/></sensors>
      <params bytecode_file="walk.bo" debug_file="walk.bdb"/>
    </buzz_controller_kheperaiv>
  </controllers>
  <arena size="4,4,1">
    <distribute>
      <position method="uniform" min="-1,-1,0" max="1,1,0"/>
      <orientation method="constant" values="0,0,0"/>
      <entity quantity="2" max_trials="100"><kheperaiv id="kh"><controller config="bcf"/></kheperaiv></entity>
    </distribute>
  </arena>
  <physics_engines><dynamics2d id="dyn2d"/></physics_engines>
  <media><range_and_bearing id="rab"/></media>
</argos-configuration>
"""
PARAMS = 'bytecode_file="walk.bo" debug_file="walk.bdb"'


@pytest.fixture
def tree(write, tmp_path) -> Callable[..., None]:
    """Makes the repository `repo` with an experiment in `experiments/` and other files."""

    def make(*changes: tuple[str, str], files: dict[str, str]) -> None:
        scene = SCENE
        for old, new in changes:
            assert old in scene
            scene = scene.replace(old, new)
        (tmp_path / "repo/.git").mkdir(parents=True)
        write("repo/experiments/x.argos", scene)
        for name, text in files.items():
            write(f"repo/{name}", text)

    return make


@pytest.fixture
def way_out(pybuzz) -> Callable[[str], object]:
    """Runs the command that stands in the last hint."""

    def run(message: str):
        command = re.findall(r"^  hint: .*?(pybuzz (?:run|view|check) .*?)(?:; |$)", message, re.MULTILINE)[-1]
        return pybuzz(*shlex.split(command)[1:])

    return run


RUNNING = {
    "a script in a folder beside": (
        [], {"buzz/walk.bzz": WALK.format("hello")},
        "there is no 'walk.bzz'; repo/buzz/walk.bzz is taken",
    ),
    "byte code in a build folder": (
        [(PARAMS, 'bytecode_file="build/buzz/walk.bo" debug_file="build/buzz/walk.bdb"')],
        {"src/walk.bzz": WALK.format("hello"), "build/CMakeCache.txt": ""},
        "there is no 'build/buzz/walk.bzz'; repo/src/walk.bzz is taken",
    ),
    "byte code relative to the root": (
        [(PARAMS, 'bytecode_file="buzz_scripts/walk.bo" debug_file="buzz_scripts/walk.bdb"')],
        {"buzz_scripts/walk.bzz": WALK.format("hello")},
        "there is no 'buzz_scripts/walk.bzz'; repo/buzz_scripts/walk.bzz is taken",
    ),
    "an absolute path of a container": (
        [(PARAMS, 'bytecode_file="/home/user/proj/walk.bo" debug_file="/home/user/proj/walk.bdb"')],
        {"lib/buzz/walk.bzz": WALK.format("hello")},
        "there is no '/home/user/proj/walk.bzz'; repo/lib/buzz/walk.bzz is taken",
    ),
    "the one of two whose folder fits": (
        [(PARAMS, 'bytecode_file="/buzz_scripts/walk.bo" debug_file="/buzz_scripts/walk.bdb"')],
        {"src/buzz_scripts/walk.bzz": WALK.format("hello"), "old/walk.bzz": WALK.format("old")},
        "there is no '/buzz_scripts/walk.bzz'; repo/src/buzz_scripts/walk.bzz is taken",
    ),
    "copies of one script": (
        [], {"a/walk.bzz": WALK.format("hello"), "b/walk.bzz": WALK.format("hello")},
        "there is no 'walk.bzz'; repo/a/walk.bzz is taken",
    ),
    "an include of a folder of includes": (
        [],
        {
            "buzz_scripts/walk.bzz": 'include "include/own.bzz"\n' + WALK.format("hello"),
            "buzz_scripts/include/own.bzz": "own = 1\n",
        },
        "repo/buzz_scripts/walk.bzz is taken",
    ),
    "an include relative to the root": (
        [],
        {
            "experiments/walk.bzz": 'include "buzz_scripts/include/own.bzz"\n' + WALK.format("hello"),
            "buzz_scripts/include/own.bzz": "own = 1\n",
        },
        "",
    ),
    "an include of a container": (
        [],
        {
            "experiments/walk.bzz": 'include "/usr/local/share/ours/own.bzz"\n' + WALK.format("hello"),
            "buzz_scripts/include/own.bzz": "own = 1\n",
        },
        "",
    ),
    "generic devices, no label's library, an engine without a body here": (
        [
            ("<sensors>", '<sensors><proximity implementation="default"/>'),
            ("  <arena", '  <loop_functions label="place"/>\n  <arena'),
            ('<dynamics2d id="dyn2d"/>', '<dynamics2d id="dyn2d"/><tracking/>'),
        ],
        {"experiments/walk.bzz": WALK.format("hello")},
        "<proximity> is left out: no script sees it, in ARGoS neither",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RUNNING)
def test_it_runs_as_downloaded_and_says_what_is_taken(tree, pybuzz, case) -> None:
    changes, files, note = RUNNING[case]
    tree(*changes, files=files)
    result = pybuzz("run", "repo/experiments/x.argos")
    assert result.code == 0, result.err
    assert "[kh0] hello" in result.out
    assert note in result.err


STOPPING = {
    "several scripts of that name": (
        [], {"a/walk.bzz": WALK.format("hello"), "b/walk.bzz": WALK.format("other")},
        "scripts here: repo/a/walk.bzz, repo/b/walk.bzz; for example: "
        "pybuzz run repo/experiments/x.argos --script repo/a/walk.bzz",
    ),
    "a script of another name": (
        [], {"buzz/flock.bzz": WALK.format("hello"), "buzz/include/own.bzz": "own = 1\n"},
        "looked in repo/experiments, in the working directory and all below repo; "
        "pybuzz run repo/experiments/x.argos --script repo/buzz/flock.bzz",
    ),
    "no bytecode_file": (
        [(PARAMS, "")], {"buzz/walk.bzz": WALK.format("hello"), "buzz/include/own.bzz": "own = 1\n"},
        "pybuzz run repo/experiments/x.argos --script repo/buzz/walk.bzz",
    ),
    "placeholders": (
        [('quantity="2"', 'quantity="$$COUNT$$"'), ('min="-1,-1,0"', 'min="$$LOW$$,$$LOW$$,0"'),
         ('max="1,1,0"', 'max="6,6,0"')],
        {"experiments/walk.bzz": WALK.format("hello")},
        "pybuzz run repo/experiments/x.argos --set '$$LOW$$=5' --set '$$COUNT$$=5'",
    ),
    "robots that C++ places": (
        [("<distribute>", "<!-- <distribute>"), ("</distribute>", "</distribute> -->"),
         ("  <arena", '  <loop_functions library="build/libplace.so" label="place"/>\n  <arena')],
        {"experiments/walk.bzz": WALK.format("hello")},
        "put some anywhere in the arena: pybuzz run repo/experiments/x.argos --robots 10; or add a <distribute>",
    ),
    "a global that C++ sets": (
        [("  <arena", '  <loop_functions library="build/libset.so" label="set"/>\n  <arena')],
        {"experiments/walk.bzz": "function init() { x = threshold + 1  log(\"hello\") }\nfunction step() { }\n"
                                 "function destroy() { }\n"},
        "if the experiment should set it: pybuzz run repo/experiments/x.argos --set buzz.threshold=1",
    ),
    "several includes of that name": (
        [],
        {
            "experiments/walk.bzz": 'include "lib/own.bzz"\n' + WALK.format("hello"),
            "a/lib/own.bzz": "own = 1\n", "b/lib/own.bzz": "own = 2\n",
        },
        "several of that name: repo/a/lib/own.bzz, repo/b/lib/own.bzz; for example: "
        "pybuzz run repo/experiments/x.argos -I repo/a",
    ),
    "another kind of robot": (
        [("<kheperaiv id", "<foot-bot id"), ("</kheperaiv>", "</foot-bot>"),
         ("<buzz_controller_kheperaiv", "<buzz_controller_footbot"),
         ("</buzz_controller_kheperaiv", "</buzz_controller_footbot")],
        {"experiments/walk.bzz": WALK.format("hello")},
        "pybuzz run repo/experiments/x.argos --substitute foot-bot=kheperaiv",
    ),
    "a robot that flies": (
        [("  <arena size=\"4,4,1\">", '  <arena size="4,4,1"><eye-bot id="eb1"/><eye-bot id="eb2"/>')],
        {"experiments/walk.bzz": WALK.format("hello")},
        "leave them out: pybuzz run repo/experiments/x.argos --substitute eye-bot=none",
    ),
    "another implementation": (
        [('<differential_steering implementation="default"', '<differential_steering implementation="fast"')],
        {"experiments/walk.bzz": WALK.format("hello")},
        "actuators/differential_steering/@implementation=default",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STOPPING)
def test_the_message_holds_the_command_that_makes_it_run(tree, pybuzz, way_out, case) -> None:
    changes, files, hint = STOPPING[case]
    tree(*changes, files=files)
    first = pybuzz("run", "repo/experiments/x.argos")
    assert hint in first.err
    assert "hello" not in first.out
    second = way_out(first.err)
    assert second.code == 0, second.err
    assert re.search(r"\[kh\d\] hello", second.out)


def test_options_that_were_typed_stay_in_the_command(tree, pybuzz, way_out) -> None:
    tree((PARAMS, ""), files={"walk.bzz": WALK.format("hello")})
    said = pybuzz("run", "repo/experiments/x.argos", "--ticks", "2", "--seed", "7").err
    assert "pybuzz run repo/experiments/x.argos --ticks 2 --seed 7 --script repo/walk.bzz" in said
    assert "2 ticks" in way_out(said).err


def test_nothing_outside_of_the_repository_is_taken_or_looked_at(tree, pybuzz, write) -> None:
    tree(files={"README.md": ""})
    write("other/walk.bzz", WALK.format("stranger"))
    write("repo/node_modules/walk.bzz", WALK.format("stranger"))
    result = pybuzz("run", "repo/experiments/x.argos")
    assert result.code == 2
    assert "there is no script 'walk.bzz' to compile for 'walk.bo'" in result.err
    assert "say which one it is: pybuzz run repo/experiments/x.argos --script FILE.bzz" in result.err


def test_a_script_is_given_to_one_controller_of_several(tree, pybuzz, way_out) -> None:
    second = SCENE[SCENE.index("    <buzz_controller") : SCENE.index("  </controllers>")]
    tree(
        ("  </controllers>", second.replace('"bcf"', '"two"') + "  </controllers>"),
        ('id="bcf" library', 'id="one" library'), ('config="bcf"', 'config="one"'),
        files={"a.bzz": WALK.format("hello")},
    )  # fmt: skip
    said = pybuzz("run", "repo/experiments/x.argos").err
    assert "--script one=repo/a.bzz" in said
    assert "hello" in way_out(said).out
    wrong = pybuzz("run", "repo/experiments/x.argos", "--script", "ones=repo/a.bzz")
    assert (wrong.code, wrong.err) == (
        2, "--script ones=repo/a.bzz: error: there is no controller 'ones'\n  hint: did you mean 'one'?\n"
    )  # fmt: skip
    missing = pybuzz("run", "repo/experiments/x.argos", "--script", "b.bzz")
    assert (missing.code, missing.err) == (2, "--script b.bzz: missing file: there is no script b.bzz\n")


@pytest.mark.parametrize("command", ["view", "check", "convert", "sweep"])
def test_other_commands_take_a_script_too(tree, pybuzz, command) -> None:
    assert "--script" in pybuzz(command, "--help").out


def test_an_experiment_is_converted_with_the_script_that_is_given(tree, pybuzz, tmp_path) -> None:
    tree((PARAMS, ""), files={"walk.bzz": WALK.format("hello")})
    assert pybuzz("convert", "repo/experiments/x.argos", "-o", "x.yaml", "--script", "repo/walk.bzz").code == 0
    assert "script: repo/walk.bzz" in (tmp_path / "x.yaml").read_text()


def test_an_image_lies_relative_to_the_root(tree, pybuzz, tmp_path) -> None:
    from PIL import Image

    tree(
        ("    <distribute>", '    <floor id="f" source="image" path="images/floor.png"/>\n    <distribute>'),
        files={"experiments/walk.bzz": WALK.format("hello")},
    )
    (tmp_path / "repo/images").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "repo/images/floor.png")
    result = pybuzz("run", "repo/experiments/x.argos")
    assert result.code == 0
    assert "image found elsewhere: there is no 'images/floor.png'; repo/images/floor.png is taken" in result.err


def test_a_folder_of_includes_is_given_to_a_run(tree, pybuzz, write) -> None:
    tree(files={"experiments/walk.bzz": 'include "own.bzz"\n' + WALK.format("hello")})
    write("elsewhere/own.bzz", "own = 1\n")
    refused = pybuzz("run", "repo/experiments/x.argos")
    assert (refused.code, "another folder: -I DIR, or BUZZ_INCLUDE_PATH" in refused.err) == (2, True)
    assert "[kh0] hello" in pybuzz("run", "repo/experiments/x.argos", "-I", "elsewhere").out
