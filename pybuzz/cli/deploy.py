"""`pybuzz deploy SCRIPT --fleet FLEET.yaml`: a script on real robots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.durations import checked_seconds
from pybuzz.cli.interrupts import signals_as_interrupts, signals_ignored
from pybuzz.cli.run_options import AllowIo, Include
from pybuzz.errors import LinkError

if TYPE_CHECKING:
    from pybuzz.link.deployment import Deployment, Outcome
    from pybuzz.link.fleet import Fleet
    from pybuzz.link.keeper_client import KeeperClient

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("deploy")(deploy)


def deploy(
    script: Annotated[Path, typer.Argument(metavar="SCRIPT", help="The script, unchanged from the simulation.")],
    fleet: Annotated[Path, typer.Option(metavar="FLEET.yaml", help="Which robots, on which links.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check: robots, batteries, script.")] = False,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.0, callback=checked_seconds, help="Stop after so long. [default: until stopped]"),
    ] = None,
    record: Annotated[Path | None, typer.Option(metavar="DIR", help="Record the run in this folder.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Drive in spite of low batteries, other firmware, dead infrared sensors.")
    ] = False,
    check_relay: Annotated[
        bool, typer.Option("--check-relay", help="Refuse robots without a relay that stops them when the link dies.")
    ] = False,
    include: Include = None,
    allow_io: AllowIo = None,
) -> None:
    """Run a script on real robots: checks first, a live table, and a stop that always works.

    Stop all robots with s, Enter or Ctrl-C here, or from anywhere with: pybuzz stop --fleet FLEET.yaml

    Example:  pybuzz deploy hexagon.bzz --fleet lab.yaml --seconds 60 --record runs/lab
    """
    from pybuzz.cli.deploy_view import DeployView
    from pybuzz.link.deployment import Deployment
    from pybuzz.link.fleet_file import read_fleet
    from pybuzz.link.keeper_client import KeeperClient
    from pybuzz.link.relay import release_relays

    robots = read_fleet(fleet)
    with DeployView(robots) as view, signals_as_interrupts():
        deployment = Deployment(robots, script, view, include_dirs=include or (), io_folder=allow_io)
        reporting.print_diagnostics(deployment.scripts.warnings)
        if not dry_run:
            # Before the checks: a stop that comes during them holds.
            release_relays(robots.robots)
        with KeeperClient(fleet) as keeper:
            for finding in deployment.check(keeper, force=force, check_relay=check_relay):
                view.warn(f"{finding}; {finding.remedy}")
            view.say(f"{len(robots.robots)} of {len(robots.robots)} robots are ready")
            if dry_run:
                return
            outcome = _run(deployment, keeper, seconds, record)
    _report(robots, outcome, record)
    if outcome.exit_code:
        raise typer.Exit(outcome.exit_code)


def _run(deployment: Deployment, keeper: KeeperClient, seconds: float | None, record: Path | None) -> Outcome:
    reason, interrupted = "an error in this program", False
    try:
        deployment.run(keeper, seconds=seconds, record=record)
    except KeyboardInterrupt as interrupt:
        reason, interrupted = str(interrupt) or "SIGINT", True
    except LinkError as error:
        reporting.print_error(error)
        deployment.outcome.link_failures.append(str(error))
    finally:
        with signals_ignored():
            outcome = deployment.conclude(keeper, reason, interrupted=interrupted)
    return outcome


def _report(fleet: Fleet, outcome: Outcome, record: Path | None) -> None:
    for error in outcome.script_errors.values():
        reporting.print_error(error)
    if outcome.recording_error is not None:
        reporting.print_error(outcome.recording_error)
    for stop in outcome.stops:
        if not stop.stopped:
            relay = "" if stop.robot.relay else "; a relay on the robot would have stopped it"
            text = f"robot {stop.robot.id} {stop.robot}: {stop.outcome}: {stop.text}"
            reporting.print_note(f"{text}\n  hint: switch it off by hand{relay}")
    standing = sum(stop.stopped for stop in outcome.stops)
    reporting.print_note(
        f"{outcome.reason}; {standing} of {len(fleet.robots)} robots confirmed their stop, {outcome.ticks} ticks"
    )
    if record is not None and outcome.recording_error is None:
        reporting.print_note(f"recorded in {record}")
