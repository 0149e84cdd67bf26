"""What nobody could check without a robot, asked of a real one: a report to keep, or to send to those who wrote this.

The questions are those that the documents of the Khepera IV leave open or answer in two ways.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final

from pybuzz.link import protocol
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.inspection import live_values
from pybuzz.link.session import Session
from pybuzz.link.transports import Transport

__all__ = ["survey"]

_RATE_S: Final = 5.0
_QUIET_S: Final = 0.1
_TURNING_ORDER: Final = 100
_STANDS_PULSES: Final = 3

_BY_HAND: Final = """\
## To be looked at by hand

- Ambient light: `pybuzz robots --calibrate` shows whether a lamp raises or lowers the values.
- On the robot: `which socat stdbuf python python3 sftp-server`; `ls /dev/ttyS2 /dev/ttyO2`.
- On blocks, wheels turning: does `/home/root/kh4server /nonexistent` stop them?
- Laser: how is it mounted, and does its scan run counter-clockwise?
- The gyroscope and accelerometer are not asked: their replies can crash the stock server.
"""


def survey(robot: FleetRobot, ask: Callable[[str], str]) -> str:
    """A report in Markdown. ask: puts a question to a person. Raises LinkLostError or HandshakeError."""
    lines = [f"# Survey of robot {robot.id} on {robot.link}", ""]
    lines += ["## The line", "", *_raw_replies(robot), ""]
    session = Session(robot.link)
    session.connect()
    try:
        lines += [f"- Firmware: {session.firmware}", "", "## Values", "", *_values(session), ""]
        lines += ["## Rate", "", _rate(session), ""]
        if ask("May the wheels turn for a second? The robot must stand on blocks. [y/N] ").lower().startswith("y"):
            lines += ["## Stopping", "", *_stopping(session), ""]
    finally:
        session.stop()
        session.close()
    return "\n".join([*lines, _BY_HAND])


def _raw_replies(robot: FleetRobot) -> list[str]:
    """Exact bytes of `B`, and length of the binary frame `X`, which nothing else here uses."""
    line = Transport(robot.link)
    try:
        found = []
        for request in (b"B\n", b"X\n"):
            begin = time.monotonic()
            line.write(request)
            reply = line.read(robot.link.timeout_s)
            milliseconds = (time.monotonic() - begin) * 1e3
            while more := line.read(_QUIET_S):
                reply += more
            shown = reply.hex(" ") if len(reply) <= 16 else f"{len(reply)} bytes, {reply[:8].hex(' ')} ..."
            found.append(f"- `{request.decode().strip()}` answers `{shown}` after {milliseconds:.1f} ms")
    finally:
        line.close()
    return found


def _values(session: Session) -> list[str]:
    session.ask(protocol.ultrasound_mask(31))
    time.sleep(0.2)
    found = [f"- {name}: {value}" for name, value in live_values(session).items()]
    session.ask(protocol.ultrasound_mask(0))
    time.sleep(0.2)
    try:
        off = session.ask(protocol.ultrasound()).values
    except ExchangeError as error:
        return [*found, f"- ultrasound switched off: {error}"]
    return [*found, f"- ultrasound switched off: {off}"]


def _rate(session: Session) -> str:
    """How often the exchanges of a control period fit into a second."""
    times, end = [], time.monotonic() + _RATE_S
    while time.monotonic() < end:
        begin = time.monotonic()
        for request in (protocol.speed_order(0, 0), protocol.proximity(), protocol.encoders()):
            session.ask(request)
        times.append((time.monotonic() - begin) * 1e3)
    slowest = statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return (
        f"- `D N R`: {len(times) / _RATE_S:.0f} times a second, median {statistics.median(times):.1f} ms, "
        f"99th percentile {slowest:.1f} ms, {session.counters.timeouts} time-outs"
    )


def _stopping(session: Session) -> list[str]:
    found = []
    for name, request in (("`D,0,0`", protocol.speed_order(0, 0)), ("`M`", protocol.motors_idle())):
        for order in range(0, _TURNING_ORDER + 1, 25):
            session.ask(protocol.speed_order(order, order))
            time.sleep(0.1)
        begin = time.monotonic()
        session.ask(request)
        before, now = (0.0, 0.0), session.ask(protocol.encoders()).values
        while max(abs(now[0] - before[0]), abs(now[1] - before[1])) > _STANDS_PULSES and time.monotonic() < begin + 2.0:
            time.sleep(0.02)
            before, now = (now[0], now[1]), session.ask(protocol.encoders()).values
        found.append(f"- After {name} the wheels stand within {(time.monotonic() - begin) * 1e3:.0f} ms")
    return found
