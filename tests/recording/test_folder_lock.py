"""One run at a time records into a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import Recorder, Recording, RobotMark, RunDescription

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")

_POSE = np.zeros((1, 3))


def _recorder(folder: Path) -> Recorder:
    return Recorder(RunDescription("x.bzz", 1, robots=(RobotMark("kh0"),)), folder)


def test_a_second_run_into_a_folder_is_refused_and_the_first_keeps_all_it_has(tmp_path: Path) -> None:
    first = _recorder(tmp_path / "run")
    first.record_tick(0, _POSE)
    with pytest.raises(InputError, match="another run is recording here"):
        _recorder(tmp_path / "run")
    first.record_tick(1, _POSE)
    first.close()
    recording = Recording.open(tmp_path / "run")
    assert (recording.status, recording.ticks, len(recording.poses)) == ("completed", 1, 2)
    assert sorted(file.name for file in (tmp_path / "run").iterdir()) == ["poses.parquet", "run.json"]


def test_a_folder_is_free_when_the_run_into_it_is_over(tmp_path: Path) -> None:
    _recorder(tmp_path / "run").close()
    assert _recorder(tmp_path / "run").replaced


def test_a_run_that_could_not_start_holds_no_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="no recording") as _kept:
        _recorder(tmp_path)
    (tmp_path / "thesis.tex").unlink()
    _recorder(tmp_path)


def test_another_process_is_refused_too(tmp_path: Path, pybuzz_command) -> None:
    _held = _recorder(tmp_path / "run")
    (tmp_path / "x.bzz").write_text("function init() { }\nfunction step() { }\n")
    done = pybuzz_command("run", "x.bzz", "--ticks", "1", "--record", "run")
    assert done.returncode == 2
    assert "run: error: another run is recording here" in done.stderr


@pytest.fixture
def pybuzz_command(tmp_path: Path):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pybuzz", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)

    return run
