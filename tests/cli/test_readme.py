"""The README says what is so."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("line", [line for block in blocks("console") for line in block.splitlines()])
def test_its_commands_and_options_exist(pybuzz, line: str) -> None:
    words = line.partition("#")[0].split()
    assert words[:2] == ["$", "pybuzz"]
    assert words[2] in COMMANDS
    known = pybuzz(words[2], "--help").out
    for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", line):
        assert option in known, f"{words[2]} has no option {option}"


def test_its_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for block in blocks("python"):
        exec(block.replace("ticks=600", "ticks=3"), {})


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
