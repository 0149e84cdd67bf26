"""The laser scanner on its own port: SCIP 2.0 as a Hokuyo URG-04LX-UG01 speaks it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from pybuzz.emulator.hardware import Hardware
from pybuzz.emulator.journal import Journal
from pybuzz.emulator.line import Wire
from pybuzz.link.scip import FIRST_STEP, LAST_STEP, checksum, encode_number

__all__ = ["Laser"]

SCAN_S: Final = 0.1
_BLOCK = 64
_SCAN = re.compile(r"(G[DS])([0-9]{4})([0-9]{4})([0-9]{2})")
_SCANS = re.compile(r"(M[DS])([0-9]{4})([0-9]{4})([0-9]{2})([0-9])([0-9]{2})")
_VERSION = ("VEND:Hokuyo Automatic Co.,Ltd.", "PROD:SOKUIKI Sensor URG-04LX-UG01", "FIRM:3.4.03", "PROT:SCIP 2.0")
_PARAMETERS = ("MODL:URG-04LX-UG01", "DMIN:20", "DMAX:5600", "ARES:1024", "AMIN:44", "AMAX:725", "AFRT:384", "SCAN:600")


class Laser:
    """One scanner. Clients come by a TCP port; the motion of the robot goes on while it scans."""

    def __init__(self, robot: int, hardware: Hardware, journal: Journal) -> None:
        self.robot = robot
        self.is_silent = False
        self.values: int | None = None
        """How many distances a scan has in place of those asked for; None: as asked."""
        self._hardware = hardware
        self._journal = journal
        self._wire: Wire | None = None
        self._input = b""
        self._is_on = False
        self._scans: asyncio.TimerHandle | None = None

    def connected(self, wire: Wire, peer: str) -> None:
        self._wire = wire
        self._input = b""
        self._journal.write(self.robot, "laser connected", peer=peer)

    def disconnected(self, reason: str) -> None:
        self._wire = None
        self._end_scans()
        self._journal.write(self.robot, "laser disconnected", reason=reason)

    def received(self, data: bytes) -> None:
        *lines, self._input = (self._input + data).split(b"\n")
        for line in lines:
            self._answer(line.decode("latin-1").rstrip("\r"))

    def _answer(self, command: str) -> None:
        if found := _SCAN.fullmatch(command):
            self._scan(command, *found.groups())
        elif found := _SCANS.fullmatch(command):
            self._start_scans(command, *found.groups())
        elif command in ("VV", "PP", "II"):
            told = {"VV": _VERSION, "PP": _PARAMETERS, "II": self._state()}[command]
            self._say(command, "00", [f"{line};{checksum(line)}" for line in told])
        elif command == "BM":
            self._say(command, "02" if self._is_on else "00")
            self._is_on = True
        elif command in ("QT", "RS"):
            self._is_on = False
            self._end_scans()
            self._say(command, "00")
        elif command.startswith("SS"):
            self._say(command, "03")
        else:
            self._say(command, "0E")

    def _state(self) -> Sequence[str]:
        return (
            "MODL:URG-04LX-UG01", f"LASR:{'ON' if self._is_on else 'OFF'}", "SCSP:Initial(600[rpm])",
            "MESM:Measuring" if self._is_on else "MESM:IDLE", "SBPS:USB only", "STAT:Stable",
        )  # fmt: skip

    def _scan(self, command: str, kind: str, first: str, last: str, cluster: str) -> None:
        if not FIRST_STEP <= int(first) <= int(last) <= LAST_STEP:
            self._say(command, "04")
        elif not self._is_on:
            self._say(command, "10")
        else:
            self._say(command, "00", self._data(kind, int(first), int(last), int(cluster)))

    def _start_scans(
        self, command: str, kind: str, first: str, last: str, cluster: str, skipped: str, count: str
    ) -> None:
        """One block for each scan; 00 scans are endless."""
        self._end_scans()
        if not FIRST_STEP <= int(first) <= int(last) <= LAST_STEP:
            self._say(command, "04")
            return
        self._say(command, "00")
        self._is_on = True
        pause = SCAN_S * (1 + int(skipped))
        span = (kind, int(first), int(last), int(cluster))
        self._later(pause, command[:-2], span, int(count) or None)

    def _later(self, pause: float, command: str, span: tuple[str, int, int, int], left: int | None) -> None:
        loop = asyncio.get_running_loop()
        self._scans = loop.call_later(pause, lambda: self._next_scan(pause, command, span, left))

    def _next_scan(self, pause: float, command: str, span: tuple[str, int, int, int], left: int | None) -> None:
        left = None if left is None else left - 1
        self._say(f"{command}{left or 0:02d}", "99", self._data(*span))
        if left == 0:
            self._is_on = False
        else:
            self._later(pause, command, span, left)

    def _end_scans(self) -> None:
        if self._scans is not None:
            self._scans.cancel()
            self._scans = None

    def _data(self, kind: str, first: int, last: int, cluster: int) -> list[str]:
        """Time stamp and distances in blocks; of a cluster the nearest counts."""
        distances = self._hardware.laser()[first - FIRST_STEP : last - FIRST_STEP + 1]
        if self.values is not None:
            distances = [*distances, *[0] * self.values][: self.values]
        size = max(1, cluster)
        nearest = [min(distances[place : place + size]) for place in range(0, len(distances), size)]
        characters = 3 if kind.endswith("D") else 2
        longest = 64**characters - 1
        text = "".join(encode_number(min(distance, longest), characters) for distance in nearest)
        stamp = encode_number(round(asyncio.get_running_loop().time() * 1000.0) % 64**4, 4)
        blocks = [text[place : place + _BLOCK] for place in range(0, len(text), _BLOCK)]
        return [line + checksum(line) for line in (stamp, *blocks)]

    def _say(self, command: str, status: str, lines: Sequence[str] = ()) -> None:
        if self._wire is not None and not self.is_silent:
            text = "\n".join([command, status + checksum(status), *lines]) + "\n\n"
            self._wire.write(text.encode("latin-1"))
