"""`pybuzz stop --fleet FLEET.yaml`: stop all robots, from any terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pybuzz.cli import reporting

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("stop")(stop)


def stop(
    fleet: Annotated[Path, typer.Option(metavar="FLEET.yaml", help="Which robots, on which links.")],
    json: Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")] = False,
) -> None:
    """Stop all robots of a fleet now: by the running deployment, else by their relays, else directly.

    Example:  pybuzz stop --fleet lab.yaml
    """
    from pybuzz.link.fleet_file import read_fleet
    from pybuzz.link.stopping import stop_fleet

    results = stop_fleet(read_fleet(fleet))
    if json:
        reporting.as_json(
            [
                {
                    "robot": one.robot.id,
                    "link": str(one.robot.link),
                    "stopped": one.stopped,
                    "outcome": one.outcome,
                    "way": one.way,
                    "text": one.text,
                }
                for one in results
            ]
        )
    else:
        for one in results:
            what = f"stopped ({one.way})" if one.stopped else f"{one.outcome}: {one.text}; switch it off by hand"
            print(f"robot {one.robot.id} {one.robot}: {what}")
    if not all(one.stopped for one in results):
        raise typer.Exit(3)
