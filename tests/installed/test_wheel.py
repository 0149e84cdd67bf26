"""What the wheel does on every Python, with its extras or without."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pybuzz

CHECKOUT = Path(__file__).parents[2]

SCRIPT = """count = 0
function add(a, b) { return a + b }
function step() {
  count = add(count, 1)
  log("count ", count)
}
function init() { }
step()
"""


def test_what_is_tested_is_the_wheel(installed) -> None:
    program = "import pybuzz, argos_compat, sysconfig; print(sysconfig.get_path('purelib'), pybuzz.__file__)"
    site_packages, file = installed.evaluate(program).split()
    assert file == f"{site_packages}/pybuzz/__init__.py"
    assert not Path(file).is_relative_to(CHECKOUT)
    if Path(sys.prefix) == installed.python.parents[1]:
        # The other tests of this process, which import it, test it too.
        assert pybuzz.__file__ == file


def test_exec_runs_a_script(installed, write) -> None:
    write("counts.bzz", SCRIPT)
    done = installed.run("exec", "counts.bzz")
    assert (done.returncode, done.stdout) == (0, "count 1\n"), done.stderr


def test_a_fault_of_a_script_is_told_with_its_place(installed, write) -> None:
    write("fails.bzz", "function f(a, b) { return a * b }\nx = f(1)\n")
    done = installed.run("exec", "fails.bzz")
    assert (done.returncode, "fails.bzz:1:31: runtime error" in done.stderr) == (1, True), done.stderr
    assert "the call gave no argument for 'b'" in done.stderr


def test_an_example_runs_and_is_recorded(installed, recorded) -> None:
    assert (recorded / "poses.parquet").is_file()
    done = installed.run("query", recorded, "SELECT count(*) AS rows FROM poses WHERE tick = 20")
    assert (done.returncode, "10" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("name", ["hexagon", "light_seeking", "follow_the_leader"])
def test_check_finds_no_fault_in_the_examples(installed, name: str) -> None:
    scripts = sorted(installed.example(name).glob("*.bzz"))
    done = installed.run("check", *scripts)
    assert (done.returncode, "0 errors, 0 warnings" in done.stdout + done.stderr) == (0, True), done.stderr


def test_examples_are_listed_and_copied(installed) -> None:
    listed = installed.run("examples")
    assert {"hexagon", "light_seeking", "radio_study"} <= {line.split()[0] for line in listed.stdout.splitlines()}
    copied = installed.run("examples", "obstacle_avoidance", "copied")
    assert copied.returncode == 0, copied.stderr
    assert (installed.folder / "copied" / "obstacle_avoidance.bzz").is_file()


def test_an_experiment_of_ones_own_is_started_and_runs(installed, recorded) -> None:
    assert installed.run("new", "own").returncode == 0
    done = installed.run("run", "own", "--ticks", "2", "--seed", "1")
    assert done.returncode == 0, done.stderr


def test_the_doctor_finds_nothing_wrong(installed, recorded) -> None:
    done = installed.run("doctor")
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all is well"]), done.stdout + done.stderr
