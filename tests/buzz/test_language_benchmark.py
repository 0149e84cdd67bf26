"""The scripts of benchmarks/language.py do what they are to be measured by."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pybuzz.buzz.checks import check_script


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return import_module("language")


def test_the_long_script_has_its_lines_and_no_faults(benchmark: Any) -> None:
    text = benchmark.long_script(benchmark.LINES)
    assert text.count("\n") == 500
    assert check_script("long.bzz", text) == []


def test_every_figure_comes_with_its_unit(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "MACHINES", 50)
    monkeypatch.setattr(benchmark, "TURNS", 100)
    found = dict(benchmark.figures(1))
    assert len(found) == 6
    assert all(re.fullmatch(r" *\d+(\.\d)? (µs per robot and step|ns|ms|kB)", figure) for figure in found.values())
    assert float(found["memory of each of 50 machines"].split()[0]) < 50
