"""The thread that reads one robot's laser scanner, on a line of its own, by SCIP 2.0."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from pybuzz.link import scip
from pybuzz.link.addresses import Address
from pybuzz.link.events import DriverEvent
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.transports import LinkLostError, Transport

__all__ = ["Laser", "laser_trouble"]

_SCAN_S: Final = 0.1
_REPLY_S: Final = 1.0
_AGAIN_S: Final = 1.0
_CLEARING_S: Final = 0.05
_GOOD: Final = "00"
_SWITCHED_OFF: Final = "10"
_VALUES: Final = scip.LAST_STEP - scip.FIRST_STEP + 1


def laser_trouble(address: Address) -> str:
    """Why no scan comes from this line; "" if one does."""
    try:
        line = Transport(address)
        try:
            _switch_on(line)
            _newest_scan(line)
            with suppress(scip.ScipError):
                _ask(line, scip.LASER_OFF)
        finally:
            line.close()
    except (LinkLostError, scip.ScipError) as error:
        return str(error)
    return ""


class Laser:
    """Hands on the newest scan: 682 distances in mm, 0 for none. A broken line is told and opened again."""

    def __init__(
        self,
        robot: FleetRobot,
        scanned: Callable[[tuple[int, ...]], None],
        tell: Callable[[DriverEvent], None],
    ) -> None:
        assert robot.laser is not None
        self._address = robot.laser
        self._robot = robot.id
        self._scanned = scanned
        self._tell = tell
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"{robot.name} laser", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Laser off, line closed."""
        self._closing.set()
        self._thread.join(_REPLY_S)

    def _run(self) -> None:
        has_told = False
        while not self._closing.is_set():
            try:
                line = Transport(self._address)
                try:
                    self._scan(line)
                finally:
                    line.close()
            except (LinkLostError, scip.ScipError) as error:
                if not has_told:
                    self._tell(DriverEvent(self._robot, "laser", f"the laser does not answer: {error}"))
                has_told = True
                self._closing.wait(_AGAIN_S)

    def _scan(self, line: Transport) -> None:
        _switch_on(line)
        while not self._closing.is_set():
            begin = time.monotonic()
            self._scanned(_newest_scan(line))
            self._closing.wait(max(0.0, begin + _SCAN_S - time.monotonic()))
        with suppress(scip.ScipError, LinkLostError):
            _ask(line, scip.LASER_OFF)


def _switch_on(line: Transport) -> None:
    # Right after power-up it may still speak SCIP 1; being there already is an error that means nothing.
    for command in (scip.VERSION_2, scip.LASER_ON):
        _ask(line, command)


def _newest_scan(line: Transport) -> tuple[int, ...]:
    """Distances in mm, 0 for none. Raises ScipError if the scanner gives no whole scan."""
    reply = _ask(line, scip.scan_command())
    if reply.status == _SWITCHED_OFF:
        _ask(line, scip.LASER_ON)
        reply = _ask(line, scip.scan_command())
    if reply.status != _GOOD:
        raise scip.ScipError(f"the scanner gives no scan: status {reply.status}")
    distances = reply.distances_mm
    if len(distances) != _VALUES:
        raise scip.ScipError(f"a scan of {len(distances)} values in place of {_VALUES}: another model of scanner?")
    return distances


def _ask(line: Transport, command: bytes) -> scip.ScipReply:
    """The reply to this command; what belongs to an earlier one is skipped. Raises ScipError after a time-out."""
    cleared = time.monotonic() + _CLEARING_S
    while line.read(0.0):
        if time.monotonic() > cleared:
            raise scip.ScipError("what nobody asked for arrives without end: another program talks on this line")
    line.write(command)
    end, received = time.monotonic() + _REPLY_S, b""
    while (left := end - time.monotonic()) > 0.0:
        received += line.read(left)
        *messages, received = received.split(scip.MESSAGE_END)
        for message in messages:
            if message.lstrip(b"\n").startswith(command.rstrip(b"\n")):
                return scip.parse_message(message.lstrip(b"\n"))
    raise scip.ScipError(f"no reply to {command!r}")
