"""`pybuzz sweep`, and the study of the documentation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra 'sweep' is not installed")

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "scripts" / "examples" / "radio_study" / "study.yaml"


def sweep(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pybuzz", "sweep", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


def shortened(folder: Path, repetitions: int, seconds: float) -> Path:
    """The documentation's study, with fewer and shorter runs."""
    text = STUDY.read_text().replace("repetitions: 30", f"repetitions: {repetitions}")
    text = text.replace("seconds: 40", f"seconds: {seconds}").replace(
        "../hexagon", str(ROOT / "scripts/examples/hexagon")
    )
    (folder / "study.yaml").write_text(text)
    return folder / "study.yaml"


def check_report(folder: Path, runs: int, n: int) -> None:
    page = (folder / "page.md").read_text()
    assert f"{runs} runs, 0 failed" in page
    rows = [line for line in page.splitlines() if line.startswith("| 1 |")]
    assert len(rows) == 3
    assert all(row.endswith(f"| {n} |") for row in rows)
    assert (folder / "page_group.png").read_bytes().startswith(b"\x89PNG")


def test_the_study_of_the_documentation_in_short(tmp_path: Path) -> None:
    shortened(tmp_path, 2, 1.0)
    done = sweep(tmp_path, "study.yaml", "-o", "out", "--report", "page.md", "--workers", "2")
    assert (done.returncode, "14 of 14 runs" in done.stdout) == (0, True), done.stderr
    check_report(tmp_path, 14, 2)
    page = sweep(tmp_path, "out", "--report", "page.html")
    assert page.returncode == 0
    assert "data:image/png;base64," in (tmp_path / "page.html").read_text()
    assert sweep(tmp_path, "out", "--report", "figure.pdf").returncode == 0
    figure = (tmp_path / "figure.pdf").read_bytes()
    assert figure.startswith(b"%PDF")
    assert b"/Type3" not in figure
    assert json.loads((tmp_path / "out" / "sweep.json").read_text())["repetitions"] == 2


def test_a_failed_run_ends_the_command_with_1_and_names_how_to_repeat_it(tmp_path: Path) -> None:
    (tmp_path / "fails.bzz").write_text(
        "BAD = 0\nfunction init() { }\nfunction step() { if(BAD == 1) { x = nil + 1 } }\n"
    )
    (tmp_path / "study.yaml").write_text(
        "experiment: fails.bzz\nticks: 2\nparameters: {buzz.BAD: [0, 1]}\nmeasures: {way: distance_travelled}\n"
    )
    done = sweep(tmp_path, "study.yaml", "--workers", "1")
    assert done.returncode == 1
    assert "fails.bzz:3:" in done.stderr
    assert "repeat it: pybuzz run fails.bzz --seed " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_sweep_file_that_is_not_there_is_one_message(tmp_path: Path) -> None:
    done = sweep(tmp_path, "none.yaml")
    assert (done.returncode, done.stderr.count("\n")) == (2, 2)
    assert done.stderr.startswith("none.yaml: missing file: there is no such file\n  hint: ")


@pytest.mark.long
def test_the_study_of_the_documentation_whole(tmp_path: Path) -> None:
    shortened(tmp_path, 30, 40)
    done = sweep(tmp_path, "study.yaml", "-o", "out", "--report", "page.md")
    assert (done.returncode, "210 of 210 runs" in done.stdout) == (0, True), done.stderr
    check_report(tmp_path, 210, 30)
