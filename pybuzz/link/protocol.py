"""kh4server's protocol as a pure codec: requests to lines, lines to checked values. No input or output here.

A request is one upper-case letter and numbers after commas, ended by LF; the reply is the letter in lower case with its
numbers, ended by CR LF, or `$`. Terminators are read liberally (any run of CR and LF), values strictly: a reply with a
wrong letter, count, number or range is an error and never a value. The binary frame `X` and the dangerous `S` and `T`
are left out: the stock server garbles the first and can crash at the others (Khepera IV, kh4server as shipped).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = [
    "BATTERY_ITEMS", "COMMANDS", "MAX_ORDER", "REFUSAL", "RELAY_REFUSAL", "US_NOTHING", "US_OFF", "US_TOO_NEAR",
    "Command", "LineSplitter", "Reply", "ReplyError", "Request", "ambient", "battery", "encoders", "firmware",
    "is_foreign", "lights", "motors_idle", "obstacle_avoidance", "parse_reply", "parse_request", "pid",
    "position_margin", "profile", "proximity", "reply_line", "reset_encoders", "speed_order", "speeds", "targets",
    "ultrasound", "ultrasound_mask",
]  # fmt: skip

MAX_ORDER: Final = 1200
"""Units: the largest wheel order that the controller regulates; nothing on the robot checks it."""

US_TOO_NEAR: Final = 0
US_NOTHING: Final = 1000
US_OFF: Final = 2000
"""Codes among the ultrasound distances (cm): nearer than 25 cm, no echo, sensor switched off."""

REFUSAL: Final = "$"
"""The whole reply to a command that the server does not know or could not carry out."""

RELAY_REFUSAL: Final = "$kh4relay stopped"
"""The reply of a relay that was told to stop, to an order that turns wheels."""

BATTERY_ITEMS: Final = (
    "voltage_mv", "current_ma", "mean_current_ma", "remaining_mah", "temperature_c", "charge_percent", "charging",
    "status",
)  # fmt: skip
"""What `V,0` to `V,7` ask for."""

_LONGEST_ARGUMENT: Final = 9
_LONGEST_LINE: Final = 256

_WHOLE = re.compile(r"-?[0-9]{1,10}")
_DECIMAL = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,3})?")
_BATTERY_RANGES = (
    (0, 20000), (-40000, 40000), (-40000, 40000), (0, 20000), (-60.0, 130.0), (0, 110), (0, 1), (0, 255),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """One letter of the protocol. `arguments`, `values`: how many; `repeatable`: asking twice does no harm."""

    letter: str
    arguments: int
    values: int
    accepts: Callable[[float], bool] = lambda value: True
    repeatable: bool = True


def _within(least: float, most: float) -> Callable[[float], bool]:
    return lambda value: least <= value <= most


def _is_distance(value: float) -> bool:
    return 0 <= value <= 250 or value in (US_NOTHING, US_OFF)


_ENCODER = _within(-(2**31), 2**31 - 1)

COMMANDS: Final = {
    command.letter: command
    for command in (
        Command("A", 1, 0, repeatable=False),
        Command("B", 0, 2),
        Command("D", 2, 0),
        Command("E", 0, 2, _within(-2000, 2000)),
        Command("F", 2, 0, repeatable=False),
        Command("G", 0, 5, _is_distance),
        Command("H", 3, 0),
        Command("I", 0, 0),
        Command("J", 5, 0),
        Command("K", 9, 0),
        Command("M", 0, 0),
        Command("N", 0, 12, _within(0, 1023)),
        Command("O", 0, 12, _within(0, 1023)),
        Command("P", 1, 0),
        Command("R", 0, 2, _ENCODER),
        Command("U", 1, 0),
        Command("V", 1, 1),
    )
}
"""By letter. A short `D`, `F`, `H`, `J`, `P` or `U` would make the server use left-over numbers: never sent."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command with all its arguments. Raises ValueError if they are not what the command takes."""

    letter: str
    arguments: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        command = COMMANDS.get(self.letter)
        if command is None:
            raise ValueError(f"there is no command {self.letter!r}")
        if len(self.arguments) != command.arguments:
            raise ValueError(f"{self.letter} takes {command.arguments} numbers, got {len(self.arguments)}")
        if any(len(str(argument)) > _LONGEST_ARGUMENT for argument in self.arguments):
            raise ValueError(f"{self}: no argument may have more than {_LONGEST_ARGUMENT} characters")

    def __str__(self) -> str:
        return ",".join([self.letter, *map(str, self.arguments)])

    @property
    def line(self) -> bytes:
        """What goes over the line, with its LF."""
        return f"{self}\n".encode("ascii")

    @property
    def command(self) -> Command:
        return COMMANDS[self.letter]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that fits its request: the numbers in the order of the protocol, all within their ranges.

    `text`: of `B` the firmware such as "B 5"; else empty.
    """

    letter: str
    values: tuple[float, ...] = ()
    text: str = ""


class ReplyError(ValueError):
    """A line that is no answer to the request. `kind`: refused, foreign, wrong letter, wrong count, not a number,
    out of range."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def firmware() -> Request:
    return Request("B")


def speed_order(left: int, right: int) -> Request:
    """Wheel speeds in units of 0.678181 mm/s. Raises ValueError beyond MAX_ORDER: the robot would not check."""
    return Request("D", (_within_range("wheel order", left, MAX_ORDER), _within_range("wheel order", right, MAX_ORDER)))


def motors_idle() -> Request:
    return Request("M")


def speeds() -> Request:
    return Request("E")


def encoders() -> Request:
    return Request("R")


def reset_encoders() -> Request:
    return Request("I")


def targets(left: int, right: int) -> Request:
    """Encoder targets in pulses, absolute."""
    return Request("F", (left, right))


def position_margin(pulses: int) -> Request:
    return Request("P", (_between("margin", pulses, 0, 65535),))


def pid(p: int, i: int, d: int) -> Request:
    return Request("H", tuple(_between("PID factor", factor, 0, 255) for factor in (p, i, d)))


def profile(acc_inc: int, acc_div: int, min_speed_acc: int, min_speed_dec: int, max_speed: int) -> Request:
    """The speed profile of modes 2 and 3."""
    small = (_between("acc_inc", acc_inc, 1, 255), *(_between("profile", one, 0, 255) for one in (
        acc_div, min_speed_acc, min_speed_dec)))  # fmt: skip
    return Request("J", (*small, _between("max_speed", max_speed, 0, MAX_ORDER)))


def obstacle_avoidance(mode: int) -> Request:
    """0, 1 start the robot's own obstacle avoidance, 2 ends it."""
    return Request("A", (_between("mode", mode, 0, 2),))


def proximity() -> Request:
    return Request("N")


def ambient() -> Request:
    return Request("O")


def ultrasound() -> Request:
    return Request("G")


def ultrasound_mask(mask: int) -> Request:
    return Request("U", (_between("ultrasound mask", mask, 0, 31),))


def lights(left: Sequence[int], right: Sequence[int], back: Sequence[int]) -> Request:
    """Red, green, blue of the three lights, 0..63 each; the robot would cut 64 to 0."""
    return Request("K", tuple(_between("light", level, 0, 63) for level in (*left, *right, *back)))


def battery(item: int) -> Request:
    """One of BATTERY_ITEMS."""
    return Request("V", (_between("battery item", item, 0, 7),))


def parse_reply(request: Request, line: bytes) -> Reply:
    """The answer to `request` from one line without its end. Raises ReplyError if it is none."""
    text = line.decode("latin-1")
    if text == REFUSAL:
        raise ReplyError("refused", f"the robot refused {request}")
    if text == RELAY_REFUSAL:
        raise ReplyError("refused", f"the relay on the robot was told to stop: it refused {request}")
    name, *parts = text.split(",")
    if name != request.letter.lower():
        kind = "foreign" if is_foreign(line) else "wrong letter"
        raise ReplyError(kind, f"{_shown(text)} is no answer to {request}")
    if len(parts) != request.command.values:
        raise ReplyError(
            "wrong count", f"{len(parts)} values in {_shown(text)}, {request.letter} has {request.command.values}"
        )
    if request.letter == "B":
        return _firmware_reply(parts, text)
    values = tuple(_number(request, part, text) for part in parts)
    accepts = request.command.accepts if request.letter != "V" else _within(*_BATTERY_RANGES[request.arguments[0]])
    for value in values:
        if not accepts(value):
            raise ReplyError("out of range", f"{value:g} in {_shown(text)} is impossible for {request}")
    return Reply(request.letter, values)


def is_foreign(line: bytes) -> bool:
    """Whether this looks like a login prompt, a shell or a kernel message: no kh4server on the line."""
    text = line.decode("latin-1").lower()
    words = ("login", "password", "welcome", "not found", "poky", "root@", "yocto", "command")
    return any(word in text for word in words) or re.match(r"\[ *[0-9]+\.[0-9]+\]", text) is not None


def parse_request(line: bytes) -> Request:
    """The request of one line without its LF, as this codec writes it. Raises ValueError for anything else."""
    letter, *parts = line.decode("ascii").split(",")
    if not all(_WHOLE.fullmatch(part) for part in parts):
        raise ValueError(f"{line!r} has an argument that is not a whole number")
    return Request(letter, tuple(map(int, parts)))


def reply_line(letter: str, values: Sequence[object] = ()) -> bytes:
    """A reply as the robot sends it, CR LF included."""
    return (",".join([letter.lower(), *map(str, values)]) + "\r\n").encode("ascii")


class LineSplitter:
    """Bytes to lines: any run of CR and LF ends one, empty ones do not exist, endless ones are cut off."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends."""
        *lines, self._rest = re.split(rb"[\r\n]", self._rest + data)
        self._rest = self._rest[-_LONGEST_LINE:]
        return [line for line in lines if line]

    def clear(self) -> bool:
        """Forget a line that has begun; whether there was one."""
        had_some, self._rest = bool(self._rest), b""
        return had_some


def _firmware_reply(parts: Sequence[str], text: str) -> Reply:
    letter, number = parts
    if not (len(letter) == 1 and "A" <= letter <= "Z" and re.fullmatch("[0-9]{1,3}", number)):
        raise ReplyError("not a number", f"{_shown(text)} names no firmware")
    return Reply("B", (float(number),), f"{letter} {number}")


def _number(request: Request, part: str, text: str) -> float:
    is_decimal = request == Request("V", (4,))
    if not (_DECIMAL if is_decimal else _WHOLE).fullmatch(part):
        raise ReplyError("not a number", f"{_shown(part)} in {_shown(text)} is not a number")
    return float(part) if is_decimal else int(part)


def _within_range(what: str, value: int, most: int) -> int:
    return _between(what, value, -most, most)


def _between(what: str, value: int, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{what} {value!r} is not a whole number from {least} to {most}")
    return value


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")
