"""What a worker does: one run from plain data to plain data, its result kept in a file before anybody is told."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

__all__ = ["perform", "read_result"]


def perform(task: dict[str, Any]) -> dict[str, Any]:
    """Run and measure; returns the result, which is then in the file task["result"] too.

    task: experiment, sets, seed, ticks, seconds, exact, single_precision, hooks, measures, variables, sensors, scripts,
    include, io, record, result. result: status ("done" or "failed"), ticks, measures, error.
    """
    from pybuzz.errors import PybuzzError

    try:
        result = _measured(task)
    except PybuzzError as error:
        result = {"status": "failed", "ticks": None, "measures": {}, "error": str(error)}
    except Exception as error:
        # Hooks and libraries may raise anything: the sweep goes on, the run says what it was.
        result = {"status": "failed", "ticks": None, "measures": {}, "error": f"{type(error).__name__}: {error}"}
    _keep(Path(task["result"]), result)
    return result


def read_result(path: Path) -> dict[str, Any] | None:
    """The result in a file, or None if there is none, or only a part of one."""
    try:
        result: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return result if "status" in result else None


def _measured(task: dict[str, Any]) -> dict[str, Any]:
    from pybuzz.experiment import load
    from pybuzz.sweep.measures import RunView, evaluate, mentions
    from pybuzz.sweep.messages import MessageCount

    measures: dict[str, str] = task["measures"]
    experiment = load(
        task["experiment"],
        seed=task["seed"],
        set=task["sets"],
        ticks=task["ticks"],
        seconds=task["seconds"],
        exact=task["exact"],
        single_precision=task["single_precision"],
        hooks=task["hooks"],
        record=task["record"],
        record_globals=task["variables"],
        record_sensors=task["sensors"],
        script=task["scripts"],
        include_dirs=task["include"],
        io_folder=_own_files(task["io"]),
    )
    counts_messages = mentions(measures.values(), ("messages_sent", "messages_lost"))
    messages = MessageCount() if counts_messages else None
    with experiment:
        while experiment.step():
            if messages is not None:
                messages.observe(experiment)
        ended_early = experiment.ticks is not None and experiment.tick < experiment.ticks
        recording = experiment.close()
    view = RunView(recording, ended_early, len(experiment.failures), messages)
    errors = [str(failure.error) for failure in experiment.failures]
    return {
        "status": "failed" if errors else "done",
        "ticks": recording.ticks,
        "measures": {name: evaluate(text, view) for name, text in measures.items()},
        "error": errors[0] if errors else "",
    }


def _own_files(folder: str | None) -> str | None:
    """The run's folder for its scripts' files, anew, with copies of the files that lie in the folder above it."""
    from pybuzz.sweep.dependencies import files_for_scripts

    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
        Path(folder).mkdir(parents=True)
        for file in files_for_scripts(str(Path(folder).parent)):
            shutil.copy(file, folder)
    return folder


def _keep(path: Path, result: dict[str, Any]) -> None:
    """Written beside and renamed: a result is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("w") as file:
        json.dump(result, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
