"""`pybuzz check` of a whole experiment: its file, and the scripts that it names, as its robots would find them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pybuzz.buzz.checks import check_script
from pybuzz.buzz.signatures import HostNames
from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.hook_names import host_names
from pybuzz.experiment.plan import Distribution, Plan, Robot
from pybuzz.experiment.reading import check_experiment_file, read_plan
from pybuzz.experiment.script_names import names_of
from pybuzz.khepera import load_model

__all__ = ["CheckedExperiment", "check_experiment"]


@dataclass(frozen=True, slots=True)
class CheckedExperiment:
    """What was found, in the file first, and the scripts that were checked."""

    findings: tuple[Diagnostic, ...]
    scripts: tuple[Path, ...] = ()


def check_experiment(
    path: str | os.PathLike[str],
    *,
    include_dirs: Sequence[Path] = (),
    hooks: HostNames | None = None,
    substitute: Mapping[str, str] | None = None,
    scripts: Iterable[str] = (),
) -> CheckedExperiment:
    """Every error and warning about an experiment file and its scripts. hooks: names that scripts find beside those
    that the file tells of. scripts: in place of those of the file, see read_plan.

    Each script is checked once for each set of devices that it runs on. Scripts of a file with errors are not.
    """
    try:
        plan, warnings = read_plan(path, substitute=substitute, scripts=scripts)
        more = _names_beside(plan, hooks or HostNames())
    except InputError as error:
        found = check_experiment_file(path, substitute=substitute, scripts=scripts)
        return CheckedExperiment(tuple(found or error.diagnostics))
    by_script: dict[Path, list[Diagnostic]] = {}
    for script, names in _settings(plan):
        found = by_script.setdefault(script, [])
        try:
            found += check_script(script, include_dirs=include_dirs, signatures=names.joined(more))
        except InputError as error:
            found += error.diagnostics
    findings = [*warnings, *(one for found in by_script.values() for one in _in_order(found))]
    return CheckedExperiment(tuple(dict.fromkeys(findings)), tuple(by_script))


def _in_order(found: list[Diagnostic]) -> list[Diagnostic]:
    """Of one script with several sets of devices: as they stand in it, then in each file that it includes."""
    files = list(dict.fromkeys(one.place.file for one in found))
    return sorted(found, key=lambda one: (files.index(one.place.file), one.place.line, one.place.column))


def _names_beside(plan: Plan, hooks: HostNames) -> HostNames:
    """What hooks and jobs give to scripts. Raises InputError for hooks that cannot be read."""
    if plan.hooks is not None:
        hooks = host_names(plan.hooks).joined(hooks)
    return hooks.joined(HostNames(settings=frozenset(plan.jobs.globals_set if plan.jobs else ())))


def _settings(plan: Plan) -> Iterator[tuple[Path, HostNames]]:
    """Each script with what it finds on its robots; no two alike."""
    seen: list[tuple[Path, HostNames]] = []
    for robot in _robots(plan):
        controller = plan.controllers[robot.controller]
        if controller.script is None:
            continue
        setting = controller.script, names_of(controller, load_model(robot.kind))
        if setting not in seen:
            seen.append(setting)
            yield setting


def _robots(plan: Plan) -> Iterator[Robot]:
    for item in plan.items:
        one = item.template if isinstance(item, Distribution) else item
        if isinstance(one, Robot):
            yield one
