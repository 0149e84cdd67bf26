"""Speaking with the relay on a robot (robots/relay/kh4relay.py) through its second port."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

from pybuzz.link.fleet import FleetRobot

__all__ = ["RelayOrder", "ask_relay", "release_relays"]

RelayOrder = Literal["hello", "stop", "release"]
"""In small letters, which kh4server ignores: an address that is mistaken for the relay's does no harm. Relays of
earlier versions take them too."""

_CONNECT_S: Final = 1.0
_ANSWER_S: Final = 3.0
"""A robot that does not acknowledge its stop is tried for about 2 s before the relay answers."""


def ask_relay(address: tuple[str, int], order: RelayOrder) -> str | None:
    """The relay's answer: its name and state, "stopped" or "released"; None if no relay answers, or it failed."""
    try:
        with socket.create_connection(address, timeout=_CONNECT_S) as line:
            line.settimeout(_ANSWER_S if order == "stop" else _CONNECT_S)
            line.sendall(f"{order}\n".encode("ascii"))
            answer = b""
            while not answer.endswith(b"\n") and (data := line.recv(200)):
                answer += data
    except OSError:
        return None
    text = answer.decode("latin-1").strip()
    return text if text.startswith(("kh4relay", "stopped", "released")) else None


def release_relays(robots: Sequence[FleetRobot]) -> None:
    """A person begins to drive these robots: their relays, if they were told to stop, let orders pass again."""
    addresses = [robot.relay for robot in robots if robot.relay is not None]
    if addresses:
        with ThreadPoolExecutor(len(addresses)) as pool:
            list(pool.map(lambda address: ask_relay(address, "release"), addresses))
