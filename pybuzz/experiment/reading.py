"""From the name of a file to a Plan: which reader it takes, and what the command line changes about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path

from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.plan import Plan
from pybuzz.experiment.settings import ReadSettings, parse_sets
from pybuzz.spelling import did_you_mean

__all__ = ["read_plan", "readers"]

Reader = Callable[[str, ReadSettings], tuple[Plan, tuple[Diagnostic, ...]]]

GROUP = "pybuzz.experiment_readers"


def read_plan(
    path: str | os.PathLike[str],
    *,
    seed: int | None = None,
    sets: Iterable[str] | Mapping[str, object] = (),
    strict: bool = False,
    substitute: Mapping[str, str] | None = None,
) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The experiment at `path`, and the warnings about it.

    seed: instead of the file's. sets: `--set`, see settings. strict: warnings are errors. substitute: kinds of
    robots and what stands in for them. Raises InputError with every fault at once.
    """
    settings = ReadSettings(seed, parse_sets(sets), strict, dict(substitute or {}))
    file = Path(path)
    return _reader(file)(os.fspath(file), settings)


def readers() -> dict[str, Reader]:
    """The readers of experiment files by suffix."""
    return {entry.name: entry.load() for entry in entry_points(group=GROUP)}


def _reader(file: Path) -> Reader:
    known = readers()
    if file.suffix not in known:
        raise InputError.at(
            str(file), f"'{file.suffix}' is no kind of experiment", kind="unknown format",
            hint=did_you_mean(file.suffix, known) or f"known: {', '.join(sorted(known))}",
        )  # fmt: skip
    return known[file.suffix]
