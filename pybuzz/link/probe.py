"""Is this robot fit to drive? Asked before every run, and by `pybuzz robots`."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from pybuzz.link import protocol
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.laser import laser_trouble
from pybuzz.link.protocol import Request
from pybuzz.link.safety import judge_battery
from pybuzz.link.session import HandshakeError, Session
from pybuzz.link.transports import LinkLostError

__all__ = ["Finding", "Probe", "findings", "probe"]

_INFRARED_SAMPLES: Final = 6
_INFRARED_PERIOD_S: Final = 0.01
"""The sensors have a new value every 5 ms, and 12 of them never all stand still: their noise is about 3 units."""

_REMEDIES: Final = {
    "refused": "start the relay on the robot (python kh4relay.py) and check the port",
    "unreachable": "is the robot switched on, booted and in this network? try: ping its host",
    "no such file": "make the line first: pair the robot and connect rfcomm, or plug the cable in",
    "permission denied": "this user may not use the port: add it to the group dialout, and log in again",
    "in use": "another program holds the line: end it, or run pybuzz stop",
    "silent": "start kh4server on the robot, after the line is open; or does another program hold this line?",
    "foreign": "the line leads to a login or a shell: log in there and start kh4server on this line",
    "garbled": "what comes is no reply of kh4server: check the bit rate, and that nothing else writes on the line",
}


@dataclass(slots=True)
class Probe:
    """What a robot said. `trouble`: why it cannot be talked to, of _REMEDIES; everything else is then unknown.
    laser: why its laser scanner gives no scan."""

    robot: int
    trouble: str = ""
    text: str = ""
    firmware: str = ""
    percent: float | None = None
    volts: float | None = None
    encoders: tuple[int, int] | None = None
    proximity: tuple[float, ...] | None = None
    refused: list[str] = field(default_factory=list)
    infrared_lives: bool = True
    laser: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a robot before the run. `can_be_forced`: --force drives it all the same."""

    robot: FleetRobot
    text: str
    remedy: str
    can_be_forced: bool = False
    only_warns: bool = False

    def __str__(self) -> str:
        return f"robot {self.robot.id} {self.robot}: {self.text}"


def probe(robot: FleetRobot, session: Session) -> Probe:
    """Connect if necessary, and ask. Raises nothing: what fails is in the answer."""
    found = Probe(robot.id)
    try:
        if not session.is_open:
            session.connect()
        _question(session, found)
        if robot.laser is not None:
            found.laser = laser_trouble(robot.laser)
    except HandshakeError as error:
        found.trouble = error.kind
        said = f"; it says {error.last_line.decode('latin-1')[:60]!r}" if error.last_line else ""
        found.text = "no kh4server answers" + said
    except LinkLostError as error:
        found.trouble, found.text = _kind_of(str(error)), f"the link cannot be opened: {error}"
    except ExchangeError as error:
        found.trouble, found.text = error.kind if error.kind in _REMEDIES else "garbled", str(error)
    return found


def findings(robot: FleetRobot, found: Probe, *, needs_laser: bool = False) -> list[Finding]:
    """What is wrong, in words, each with its remedy. A laser that gives no scan only warns if nothing needs it."""
    if found.trouble:
        return [Finding(robot, found.text, _REMEDIES[found.trouble])]
    wrong = []
    if found.firmware != robot.firmware:
        text = f"its firmware is {found.firmware}, and {robot.firmware} is expected"
        remedy = f'update the robot, or write firmware: "{found.firmware}" in the fleet file after a test on blocks'
        wrong.append(Finding(robot, text, remedy, can_be_forced=True))
    wrong += _battery_findings(robot, found)
    if found.encoders is None:
        wrong.append(Finding(robot, "its encoders do not answer", "restart the robot"))
    if not found.infrared_lives:
        text = "its infrared sensors are dead: always the same values"
        wrong.append(Finding(robot, text, "restart the robot", can_be_forced=True))
    wrong += [Finding(robot, f"it refuses {one}", "restart the robot", can_be_forced=True) for one in found.refused]
    if found.laser:
        text = f"its laser on {robot.laser} gives no scan: {found.laser}"
        remedy = "is it connected, and does laser: name its line? what else reads it?"
        wrong.append(Finding(robot, text, remedy, only_warns=not needs_laser))
    return wrong


def _battery_findings(robot: FleetRobot, found: Probe) -> list[Finding]:
    state = judge_battery(found.percent, found.volts)
    charge = "unknown charge" if found.percent is None else f"{found.percent:g} %"
    volts = "" if found.volts is None else f" ({found.volts:.2f} V)"
    if state == "empty":
        return [Finding(robot, f"its battery is at {charge}{volts}", "charge it", can_be_forced=True)]
    if state == "low":
        return [Finding(robot, f"its battery is low: {charge}{volts}", "charge it soon", only_warns=True)]
    return []


def _question(session: Session, found: Probe) -> None:
    found.firmware = session.firmware
    found.percent = _first(session, protocol.battery(5), found)
    millivolts = _first(session, protocol.battery(0), found)
    found.volts = None if millivolts is None else millivolts / 1000.0
    encoders = _values(session, protocol.encoders(), found)
    found.encoders = (int(encoders[0]), int(encoders[1])) if encoders else None
    samples = []
    for _ in range(_INFRARED_SAMPLES):
        samples.append(_values(session, protocol.proximity(), found))
        time.sleep(_INFRARED_PERIOD_S)
    found.proximity = samples[-1]
    found.infrared_lives = len(set(samples)) > 1


def _values(session: Session, request: Request, found: Probe) -> tuple[float, ...] | None:
    try:
        return session.ask(request).values
    except ExchangeError as error:
        if error.kind != "refused":
            raise
        found.refused.append(str(request))
        return None


def _first(session: Session, request: Request, found: Probe) -> float | None:
    values = _values(session, request, found)
    return values[0] if values else None


def _kind_of(reason: str) -> str:
    if "refused" in reason:
        return "refused"
    if "another program" in reason:
        return "in use"
    return next((kind for kind in ("no such file", "permission denied") if kind in reason), "unreachable")
