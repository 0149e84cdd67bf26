"""The names that an experiment gives to its scripts beside the language and the robot, as plain data.

Told by the stage, where people's Python code is loaded anyway; the server runs none of it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pybuzz.buzz.signatures import HostNames
from pybuzz.errors import PybuzzError
from pybuzz.experiment import Experiment
from pybuzz.experiment.hook_names import host_names

__all__ = ["own_names"]


def own_names(experiment: Experiment) -> dict[str, Any]:
    """Of hooks, of sensors (people's own among them), and of globals that the file sets.

    functions: the fields of Signatures by name; tables and values: names. Hooks that cannot be asked give none.
    """
    plan = experiment.plan
    given = {name for controller in plan.controllers.values() for name in controller.globals}
    names = HostNames(tables=frozenset({*experiment.simulation.readings.names, *given}))
    hooks = experiment.options.hooks or plan.hooks
    if isinstance(hooks, str | Path):
        with suppress(PybuzzError):
            names = names.joined(host_names(str(hooks)))
    functions = {name: asdict(signature) for name, signature in names.functions.items()}
    return {"functions": functions, "tables": sorted(names.tables), "values": sorted(names.values)}
