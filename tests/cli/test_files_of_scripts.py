"""Scripts that read and write files: in the one folder that they are given."""

from __future__ import annotations

import pytest

import pybuzz as package

SCRIPT = """\
function init() {
  f = io.fopen("/home/somebody/log/x.csv", "a")
  io.fwrite(f, id)
  io.fclose(f)
}
function step() { }
function destroy() { }
"""
EXPERIMENT = """\
experiment: {length: 0.2, seed: 1}
arena: {size: [3, 3]}
robots: [{kind: kheperaiv, count: 3, script: log.bzz, place: {uniform: [[-1, -1], [1, 1]]}}]
"""


@pytest.fixture(autouse=True)
def experiment(write) -> None:
    write("log.bzz", SCRIPT)
    write("x.yaml", EXPERIMENT)


def test_the_refusal_holds_the_command_that_works(pybuzz, tmp_path) -> None:
    refused = pybuzz("run", "x.yaml", "--seed", "3")
    assert refused.code == 1
    assert "hint: give them a folder: pybuzz run x.yaml --seed 3 --allow-io .\n" in refused.err
    assert pybuzz("run", "x.yaml", "--seed", "3", "--allow-io", ".").code == 0
    assert (tmp_path / "x.csv").read_text() == "1\n2\n3\n"


def test_what_a_path_is_taken_for_is_said_once(pybuzz, tmp_path) -> None:
    result = pybuzz("run", "x.yaml", "--allow-io", "logs")
    taken = f"'/home/somebody/log/x.csv' is taken as {tmp_path}/logs/x.csv: scripts use the files of that folder"
    assert result.err.count(taken) == 1


def test_python_and_a_yaml_file_give_a_folder_too(pybuzz, write, tmp_path) -> None:
    package.load("x.yaml", io_folder="python").run()
    assert (tmp_path / "python/x.csv").read_text() == "1\n2\n3\n"
    write("y.yaml", EXPERIMENT + "io: here\n")
    assert pybuzz("run", "y.yaml").code == 0
    assert (tmp_path / "here/x.csv").is_file()
    assert pybuzz("convert", "y.yaml", "-o", "z.yaml").out == "wrote z.yaml\n"
    assert "the folder for scripts' files: --allow-io here" in pybuzz("convert", "y.yaml", "-o", "z.argos").err


@pytest.mark.parametrize("folder", ["/etc", "..", "a/../../b"])
def test_a_file_that_somebody_gives_away_opens_no_other_folder(pybuzz, write, folder) -> None:
    write("y.yaml", f"{EXPERIMENT}io: {folder}\n")
    result = pybuzz("run", "y.yaml")
    assert result.code == 2
    assert f"io: '{folder}' lies outside of the experiment's folder" in result.err
    assert f"hint: pybuzz run y.yaml --allow-io {folder}\n" in result.err


def test_a_folder_that_cannot_be_made_is_named(pybuzz, write) -> None:
    write("file", "")
    result = pybuzz("run", "x.yaml", "--allow-io", "file")
    assert (result.code, result.err.splitlines()[-1]) == (2, "file: error: no folder for files: File exists")


def test_each_run_of_a_sweep_has_a_folder_of_its_own_with_the_files_that_lie_above(pybuzz, write, tmp_path) -> None:
    pytest.importorskip("distributed")
    write("files/x.csv", "0\n")
    write("study.yaml", "experiment: x.yaml\nrepetitions: 2\nmeasures: {t: ticks}\n")
    refused = pybuzz("sweep", "study.yaml", "--workers", "1")
    assert refused.code == 1
    assert "hint: give them a folder: --allow-io ." in refused.err
    result = pybuzz("sweep", "study.yaml", "--workers", "1", "--allow-io", "files")
    assert result.code == 0, result.err
    found = sorted(path.read_text() for path in (tmp_path / "files").glob("*/x.csv"))
    assert found == ["0\n1\n2\n3\n"] * 2
    assert (tmp_path / "files/x.csv").read_text() == "0\n"


def test_the_workbench_takes_the_folder_too(pybuzz) -> None:
    assert "--allow-io" in pybuzz("view", "--help").out
    assert "--allow-io" in pybuzz("deploy", "--help").out
