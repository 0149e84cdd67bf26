"""A recording as one file for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pybuzz.errors import InputError
from pybuzz.extras import require
from pybuzz.recording.drafts import drafted
from pybuzz.recording.folder import quoted
from pybuzz.recording.foxglove import write_mcap
from pybuzz.recording.queries import table_names, views_of
from pybuzz.recording.recording import Recording
from pybuzz.recording.rows import sensor_table
from pybuzz.spelling import did_you_mean

__all__ = ["EXPORT_FORMATS", "export"]

EXPORT_FORMATS = {".csv": "(FORMAT csv, HEADER)", ".parquet": "(FORMAT parquet)"}
"""How DuckDB writes each suffix that it knows."""

_SENSOR_PREFIX = sensor_table("")


def export(folder: Path | str, path: Path | str, *, table: str | None = None) -> Path:
    """Write a recording to `path` (.csv, .parquet or .mcap); returns the path.

    table   one table of the recording as it is; None: everything that has a value per tick and robot, one row each:
            tick, time (s), robot, x, y, yaw, the LEDs, each sensor's values and each variable

    An .mcap (see `write_mcap`) holds the whole recording. Raises InputError if the folder is no recording, or for
    another suffix or an unknown table.
    """
    path = Path(path)
    if path.suffix.lower() == ".mcap":
        return _mcap(folder, path, table)
    if path.suffix.lower() not in EXPORT_FORMATS:
        hint = f"use {', '.join([*EXPORT_FORMATS, '.mcap'])}"
        raise InputError.at(str(path), f"cannot export to a '{path.suffix}' file", hint=hint)
    connection = views_of(folder)
    names = table_names(connection)
    if table is not None and table not in names:
        hint = did_you_mean(table, names) or f"tables: {', '.join(names)}"
        raise InputError.at(str(folder), f"the recording has no table '{table}'", hint=hint)
    with _undamaged(folder):
        rows = f'FROM "{table}"' if table else _everything(connection, names, Recording.open(folder))
    with drafted(path) as draft, _undamaged(folder):
        connection.execute(f"COPY ({rows}) TO {quoted(draft)} {EXPORT_FORMATS[path.suffix.lower()]}")
    return path


@contextmanager
def _undamaged(folder: Path | str) -> Iterator[None]:
    """What the database cannot read, as an InputError; what it cannot write is the caller's."""
    try:
        yield
    except duckdb.IOException:
        raise
    except duckdb.Error as error:
        raise InputError.at(str(folder), f"this recording is damaged: {str(error).splitlines()[0]}") from error


def _mcap(folder: Path | str, path: Path, table: str | None) -> Path:
    if table is not None:
        raise InputError.at(str(path), "an .mcap holds the whole recording", hint="leave out --table, or use .csv")
    require("mcap", "mcap", place="export", purpose="writing .mcap")
    recording = Recording.open(folder)
    write_mcap(recording, path)
    return path


def _everything(connection: duckdb.DuckDBPyConnection, names: list[str], recording: Recording) -> str:
    """The query for one row per tick and robot, in order of ticks and of the robots' creation."""
    if "poses" not in names:
        raise InputError.at(recording.description.experiment, "the recording holds no poses to export")
    per_second = recording.description.ticks_per_second
    columns = ["poses.tick", f"poses.tick / {per_second} AS time", "poses.robot", "x", "y", "yaw"]
    joins = []
    if "leds" in names:
        columns.append("red, green, blue")
        joins.append("LEFT JOIN leds USING (tick, robot)")
    for sensor in (name for name in names if name.startswith(_SENSOR_PREFIX)):
        title = sensor.removeprefix(_SENSOR_PREFIX)
        values = _columns_of(connection, sensor)[2:]
        columns += [f'"{sensor}"."{value}" AS "{value.replace("value", title)}"' for value in values]
        joins.append(f'LEFT JOIN "{sensor}" USING (tick, robot)')
    for number, (name, kinds) in enumerate(_variables(connection, names)):
        columns.append(f"{_typed(f'g{number}', kinds)} AS {_name(name)}")
        match = f"g{number}.tick = poses.tick AND g{number}.robot = poses.robot AND g{number}.name = {_text(name)}"
        joins.append(f"LEFT JOIN globals AS g{number} ON {match}")
    order = "JOIN robots ON robots.robot = poses.robot ORDER BY poses.tick, robots.index"
    return f"SELECT {', '.join(columns)} FROM poses {' '.join(joins)} {order}"


def _columns_of(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    return [row[0] for row in connection.execute(f'DESCRIBE "{table}"').fetchall()]


def _variables(connection: duckdb.DuckDBPyConnection, names: list[str]) -> list[tuple[str, set[str]]]:
    """Each recorded variable with the kinds of its values."""
    if "globals" not in names:
        return []
    found = connection.execute("SELECT name, list(DISTINCT kind) FROM globals GROUP BY name ORDER BY name").fetchall()
    return [(name, set(kinds)) for name, kinds in found]


def _typed(table: str, kinds: set[str]) -> str:
    """A variable's value in the narrowest type that holds all of its kinds."""
    if kinds <= {"integer", "nil"}:
        return f"{table}.number::INTEGER"
    if kinds <= {"integer", "float", "nil"}:
        return f"{table}.number"
    integer = f"{table}.number::INTEGER::VARCHAR"
    return f"CASE {table}.kind WHEN 'integer' THEN {integer} ELSE coalesce({table}.text, {table}.number::VARCHAR) END"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
