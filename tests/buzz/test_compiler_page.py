"""docs/compiler.md: what leans on CPython is tested on every Python."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_what_leans_on_cpython_has_a_test_that_every_python_runs() -> None:
    section = (ROOT / "docs" / "compiler.md").read_text().partition("## What leans on CPython")[2].partition("\n## ")[0]
    rows = [row.split("|") for row in section.splitlines() if row.startswith("| `")]
    everywhere = (ROOT / ".ci" / "every-python.txt").read_text().split()
    assert all((ROOT / file).is_file() for file in everywhere)
    assert len(rows) == 9
    for _, places, _, tests, _ in rows:
        assert all((ROOT / "pybuzz" / place).is_file() for place in re.findall("`([^`]+)`", places))
        assert set(re.findall("`([^`]+)`", tests)) <= set(everywhere)
