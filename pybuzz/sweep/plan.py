"""What a sweep is, as plain data, and the runs that it asks for."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from pybuzz import __version__
from pybuzz.sweep.measures import variables_of

__all__ = ["Run", "Sweep", "combination_name", "combinations", "expand"]


@dataclass(frozen=True, slots=True)
class Sweep:
    """An experiment, what varies, and what is measured.

    parameters   KEY of `--set` -> its values; all combinations are run
    rows         instead of all combinations: these, each a mapping KEY -> value; combined with `parameters`
    measures     name -> an expression or FILE.py:FUNCTION, see measures.py
    variables    Buzz globals, and `sensors`, that measures read
    scripts      in place of those that an .argos file names: FILE or CONTROLLER=FILE
    include      folders in which includes are looked for too
    io           the folder in which scripts may use files; each run has a folder of its own in it
    memory_mb    a worker that needs more is stopped; its run counts as failed
    labels       parameter or measure -> what reports call it
    """

    source: str
    experiment: Path
    seed: int
    repetitions: int
    measures: Mapping[str, str]
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: tuple[Mapping[str, str], ...] = ()
    ticks: int | None = None
    seconds: float | None = None
    exact: bool = False
    single_precision: bool = False
    hooks: str | None = None
    variables: tuple[str, ...] = ()
    sensors: tuple[str, ...] = ()
    memory_mb: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    io: str | None = None

    @property
    def keys(self) -> list[str]:
        """Everything that varies, in order."""
        return list(dict.fromkeys([*self.parameters, *(key for row in self.rows for key in row)]))

    @property
    def recorded_globals(self) -> list[str]:
        """The Buzz globals that the measures read."""
        return list(dict.fromkeys([*self.variables, *variables_of(self.measures.values())]))


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `key` stands for everything that it depends on: two runs with one key give one result."""

    index: int
    parameters: Mapping[str, str]
    repetition: int
    seed: int
    key: str

    def command(self, sweep: Sweep) -> str:
        """The command that repeats just this run."""
        parts = ["pybuzz", "run", shlex.quote(str(sweep.experiment)), "--seed", str(self.seed)]
        parts += [part for item in self.parameters.items() for part in ("--set", shlex.quote("=".join(item)))]
        parts += ["--ticks", str(sweep.ticks)] if sweep.ticks is not None else []
        parts += ["--seconds", f"{sweep.seconds:g}"] if sweep.seconds is not None else []
        parts += ["--hooks", shlex.quote(sweep.hooks)] if sweep.hooks else []
        if recorded := sweep.recorded_globals:
            parts += ["--record", f"run-{self.index}", "--record-globals", shlex.quote(",".join(recorded))]
        parts += [part for script in sweep.scripts for part in ("--script", shlex.quote(script))]
        parts += [part for folder in sweep.include for part in ("-I", shlex.quote(folder))]
        parts += ["--allow-io", shlex.quote(os.path.join(sweep.io, self.key))] if sweep.io else []
        parts += ["--exact"] if sweep.exact else []
        parts += ["--single-precision"] if sweep.single_precision else []
        return " ".join(parts)


def expand(sweep: Sweep, digests: Mapping[str, str]) -> list[Run]:
    """All runs, combination by combination; `digests` tells for each combination what its files hold.

    The digest of a combination is found under `combination_name`. A run's seed depends on the sweep's seed, its
    parameters and its repetition alone: adding values or repetitions leaves the other runs as they are.
    """
    runs: list[Run] = []
    for parameters in combinations(sweep):
        name = combination_name(parameters)
        for repetition in range(sweep.repetitions):
            seed = 1 + int(_digest([sweep.seed, name, repetition])[:8], 16) % (2**32 - 1)
            key = _digest([__version__, digests[name], name, seed, _settings(sweep)])[:24]
            runs.append(Run(len(runs), parameters, repetition, seed, key))
    return runs


def combinations(sweep: Sweep) -> Iterator[dict[str, str]]:
    """Each combination of parameters: rows outermost, the last parameter changing fastest."""
    for row in sweep.rows or ({},):
        for values in product(*sweep.parameters.values()):
            yield {**row, **dict(zip(sweep.parameters, values, strict=True))}


def combination_name(parameters: Mapping[str, str]) -> str:
    """One text for one combination, whatever the order of its keys."""
    return json.dumps(sorted(parameters.items()))


def _settings(sweep: Sweep) -> list[Any]:
    return [
        sweep.ticks, sweep.seconds, sweep.exact, sweep.single_precision,
        sorted(sweep.measures.items()), sweep.variables, sweep.sensors,
        *((["io"],) if sweep.io else ()),
    ]  # fmt: skip


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
