"""What is asked before any wheel turns, and what must be true."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pybuzz.errors import Diagnostic, LinkError, Place
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.messages import Message
from pybuzz.link.minds import Scripts
from pybuzz.link.probe import Finding, Probe, findings
from pybuzz.link.relay import ask_relay

__all__ = ["as_error", "host_findings", "link_findings", "relay_findings", "script_findings"]

_SAME_PLACE_M = 0.05


def link_findings(fleet: Fleet, scripts: Scripts, message: Message | None) -> list[Finding]:
    """What is wrong with the robots themselves, from the keeper's message `probed`; without one, all are silent."""
    probes = {one["robot"]: Probe(**one) for one in (message or {"probes": []})["probes"]}
    nothing = "its link did not come up in time"
    return [
        finding
        for robot in fleet.robots
        for finding in findings(
            robot,
            probes.get(robot.id, Probe(robot.id, "unreachable", nothing)),
            needs_laser="lidar" in scripts.sensors(robot),
        )
    ]


def script_findings(fleet: Fleet, scripts: Scripts) -> list[Finding]:
    """What the scripts want and the robots lack."""
    found = []
    for robot in fleet.robots:
        for text in scripts.missing_functions(robot):
            found.append(Finding(robot, f"its script cannot run: {text}", "write it, even if empty"))
        if "lidar" in scripts.sensors(robot) and robot.laser is None:
            text = "its script reads lidar, and the fleet file names no laser for it"
            remedy = "give it one (laser: URL), or another script; with --force lidar is nil"
            found.append(Finding(robot, text, remedy, can_be_forced=True))
    if fleet.pose.source == "odometry":
        found += _same_places(robot for robot in fleet.robots if scripts.depends_on_pose(robot))
    return found


def host_findings(fleet: Fleet) -> list[Finding]:
    """Relays that may be those of other robots."""
    found = []
    for robot in fleet.robots:
        endpoint = robot.link.endpoint
        if robot.relay is not None and endpoint is not None and robot.relay[0].lower() != endpoint[0].lower():
            text = f"its relay is on {robot.relay[0]}, and its link on {endpoint[0]}"
            remedy = "a relay stops the robot that it runs on: write the same host in link and relay"
            found.append(Finding(robot, text, remedy, only_warns=True))
    return found


def relay_findings(fleet: Fleet) -> list[Finding]:
    """Robots without a dead-man: when this computer or the network dies, their wheels go on turning."""
    found = []
    for robot in fleet.robots:
        if robot.relay is None:
            text = "the fleet file names no relay for it"
            remedy = 'start kh4relay.py on it and write in the fleet file  relay: "tcp://HOST:7001"'
        elif ask_relay(robot.relay, "hello") is None:
            text = f"no relay answers on {robot.relay[0]}:{robot.relay[1]}"
            remedy = "start kh4relay.py on the robot; docs/deployment.md says how"
        else:
            continue
        found.append(Finding(robot, text, remedy, can_be_forced=True))
    return found


def as_error(found: Sequence[Finding]) -> LinkError:
    """All findings as one error: exit code 3."""
    return LinkError(
        Diagnostic(Place(f"robot {one.robot.id} ({one.robot.link})"), "pre-flight", one.text, hint=_hint(one))
        for one in found
    )


def _hint(finding: Finding) -> str:
    return finding.remedy + ("; --force drives all the same" if finding.can_be_forced else "")


def _same_places(robots: Iterable[FleetRobot]) -> list[Finding]:
    """Robots that start where an earlier one does already."""
    found: list[Finding] = []
    placed: list[FleetRobot] = []
    for robot in robots:
        other = next((one for one in placed if math.dist(robot.start[:2], one.start[:2]) < _SAME_PLACE_M), None)
        if other is not None:
            text = f"it starts at the same place as robot {other.id}, and its script reads its pose or neighbors"
            remedy = "write start: [x, y, degrees] for both in the fleet file, or give a pose source"
            found.append(Finding(robot, text, remedy, can_be_forced=True))
        placed.append(robot)
    return found
