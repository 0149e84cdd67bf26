"""The live table of a deployment, as wide as the terminal allows."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from pybuzz.cli.deploy_view import table_of_states
from pybuzz.link.addresses import parse_address
from pybuzz.link.fleet import Fleet, FleetRobot

LINK = "tcp://192.168.1.101:7000"
FLEET = Fleet("fleet.yaml", (FleetRobot(12, "kh12", parse_address(LINK)),))
STATE = {
    "state": "running",
    "percent": 94,
    "volts": 8.12,
    "loop_ms": 57.5,
    "overruns": 12,
    "counters": {"timeouts": 3, "rejected": 4, "reconnections": 5},
}


def drawn(width: int) -> list[str]:
    console = Console(file=StringIO(), width=width)
    console.print(table_of_states(FLEET, 39, {12: STATE}, width))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(("width", "links"), [(80, []), (120, [LINK])])
def test_everything_of_a_robot_is_readable_in_one_line(width: int, links: list[str]) -> None:
    (line,) = [line for line in drawn(width) if "kh12" in line]
    assert line.split() == ["kh12", "running", "94", "%", "8.12", "V", "57.5", "12", "3", "4", "5", *links]


def test_the_headings_are_whole_in_80_columns() -> None:
    (line,) = [line for line in drawn(80) if "battery" in line]
    assert line.split() == ["robot", "state", "battery", "loop", "ms", "overruns", "lost", "rejected", "reconnected"]
