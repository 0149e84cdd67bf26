"""`pybuzz stop`: stop a whole fleet from any process, by the surest way that is open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pybuzz.errors import InputError
from pybuzz.link.control import KnownDeployment, known_deployments
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.relay import ask_relay
from pybuzz.link.salvage import NO_LINK, read_for_stop
from pybuzz.link.session import HandshakeError, Session, StopOutcome, longest_stop_s
from pybuzz.link.transports import LinkLostError

__all__ = ["StopResult", "Stops", "stop_all", "stop_directly", "stop_fleet"]

_DEFAULT_PATIENCE_S: Final = 7.0


@dataclass(frozen=True, slots=True)
class StopResult:
    """One robot: how its stop went (see StopReport), by which way, and what failed."""

    robot: FleetRobot
    outcome: StopOutcome
    way: str
    text: str = ""

    @property
    def stopped(self) -> bool:
        return self.outcome == "stopped"


@dataclass(frozen=True, slots=True)
class Stops:
    """error: what is wrong with the fleet file. is_whole: there are no other robots than those of the results."""

    results: list[StopResult]
    is_whole: bool = True
    error: InputError | None = None

    @property
    def succeeded(self) -> bool:
        return self.is_whole and all(one.stopped for one in self.results)


def stop_fleet(fleet_file: Path) -> Stops:
    """Stop the robots of a fleet file, whatever is wrong with it: what can be done is done first.

    The deployment that runs with this file, or that drives one of its robots (the file was renamed or copied); for
    robots that it does not say to stand, their relays; else their links.
    """
    found = read_for_stop(fleet_file)
    path, links = os.fspath(fleet_file.resolve()), {robot.link.text for robot in found.robots}
    known = known_deployments()
    own = [one for one in known if one.fleet == path]
    others = [one for one in known if one.fleet != path and links & {robot.link.text for robot in one.robots}]
    # What a deployment drove is asked for only if the file does not say what its robots are.
    results = _stop(found.robots, [*own, *others], also_dead=() if found.is_whole else own)
    return Stops(results, found.is_whole, found.error)


def stop_all() -> Stops:
    """Stop the robots of all deployments of this user on this computer, also of those that were killed."""
    known = known_deployments()
    return Stops(_stop((), known, also_dead=known))


def _stop(
    robots: Iterable[FleetRobot], deployments: Sequence[KnownDeployment], also_dead: Sequence[KnownDeployment]
) -> list[StopResult]:
    """These robots and those of the deployments; those of dead deployments only if they are in `also_dead`."""
    with ThreadPoolExecutor(max(1, len(deployments))) as pool:
        answers = list(pool.map(lambda one: one.ask("stop", _patience_s(one)), deployments))
    due = list(robots)
    done: dict[str, StopResult] = {}
    for deployment, answer in zip(deployments, answers, strict=True):
        reports = answer.get("robots", {}) if answer else {}
        for robot in deployment.robots:
            report = reports.get(str(robot.id))
            if report and report["stopped"]:
                done[robot.link.text] = StopResult(robot, "stopped", "deployment", report["text"])
        if answer is not None or deployment in also_dead:
            listed = {robot.link.text for robot in due}
            due += [robot for robot in deployment.robots if robot.link.text not in listed]
    left = [robot for robot in due if robot.link.text not in done]
    with ThreadPoolExecutor(max(1, len(left))) as pool:
        directly = dict(zip(left, pool.map(stop_directly, left), strict=True))
    results = [directly.get(robot) or replace(done[robot.link.text], robot=robot) for robot in due]
    standing = {one.robot.link.text for one in results if one.stopped}
    for deployment, answer in zip(deployments, answers, strict=True):
        if answer is None and standing >= {robot.link.text for robot in deployment.robots}:
            deployment.forget()
    return results


def _patience_s(deployment: KnownDeployment) -> float:
    return 1.0 + max((longest_stop_s(robot.link) for robot in deployment.robots), default=_DEFAULT_PATIENCE_S)


def stop_directly(robot: FleetRobot) -> StopResult:
    """By the relay's second port, which works while another client holds the first; else over the link itself."""
    if robot.relay is not None and ask_relay(robot.relay, "stop") == "stopped":
        return StopResult(robot, "stopped", "relay")
    if robot.link == NO_LINK:
        return StopResult(robot, "not reached", "link", "its link cannot be read in the fleet file")
    session = Session(robot.link)
    try:
        session.connect()
        report = session.stop()
    except (LinkLostError, HandshakeError) as error:
        return StopResult(robot, "not reached", "link", str(error))
    finally:
        session.close()
    return StopResult(robot, report.outcome, "link", report.text)
