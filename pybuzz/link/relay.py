"""Speaking with the relay on a robot (robots/relay/kh4relay.py) through its second port."""

from __future__ import annotations

import socket
from typing import Final

__all__ = ["ask_relay"]

_TIMEOUT_S: Final = 1.0


def ask_relay(address: tuple[str, int], order: str) -> str | None:
    """The relay's answer to HELLO (its name and state) or STOP ("stopped"); None if no relay answers."""
    try:
        with socket.create_connection(address, timeout=_TIMEOUT_S) as line:
            line.settimeout(_TIMEOUT_S)
            line.sendall(f"{order}\n".encode("ascii"))
            answer = b""
            while not answer.endswith(b"\n") and (data := line.recv(200)):
                answer += data
    except OSError:
        return None
    text = answer.decode("latin-1").strip()
    return text if text.startswith(("kh4relay", "stopped")) else None
