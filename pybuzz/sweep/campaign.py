"""Runs a sweep on Dask, a local cluster or any other, and goes on where an earlier command stopped."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pybuzz.errors import InputError
from pybuzz.experiment import read_plan
from pybuzz.extras import require
from pybuzz.sweep.dependencies import digests
from pybuzz.sweep.plan import Run, Sweep, combinations, expand
from pybuzz.sweep.results import Results, Row
from pybuzz.sweep.worker import perform

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Failure", "Outcome", "run_sweep"]

HOPELESS = 8
"""A sweep whose first runs, this many and two for each worker, all fail is stopped."""

Progress = Callable[[Run, Row, int, int], None]
"""Told of each run that ends: run, result, how many are finished, how many there are."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A run without a result, and why."""

    run: Run
    error: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sweep ended. `finished` counts all results in the folder, `performed` those of this command."""

    folder: Path
    runs: Sequence[Run]
    results: Mapping[str, Row]
    failures: Sequence[Failure]
    performed: int
    stopped: str = ""
    """Why not all runs were tried; empty if they were."""
    summary: Path | None = None


@dataclass(slots=True)
class _State:
    results: dict[str, Row]
    lost: list[Failure] = field(default_factory=list)
    performed: int = 0
    stopped: str = ""

    @property
    def ended(self) -> int:
        return len(self.results) + len(self.lost)

    def note(self, run: Run, result: Row) -> None:
        self.performed += 1
        if result["status"] == "lost":
            self.lost.append(Failure(run, result["error"]))
        else:
            self.results[run.key] = result


def run_sweep(
    sweep: Sweep,
    folder: Path | str,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    record: bool = False,
    progress: Progress = lambda run, result, finished, total: None,
) -> Outcome:
    """Perform all runs whose results are not in `folder` yet, and write its tables.

    workers: processes of a local cluster, one per core by default. scheduler: address of a Dask scheduler whose workers
    see the same files; then `workers` and the sweep's memory limit do not count.
    Raises InputError or ScriptError for what can be known before the first run.
    """
    require("sweep", "distributed", place="sweep", purpose="a sweep")
    sweep = _with_own_files(sweep)
    runs = expand(sweep, digests(sweep))
    results = Results(Path(folder), sweep)
    state = _State(results.finished(runs))
    waiting = [run for run in runs if run.key not in state.results]
    try:
        if waiting:
            with _client(sweep, min(workers or os.cpu_count() or 1, len(waiting)), scheduler) as client:
                _perform(client, sweep, results, waiting, state, len(runs), progress, record)
    finally:
        summary = results.write_tables(runs, state.results) if state.results else None
    failures = [
        Failure(run, state.results[run.key]["error"])
        for run in runs
        if state.results.get(run.key, {}).get("status") == "failed"
    ]
    return Outcome(
        results.folder, runs, state.results, [*failures, *state.lost], state.performed, state.stopped, summary
    )


def _with_own_files(sweep: Sweep) -> Sweep:
    """The sweep with the folder for files that its experiment names, if it names none itself."""
    if sweep.io is not None:
        return sweep
    folder = read_plan(sweep.experiment, seed=sweep.seed, sets=next(combinations(sweep)), scripts=sweep.scripts)[0].io
    return sweep if folder is None else replace(sweep, io=str(folder))


def _perform(
    client: Client,
    sweep: Sweep,
    results: Results,
    waiting: Sequence[Run],
    state: _State,
    total: int,
    progress: Progress,
    record: bool,
) -> None:
    from distributed import as_completed

    hopeless = max(HOPELESS, 2 * len(client.scheduler_info()["workers"]))
    futures = client.map(perform, [_task(sweep, run, results, record) for run in waiting], pure=False, retries=0)
    run_of = {future.key: run for future, run in zip(futures, waiting, strict=True)}
    suspects: list[Run] = []
    ended: list[bool] = []
    for future in as_completed(futures):
        run = run_of[future.key]
        result = _result(future)
        ended.append(result["status"] == "done")
        if result["status"] == "lost":
            suspects.append(run)
        else:
            state.note(run, result)
            progress(run, result, state.ended, total)
        future.release()
        if len(ended) == min(hopeless, len(waiting)) and not any(ended) and len(waiting) > len(ended):
            state.stopped = f"the first {len(ended)} runs all failed"
            client.cancel(futures)
            break
    # A lost worker takes every run along that waited for it. Whose fault it was shows when each is tried alone.
    for run in filter(suspects.__contains__, waiting):
        result = _result(client.submit(perform, _task(sweep, run, results, record), pure=False, retries=0))
        state.note(run, result)
        progress(run, result, state.ended, total)


def _result(future: Any) -> Row:
    """The result, or why there is none: the worker died, or was stopped for the memory it used."""
    error = future.exception()
    if error is None:
        result: Row = future.result()
        return result
    if type(error).__name__ == "KilledWorker":
        text = "its worker was lost: killed, or stopped because it used more memory than allowed"
    else:
        text = f"{type(error).__name__}: {error}"
    return {"status": "lost", "ticks": None, "measures": {}, "error": text}


def _task(sweep: Sweep, run: Run, results: Results, record: bool) -> dict[str, Any]:
    """Plain data only: paths are absolute, for workers elsewhere that see the same files."""
    return {
        "experiment": str(sweep.experiment.resolve()),
        "sets": dict(run.parameters),
        "seed": run.seed,
        "ticks": sweep.ticks,
        "seconds": sweep.seconds,
        "exact": sweep.exact,
        "single_precision": sweep.single_precision,
        "hooks": _absolute(sweep.hooks) if sweep.hooks else None,
        "measures": {name: _absolute(text) if ".py:" in text else text for name, text in sweep.measures.items()},
        "variables": sweep.recorded_globals,
        "sensors": list(sweep.sensors),
        "scripts": [_script(text) for text in sweep.scripts],
        "include": [str(Path(name).resolve()) for name in sweep.include],
        "io": str(Path(sweep.io).resolve() / run.key) if sweep.io else None,
        "record": str(results.recording(run).resolve()) if record else None,
        "result": str(results.path(run).resolve()),
    }


def _script(text: str) -> str:
    controller, equals, file = text.rpartition("=")
    return f"{controller}{equals}{Path(file).resolve()}"


def _absolute(text: str) -> str:
    file, _, name = text.rpartition(":")
    return f"{Path(file).resolve()}:{name}"


@contextmanager
def _client(sweep: Sweep, workers: int, scheduler: str | None) -> Iterator[Client]:
    import dask
    from distributed import Client, LocalCluster

    limit = f"{sweep.memory_mb}MB" if sweep.memory_mb else "auto"
    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.worker.daemon": True,
        # Spilling and pausing help nobody here: a run holds all its memory itself.
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.memory.terminate": 0.95,
        "logging.distributed": "critical",
    }
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(settings):
        if scheduler is not None:
            try:
                client = Client(scheduler, timeout=10)
            except (OSError, ValueError, TimeoutError) as error:
                raise InputError.at(
                    "--scheduler",
                    f"no Dask scheduler answers at {scheduler}: {error}",
                    hint="start one: dask scheduler",
                ) from None
            with client:
                yield client
            return
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=limit,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        )
        with cluster, Client(cluster) as client:
            yield client
