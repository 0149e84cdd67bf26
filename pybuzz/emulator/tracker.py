"""A tracking system over the emulated arena: JSON datagrams with the robots' poses, as bridges take them.

{"t": 1712.345, "robots": [{"id": 7, "x": 0.512, "y": -0.204, "yaw": 1.571}]}      m, rad, s of the sender's clock
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from typing import Final

__all__ = ["PERIOD_S", "Tracker"]

PERIOD_S: Final = 0.05
_ROUNDING_S: Final = 1e-6


class Tracker:
    """Sends to one address; nobody has to listen there."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._due = 0.0

    def look(self, t: float, poses: Iterable[tuple[int, list[float]]]) -> None:
        """Tell id and pose (x, y in m, yaw in rad) of all robots in sight, if it is time again."""
        if t < self._due - _ROUNDING_S:
            return
        self._due = t + PERIOD_S
        robots = [{"id": number, "x": x, "y": y, "yaw": yaw} for number, (x, y, yaw) in poses]
        try:
            self._socket.sendto(json.dumps({"t": t, "robots": robots}).encode(), self._address)
        except OSError:
            # A datagram that cannot be sent is lost, like any other.
            return

    def close(self) -> None:
        self._socket.close()
