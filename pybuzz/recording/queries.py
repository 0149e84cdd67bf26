"""Questions to a recorded folder in SQL: every table is a view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from pybuzz.errors import InputError
from pybuzz.recording.folder import connect, damaged_table, rows_of, table_files
from pybuzz.recording.recording import Recording

__all__ = ["Answer", "ask", "query", "table_names", "views_of"]

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gives: names of the columns, and the rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def query(folder: Path | str, sql: str) -> Answer:
    """The answer to one SQL question about a recording.

    Tables: poses (tick, robot, x, y, yaw), leds, objects, log, events, globals, messages, one sensor_NAME per recorded
    sensor, and robots (robot, number, kind, index). Raises InputError if the folder is no recording, or the SQL wrong.
    """
    columns, rows = ask(folder, sql)
    return Answer(columns, list(rows))


def ask(folder: Path | str, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """The same with rows that are read as they are taken, however many there are."""
    connection = views_of(folder)
    with _explained(connection):
        found = connection.execute(sql)
    if found is None:  # what DuckDB gives for a text without a statement
        hint = "for instance: SELECT robot, max(x) FROM poses GROUP BY robot"
        raise InputError.at("query", "there is no question in it", hint=hint)
    columns = [column[0] for column in found.description or []]
    return columns, _rows(connection) if columns else iter(())


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    with _explained(connection):
        while rows := connection.fetchmany(_ROWS_AT_ONCE):
            yield from rows


@contextmanager
def _explained(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """What the database says of a question, as an InputError that names the tables."""
    try:
        yield
    except duckdb.Error as error:
        hint = f"tables: {', '.join(table_names(connection))}"
        raise InputError.at("query", str(error).strip(), hint=hint) from error


def views_of(folder: Path | str) -> duckdb.DuckDBPyConnection:
    """A connection in which each table of the recording, and `robots`, is a view. Raises InputError."""
    folder = Path(folder)
    robots = Recording.open(folder).description.robots
    connection = connect()
    for table, paths in table_files(folder).items():
        try:
            connection.execute(f'CREATE VIEW "{table}" AS FROM {rows_of(paths)}')
        except duckdb.Error as error:
            raise damaged_table(folder, table, error) from error
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
