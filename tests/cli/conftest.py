"""Runs command lines in-process, in a scratch folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pybuzz.cli.app import run_app
from pybuzz.compiled import COMPILING


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


def _told(err: str) -> str:
    """What is said whether or not this machine has compiled the kernels before."""
    return re.sub(rf"^{COMPILING}.*\n", "", err, flags=re.MULTILINE)


Pybuzz = Callable[..., Result]


@pytest.fixture
def pybuzz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Pybuzz:
    """`pybuzz("run", "x.bzz")` as typed in the test's scratch folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        capfdbinary.readouterr()
        code = run_app(arguments)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        result = Result(code, out.decode("utf-8", "replace"), _told(err.decode("utf-8", "replace")))
        assert "Traceback (most recent call last)" not in result.out + result.err
        return result

    return run


@pytest.fixture
def pybuzz_process(tmp_path: Path) -> Pybuzz:
    """The same as a process of its own."""

    def run(*arguments: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "pybuzz", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        return Result(done.returncode, done.stdout, _told(done.stderr))

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a file of the scratch folder."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file
