"""Questions to a recorded folder in SQL: every table is a view."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from pybuzz.errors import InputError
from pybuzz.recording.folder import connect, quoted, table_files
from pybuzz.recording.recording import Recording

__all__ = ["Answer", "query", "table_names", "views_of"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gives: names of the columns, and the rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def query(folder: Path | str, sql: str) -> Answer:
    """The answer to one SQL question about a recording.

    Tables: poses (tick, robot, x, y, yaw), leds, log, events, globals, one sensor_NAME per recorded sensor, and
    robots (robot, number, kind, index). Raises InputError if the folder is no recording or the SQL is wrong.
    """
    connection = views_of(folder)
    try:
        found = connection.execute(sql)
        columns = [column[0] for column in found.description or []]
        return Answer(columns, found.fetchall() if columns else [])
    except duckdb.Error as error:
        hint = f"tables: {', '.join(table_names(connection))}"
        raise InputError.at("query", str(error).strip(), hint=hint) from error


def views_of(folder: Path | str) -> duckdb.DuckDBPyConnection:
    """A connection in which each table of the recording, and `robots`, is a view. Raises InputError."""
    folder = Path(folder)
    robots = Recording.open(folder).description.robots
    connection = connect()
    for table, paths in table_files(folder).items():
        files = ", ".join(map(quoted, paths))
        connection.execute(f'CREATE VIEW "{table}" AS FROM read_parquet([{files}])')
    columns = {
        "robot": np.array([robot.name for robot in robots], dtype=object),
        "number": np.array([robot.number for robot in robots], dtype=np.int64),
        "kind": np.array([robot.kind for robot in robots], dtype=object),
        "index": np.arange(len(robots), dtype=np.int64),
    }
    connection.register("robot_columns", columns)
    connection.execute("CREATE TABLE robots AS FROM robot_columns")
    connection.unregister("robot_columns")
    return connection


def table_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The tables that a query may use."""
    return [
        name
        for (name,) in connection.execute(
            "SELECT view_name AS name FROM duckdb_views() WHERE NOT internal "
            "UNION SELECT table_name FROM duckdb_tables() ORDER BY 1"
        ).fetchall()
    ]
