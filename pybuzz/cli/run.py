"""`pybuzz run TARGET`: simulate a script or an experiment."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pybuzz.cli import reporting
from pybuzz.cli import run_options as options
from pybuzz.cli.interrupts import delayed_interrupt, ended_by_signals
from pybuzz.cli.progress import progress
from pybuzz.cli.streams import output_outlives_reader
from pybuzz.cli.substitution import Substitute, pairs
from pybuzz.errors import InputError, PybuzzError

if TYPE_CHECKING:
    from pybuzz.experiment import Experiment
    from pybuzz.experiment.logs import LogLine

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("run")(output_outlives_reader()(ended_by_signals()(run)))


def run(
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="A .bzz, a .yaml, a .argos, or a folder with one experiment.")
    ],
    robots: options.Robots = None,
    seed: options.Seed = None,
    ticks: options.Ticks = None,
    seconds: options.Seconds = None,
    exact: options.Exact = False,
    single_precision: options.SinglePrecision = False,
    record: options.Record = None,
    record_globals: options.RecordGlobals = "",
    record_sensors: options.RecordSensors = "",
    record_messages: options.RecordMessages = False,
    settings: options.Settings = None,
    hooks: options.HooksOption = None,
    with_: options.JobsOption = None,
    substitute: Substitute = None,
    script: options.Scripts = None,
    include: options.Include = None,
    allow_io: options.AllowIo = None,
    on_error: options.OnErrorOption = options.OnError.STOP_ROBOT,
    strict: options.Strict = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Show where the time went: phases, sensors, script functions; memory.")
    ] = False,
    view: Annotated[
        bool, typer.Option("--view", help="Show it in the browser, in real time; see `pybuzz view`.")
    ] = False,
    realtime: Annotated[bool, typer.Option("--realtime", help="Not faster than real time.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the robots' log lines and errors.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON document on stdout: a summary, log lines and errors.")
    ] = False,
) -> None:
    """Simulate a script or an experiment: progress, each robot's log lines, a summary.

    Example:  pybuzz run hexagon.bzz --robots 20 --seed 7 --record runs/one
    """
    from pybuzz.cli.profiling import print_profile, profile_as_json
    from pybuzz.compiled import start_without_scipy, telling_of_compiling
    from pybuzz.experiment import load

    if record is None and (record_globals or record_sensors or record_messages):
        raise InputError.at("--record-globals and the like", "nothing is recorded", hint="add --record DIR")
    if hooks is None:
        start_without_scipy()
    tell: Callable[[str], object] = str if quiet or json else reporting.print_note
    log: list[LogLine] = []
    report: _Report | None = None
    arguments: dict[str, Any] = {
        "robots": robots,
        "seed": seed,
        "ticks": ticks,
        "seconds": seconds,
        "exact": exact,
        "single_precision": single_precision,
        "record": record,
        "record_globals": options.listed(record_globals),
        "record_sensors": options.listed(record_sensors),
        "record_messages": record_messages,
        "set": settings or (),
        "hooks": hooks,
        "with_": with_,
        "substitute": pairs(substitute or []),
        "script": tuple(script or ()),
        "include_dirs": tuple(include or ()),
        "io_folder": allow_io,
        "on_error": on_error.value,
        "strict": strict,
    }
    if view:
        _view(target, arguments, profile=profile, json=json)
        return
    try:
        with telling_of_compiling(tell), load(target, **arguments, on_log=log.append, keep=False) as experiment:
            profiled = experiment.profile() if profile else None
            report = _Report(experiment, quiet=quiet or json, show_log=not json)
            experiment.check_end()
            report.introduce()
            _run_to_end(experiment, log, report, realtime=realtime, quiet=quiet or json)
    except KeyboardInterrupt:
        if report is not None:
            report.conclude(record)
        raise
    except PybuzzError as error:
        if not json:
            raise
        reporting.as_json({"errors": [diagnostic.to_json() for diagnostic in error.diagnostics]})
        raise typer.Exit(error.exit_code) from None
    report.conclude(record)
    if profiled is not None and not json:
        print_profile(profiled)
    if json:
        measured = {} if profiled is None else {"profile": profile_as_json(profiled)}
        reporting.as_json(_summary(experiment, log, record) | measured)
    if experiment.failures:
        raise typer.Exit(1)


def _view(target: Path, arguments: dict[str, Any], *, profile: bool, json: bool) -> None:
    from pybuzz.cli.view import Page, show

    if profile or json:
        raise InputError.at("--view", "a page shows no --profile and no --json", hint="leave one of them out")
    show(target, arguments, Page(), play=True)


class _Report:
    """What a person is told about a run."""

    def __init__(self, experiment: Experiment, *, quiet: bool, show_log: bool) -> None:
        self._experiment = experiment
        self._quiet = quiet
        self._show_log = show_log
        self._start = monotonic()
        self._failures_shown = 0
        self._folded: dict[str, int] = {}
        self._warned: dict[str, int] = {}

    def introduce(self) -> None:
        if self._quiet:
            return
        reporting.print_diagnostics(self._experiment.warnings)
        if self._experiment.ticks is None:
            reporting.print_note("note: it has no length, and runs until its hooks or jobs end it")
        if self._experiment.plan.seed is None:
            reporting.print_note(
                f"seed {self._experiment.seed} (drawn; repeat this run with --seed {self._experiment.seed})"
            )
        if self._experiment.plan.argos and self._experiment.differing_names:
            names = ", ".join(self._experiment.differing_names)
            reporting.print_note(f"note: without --exact these follow the documentation, not ARGoS's code: {names}")
        if self._experiment.plan.argos and self._experiment.rounds_finer:
            reporting.print_note(
                "note: floats have 64 bits here and 32 in ARGoS, so courses part by rounding within some ticks; "
                "--single-precision rounds as ARGoS does"
            )

    def tell(self, log: list[LogLine], write: Callable[[str], None]) -> None:
        """Log lines and failures since the last call; lines that were shown are dropped.

        A failure like an earlier one is counted, not repeated.
        """
        if self._show_log:
            for line in log:
                if line.error:
                    self._warn(line)
                else:
                    write(str(line))
            sys.stdout.flush()
            log.clear()
        for failure in self._experiment.failures[self._failures_shown :]:
            self._failures_shown += 1
            headline = failure.error.diagnostics[0].headline
            self._folded[headline] = self._folded.get(headline, 0) + 1
            if self._folded[headline] == 1 and self._show_log:
                reporting.print_note(f"[{failure.robot}] tick {failure.tick}: its script failed")
                reporting.print_error(failure.error)

    def _warn(self, line: LogLine) -> None:
        """A warning while the script runs. One like an earlier one, of whichever robot, is counted, not repeated."""
        self._warned[line.text] = self._warned.get(line.text, 0) + 1
        if self._warned[line.text] == 1:
            reporting.print_note(f"[{line.robot}] tick {line.tick}: warning: {line.text}")

    def conclude(self, record: Path | None) -> None:
        if not self._show_log:
            return
        for text, count in self._warned.items():
            if count > 1:
                reporting.print_note(f"the same warning {_count(count - 1, 'more time')}: {text}")
        for headline, count in self._folded.items():
            if count > 1:
                reporting.print_note(f"the same error stopped {count - 1} more: {headline}")
        if self._quiet:
            return
        experiment = self._experiment
        wall = max(monotonic() - self._start, 1e-9)
        robots, ticks = len(experiment.robots), experiment.tick
        failed = f", {len(experiment.failures)} failed" if experiment.failures else ""
        simulated = ticks / experiment.plan.ticks_per_second
        reporting.print_note(
            f"{_count(robots, 'robot')}{failed}, {_count(ticks, 'tick')} ({simulated:g} s) "
            f"in {wall:.1f} s ({ticks / wall:.0f} ticks/s), seed {experiment.seed}"
        )
        if record is not None:
            reporting.print_note(f"recorded in {record}")


def _run_to_end(experiment: Experiment, log: list[LogLine], report: _Report, *, realtime: bool, quiet: bool) -> None:
    tick_s = 1.0 / experiment.plan.ticks_per_second
    start = monotonic()
    with progress(experiment.ticks, quiet=quiet) as shown, delayed_interrupt() as interrupted:
        report.tell(log, shown.write)
        while experiment.step():
            report.tell(log, shown.write)
            shown.advance()
            if interrupted.is_set():
                raise KeyboardInterrupt
            if realtime:
                sleep(max(0.0, start + experiment.tick * tick_s - monotonic()))
        experiment.close()
        report.tell(log, shown.write)


def _summary(experiment: Experiment, log: list[LogLine], record: Path | None) -> dict[str, Any]:
    return {
        "experiment": experiment.plan.source,
        "seed": experiment.seed,
        "robots": len(experiment.robots),
        "ticks": experiment.tick,
        "record": str(record) if record is not None else None,
        "warnings": [diagnostic.to_json() for diagnostic in experiment.warnings],
        "failures": [
            {"robot": failure.robot, "tick": failure.tick, **failure.error.diagnostics[0].to_json()}
            for failure in experiment.failures
        ],
        "run_warnings": [{"tick": line.tick, "robot": line.robot, "text": line.text} for line in log if line.error],
        "log": [{"tick": line.tick, "robot": line.robot, "text": line.text} for line in log if not line.error],
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
