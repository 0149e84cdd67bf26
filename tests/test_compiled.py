"""Starting with kernels: what is said about compiling, and what is not loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pybuzz import compiled
from pybuzz.compiled import _CompilingNotice


def test_kernels_that_compile_for_long_are_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PATIENCE_S", 0.0)
    told: list[str] = []
    notice = _CompilingNotice(told.append)
    for _ in range(2):
        notice.on_start(None)
        while not told:
            pass
        notice.on_end(None)
    assert len(told) == 1
    assert "once per machine" in told[0]


def test_kernels_that_compile_quickly_are_not_announced() -> None:
    told: list[str] = []
    notice = _CompilingNotice(told.append)
    notice.on_start(None)
    notice.on_start(None)
    notice.on_end(None)
    notice.on_end(None)
    assert notice._timer is None
    assert told == []


def test_numba_starts_without_scipy() -> None:
    code = (
        "import importlib.util, sys; from pybuzz.compiled import start_without_scipy; start_without_scipy()\n"
        "from pybuzz.sim.random_numbers import Generator; Generator(1)\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "if importlib.util.find_spec('scipy'): import scipy.linalg"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
