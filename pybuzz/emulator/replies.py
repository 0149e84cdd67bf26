"""What faults make of a reply on its way: other ends, pieces, rubbish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from pybuzz.emulator.faults import Fault

__all__ = ["Piece", "shaped"]

_ENDS = {"crlf": b"\r\n", "lfcr": b"\n\r", "lf": b"\n", "cr": b"\r"}
_KERNEL = b"[ 1234.567890] usb 1-1: reset full-speed USB device number 2 using musb-hdrc\r\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that are sent together, after a pause in s."""

    pause_s: float
    data: bytes


def shaped(reply: bytes, faults: Mapping[str, Fault], random: Random) -> list[Piece]:
    """The pieces of a reply under the faults that act on it."""
    pieces = [Piece(0.0, _spoilt(reply, faults, random))]
    if "pieces" in faults:
        pieces = list(_crumbs(pieces[0].data, faults["pieces"].number / 1000.0, random))
    if "late" in faults:
        pieces[0] = Piece(faults["late"].number, pieces[0].data)
    return pieces


def _spoilt(reply: bytes, faults: Mapping[str, Fault], random: Random) -> bytes:
    if "terminator" in faults:
        reply = reply.removesuffix(b"\r\n") + _ENDS[str(faults["terminator"].value)]
    if "letter" in faults:
        reply = bytes([ord("a") + (reply[0] - ord("a") + 1) % 26]) + reply[1:]
    if "garble" in faults:
        reply = _garbled(reply, random)
    if "double" in faults:
        reply = reply + reply
    if "stray" in faults:
        reply = random.randbytes(random.randint(1, 8)) + b"\r\n" + reply
    if "kernel" in faults:
        reply = _KERNEL + reply
    if "partial" in faults or "reset" in faults:
        reply = reply[: max(1, (len(reply) - 2) // 2)]
    return reply


def _garbled(reply: bytes, random: Random) -> bytes:
    """One byte in eight, the first at least, becomes one that is neither digit nor line end."""
    places = random.sample(range(len(reply) - 2), 1 + (len(reply) - 2) // 8)
    spoilt = bytearray(reply)
    for place in places:
        spoilt[place] = 0x80 | spoilt[place]
    return bytes(spoilt)


def _crumbs(reply: bytes, pause_s: float, random: Random) -> Iterator[Piece]:
    start = 0
    while start < len(reply):
        size = random.randint(1, 5)
        yield Piece(pause_s if start else 0.0, reply[start : start + size])
        start += size
