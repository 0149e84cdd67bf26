"""The folder that a recording is: run.json and one Parquet file per table.

While a run goes on, each table is a row of chunks under chunks/, so that a killed run leaves files that open. At the
close they become one file per table, packed anew: where the chunks were cut (by wall time) leaves no trace in it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, EFBIG, ENOSPC, EROFS
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pybuzz import __version__
from pybuzz.errors import InputError
from pybuzz.recording.rows import Columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = [
    "FORMAT", "VIEW_FILES", "ChunkFolder", "connect", "damaged_table", "prepare", "quoted", "read_run_file",
    "rows_of", "table_files", "write_run_file", "writing",
]  # fmt: skip

FORMAT = 2
"""Version of the folder's layout; readers refuse a newer one. 2: obstacles that come later, the table objects."""

VIEW_FILES = ("floor.png", "map.png")

_RUN_FILE = "run.json"
_CHUNKS = "chunks"
_MARK = "pybuzz recording"

_PACKING_MEMORY = "256MB"
"""Beyond it the database puts rows aside on disk."""

_TEXTS = ("globals", "log", "events")
_ROWS_OF_TEXTS, _ROWS_OF_NUMBERS = 16_384, 122_880
"""Rows that are compressed together and are in memory for it; a row of text may have thousands of bytes."""


def connect() -> DuckDBPyConnection:
    """A DuckDB connection that writes the same bytes for the same rows: one thread, rows in order."""
    import duckdb  # here, because a run that is not recorded need not wait for it

    return duckdb.connect(config={"threads": 1, "memory_limit": "1GB"})


def quoted(path: Path) -> str:
    """A path as an SQL string."""
    return "'" + str(path).replace("'", "''") + "'"


def damaged_table(folder: Path, table: str, reason: object) -> InputError:
    """The error that says which table of a recording cannot be read, and why."""
    return InputError.at(str(folder), f"the table {table} is damaged: {str(reason).splitlines()[0]}")


def table_files(folder: Path) -> dict[str, list[Path]]:
    """The Parquet files of each table, in order: one file, or a killed run's chunks."""
    files = {path.stem: [path] for path in sorted(folder.glob("*.parquet"))}
    for path in sorted((folder / _CHUNKS).glob("*.parquet")):
        table = path.stem.rpartition("-")[0]
        if files.get(table, [path])[0].parent == path.parent:
            files.setdefault(table, []).append(path)
    return files


def rows_of(files: Iterable[Path]) -> str:
    """SQL for the rows of several files. Some may have more columns, when a robot came with more values."""
    return f"read_parquet([{', '.join(map(quoted, files))}], union_by_name = true)"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the system says about a failed write (no permission, disk full) into an InputError."""
    import duckdb

    try:
        yield
    except (OSError, duckdb.Error) as error:
        raise InputError.at(str(path), f"cannot write here: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """In the system's words, which DuckDB wraps in many of its own."""
    known = [os.strerror(number) for number in (ENOSPC, EDQUOT, EFBIG, EROFS, EACCES)]
    said = getattr(error, "strerror", None) or str(error).splitlines()[0]
    return next((reason for reason in known if reason in said), said)


def prepare(folder: Path, experiment: str, digest: str = "") -> str:
    """Make `folder` ready for a recording of `experiment`; returns what is replaced, in words.

    digest: of its text, for the words to say when the files have changed or are others of the same name.

    It may be missing, empty, or hold a simulated recording of the same experiment, which is replaced: its seed and its
    experiment make it again. What robots did is not made again, and stays.
    Raises InputError for anything else, and leaves that as it is.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError.at(str(folder), "this is a file; a recording is a folder")
    replaced = _remove_recording(folder, experiment, digest) if folder.is_dir() and any(folder.iterdir()) else ""
    with writing(folder):
        (folder / _CHUNKS).mkdir(parents=True, exist_ok=True)
    return replaced


def _remove_recording(folder: Path, experiment: str, digest: str) -> str:
    if not (folder / _RUN_FILE).is_file():
        raise InputError.at(
            str(folder), "the folder is not empty and is no recording", hint="choose another folder to record into"
        )
    data = read_run_file(folder)
    run = data["run"]
    if (run.get("options") or {}).get("deployed"):
        raise InputError.at(
            str(folder),
            "the folder holds what robots did in an earlier deployment, which no seed makes again",
            hint="choose another folder, or remove this one",
        )
    recorded = run.get("experiment")
    if recorded != experiment:
        raise InputError.at(
            str(folder),
            f"the folder holds a recording of another experiment ({recorded})",
            hint="choose another folder, or remove this one",
        )
    for path in folder.glob("*.parquet"):
        path.unlink()
    for path in map(folder.joinpath, VIEW_FILES):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder / _CHUNKS, ignore_errors=True)
    (folder / _RUN_FILE).unlink()
    known = run.get("digest")
    changed = "; its experiment or scripts had other text" if known and digest and known != digest else ""
    return f"a recording of seed {run.get('seed')}, {data['ticks']} ticks{changed}"


def write_run_file(folder: Path, run: dict[str, Any], status: str, ticks: int) -> None:
    """Write run.json whole: a reader sees the old one or the new one."""
    versions = {"pybuzz": __version__, "duckdb": version("duckdb")}
    data = {"what": _MARK, "format": FORMAT, "status": status, "ticks": ticks, "versions": versions, "run": run}
    draft = folder / f"{_RUN_FILE}.new"
    with writing(folder):
        draft.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        draft.replace(folder / _RUN_FILE)


def read_run_file(folder: Path) -> dict[str, Any]:
    """The content of run.json. Raises InputError if the folder is no recording, is damaged or is newer."""
    path = folder / _RUN_FILE
    if not path.is_file():
        reason = "no such folder" if not folder.exists() else f"this is no recording: it has no {_RUN_FILE}"
        raise InputError.at(str(folder), reason, hint="record a run with: pybuzz run TARGET --record DIR")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = data["what"] == _MARK and isinstance(data["run"], dict) and {"status", "ticks"} <= data.keys()
        newer = data["format"] > FORMAT
    except (ValueError, TypeError, KeyError) as error:
        raise InputError.at(str(path), "this is no recording's run.json, or it is damaged") from error
    if not known:
        raise InputError.at(str(path), "this is no recording's run.json, or it is damaged")
    if newer:
        text = f"recording of format {data['format']}; this pybuzz reads formats up to {FORMAT}"
        raise InputError.at(str(path), text, hint="install a newer pybuzz: pip install -U pybuzz")
    return data  # type: ignore[no-any-return]


class ChunkFolder:
    """Writes the chunks of a running recording, and packs them at the end."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._connection = connect()
        self._counts: dict[str, int] = {}

    def write(self, table: str, columns: Columns) -> None:
        """Append rows to a table as a file of its own, which appears under its name when it is complete."""
        number = self._counts[table] = self._counts.get(table, 0) + 1
        path = self.path / _CHUNKS / f"{table}-{number:07}.parquet"
        draft = path.with_suffix(".new")
        self._connection.register("chunk", columns)
        # Text that no row has would be a column of another type.
        rows = "(SELECT * REPLACE (text::VARCHAR AS text) FROM chunk)" if "text" in columns else "chunk"
        with writing(self.path):
            self._connection.execute(f"COPY {rows} TO {quoted(draft)} (FORMAT parquet)")
            draft.replace(path)
        self._connection.unregister("chunk")

    def pack(self) -> None:
        """One file per table instead of the chunks."""
        scratch = self.path / _CHUNKS / "scratch"
        self._connection.execute(f"SET temp_directory = {quoted(scratch)}")
        self._connection.execute(f"SET memory_limit = '{_PACKING_MEMORY}'")
        with writing(self.path):
            for table in sorted(self._counts):
                self._pack(table, sorted((self.path / _CHUNKS).glob(f"{table}-*.parquet")))
            self.close()
            shutil.rmtree(self.path / _CHUNKS)

    def close(self) -> None:
        self._connection.close()

    def _pack(self, table: str, chunks: Iterable[Path]) -> None:
        # Through a table, because its blocks are full whatever the chunks were: equal rows, equal bytes.
        draft = self.path / _CHUNKS / "packed.new"
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE packed AS FROM {rows_of(chunks)}")
        group = _ROWS_OF_TEXTS if table in _TEXTS else _ROWS_OF_NUMBERS
        self._connection.execute(f"COPY packed TO {quoted(draft)} (FORMAT parquet, ROW_GROUP_SIZE {group})")
        self._connection.execute("DROP TABLE packed")
        draft.replace(self.path / f"{table}.parquet")
