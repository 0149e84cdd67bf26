"""The commands of docs/deployment.md, run in their order against the emulator."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rehearsals import ROOT, run_here

from pybuzz.errors import InputError
from pybuzz.link.deployment import Outcome
from pybuzz.link.fleet_file import read_fleet_text

GUIDE = (ROOT / "docs" / "deployment.md").read_text()


def test_every_command_of_the_guide_works(tmp_path: Path) -> None:
    commands = tmp_path / "bin" / "pybuzz"
    commands.parent.mkdir()
    commands.write_text(f'#!/bin/sh\nexec {sys.executable} -m pybuzz "$@"\n')
    commands.chmod(0o755)
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    text = "\n".join(["set -eu", *blocks, "kill %1 2>/dev/null || kill $! || true"])
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    environment = os.environ | {"PATH": f"{commands.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", text], cwd=tmp_path, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 of 3 robots confirmed their stop" in done.stderr
    assert (tmp_path / "runs" / "rehearsal" / "run.json").is_file()


def test_the_fleet_file_of_the_guide_is_a_good_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    (tmp_path / "calibration").mkdir()
    for name in ("calibration/kh1.yaml", "other.bzz"):
        (tmp_path / name).touch()
    fleet = read_fleet_text(text, "fleet.yaml", tmp_path)
    assert fleet.robots[0].relay == ("khepera1", 7001)


def test_the_script_of_the_first_hour_is_a_good_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = re.findall(r"`(printf .* > forward\.bzz)`", GUIDE)
    subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    done = run_here(capsys, "check", tmp_path / "forward.bzz")
    assert (done.returncode, done.stderr) == (0, "1 file checked: 0 errors, 0 warnings\n")


def test_the_guide_lists_every_exit_code() -> None:
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", GUIDE, re.MULTILINE)]
    ends = (Outcome(), Outcome(interrupted=True), Outcome(link_failures=["lost"]))
    assert codes == sorted({1, InputError.exit_code, *(end.exit_code for end in ends)})


@pytest.mark.parametrize("path", re.findall(r"`(robots/[a-z0-9_/.]+)`", GUIDE))
def test_files_that_the_guide_names_exist(path: str) -> None:
    assert (ROOT / path).is_file()
