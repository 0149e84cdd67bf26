"""The import arrows of docs/architecture.md, checked on every module."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BELOW_EXPERIMENT = {
    "pybuzz.buzz", "pybuzz.swarm", "pybuzz.khepera", "pybuzz.radio", "pybuzz.sim", "pybuzz.recording",
}  # fmt: skip
MAY_IMPORT = {
    "pybuzz.buzz": set(),
    "pybuzz.swarm": {"pybuzz.buzz"},
    "pybuzz.khepera": {"pybuzz.buzz", "pybuzz.swarm"},
    "pybuzz.radio": {"pybuzz.buzz", "pybuzz.swarm", "pybuzz.khepera"},
    "pybuzz.sim": {"pybuzz.buzz", "pybuzz.swarm", "pybuzz.khepera", "pybuzz.radio"},
    "pybuzz.link": {"pybuzz.buzz", "pybuzz.swarm", "pybuzz.khepera", "pybuzz.radio", "pybuzz.recording"},
    "pybuzz.recording": set(),
    "pybuzz.experiment": BELOW_EXPERIMENT,
    "pybuzz.emulator": BELOW_EXPERIMENT | {"pybuzz.experiment", "pybuzz.link"},
    "pybuzz.sweep": BELOW_EXPERIMENT | {"pybuzz.experiment"},
    "pybuzz.workbench": BELOW_EXPERIMENT | {"pybuzz.experiment"},
    "argos_compat": BELOW_EXPERIMENT | {"pybuzz.experiment"},
}
UNDER_ALL_ROOMS = {
    "pybuzz", "pybuzz.compiled", "pybuzz.errors", "pybuzz.extras", "pybuzz.faults", "pybuzz.finding",
    "pybuzz.invocation", "pybuzz.kernel_cache", "pybuzz.kernel_probe", "pybuzz.missing_files", "pybuzz.settings",
    "pybuzz.shipped", "pybuzz.spelling", "pybuzz.user_code", "pybuzz.yaml_nodes", "pybuzz.yaml_tree",
}  # fmt: skip
ABOVE_ALL_ROOMS = {"pybuzz.cli"}


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[0] if parts[0] == "argos_compat" else ".".join(parts[:2])


def imports_of(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports absolute"
            module = str(node.module)
            names = [name.name for name in node.names]
            found += [(node.lineno, f"{module}.{name}" if module == "pybuzz" else module) for name in names]
    return [(line, name) for line, name in found if name.split(".")[0] in ("pybuzz", "argos_compat")]


def modules() -> list[Path]:
    return sorted([*ROOT.glob("pybuzz/*/**/*.py"), *ROOT.glob("argos_compat/**/*.py")])


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_below_it(path: Path) -> None:
    room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if room in ABOVE_ALL_ROOMS:
        return
    for line, name in imports_of(path):
        below = room_of(name) in MAY_IMPORT[room] | UNDER_ALL_ROOMS | {room} or name == "pybuzz.__version__"
        assert below, f"{path}:{line}: {room} may not import {name}"


def test_no_two_test_files_share_a_name() -> None:
    """pytest imports them by name alone."""
    names = [path.name for path in ROOT.glob("tests/**/test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_every_room_is_in_the_drawing() -> None:
    rooms = {f"pybuzz.{file.parent.name}" for file in ROOT.glob("pybuzz/*/__init__.py")}
    assert rooms == (set(MAY_IMPORT) | ABOVE_ALL_ROOMS) - {"argos_compat"}


def test_importing_pybuzz_takes_under_150_ms_and_pulls_in_no_numpy() -> None:
    """Processor time, best of five: another busy program does no harm."""
    code = (
        "import sys, time; t = time.process_time(); import pybuzz; t = time.process_time() - t\n"
        "assert 'numpy' not in sys.modules and 'numba' not in sys.modules; print(t)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(5)]
    assert all(run.returncode == 0 for run in runs), runs[0].stderr
    assert min(float(run.stdout) for run in runs) < 0.150


def test_a_script_that_does_not_fail_loads_neither_a_robot_nor_the_words_of_failures(tmp_path: Path) -> None:
    (tmp_path / "hello.bzz").write_text('log("hello")\n')
    code = (
        "import sys; from pybuzz.cli.app import run_app; assert run_app(['exec', 'hello.bzz']) == 0\n"
        "assert not {'pybuzz.khepera', 'pybuzz.buzz.causes', 'pybuzz.buzz.signatures', 'yaml'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 0


def test_the_language_and_the_mind_start_without_numpy() -> None:
    code = "import sys, pybuzz.buzz, pybuzz.swarm; assert not {'numpy', 'numba'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
