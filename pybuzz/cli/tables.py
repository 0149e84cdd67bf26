"""`pybuzz query`, `export` and `diff`: the tables of recordings."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain, islice
from json import dumps
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]

_MEASURED_ROWS = 1000

Run = Annotated[Path, typer.Argument(metavar="RUN", help="A recording: the folder given to `run --record`.")]


def register(app: typer.Typer) -> None:
    app.command("query")(query)
    app.command("export")(export)
    app.command("diff")(diff)


def query(
    run: Run,
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One SQL question, in quotes.")],
    json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> None:
    """Ask a recording in SQL. Tables: poses, leds, objects, log, events, globals, messages, sensor_NAME, robots.

    Example:  pybuzz query runs/one "SELECT robot, max(x) FROM poses GROUP BY robot"
    """
    from pybuzz.recording import queries

    columns, rows = queries.ask(run, sql)
    if json:
        _print_json(columns, rows)
    else:
        _print_table(columns, rows)


def export(
    run: Run,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help=".csv, .parquet or .mcap (for Foxglove)")
    ],
    table: Annotated[
        str | None, typer.Option(help="One table as it is. [default: all values per tick and robot]")
    ] = None,
) -> None:
    """Write a recording as one CSV or Parquet file, a row per tick and robot, or as MCAP for Foxglove.

    Example:  pybuzz export runs/one -o one.csv
    """
    from pybuzz.recording import exports

    print(f"wrote {exports.export(run, output, table=table)}")


def diff(
    left: Annotated[Path, typer.Argument(metavar="RUN", help="A recording.")],
    right: Annotated[Path, typer.Argument(metavar="RUN", help="Another recording.")],
) -> None:
    """Say where two recordings differ first. Ends with 1 if they do.

    Example:  pybuzz diff runs/one runs/two
    """
    from pybuzz.recording import Recording
    from pybuzz.recording.differences import first_difference

    difference = first_difference(Recording.open(left), Recording.open(right))
    if difference is None:
        print("the recordings hold the same")
        return
    print(difference)
    raise typer.Exit(1)


def _print_table(columns: list[str], rows: Iterator[tuple[object, ...]]) -> None:
    """Row by row: the first ones say how wide the columns are."""
    first = [[_cell(value) for value in row] for row in islice(rows, _MEASURED_ROWS)]
    widths = [max(map(len, column)) for column in zip(columns, *first, strict=True)]
    for row in chain([columns], first, ([_cell(value) for value in row] for row in rows)):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_json(columns: list[str], rows: Iterator[tuple[object, ...]]) -> None:
    """An array with an object a line, written as it is read."""
    separator = "[\n"
    for row in rows:
        data = dict(zip(columns, map(_plain, row), strict=True))
        print(f"{separator}  {dumps(data, default=str, allow_nan=False)}", end="")
        separator = ",\n"
    print("[]" if separator == "[\n" else "\n]")


def _plain(value: object) -> object:
    """A value of a table as JSON has it: no nan, numbers as numbers."""
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
