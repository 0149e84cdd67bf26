"""The pipe between the server and the stage: JSON messages and frames, told apart by their first byte."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, Final

__all__ = ["Message", "Pipe", "pack", "pack_frame", "unpack"]

Message = dict[str, Any]

_FRAME: Final = b"\0"
"""Stands before a frame, whose own first byte may be any; JSON begins with a brace."""


def pack(message: Mapping[str, Any]) -> bytes:
    """A message as the bytes of a JSON object. Numbers that JSON does not know become "nan", "inf" and "-inf"."""
    try:
        return _dump(message)
    except ValueError:
        return _dump(_finite(message))


def pack_frame(frame: bytes) -> bytes:
    return _FRAME + frame


def unpack(data: bytes) -> Message | bytes | None:
    """What `pack` or `pack_frame` made these bytes from; None if they are neither."""
    if data[:1] == _FRAME:
        return data[1:]
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


class Pipe:
    """The stage's end. Sending waits while the server does not read; EOFError and OSError say that it has gone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = Lock()

    def send(self, kind: str, **fields: Any) -> None:
        """Tell the server something."""
        self._send(pack({"type": kind, **fields}))

    def send_text(self, message: str) -> None:
        """The same of a message that is JSON already."""
        self._send(message.encode())

    def send_frame(self, frame: bytes) -> None:
        self._send(pack_frame(frame))

    def receive(self, timeout: float | None) -> Message | None:
        """The next message; None if none came within so many seconds (None: wait for one). Junk is an empty message."""
        if not self._connection.poll(timeout):
            return None
        message = unpack(self._connection.recv_bytes())
        return message if isinstance(message, dict) else {}

    def _send(self, data: bytes) -> None:
        with self._sending:
            self._connection.send_bytes(data)


def _dump(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
