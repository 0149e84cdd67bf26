"""`pybuzz stop --fleet FLEET.yaml`: stop all robots, from any terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.errors import InputError

if TYPE_CHECKING:
    from pybuzz.link.stopping import StopResult

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("stop")(stop)


def stop(
    fleet: Annotated[
        Path | None, typer.Option(metavar="FLEET.yaml", help="Which robots, on which links; mistakes do not matter.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The robots of all deployments on this computer, whatever their files.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")] = False,
) -> None:
    """Stop all robots of a fleet now: by the running deployment, else by their relays, else directly.

    Ends with 0 only if every robot was seen standing and all robots are known, else with 3.

    Example:  pybuzz stop --fleet lab.yaml
    """
    from pybuzz.link.stopping import stop_all, stop_fleet

    if (fleet is None) == (not everything):
        raise InputError.at("stop", "it needs either --fleet FLEET.yaml or --all", hint="pybuzz stop --all")
    stops = stop_all() if fleet is None else stop_fleet(fleet)
    if json:
        reporting.as_json([_as_data(one) for one in stops.results])
    else:
        for one in stops.results:
            what = f"stopped ({one.way})" if one.stopped else f"{one.outcome}: {one.text}; switch it off by hand"
            print(f"robot {one.robot.id} {one.robot}: {what}")
        if not stops.results:
            print("no deployment runs on this computer" if fleet is None else "no robot was found")
    if stops.error is not None:
        reporting.print_error(stops.error)
    if not stops.is_whole:
        reporting.print_note(
            f"there may be more robots than {fleet} lets be read: look whether all stand\n"
            "  hint: pybuzz stop --all stops what the deployments on this computer drive"
        )
    if not stops.succeeded:
        raise typer.Exit(3)


def _as_data(one: StopResult) -> dict[str, object]:
    return {
        "robot": one.robot.id,
        "link": str(one.robot.link),
        "stopped": one.stopped,
        "outcome": one.outcome,
        "way": one.way,
        "text": one.text,
    }
