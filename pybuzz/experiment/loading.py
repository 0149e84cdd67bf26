"""From the name of a file to an experiment that is ready to run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from pybuzz.errors import InputError
from pybuzz.experiment.arguments import whole
from pybuzz.experiment.experiment import Experiment, OnError, RunOptions
from pybuzz.experiment.jobs import Jobs
from pybuzz.experiment.jobs_file import read_jobs_file
from pybuzz.experiment.logs import LogLine
from pybuzz.experiment.reading import read_plan

__all__ = ["load"]

_UNNAMED = "experiment.yaml"
"""What messages call an experiment that was made in Python."""


def load(
    path: str | os.PathLike[str] | Mapping[str, object],
    *,
    seed: int | None = None,
    exact: bool = False,
    set: Iterable[str] | Mapping[str, object] = (),
    single_precision: bool = False,
    robots: int | None = None,
    ticks: int | None = None,
    seconds: float | None = None,
    record: str | os.PathLike[str] | None = None,
    record_globals: Iterable[str] = (),
    record_sensors: Iterable[str] = (),
    record_messages: bool = False,
    hooks: object | None = None,
    on_error: OnError = "stop-robot",
    budget: int | None = None,
    substitute: Mapping[str, str] | None = None,
    script: str | os.PathLike[str] | Iterable[str] = (),
    include_dirs: Iterable[str | os.PathLike[str]] = (),
    io_folder: str | os.PathLike[str] | None = None,
    strict: bool = False,
    with_: str | os.PathLike[str] | None = None,
    on_log: Callable[[LogLine], None] | None = None,
    keep: bool = True,
) -> Experiment:
    """The experiment of a .yaml or .argos file, or a .bzz script on ten robots, ready to run.

    path: the file, or a folder with one; or a mapping with the keys of docs/experiments.md, which names files as seen
    from the working directory. All robots are placed and their `init` has run.
    seed: None takes the file's, or draws one (see `Experiment.seed`).
    set: as `--set`, a mapping or "KEY=VALUE" texts. robots: how many, instead of the file's number. ticks, seconds: how
    long, instead of the file's length. script: instead of those that an .argos file names; "CONTROLLER=FILE" for one.
    exact, single_precision: as `--exact` and `--single-precision` (docs/robot.md, docs/language.md). strict: warnings
    about the file are errors. substitute: kinds of robots that are unknown here, and what stands in for each.
    with_: a YAML file of jobs besides those of the experiment.
    on_log is told each log line at once. Other arguments: RunOptions.
    Raises InputError or ScriptError with every fault that is found.
    """
    seed, robots, ticks = whole("seed", seed, most=2**32 - 1), whole("robots", robots), whole("ticks", ticks)
    if seconds is not None and ticks is not None:
        raise InputError.at("ticks, seconds", "both say how long to run", hint="give one of them")
    scripts = (os.fspath(script),) if isinstance(script, str | os.PathLike) else tuple(script)
    file, text = (_UNNAMED, _yaml_of(path)) if isinstance(path, Mapping) else (path, None)
    plan, warnings = read_plan(
        file, seed=seed, sets=set, strict=strict, substitute=substitute, robots=robots, text=text, scripts=scripts
    )
    if seconds is not None and not math.isfinite(seconds):
        raise InputError.at("seconds", f"{seconds} is no time", hint="give a number of seconds")
    if with_ is not None:
        plan = replace(plan, jobs=(plan.jobs or Jobs()).joined(read_jobs_file(with_)))
    if seconds is not None:
        ticks = round(seconds * plan.ticks_per_second)
    options = RunOptions(
        exact=exact,
        single_precision=single_precision or exact,
        ticks=ticks,
        record=Path(record) if record is not None else None,
        record_globals=tuple(record_globals),
        record_sensors=tuple(record_sensors),
        record_messages=record_messages,
        hooks=hooks,
        on_error=on_error,
        budget=budget,
        keep=keep,
        include_dirs=tuple(map(Path, include_dirs)),
        io_folder=Path(io_folder) if io_folder is not None else None,
        told={"set": dict(set) if isinstance(set, Mapping) else list(set)},
    )
    return Experiment(plan, options, warnings=warnings, on_log=on_log)


def _yaml_of(experiment: Mapping[str, object]) -> str:
    """The text of the file that would say the same. Raises InputError for a value that YAML cannot hold."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes out what stands in two places twice: experiments know no references."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    Dumper.add_multi_representer(PurePath, lambda dumper, path: dumper.represent_str(os.fspath(path)))
    try:
        text: str = yaml.dump(dict(experiment), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    except yaml.representer.RepresenterError as error:
        told = f"{error.args[1]!r} is no value of an experiment" if len(error.args) > 1 else str(error)
        raise InputError.at(
            _UNNAMED, told, hint="use numbers, texts, lists and mappings; float(x) of a NumPy number"
        ) from None
    return text
