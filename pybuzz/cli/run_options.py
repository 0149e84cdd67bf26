"""The options that decide what is run, alike in `run` and `view`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AllowIo", "Exact", "HooksOption", "Include", "JobsOption", "OnError", "OnErrorOption", "Record", "RecordGlobals",
    "RecordMessages", "RecordSensors", "Robots", "Scripts", "Seconds", "Seed", "Settings", "SinglePrecision", "Strict",
    "Ticks", "listed",
]  # fmt: skip


class OnError(StrEnum):
    STOP_ROBOT = "stop-robot"
    STOP_RUN = "stop-run"


Robots = Annotated[int | None, typer.Option(min=0, help="How many robots. [default: as the file says; 10 for a .bzz]")]
Seed = Annotated[
    int | None, typer.Option(min=0, max=2**32 - 1, help="Same seed, same run. [default: as the file says, or drawn]")
]
Ticks = Annotated[int | None, typer.Option(min=0, help="Run this many ticks. [default: as the file says]")]
Seconds = Annotated[float | None, typer.Option(min=0.0, help="Run this many simulated seconds.")]
Exact = Annotated[bool, typer.Option("--exact", help="Every reading and number as ARGoS gives it.")]
SinglePrecision = Annotated[
    bool, typer.Option("--single-precision", help="Round every float of a script to 32 bits, as C Buzz does.")
]
Record = Annotated[Path | None, typer.Option(metavar="DIR", help="Record the run in this folder.")]
RecordGlobals = Annotated[str, typer.Option(metavar="A,B", help="Record these Buzz globals too.")]
RecordSensors = Annotated[str, typer.Option(metavar="NAME,...", help="Record these sensors too.")]
RecordMessages = Annotated[bool, typer.Option("--record-messages", help="Record who received or lost whose packets.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one thing (may be given repeatedly): buzz.NAME=5, yaml.path.to.key=5, "
        "arena/distribute[1]/entity/@quantity=20, NAME=5.",
    ),
]
HooksOption = Annotated[str | None, typer.Option(metavar="FILE.py:NAME", help="Python code that runs along.")]
JobsOption = Annotated[
    Path | None, typer.Option("--with", metavar="JOBS.yaml", help="Jobs besides: write, set, floor, changes, stop.")
]
Scripts = Annotated[
    list[str] | None,
    typer.Option(
        "--script", metavar="FILE.bzz", help="Instead of the scripts of a .argos file; CONTROLLER=FILE.bzz: of one."
    ),
]
Include = Annotated[list[Path] | None, typer.Option("-I", "--include", metavar="DIR", help="Search DIR for includes.")]
AllowIo = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The one folder in which scripts may read and write files.")
]
OnErrorOption = Annotated[OnError, typer.Option(help="What a failed script stops.")]
Strict = Annotated[bool, typer.Option("--strict", help="Warnings about the experiment are errors.")]


def listed(text: str) -> tuple[str, ...]:
    """The names of a list with commas."""
    return tuple(name for name in (part.strip() for part in text.split(",")) if name)
