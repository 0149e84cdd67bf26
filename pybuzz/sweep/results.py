"""The folder of a sweep: a result per run while it goes on, Parquet tables when it is through.

sweep.json              what was asked
results/KEY.json        one per finished run
recordings/KEY/         one per run, if asked
summary.parquet         one row per run, in order
runs/PARAMETER=VALUE/   the same rows, partitioned by parameter
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pybuzz.errors import InputError
from pybuzz.sweep.plan import Run, Sweep
from pybuzz.sweep.worker import read_result

__all__ = ["Results"]

FORMAT = 1

Row = dict[str, Any]


class Results:
    """The results in `folder`, which is made if it is not there.

    Raises InputError if the folder holds something else than results of a sweep.
    """

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self._sweep = sweep
        described = folder / "sweep.json"
        if folder.exists() and any(folder.iterdir()) and not described.exists():
            raise InputError.at(str(folder), "this folder holds something else", hint="name an empty or new folder")
        folder.mkdir(parents=True, exist_ok=True)
        asked = asdict(sweep)
        asked["experiment"] = str(sweep.experiment)
        described.write_text(json.dumps({"format": FORMAT, **asked}, indent=2) + "\n")

    def path(self, run: Run) -> Path:
        return self.folder / "results" / f"{run.key}.json"

    def recording(self, run: Run) -> Path:
        return self.folder / "recordings" / run.key

    def finished(self, runs: Sequence[Run]) -> dict[str, Row]:
        """Key -> result of those of the runs that are finished, whether done or failed."""
        found = {run.key: read_result(self.path(run)) for run in runs}
        return {key: result for key, result in found.items() if result is not None}

    def write_tables(self, runs: Sequence[Run], results: Mapping[str, Row]) -> Path:
        """Write summary.parquet and runs/ from the results that there are; returns the summary's path."""
        from pybuzz.recording.folder import connect, quoted

        rows = [self._row(run, results[run.key]) for run in runs if run.key in results]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        connection = connect()
        declared = ", ".join(f"{_name(column)} {_type([row.get(column) for row in rows])}" for column in columns)
        connection.execute(f"CREATE TABLE summary ({declared})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(
            f"INSERT INTO summary VALUES ({marks})", [[row.get(name) for name in columns] for row in rows]
        )
        summary = self.folder / "summary.parquet"
        connection.execute(f"COPY (FROM summary ORDER BY run) TO {quoted(summary)} (FORMAT parquet)")
        parts = self.folder / "runs"
        shutil.rmtree(parts, ignore_errors=True)
        if self._sweep.keys:
            keys = ", ".join(map(_name, self._sweep.keys))
            options = f"FORMAT parquet, PARTITION_BY ({keys}), WRITE_PARTITION_COLUMNS true"
            connection.execute(f"COPY (FROM summary ORDER BY run) TO {quoted(parts)} ({options})")
        return summary

    def _row(self, run: Run, result: Row) -> Row:
        return {
            "run": run.index,
            **{key: _number_or_text(run.parameters[key]) for key in self._sweep.keys if key in run.parameters},
            "repetition": run.repetition,
            "seed": run.seed,
            "status": result["status"],
            "ticks": result["ticks"],
            **{name: result["measures"].get(name) for name in self._sweep.measures},
            "error": result["error"],
        }


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _type(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int}:
        return "BIGINT"
    if kinds <= {int, float}:
        return "DOUBLE"
    return "DOUBLE[]" if kinds <= {list} else "VARCHAR"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
