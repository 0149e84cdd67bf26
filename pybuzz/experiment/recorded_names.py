"""Checks that the globals and sensors that an experiment sets, reads or records exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeVar

from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.jobs import Jobs
from pybuzz.experiment.plan import Plan
from pybuzz.experiment.scripts import Scripts, check_globals
from pybuzz.spelling import did_you_mean

__all__ = ["check_recorded_globals", "check_recorded_sensors", "check_used_globals", "merged"]

Item = TypeVar("Item")


def check_used_globals(plan: Plan, scripts: Scripts) -> None:
    """Every global that the experiment sets or its jobs read: some script has it, or a name is misspelt."""
    jobs = plan.jobs or Jobs()
    own = {name for controller in plan.controllers.values() for name in controller.globals}
    check_globals(scripts, {*own, *jobs.globals_set, *jobs.globals_read})


def check_recorded_globals(scripts: Scripts, names: Collection[str], *, by_hooks: bool) -> list[Diagnostic]:
    """Raises InputError for a recorded global that no script mentions; warns if hooks may set it."""
    try:
        check_globals(scripts, names, "record ")
    except InputError as error:
        if not by_hooks:
            raise
        return [replace(fault, severity="warning") for fault in error.diagnostics]
    return []


def check_recorded_sensors(plan: Plan, names: Iterable[str], carried: frozenset[str]) -> None:
    """Raises InputError for a recorded sensor that no robot carries, nor any that may still come."""
    known = carried | {device.name for controller in plan.controllers.values() for device in controller.sensors}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, carried) or f"they carry: {', '.join(sorted(carried)) or 'none'}"
            raise InputError.at(name, f"no robot carries a sensor '{name}' to record", kind="unknown sensor", hint=hint)


def merged(first: Iterable[Item], second: Iterable[Item]) -> tuple[Item, ...]:
    """Both, each item once."""
    return tuple(dict.fromkeys((*first, *second)))
