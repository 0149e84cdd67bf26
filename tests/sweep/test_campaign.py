"""Sweeps as they run: workers, going on, failures."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pybuzz.errors import InputError
from pybuzz.sweep import Outcome, read_sweep, run_sweep

pytest.importorskip("distributed", reason="the extra 'sweep' is not installed")

ROOT = Path(__file__).parents[2]
WALK = """SPEED = 10.0
FAIL = 0
function init() { state = id }
function step() {
  gotop(SPEED, math.rng.uniform(-1.0, 1.0))
  neighbors.broadcast("hello", id)
  if(FAIL == 1) { x = nil + 1 }
}
"""
STUDY = """experiment: scene.yaml
seed: 3
repetitions: 3
ticks: 5
parameters: {buzz.SPEED: [5.0, 10.0]}
measures: {way: distance_travelled, sent: messages_sent, lost: messages_lost, states: list(final("state"))}
"""
SCENE = """experiment: {length: 1}
arena: {size: [2, 2], walls: true}
robots:
  - {kind: kheperaiv, count: 3, script: walk.bzz, place: {uniform: [[-0.8, -0.8], [0.8, 0.8]]}}
radio: {range: 1.0, data_size: 50}
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Dask scheduler with two workers, each a process of its own, as on a cluster."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    commands = (
        ["distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)],
        [
            "distributed.cli.dask_worker",
            "--nworkers",
            "2",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--scheduler-file",
            str(file),
        ],
    )
    processes = []
    for module, *options in commands:
        command = [sys.executable, "-m", module, *options]
        processes.append(
            subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)

    yield json.loads(file.read_text())["address"]
    for process in reversed(processes):
        process.terminate()
        process.wait(20)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "walk.bzz").write_text(WALK)
    (tmp_path / "scene.yaml").write_text(SCENE)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path / "study.yaml"


def perform(study: Path, folder: str, scheduler: str | None = None, **options: int) -> Outcome:
    return run_sweep(read_sweep(study), study.parent / folder, scheduler=scheduler, **options)  # type: ignore[arg-type]


def rows(outcome: Outcome, columns: str = "*") -> list[tuple[object, ...]]:
    return duckdb.sql(f"SELECT {columns} FROM '{outcome.summary}' ORDER BY run").fetchall()


def test_one_worker_two_workers_and_a_scheduler_give_the_same_bytes(study: Path, scheduler: str) -> None:
    outcomes = [perform(study, "one", workers=1), perform(study, "two", workers=2), perform(study, "far", scheduler)]
    first, second, third = (Path(str(outcome.summary)).read_bytes() for outcome in outcomes)
    assert first == second == third
    assert len(rows(outcomes[0])) == 6
    assert rows(outcomes[0], '"buzz.SPEED", repetition, status, states')[3] == (10.0, 0, "done", [1.0, 2.0, 3.0])


def test_tables_are_partitioned_by_parameter(study: Path, scheduler: str) -> None:
    folder = perform(study, "out", scheduler).folder
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["buzz.SPEED=10.0", "buzz.SPEED=5.0"]


def test_the_same_command_repeats_no_finished_run(study: Path, scheduler: str) -> None:
    undisturbed = perform(study, "whole", scheduler)
    first = perform(study, "out", scheduler)
    lost = sorted((first.folder / "results").iterdir())[:2]
    for path in lost:
        path.unlink()
    again = perform(study, "out", scheduler)
    assert (first.performed, again.performed) == (6, 2)
    assert rows(again) == rows(undisturbed)


def test_a_changed_script_is_run_again_and_added_values_only(study: Path, scheduler: str) -> None:
    perform(study, "out", scheduler)
    study.write_text(STUDY.replace("[5.0, 10.0]", "[5.0, 10.0, 15.0]"))
    assert perform(study, "out", scheduler).performed == 3
    (study.parent / "walk.bzz").write_text(WALK + "# changed\n")
    assert perform(study, "out", scheduler).performed == 9


def test_a_run_whose_script_fails_is_reported_and_the_others_finish(study: Path, scheduler: str) -> None:
    study.write_text(
        STUDY.replace("buzz.SPEED: [5.0, 10.0]", "buzz.FAIL: [0, 1]").replace("repetitions: 3", "repetitions: 2")
    )
    outcome = perform(study, "out", scheduler)
    assert rows(outcome, "status") == [("done",), ("done",), ("failed",), ("failed",)]
    assert "walk.bzz:7" in outcome.failures[0].error
    assert "--set buzz.FAIL=1" in outcome.failures[0].run.command(read_sweep(study))


def test_a_sweep_in_which_every_run_fails_ends_at_once(study: Path, scheduler: str) -> None:
    text = STUDY.replace("buzz.SPEED: [5.0, 10.0]", "buzz.FAIL: [1]").replace("repetitions: 3", "repetitions: 300")
    study.write_text(text)
    outcome = perform(study, "out", scheduler)
    assert outcome.performed < 20
    assert "all failed" in outcome.stopped


def test_what_cannot_be_run_at_all_is_said_before_the_first_run(study: Path) -> None:
    study.write_text(STUDY.replace("buzz.SPEED", "radio.rnge"))
    with pytest.raises(InputError, match="range"):
        perform(study, "out")


def test_a_folder_with_other_things_is_left_alone(study: Path) -> None:
    (study.parent / "mine").mkdir()
    (study.parent / "mine" / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="something else"):
        perform(study, "mine")


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_worker_and_one_out_of_memory_are_reported_and_the_others_finish(study: Path, workers: int) -> None:
    (study.parent / "trouble.py").write_text(
        "import os, signal\nfrom pybuzz.experiment import Hooks\n\n\nclass Trouble(Hooks):\n"
        "    def post_step(self, experiment):\n"
        "        speed = experiment.robots[next(iter(experiment.robots))].globals['SPEED']\n"
        "        if speed == 1.0:\n            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        if speed == 2.0:\n            self.hoard = [bytearray(10**6) for _ in range(3000)]\n"
        "            import time\n            time.sleep(5)\n"
    )
    text = STUDY.replace("[5.0, 10.0]", "[1.0, 2.0, 5.0]").replace("repetitions: 3", "repetitions: 1")
    study.write_text(text + "hooks: trouble.py:Trouble\nlimits: {memory_mb: 1500}\n")
    outcome = perform(study, "out", workers=workers)
    assert [failure.run.parameters["buzz.SPEED"] for failure in outcome.failures] == ["1.0", "2.0"]
    assert all("worker was lost" in failure.error for failure in outcome.failures)
    assert rows(outcome, "status") == [("done",)]


@pytest.mark.long
def test_after_kill_9_in_the_middle_nothing_is_lost_and_nothing_repeated(study: Path) -> None:
    study.write_text(STUDY.replace("repetitions: 3", "repetitions: 60").replace("ticks: 5", "ticks: 100"))
    results = study.parent / "out" / "results"
    command = [sys.executable, "-m", "pybuzz", "sweep", "study.yaml", "-o", "out"]
    process = subprocess.Popen(command, cwd=study.parent, env=environment(), start_new_session=True)
    while len(list(results.glob("*.json"))) < 10 and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(1.0)
    kept = {path.name: path.stat().st_mtime_ns for path in results.glob("*.json")}
    assert 10 <= len(kept) < 120
    outcome = perform(study, "out")
    assert outcome.performed == 120 - len(kept)
    assert all((results / name).stat().st_mtime_ns == changed for name, changed in kept.items())
    assert rows(outcome) == rows(perform(study, "undisturbed"))
