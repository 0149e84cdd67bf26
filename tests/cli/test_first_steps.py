"""Where a newcomer begins: examples to copy, an experiment of one's own, help, and hints at the right command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pybuzz.shipped import example_folders


def test_examples_are_listed_with_a_line_each(pybuzz) -> None:
    result = pybuzz("examples")
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines] == list(example_folders())
    assert all(len(line.split()) > 3 for line in lines)
    assert result.err == "copy one: pybuzz examples NAME [FOLDER]\n"


@pytest.mark.parametrize("name", example_folders())
def test_an_example_is_copied_and_passes_the_check(pybuzz, tmp_path: Path, name: str) -> None:
    result = pybuzz("examples", name)
    assert result.code == 0
    words = result.out.splitlines()[-1].split()
    assert words[:3] == ["start", "it:", "pybuzz"]
    assert (tmp_path / words[-1]).exists()
    if words[3] == "run":
        assert pybuzz("check", *map(str, sorted((tmp_path / name).glob("*.[ya]*")))).code == 0
        assert pybuzz("run", words[-1], "--ticks", "1", "-q").code == 0


def test_a_study_comes_with_the_example_that_it_varies(pybuzz, tmp_path: Path) -> None:
    assert "wrote hexagon: " in pybuzz("examples", "radio_study").out
    assert (tmp_path / "hexagon" / "hexagon.yaml").is_file()
    assert "wrote hexagon" not in pybuzz("examples", "radio_study", "again").out


def test_an_example_goes_into_no_folder_that_holds_something(pybuzz, write, tmp_path: Path) -> None:
    write("maze/mine.txt", "mine")
    for result in (pybuzz("examples", "maze"), pybuzz("new", "maze")):
        assert result.code == 2
        assert result.err.startswith("maze: error: this is not empty; nothing was copied")
    assert [path.name for path in (tmp_path / "maze").iterdir()] == ["mine.txt"]


def test_a_misspelt_example_is_told(pybuzz) -> None:
    result = pybuzz("examples", "hexagn")
    assert (result.code, result.err.splitlines()[-1]) == (2, "  hint: did you mean 'hexagon'?")


def test_an_experiment_of_ones_own_runs_at_once(pybuzz, tmp_path: Path) -> None:
    result = pybuzz("new", "mine")
    assert result.out.splitlines() == [
        "wrote mine: README.md, experiment.yaml, script.bzz", "start it: pybuzz run mine",
    ]  # fmt: skip
    assert pybuzz("check", "--strict", "mine/script.bzz", "mine/experiment.yaml").code == 0
    result = pybuzz("run", "mine", "--ticks", "20")
    assert result.code == 0
    assert "[kh8] heard " in result.out


def test_a_starters_readme_names_commands_that_exist(pybuzz, tmp_path: Path) -> None:
    pybuzz("new", "mine")
    lines = [
        line.split() for line in (tmp_path / "mine" / "README.md").read_text().splitlines() if "    pybuzz" in line
    ]
    assert [words[1] for words in lines] == ["run", "view", "check", "run", "plot"]
    for words in lines:
        for word in words[2:]:
            if word.endswith((".bzz", ".yaml")):
                assert (tmp_path / "mine" / word).is_file()


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("run hexagon", "there is an example of that name; to copy it to here: pybuzz examples hexagon"),
        ("run hexagon.bzz", "there is an example of that name; to copy it to here: pybuzz examples hexagon"),
        ("run AGG", "did you mean 'agg.bzz'?"),
        ("check agg.bz", "did you mean 'agg.bzz'?"),
        ("view AGG", "did you mean 'agg.bzz'?"),
        ("sweep stud.yaml", "did you mean 'study.yaml'?"),
        ("exec ag.bzz", "did you mean 'agg.bzz'?"),
        ("run nothing/like/that", "check the path and the current folder"),
        ("run study.yaml", "pybuzz sweep study.yaml"),
        ("sweep agg.bzz", "pybuzz run agg.bzz; docs/sweeps.md has files for many runs"),
        ("sweep one.yaml", "pybuzz run one.yaml; docs/sweeps.md has files for many runs"),
        ("agg.bzz --ticks 3", "to run it: pybuzz run agg.bzz --ticks 3"),
        ("gone.yaml", "to run it: pybuzz run gone.yaml"),
        ("runn x", "did you mean 'run'?"),
        ("what", "pybuzz --help lists the commands"),
        ("help what", "pybuzz --help lists the commands"),
    ],
)
def test_what_is_not_there_comes_with_a_hint(pybuzz, write, command: str, hint: str) -> None:
    write("agg.bzz", "function init() { }\nfunction step() { }\n")
    write("study.yaml", "experiment: agg.bzz\nmeasures: {way: distance_travelled}\n")
    write("one.yaml", "arena: {size: [4, 4]}\nrobots: []\n")
    result = pybuzz(*command.split())
    assert (result.code, result.err.splitlines()[1]) == (2, f"  hint: {hint}")


def test_help_explains_a_command(pybuzz) -> None:
    assert pybuzz("help", "run").out == pybuzz("run", "--help").out
    assert pybuzz("help").out == pybuzz("--help").out
    assert "pybuzz help COMMAND" in pybuzz("help").out


def test_the_doctor_says_what_is_there(pybuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    result = pybuzz("doctor")
    assert (result.code, result.out.splitlines()[-1]) == (0, "all is well")
    for part in ("pybuzz ", "Python ", "numba ", "extra plot ", "scripts, examples", "one was compiled in "):
        assert part in result.out


def test_the_doctor_names_the_command_that_adds_what_is_missing(pybuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    from pybuzz.extras import Requirement

    wanted = [Requirement("nosuch", ">=1", "plot"), Requirement("nosuch-either", ">=1", "")]
    monkeypatch.setattr("pybuzz.cli.doctor.requirements", lambda: wanted)
    result = pybuzz("doctor")
    assert "nosuch missing; add with: pip install 'pybuzz[plot]'" in result.out
    assert (result.code, "fault: nosuch-either is missing" in result.out) == (1, True)


def test_the_doctor_finds_that_nothing_compiles(pybuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybuzz.kernel_probe", None)
    result = pybuzz("doctor")
    assert (result.code, "fault: no kernel can be compiled: " in result.out) == (1, True)
