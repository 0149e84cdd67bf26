"""Kernels compiled and cached."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PART = """
from pybuzz.compiled import kernel_part

@kernel_part
def part(x):
    return x + {number}
"""
_KERNEL = """
from part import part
from pybuzz.compiled import kernel

@kernel
def whole(x):
    return part(x)

print(whole(1))
"""


def _run(folder: Path) -> str:
    root = Path(__file__).parents[1]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), str(root)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        sys.executable,
        "-c",
        f"import pybuzz.compiled as c; c.__file__ = {str(folder / 'c.py')!r}; import whole",
    ]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def test_a_cached_kernel_follows_a_change_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text("")
    (tmp_path / "whole.py").write_text(_KERNEL)
    results = []
    for number in (1, 10, 10):
        (tmp_path / "part.py").write_text(_PART.format(number=number))
        results.append(_run(tmp_path))
    assert results == ["2", "11", "11"]
