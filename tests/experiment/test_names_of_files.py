"""Scripts may have any name that a file can have."""

from __future__ import annotations

from pathlib import Path

import pytest

import pybuzz
from pybuzz.experiment.conversion import convert_file


@pytest.mark.parametrize(
    "name", ["🤖.bzz", "größe.bzz", 'with "quotes".bzz', "a: b.bzz", "# no comment.bzz", "{x}.bzz"]
)
def test_a_script_of_any_name_runs_and_is_converted(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("function init() { }\nfunction step() { }\nfunction destroy() { }\n")
    assert pybuzz.load(tmp_path / name, ticks=1, seed=1).run().ticks == 1
    convert_file(tmp_path / name, tmp_path / "copy.yaml")
    assert pybuzz.load(tmp_path / "copy.yaml", ticks=1, seed=1).run().ticks == 1
