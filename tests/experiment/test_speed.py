"""What large and long runs may not cost. Seconds are measured by benchmarks/, not here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pybuzz
from pybuzz.experiment import Experiment, RunOptions
from pybuzz.experiment.reading import read_plan

SCENES = Path(__file__).parents[2] / "benchmarks" / "scale"
STATUS = Path("/proc/self/statm")


def resident_mb() -> float:
    return int(STATUS.read_text().split()[1]) * 4096 / 1e6


def memory_of_a_run(scene: str, ticks: int, folder: Path) -> tuple[float, float]:
    """Resident MB after a tenth of the ticks, and at the end."""
    with pybuzz.load(SCENES / f"{scene}.argos", record=folder, ticks=ticks) as experiment:
        for _ in range(ticks // 10):
            experiment.step()
        early = resident_mb()
        while experiment.step():
            pass
        return early, resident_mb()


@pytest.mark.skipif(not STATUS.exists(), reason="this system does not tell a process's memory")
def test_memory_does_not_grow_with_ticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Rows are written many times in this short run, and first before its tenth: the writer's own memory is no growth.
    monkeypatch.setattr("pybuzz.recording.recorder._FLUSH_SECONDS", 0.01)
    early, late = memory_of_a_run("hexagon_10", 3000, tmp_path / "run")
    assert late < 1.05 * early


@pytest.mark.long
@pytest.mark.skipif(not STATUS.exists(), reason="this system does not tell a process's memory")
def test_memory_of_a_thousand_robots_is_flat_over_ten_thousand_ticks(tmp_path: Path) -> None:
    early, late = memory_of_a_run("hexagon_1000", 10_000, tmp_path / "run")
    assert late < 1.05 * early
    assert late < 600.0


def test_threads_do_not_change_a_bit() -> None:
    poses = []
    for threads in (1, 2):
        plan, _ = read_plan(SCENES / "hexagon_lidar_100.argos")
        options = RunOptions(ticks=10, record_sensors=("lidar",), threads=threads)
        with Experiment(plan, options) as experiment:
            recording = experiment.run()
        poses.append((np.asarray(recording.poses), np.asarray(recording.sensors["lidar"])))
    assert poses[0][0].tobytes() == poses[1][0].tobytes()
    assert poses[0][1].tobytes() == poses[1][1].tobytes()
    assert (poses[0][1] > 0).any()
