"""`pybuzz stop`: stop a whole fleet from any process, by the surest way that is open."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pybuzz.link.control import ask_running_deployment
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.relay import ask_relay
from pybuzz.link.session import HandshakeError, Session, StopOutcome, longest_stop_s
from pybuzz.link.transports import LinkLostError

__all__ = ["StopResult", "stop_directly", "stop_fleet"]


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


def stop_fleet(fleet: Fleet, *, ask: Callable[..., object] = ask_running_deployment) -> list[StopResult]:
    """The running deployment if there is one, else each robot's relay, else its link directly.

    A deployment that does not answer, or could not stop a robot, is passed by.
    """
    patience_s = 1.0 + max(longest_stop_s(robot.link) for robot in fleet.robots)
    answer = ask(fleet.file, "stop", patience_s)
    reports = answer.get("robots", {}) if isinstance(answer, dict) else {}
    done = {
        robot.id: StopResult(robot, "stopped", "deployment", report["text"])
        for robot in fleet.robots
        if (report := reports.get(str(robot.id))) and report["stopped"]
    }
    left = [robot for robot in fleet.robots if robot.id not in done]
    if left:
        with ThreadPoolExecutor(len(left)) as pool:
            done |= {result.robot.id: result for result in pool.map(stop_directly, left)}
    return [done[robot.id] for robot in fleet.robots]


def stop_directly(robot: FleetRobot) -> StopResult:
    """By the relay's second port, which works while another client holds the first; else over the link itself."""
    if robot.relay is not None and ask_relay(robot.relay, "STOP") == "stopped":
        return StopResult(robot, "stopped", "relay")
    session = Session(robot.link)
    try:
        session.connect()
        report = session.stop()
    except (LinkLostError, HandshakeError) as error:
        return StopResult(robot, "not reached", "link", str(error))
    finally:
        session.close()
    return StopResult(robot, report.outcome, "link", report.text)
