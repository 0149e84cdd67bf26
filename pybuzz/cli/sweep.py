"""`pybuzz sweep SWEEP.yaml`: many runs over parameters and seeds."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pybuzz.cli import reporting
from pybuzz.cli.interrupts import ended_by_signals
from pybuzz.cli.run_options import AllowIo, Include, Scripts
from pybuzz.cli.streams import output_outlives_reader

if TYPE_CHECKING:
    from pybuzz.sweep import Outcome, Run, Sweep

__all__ = ["register"]

MOST_FAILURES_SHOWN = 10
PLAIN_INTERVAL_S = 5.0


def register(app: typer.Typer) -> None:
    app.command("sweep")(output_outlives_reader()(ended_by_signals()(sweep)))


def sweep(
    target: Annotated[
        Path, typer.Argument(metavar="SWEEP", help="A sweep file (.yaml); with --report also its folder of results.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where results go. [default: NAME.results]")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes. [default: one per core]")] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://node1:8786.")
    ] = None,
    record: Annotated[bool, typer.Option("--record", help="Keep a full recording of each run.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a page with tables and plots (.md, .html), or the plots alone (.svg, .pdf, .png).",
        ),
    ] = None,
    script: Scripts = None,
    include: Include = None,
    allow_io: AllowIo = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only failures.")] = False,
) -> None:
    """Run an experiment many times, over parameters and seeds, on all cores or a Dask cluster.

    What is finished is kept: the same command goes on where it stopped. Ends with 1 if a run failed.

    Example:  pybuzz sweep study.yaml --report study.html
    """
    from pybuzz.sweep import read_sweep, run_sweep
    from pybuzz.sweep.report import check_report_file, write_report

    if report is not None:
        check_report_file(report)
    if target.is_dir():
        print(f"wrote {write_report(target, report or target / 'report.md')}")
        return
    study = read_sweep(target)
    study = replace(
        study,
        scripts=tuple(script or study.scripts),
        include=(*map(str, include or ()), *study.include),
        io=str(allow_io) if allow_io is not None else study.io,
    )
    folder = output or target.with_suffix(".results")
    shown = _Progress(study, quiet=quiet)
    outcome = run_sweep(study, folder, workers=workers, scheduler=scheduler, record=record, progress=shown.tell)
    shown.close()
    _conclude(study, outcome, quiet=quiet)
    if report is not None and outcome.results:
        print(f"wrote {write_report(folder, report)}")
    if outcome.failures or outcome.stopped:
        raise typer.Exit(1)


class _Progress:
    """How far the sweep is, time left, and the running means of its measures."""

    def __init__(self, study: Sweep, *, quiet: bool) -> None:
        self._quiet = quiet
        self._sums: dict[str, tuple[float, int]] = dict.fromkeys(study.measures, (0.0, 0))
        self._start = self._last = monotonic()
        self._performed = 0

    def tell(self, run: Run, result: dict[str, Any], finished: int, total: int) -> None:
        self._performed += 1
        for name, value in result["measures"].items():
            if isinstance(value, int | float) and value == value:
                total_value, count = self._sums[name]
                self._sums[name] = (total_value + value, count + 1)
        now = monotonic()
        interactive = sys.stderr.isatty()
        if self._quiet or (now - self._last < (0.2 if interactive else PLAIN_INTERVAL_S) and finished < total):
            return
        self._last = now
        left = (total - finished) * (now - self._start) / self._performed
        means = ", ".join(f"{name} {value / count:.4g}" for name, (value, count) in self._sums.items() if count)
        line = f"{finished} of {total} runs, {left:.0f} s left; means: {means}"
        print(f"\r\x1b[K{line}" if interactive else line, end="" if interactive else "\n", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._performed and not self._quiet and sys.stderr.isatty():
            print(file=sys.stderr)


def _conclude(study: Sweep, outcome: Outcome, *, quiet: bool) -> None:
    for failure in outcome.failures[:MOST_FAILURES_SHOWN]:
        reporting.print_note(f"run {failure.run.index} failed: {failure.error}")
        reporting.print_note(f"  repeat it: {failure.run.command(study)}")
    if len(outcome.failures) > MOST_FAILURES_SHOWN:
        reporting.print_note(
            f"and {len(outcome.failures) - MOST_FAILURES_SHOWN} more failed runs; summary.parquet has all"
        )
    if outcome.stopped:
        reporting.print_note(f"stopped: {outcome.stopped}")
    if not quiet:
        earlier = len(outcome.results) - outcome.performed
        known = f" ({earlier} known from before)" if earlier > 0 else ""
        print(f"{len(outcome.results)} of {len(outcome.runs)} runs in {outcome.folder}{known}")
