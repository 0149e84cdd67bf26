"""Commands where no folder of the package and of the user can be written: other people's machines, containers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import pybuzz

CHECKOUT = Path(pybuzz.__file__).parents[1]
NOWHERE = "/dev/null/nowhere"
EXPERIMENT = """\
arena: {size: [3, 3]}
experiment: {length: 1, seed: 1}
robots: [{kind: kheperaiv, script: turn.bzz, at: [0, 0]}]
"""
SWEEP = "experiment: turn.yaml\nrepetitions: 2\nmeasures:\n  way: distance_travelled\n"

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of an experiment; beside it a copy of the package in which, for root too, no file can be put beside sources."""
    installed = tmp_path / "installed"
    for name in ("pybuzz", "argos_compat", "robots", "scripts"):
        shutil.copytree(CHECKOUT / name, installed / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [installed / "pybuzz", *installed.glob("pybuzz/**")]:
        if path.is_dir():
            (path / "__pycache__").write_text("")
    experiment = tmp_path / "experiment"
    experiment.mkdir()
    (experiment / "turn.yaml").write_text(EXPERIMENT)
    (experiment / "turn.bzz").write_text("function init() { }\nfunction step() { set_wheels(5.0, -5.0) }\n")
    (experiment / "sweep.yaml").write_text(SWEEP)
    return experiment


def environment(folder: Path, temporary: str) -> dict[str, str]:
    places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), NOWHERE)
    return os.environ | places | {
        "PYTHONPATH": str(folder.parent / "installed"), "TMPDIR": temporary, "NUMBA_CACHE_DIR": ""
    }  # fmt: skip


@pytest.fixture
def run(folder: Path) -> Callable[..., Done]:
    def run_command(*arguments: str, temporary: str = NOWHERE) -> Done:
        command = [sys.executable, "-m", "pybuzz", *arguments]
        return subprocess.run(
            command, cwd=folder, env=environment(folder, temporary), capture_output=True, text=True, check=False
        )

    return run_command


@pytest.mark.parametrize("command", ["check turn.yaml", "convert turn.yaml -o turn.argos", "exec turn.bzz"])
def test_commands_that_read_work(run: Callable[..., Done], command: str) -> None:
    done = run(*command.split())
    assert (done.returncode, "note" in done.stderr) == (0, False), done.stderr


@pytest.mark.long
def test_commands_that_simulate_work(run: Callable[..., Done], folder: Path, tmp_path: Path) -> None:
    """With a temporary folder, or this would take minutes."""
    kept = tmp_path / "kept"
    kept.mkdir()
    done = run("run", "turn.yaml", temporary=str(kept))
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"note: what was compiled is kept in {kept}/pybuzz-kernels-")
    done = run("sweep", "sweep.yaml", "--workers", "2", temporary=str(kept))
    assert (done.returncode, done.stdout) == (0, "2 of 2 runs in sweep.results\n"), done.stderr
    stage = (
        "from pathlib import Path; from stage_driver import staged\n"
        "with staged(Path('.'), open('turn.bzz').read(), open('turn.yaml').read()) as driver:\n"
        "    driver.until_loaded(); driver.step(2, to=2)"
    )
    paths = f"{folder.parent / 'installed'}{os.pathsep}{CHECKOUT / 'tests' / 'workbench'}"
    command = [sys.executable, "-c", stage]
    subprocess.run(command, cwd=folder, env=environment(folder, str(kept)) | {"PYTHONPATH": paths}, check=True)
    done = run("run", "turn.yaml", temporary=str(kept))
    assert (done.returncode, "compil" in done.stderr) == (0, False)
