"""Looking at single robots without a script: all values at once, a test of the wheels, a test of the lights."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from pybuzz.link import protocol
from pybuzz.link.calibration import GROUND_ORDER, RING_ORDER, ULTRASOUND_ORDER, reordered
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.probe import findings, probe
from pybuzz.link.protocol import Request
from pybuzz.link.session import Session
from pybuzz.link.transports import LinkLostError

__all__ = ["inspect", "lights_test", "live_values", "wheels_test"]

_TEST_ORDER: Final = 74
_TEST_STEPS: Final = 5
_STEP_S: Final = 0.1
_RUN_OUT_S: Final = 0.3
_LIGHT_S: Final = 0.5
_COLORS: Final = {"red": (63, 0, 0), "green": (0, 63, 0), "blue": (0, 0, 63)}


def inspect(robot: FleetRobot) -> dict[str, Any]:
    """Who answers on the link, what is wrong with it, and its values now: plain data."""
    session = Session(robot.link)
    found = probe(robot, session)
    report: dict[str, Any] = {
        "robot": robot.id,
        "name": robot.name,
        "link": str(robot.link),
        "answers": not found.trouble,
        "firmware": found.firmware or None,
        "percent": found.percent,
        "volts": found.volts,
        "findings": [{"text": one.text, "remedy": one.remedy} for one in findings(robot, found)],
    }
    try:
        report["values"] = live_values(session) if session.is_open else {}
    except (ExchangeError, LinkLostError) as error:
        report["values"] = {}
        report["findings"].append({"text": str(error), "remedy": "try again; then look at the line"})
    finally:
        session.close()
    return report


def live_values(session: Session) -> dict[str, Any]:
    """Raw values in the order of the script's tables, and how long a question takes (ms)."""
    begin = time.monotonic()
    infrared = _values(session, protocol.proximity())
    reply_ms = (time.monotonic() - begin) * 1e3
    ambient, ultrasound = _values(session, protocol.ambient()), _values(session, protocol.ultrasound())
    battery = {
        name: (_values(session, protocol.battery(item)) or (None,))[0]
        for item, name in enumerate(protocol.BATTERY_ITEMS)
    }
    return {
        "proximity": infrared and reordered(infrared, RING_ORDER),
        "ground": infrared and reordered(infrared, GROUND_ORDER),
        "light": ambient and reordered(ambient, RING_ORDER),
        "ultrasound": ultrasound and reordered(ultrasound, ULTRASOUND_ORDER),
        "encoders": _values(session, protocol.encoders()),
        "speeds": _values(session, protocol.speeds()),
        "battery": battery,
        "reply_ms": round(reply_ms, 1),
    }


def wheels_test(session: Session, sleep: Callable[[float], None] = time.sleep) -> dict[str, str]:
    """Each wheel half a second forward and back, about 2 cm: "good", or what is wrong. Ends with a stop."""
    found = {}
    try:
        for name, order in {"left": (_TEST_ORDER, 0), "right": (0, _TEST_ORDER)}.items():
            forward = _pulses_after(session, order, sleep)
            _pulses_after(session, (-order[0], -order[1]), sleep)
            found[name] = _verdict(forward, 0 if name == "left" else 1)
    finally:
        session.stop()
    return found


def lights_test(session: Session, sleep: Callable[[float], None] = time.sleep) -> None:
    """Red, green, blue on all three lights, then off."""
    try:
        for color in _COLORS.values():
            session.ask(protocol.lights(color, color, color))
            sleep(_LIGHT_S)
    finally:
        session.stop()


def _values(session: Session, request: Request) -> tuple[float, ...] | None:
    try:
        return session.ask(request).values
    except ExchangeError as error:
        if error.kind != "refused":
            raise
        return None


def _pulses_after(session: Session, order: tuple[int, int], sleep: Callable[[float], None]) -> tuple[float, ...]:
    """How far the encoders counted while the wheels were ramped up to an order and stopped again."""
    before = session.ask(protocol.encoders()).values
    for step in range(1, _TEST_STEPS + 1):
        session.ask(protocol.speed_order(order[0] * step // _TEST_STEPS, order[1] * step // _TEST_STEPS))
        sleep(_STEP_S)
    session.ask(protocol.speed_order(0, 0))
    sleep(_RUN_OUT_S)
    after = session.ask(protocol.encoders()).values
    return tuple(late - early for early, late in zip(before, after, strict=True))


def _verdict(pulses: tuple[float, ...], wheel: int) -> str:
    """Forward is positive; the expected count is the mean order times the time."""
    expected = _TEST_ORDER * 0.6 * _TEST_STEPS * _STEP_S / 0.01
    own, other = pulses[wheel], pulses[1 - wheel]
    if own < -0.2 * expected:
        return "turns backwards"
    if abs(other) > 0.2 * expected:
        return "the other wheel turns"
    return "good" if own > 0.5 * expected else "hardly turns"
