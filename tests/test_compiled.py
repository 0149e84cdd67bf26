"""Starting with kernels: what is said about compiling, and what is not loaded."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core.event import Event, EventStatus

from pybuzz import compiled
from pybuzz.compiled import _CompilingNotice


def compile_event() -> Event:
    return Event(
        "numba:compile", EventStatus.START, data={"dispatcher": SimpleNamespace(py_func=slip_in_solver_engine)}
    )


def slip_in_solver_engine() -> None: ...


slip_in_solver_engine.__module__ = "pybuzz.sim.solver_engine"


def test_kernels_that_compile_for_long_are_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PATIENCE_S", 0.0)
    told: list[str] = []
    notice = _CompilingNotice(told.append)
    for _ in range(2):
        notice.on_start(compile_event())
        while not told:
            pass
        notice.on_end(compile_event())
    assert len(told) == 1
    assert told[0].startswith("compiling new parts (solver engine, ...): ")


def test_kernels_that_compile_quickly_are_not_announced() -> None:
    told: list[str] = []
    notice = _CompilingNotice(told.append)
    notice.on_start(compile_event())
    notice.on_start(compile_event())
    notice.on_end(compile_event())
    notice.on_end(compile_event())
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


def _kernel_parts() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in Path(compiled.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "pybuzz.compiled import" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and "kernel_part" in map(ast.unparse, node.decorator_list):
                    yield path.name, node


def test_kernel_parts_return_no_array_that_nobody_counts() -> None:
    parts = list(_kernel_parts())
    assert len(parts) > 50
    arrays = ("NDArray", "Records", "Ints", "Floats")
    found = [(file, node.name, ast.unparse(node.returns)) for file, node in parts if node.returns is not None]
    assert [part for part in found if any(name in part[2] for name in arrays)] == []
