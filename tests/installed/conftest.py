"""The wheel in an environment of its own, outside the checkout.

`.ci/wheel` makes it and names its Python in PYBUZZ_INSTALLED; without that these tests are skipped.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE_S = 300.0
"""Long, for the first run compiles kernels."""


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel, by its Python. folder: where its commands are run."""

    python: Path
    folder: Path

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """`pybuzz ...` as typed there; whatever went wrong, nobody sees a traceback."""
        done = self._process(self.python.parent / "pybuzz", *arguments)
        assert "Traceback (most recent call last)" not in done.stdout + done.stderr, done.stderr
        return done

    def evaluate(self, program: str) -> str:
        """What a Python program prints there, without the line's end."""
        done = self._process(self.python, "-c", program)
        assert done.returncode == 0, done.stderr
        return done.stdout.removesuffix("\n")

    def example(self, name: str) -> Path:
        """The folder of an example that came with the wheel."""
        program = "from pybuzz.shipped import scripts_folder; print(scripts_folder())"
        return Path(self.evaluate(program)) / "examples" / name

    def _process(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            list(map(str, command)),
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    python = os.environ.get("PYBUZZ_INSTALLED")
    if python is None:
        pytest.skip("PYBUZZ_INSTALLED names no Python with the wheel: run .ci/wheel")
    return Installed(Path(python), tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def recorded(installed: Installed) -> Path:
    """A recording of an example's first two seconds."""
    done = installed.run("run", installed.example("hexagon"), "--ticks", "20", "--seed", "1", "--record", "recorded")
    assert done.returncode == 0, done.stderr
    return installed.folder / "recorded"


@pytest.fixture
def write(installed: Installed) -> Callable[[str, str], Path]:
    """Writes a file where the commands are run."""

    def write_file(name: str, text: str) -> Path:
        (installed.folder / name).write_text(text)
        return installed.folder / name

    return write_file
