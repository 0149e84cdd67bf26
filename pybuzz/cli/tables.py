"""`pybuzz query`, `export` and `diff`: the tables of recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pybuzz.cli import reporting

__all__ = ["register"]

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
    """Ask a recording in SQL. Tables: poses, leds, log, events, globals, sensor_NAME, robots.

    Example:  pybuzz query runs/one "SELECT robot, max(x) FROM poses GROUP BY robot"
    """
    from pybuzz.recording import queries

    answer = queries.query(run, sql)
    if json:
        reporting.as_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
    else:
        _print_table(answer.columns, answer.rows)


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


def _print_table(columns: list[str], rows: list[tuple[object, ...]]) -> None:
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for row in [columns, *cells]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
