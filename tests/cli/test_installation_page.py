"""docs/installation.md says what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pybuzz.cli.app import COMMANDS
from pybuzz.extras import installing, requirements
from pybuzz.kernel_cache import cache_folders

PAGE = (Path(__file__).parents[2] / "docs" / "installation.md").read_text()


def test_it_has_every_extra() -> None:
    named = set(re.findall(r"pip install 'pybuzz\[(\w+)\]'", PAGE))
    assert named == {requirement.extra for requirement in requirements() if requirement.extra} | {"all"}
    assert installing("plot") in PAGE


def test_its_commands_exist(pybuzz) -> None:
    lines = re.findall(r"^    (pybuzz .*?)(?:  #.*)?$", PAGE, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        words = shlex.split(line)
        assert words[1] in {*COMMANDS, "help"}
        assert pybuzz(*words[1:]).code == 0


def test_its_list_of_folders_is_the_order_in_which_kernels_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "named"))
    found = [str(folder.path) for folder in cache_folders(tmp_path / "source")]
    marks = ["/named/", "/__pycache__", "/pybuzz/kernels/", "/pybuzz-kernels-"]
    assert [mark for path in found for mark in marks if mark in path] == marks
    listed = re.findall(r"^\d\. (.*)$", PAGE, re.MULTILINE)
    assert [mark in line for mark, line in zip(["NUMBA_CACHE_DIR", "__pycache__", "pybuzz/kernels", "pybuzz-kernels-"],
                                               listed, strict=True)] == [True] * 4  # fmt: skip
