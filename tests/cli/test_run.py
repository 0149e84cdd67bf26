"""`pybuzz run`: what it prints, and how each kind of bad input ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

WALK = "function init() { }\nfunction step() { set_wheels(10.0, 10.0) }\n"
ONE_FAILS = """function init() { t = 0 }
function step() {
  t = t + 1
  if(id == 2 and t == 3) { x = nil + 1 }
  log("alive ", t)
}
"""


def scene(script: str, **experiment: object) -> str:
    settings = ", ".join(f"{key}: {value}" for key, value in ({"length": 1, "seed": 1} | experiment).items())
    return (
        f"experiment: {{{settings}}}\narena: {{size: [4, 4]}}\n"
        f"robots:\n  - {{kind: kheperaiv, count: 3, script: {script}, place: {{uniform: [[-1, -1], [1, 1]]}}}}\n"
    )


def test_a_script_alone_runs_with_ten_robots(pybuzz, write) -> None:
    write("walk.bzz", "function init() { log(id) }\nfunction step() { }\n")
    result = pybuzz("run", "walk.bzz", "--ticks", "3", "--seed", "5")
    assert result.code == 0
    assert len(result.out.splitlines()) == 10
    assert "10 robots" in result.err
    assert "3 ticks" in result.err


def test_a_seed_that_is_drawn_is_printed(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    assert "seed" in pybuzz("run", "walk.bzz", "--ticks", "1").err


def test_log_lines_carry_the_robots_name(pybuzz, write) -> None:
    write("hello.bzz", 'function init() { log("hi ", 1.5, " ", 2.0) }\nfunction step() { }\n')
    result = pybuzz("run", "hello.bzz", "--ticks", "1", "--robots", "2", "--seed", "1")
    assert [line.split("] ")[1] for line in result.out.splitlines()] == ["hi 1.5 2", "hi 1.5 2"]
    assert all(line.startswith("[") for line in result.out.splitlines())


def test_a_missing_script_is_one_message_and_code_2(pybuzz) -> None:
    result = pybuzz("run", "missing.bzz")
    assert result.code == 2
    assert result.err.startswith("missing.bzz: ")


def test_a_syntax_error_is_explained_with_code_2(pybuzz, write) -> None:
    write("broken.bzz", "function step() {\n  x = = 3\n}\n")
    result = pybuzz("run", "broken.bzz")
    assert result.code == 2
    assert result.err.splitlines()[0].startswith("broken.bzz:2:")
    assert ": compile error: syntax error: " in result.err.splitlines()[0]


def test_one_failed_robot_stops_and_the_others_go_on(pybuzz, write) -> None:
    write("fails.bzz", ONE_FAILS)
    write("scene.yaml", scene("fails.bzz"))
    result = pybuzz("run", "scene.yaml")
    assert result.code == 1
    assert "fails.bzz:4:32: runtime error: type mismatch" in result.err
    assert sum("alive 10" in line for line in result.out.splitlines()) == 2


def test_on_error_stop_run_ends_at_the_first_failure(pybuzz, write) -> None:
    write("fails.bzz", ONE_FAILS)
    write("scene.yaml", scene("fails.bzz"))
    result = pybuzz("run", "scene.yaml", "--on-error", "stop-run")
    assert result.code == 1
    assert "alive 4" not in result.out


def test_an_argos_file_that_is_no_xml_is_explained(pybuzz, write) -> None:
    write("scene.argos", "this is not XML\n")
    result = pybuzz("run", "scene.argos")
    assert result.code == 2
    assert result.err.startswith("scene.argos:1:")


def test_a_misspelt_key_is_named_with_its_place_and_the_nearest(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    write("scene.yaml", scene("walk.bzz").replace("length", "lenght"))
    result = pybuzz("run", "scene.yaml")
    assert result.code == 2
    assert result.err.startswith("scene.yaml:1:")
    assert "lenght" in result.err
    assert "length" in result.err.replace("lenght", "")


def test_an_endless_run_without_a_screen_is_refused(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    write("scene.yaml", scene("walk.bzz", length=0))
    result = pybuzz("run", "scene.yaml")
    assert result.code == 2
    assert "--ticks" in result.err


def test_set_changes_a_global_before_init(pybuzz, write) -> None:
    write("speed.bzz", "SPEED = 1\nfunction init() { log(SPEED) }\nfunction step() { }\n")
    result = pybuzz("run", "speed.bzz", "--ticks", "1", "--robots", "1", "--seed", "1", "--set", "buzz.SPEED=5")
    assert result.out.split("] ")[1] == "5\n"


def test_an_unknown_set_key_names_the_nearest(pybuzz, write) -> None:
    write("speed.bzz", "SPEED = 1\nfunction init() { log(SPEED) }\nfunction step() { }\n")
    result = pybuzz("run", "speed.bzz", "--ticks", "1", "--set", "buzz.SPEEED=5")
    assert result.code == 2
    assert "SPEED" in result.err.replace("SPEEED", "")


def test_the_same_seed_gives_byte_identical_recordings(pybuzz, write, tmp_path: Path) -> None:
    write("wander.bzz", "function init() { }\nfunction step() { gotop(10.0, math.rng.uniform(-2.0, 2.0)) log(id) }\n")
    for folder in ("a", "b"):
        arguments = ("--seed", "3", "--ticks", "20", "--record", folder, "--record-sensors", "proximity")
        assert pybuzz("run", "wander.bzz", *arguments).code == 0
    files = sorted(path.name for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert files
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_plot_draws_a_recording(pybuzz, write, tmp_path: Path) -> None:
    write("walk.bzz", WALK)
    assert pybuzz("run", "walk.bzz", "--ticks", "20", "--seed", "1", "--record", "rec").code == 0
    assert pybuzz("plot", "rec", "-o", "rec.png").code == 0
    assert (tmp_path / "rec.png").read_bytes().startswith(b"\x89PNG")


def test_plot_refuses_what_is_no_recording(pybuzz, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = pybuzz("plot", "empty", "-o", "x.png")
    assert result.code == 2
    assert "empty" in result.err


def test_json_summarizes_the_run(pybuzz, write) -> None:
    write("fails.bzz", ONE_FAILS)
    write("scene.yaml", scene("fails.bzz"))
    result = pybuzz("run", "scene.yaml", "--json")
    summary = json.loads(result.out)
    assert result.code == 1
    assert (summary["ticks"], summary["robots"], summary["seed"]) == (10, 3, 1)
    assert [failure["kind"] for failure in summary["failures"]] == ["type mismatch"]


@pytest.mark.parametrize(
    "folder", ["hexagon", "obstacle_avoidance", "follow_the_leader", "line_follower", "own_sensor", "city_flight"]
)
def test_the_examples_run(pybuzz, folder: str) -> None:
    example = Path(__file__).parents[2] / "scripts" / "examples" / folder
    result = pybuzz("run", str(example), "--ticks", "30", "--quiet")
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("name", ["hexagon", "obstacle_avoidance", "follow_the_leader"])
def test_an_example_runs_the_same_from_both_formats(pybuzz, name: str) -> None:
    example = Path(__file__).parents[2] / "scripts" / "examples" / name
    for suffix in (".yaml", ".argos"):
        result = pybuzz("run", str(example / f"{name}{suffix}"), "--ticks", "30", "-q", "--record", f"run{suffix}")
        assert (result.code, result.err) == (0, "")
    assert pybuzz("diff", "run.yaml", "run.argos").code == 0


def test_hooks_are_python_functions_of_the_file_named(pybuzz, write) -> None:
    write("walk.bzz", "function init() { log(double(21)) }\nfunction step() { }\n")
    write(
        "project.py",
        "from pybuzz.experiment import Hooks\n\n\nclass Mine(Hooks):\n    def names(self, robot):\n"
        "        return {'double': lambda x: 2 * x}\n",
    )
    result = pybuzz("run", "walk.bzz", "--robots", "1", "--seed", "1", "--ticks", "1", "--hooks", "project.py:Mine")
    assert result.out.endswith("] 42\n")


def test_an_interrupted_run_keeps_what_was_recorded(pybuzz, write, tmp_path: Path) -> None:
    write("walk.bzz", WALK)
    write(
        "project.py",
        "from pybuzz.experiment import Hooks\n\n\nclass Interrupt(Hooks):\n    def post_step(self, experiment):\n"
        "        if experiment.tick == 5:\n            raise KeyboardInterrupt\n",
    )
    result = pybuzz("run", "walk.bzz", "--record", "rec", "--seed", "1", "--hooks", "project.py:Interrupt")
    assert result.code == 130
    from pybuzz.recording import Recording

    assert len(Recording.open(tmp_path / "rec").poses) >= 5


def test_a_profile_names_phases_sensors_and_script_functions(pybuzz, write) -> None:
    write(
        "walk.bzz", "function ahead() { return proximity[0].value }\nfunction init() { }\nfunction step() { ahead() }\n"
    )
    result = pybuzz("run", "walk.bzz", "--ticks", "20", "--seed", "1", "--profile")
    assert result.code == 0
    for name in ("physics", "radio", "sensing proximity", "sensor tables", "scripts", "ahead", "walk.bzz:1"):
        assert name in result.err


def test_a_profile_is_part_of_the_json_summary(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    found = json.loads(pybuzz("run", "walk.bzz", "--ticks", "20", "--seed", "1", "--profile", "--json").out)["profile"]
    assert sum(phase["share"] for phase in found["phases"]) == pytest.approx(1.0)
    assert {function["name"]: function["calls"] for function in found["functions"]} == {"step": 10}


def test_jobs_stand_in_a_file_beside_the_experiment(pybuzz, write, tmp_path: Path) -> None:
    write("count.bzz", "function init() { n = 0 }\nfunction step() { n = n + 1 }\n")
    write("demo.yaml", scene("count.bzz"))
    write("extras.yaml", 'write:\n  - {globals: [n], file: n.csv, at_end: true}\nstop: max(buzz("n")) == 4\n')
    result = pybuzz("run", "demo.yaml", "--with", "extras.yaml")
    assert result.code == 0
    assert "4 ticks" in result.err
    assert (tmp_path / "n.csv").read_text() == "tick,robot,id,n\n4,kh1,1,4\n4,kh2,2,4\n4,kh3,3,4\n"


def test_a_misspelt_job_is_told_with_the_nearest_name(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    write("extras.yaml", "write:\n  - {global: [n], file: n.csv}\n")
    result = pybuzz("run", "walk.bzz", "--ticks", "1", "--with", "extras.yaml")
    assert result.code != 0
    assert "extras.yaml:2:6: unknown key: write[1] has no key 'global'" in result.err
    assert "did you mean 'globals'?" in result.err


def test_a_failing_stop_expression_ends_the_run_with_its_place(pybuzz, write) -> None:
    write("walk.bzz", WALK)
    write("extras.yaml", "stop: x > 0\n")
    result = pybuzz("run", "walk.bzz", "--ticks", "1", "--with", "extras.yaml")
    assert result.code != 0
    assert "extras.yaml:1: wrong expression" in result.err
    assert "all(...) or any(...)" in result.err
