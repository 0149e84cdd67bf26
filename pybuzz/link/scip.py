"""SCIP 2.0, the language of the Hokuyo laser scanner, as a pure codec.

A command is ASCII ended by LF. A reply repeats the command line, then a status of two characters with its check
character, then lines of data each with one, then an empty line. Source: SCIP 2.0 specification, URG-04LX-UG01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = [
    "FIRST_STEP", "LASER_OFF", "LASER_ON", "LAST_STEP", "MESSAGE_END", "VERSION_2", "ScipError", "ScipReply",
    "checksum", "decode_numbers", "encode_number", "parse_message", "scan_command", "step_at",
]  # fmt: skip

FIRST_STEP: Final = 44
LAST_STEP: Final = 725
"""The steps of the scanner that hold distances: 682 of them, 360/1024 degrees apart, anticlockwise."""

_FRONT_STEP: Final = 384
_STEPS_PER_TURN: Final = 1024
_LEAST_DISTANCE_MM: Final = 20

VERSION_2: Final = b"SCIP2.0\n"
LASER_ON: Final = b"BM\n"
LASER_OFF: Final = b"QT\n"
MESSAGE_END: Final = b"\n\n"


class ScipError(ValueError):
    """A message that does not keep to the format."""


@dataclass(frozen=True, slots=True)
class ScipReply:
    """One message: the command it answers, its status ("00" is good), and its data without check characters."""

    command: str
    status: str
    data: str = ""

    @property
    def distances_mm(self) -> tuple[int, ...]:
        """The distances of a `GD` reply, one per step; error codes (below 20) are 0. Raises ScipError."""
        return tuple(number if number >= _LEAST_DISTANCE_MM else 0 for number in decode_numbers(self.data[4:], 3))


def scan_command() -> bytes:
    """Asks for the newest whole scan, every step by itself."""
    return f"GD{FIRST_STEP:04d}{LAST_STEP:04d}00\n".encode("ascii")


def checksum(text: str) -> str:
    """The check character of a line."""
    return chr((sum(text.encode("latin-1")) & 63) + 0x30)


def encode_number(value: int, characters: int) -> str:
    """Groups of six bits, the most significant first."""
    return "".join(chr((value >> 6 * place & 63) + 0x30) for place in reversed(range(characters)))


def decode_numbers(text: str, characters: int) -> tuple[int, ...]:
    """Numbers of `characters` each. Raises ScipError if `text` is no sequence of them."""
    digits = [ord(one) - 0x30 for one in text]
    if len(digits) % characters or not all(0 <= digit < 64 for digit in digits):
        raise ScipError(f"not a sequence of numbers of {characters} characters")
    places = range(0, len(digits), characters)
    return tuple(_joined(digits[place : place + characters]) for place in places)


def parse_message(message: bytes) -> ScipReply:
    """One whole message, without the empty line at its end. Raises ScipError."""
    command, *lines = message.decode("latin-1").split("\n")
    if not lines:
        raise ScipError(f"no status after {command!r}")
    status, *data = map(_checked, lines)
    return ScipReply(command, status, "".join(data))


def step_at(angle_rad: float) -> int:
    """Which of the readings from FIRST_STEP on looks nearest to an angle; 0 is ahead."""
    return round(_FRONT_STEP + angle_rad * _STEPS_PER_TURN / (2.0 * math.pi)) - FIRST_STEP


def _checked(line: str) -> str:
    if not line or checksum(line[:-1]) != line[-1]:
        raise ScipError(f"the check character of {line[:20]!r} is wrong")
    return line[:-1]


def _joined(digits: Sequence[int]) -> int:
    number = 0
    for digit in digits:
        number = number << 6 | digit
    return number
