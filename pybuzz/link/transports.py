"""Bytes to and from a robot: serial ports, TCP and RFC 2217, all opened through pyserial."""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from serial import Serial

    from pybuzz.link.addresses import Address

__all__ = ["LinkLostError", "Transport"]

try:
    from termios import error as _terminal_error
except ImportError:  # Windows
    _TERMINAL_ERRORS: tuple[type[Exception], ...] = ()
else:
    _TERMINAL_ERRORS = (_terminal_error,)
"""A serial adapter that is pulled out raises it, and it is no OSError."""

_WRITE_TIMEOUT_S: Final = 0.3
_CHUNK: Final = 4096


class LinkLostError(Exception):
    """The line cannot be opened, or broke."""


class Transport:
    """An open line. Raises LinkLostError when it breaks."""

    def __init__(self, address: Address) -> None:
        import serial

        self._lost: tuple[type[Exception], ...] = (serial.SerialException, OSError, ValueError, *_TERMINAL_ERRORS)
        try:
            self._port: Serial = serial.serial_for_url(
                address.port, baudrate=address.baud, timeout=0, write_timeout=_WRITE_TIMEOUT_S, **_exclusive(address)
            )
        except self._lost as error:
            raise LinkLostError(_reason(error)) from None
        self._descriptor = _descriptor(self._port)
        with suppress(*self._lost):
            _send_at_once(self._port)

    def read(self, timeout_s: float) -> bytes:
        """What has arrived, after at most `timeout_s`; nothing after a time-out."""
        try:
            if self._descriptor is None:
                return self._read_by_port(timeout_s)
            ready, _, _ = select.select([self._descriptor], [], [], max(0.0, timeout_s))
            if not ready:
                return b""
            data = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return b""
        except self._lost as error:
            raise LinkLostError(_reason(error)) from None
        if not data:
            raise LinkLostError("the other end closed the connection")
        return data

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except self._lost as error:
            raise LinkLostError(_reason(error)) from None

    def close(self) -> None:
        with suppress(*self._lost):
            self._port.close()

    def _read_by_port(self, timeout_s: float) -> bytes:
        # Where there is no descriptor to wait on (Windows, RFC 2217): wait for the first byte, then take the rest.
        self._port.timeout = max(0.0, timeout_s)
        first: bytes = self._port.read(1)
        rest: bytes = self._port.read(self._port.in_waiting) if first and self._port.in_waiting else b""
        return first + rest


def _descriptor(port: Serial) -> int | None:
    # pyserial reads byte by byte until a count is reached; a descriptor can be waited on, and read whole.
    if os.name != "posix":
        return None
    try:
        descriptor: int = port.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor


def _exclusive(address: Address) -> dict[str, bool]:
    """A second program on the line would break the session."""
    return {"exclusive": True} if address.kind in ("serial", "bluetooth") and os.name == "posix" else {}


def _send_at_once(port: Serial) -> None:
    line = getattr(port, "_socket", None)
    if isinstance(line, socket.socket):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _reason(error: Exception) -> str:
    text = str(error)
    for cause in ("Connection refused", "No such file", "timed out", "Permission denied", "Name or service not known",
                  "exclusively lock", "reset by peer", "No route to host"):  # fmt: skip
        if cause in text:
            return cause.lower() if cause != "exclusively lock" else "another program uses this line"
    return text or type(error).__name__
