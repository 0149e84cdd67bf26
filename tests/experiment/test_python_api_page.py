"""docs/python-api.md: it is what docs/make_python_api.py writes, and what it names can be imported."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import pybuzz
from pybuzz import errors

ROOT = Path(__file__).parents[2]
MAKER = ROOT / "docs" / "make_python_api.py"
PAGE = (ROOT / "docs" / "python-api.md").read_text()
IMPORTS = re.findall(r"^`(from (pybuzz[\w.]*) import (\w+))`$", PAGE, re.MULTILINE)


def test_the_page_is_what_the_docstrings_say() -> None:
    written = runpy.run_path(str(MAKER))["page"]()
    assert written == PAGE, "a docstring changed: python docs/make_python_api.py"


def test_what_the_page_imports_is_there() -> None:
    assert len(IMPORTS) > 20
    for line, _, _ in IMPORTS:
        exec(line, {})


def test_the_page_has_what_callers_need_first() -> None:
    named = {name for _, module, name in IMPORTS if module == "pybuzz"}
    of_maps = {"VectorizedLiDAR", "VectorizedUrbanMap"}  # docs/sensors.md has them
    assert named == set(pybuzz.__all__) - of_maps - {"__version__"}


def test_its_first_lines_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(block, {})
    assert f"# {capsys.readouterr().out.strip()}" in block


def test_each_error_has_the_exit_code_of_the_table() -> None:
    for name, code in re.findall(r"^\| `(\w+Error)` \| (\d)", PAGE, re.MULTILINE):
        error = getattr(errors, name)
        found = errors.Diagnostic(errors.Place("x"), "kind", "text", stage="runtime error")
        assert error(found).exit_code == int(code)
