"""The README says what is so."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from pybuzz.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_error_it_shows_is_what_a_person_gets(pybuzz, write) -> None:
    write("walker.bzz", "function init() {\n}\n\nfunction step() {\n  setleds(255, 0, 0)\n}\n")
    result = pybuzz("run", "walker.bzz", "--ticks", "2", "--robots", "3", "--seed", "1")
    assert result.code == 1
    assert blocks("text")[0] in result.err


def written() -> list[tuple[str, str]]:
    """The scripts that it asks the reader to write: their names and texts."""
    return re.findall(r"Write `([\w.]+)`.*?```buzz\n(.*?)```", README, re.DOTALL)


def commands() -> list[list[str]]:
    """The words of each command in its blocks, in order, without `$` and comments."""
    lines = [line.partition(" # ")[0] for block in blocks("(?:sh|console)") for line in block.splitlines()]
    parts = [part for line in lines for part in line.removeprefix("$ ").split("&&")]
    return [shlex.split(part) for part in parts if "pybuzz " in part or "echo " in part]


@pytest.mark.parametrize("words", [words for words in commands() if words[0] == "pybuzz"], ids=" ".join)
def test_its_commands_and_options_exist(pybuzz, words: list[str]) -> None:
    assert words[1] in COMMANDS
    known = pybuzz(words[1], "--help").out
    for option in (word for word in words if re.fullmatch("--?[a-z][a-z-]*", word)):
        assert option in known, f"{words[1]} has no option {option}"


def test_its_commands_name_files_that_are_there_when_they_are_pasted_in_order(pybuzz, tmp_path: Path) -> None:
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    for name, script in written():
        (tmp_path / name).write_text(script)
    seen = 0
    for words in commands():
        name, *arguments = words[1:]
        if words[0] == "echo":
            (tmp_path / arguments[-1]).write_text(f"{name}\n")
            continue
        if name in ("examples", "new"):
            assert pybuzz(name, *arguments).code == 0
            continue
        given = arguments[: next((at for at, word in enumerate(arguments) if word.startswith("-")), len(arguments))]
        for option, value in pairwise(arguments):
            if option == "--fleet" and name != "emulate":
                given.append(value)
            elif option in ("-o", "--record", "--report", "--fleet"):
                (tmp_path / value).parent.mkdir(exist_ok=True)
                (tmp_path / value).touch()
        for path in given:
            seen += 1
            assert (tmp_path / path).exists(), f"{' '.join(words)}: there is no {path}"
    assert seen > 15


def test_the_script_that_it_makes_runs(pybuzz, write) -> None:
    (echo,) = [words for words in commands() if words[0] == "echo"]
    write("sum.bzz", echo[1])
    assert pybuzz("exec", "sum.bzz").out == "two and two is 4\n"


def test_the_script_that_it_asks_the_reader_to_write_runs_without_findings(pybuzz, write) -> None:
    ((name, text),) = written()
    write(name, text)
    assert "0 errors, 0 warnings" in pybuzz("check", name).err
    assert pybuzz("run", name, "--ticks", "20", "--seed", "7").code == 0


def test_its_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for block in blocks("python"):
        exec(block.replace("ticks=600", "ticks=3"), {})


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
