"""kh4server on the emulated robot: one line in, one reply out, with all its carelessness.

It checks next to nothing: numbers are read as C's `atol` does, missing ones are left over from earlier commands, orders
are cut to registers. Source: kh4server as shipped with the Khepera IV.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pybuzz.emulator.hardware import Hardware
from pybuzz.khepera.motors import Mode, SpeedProfile, wrapped
from pybuzz.link.protocol import MAX_ORDER, reply_line

__all__ = ["REFUSED", "Kh4Server", "XLayout"]

REFUSED: Final = b"$\r\n"
XLayout = Literal["shipped", "manual"]

_MOST_ARGUMENTS = 16
_LONGEST_ARGUMENT = 9
_NUMBER = re.compile(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_X_SHIPPED = 128


class _RefusedError(Exception):
    """The command cannot be carried out: `$`."""


@dataclass(frozen=True, slots=True)
class _Command:
    """`needs`: how many arguments it uses, given or left over."""

    carry_out: Callable[[Kh4Server, Sequence[int], int], bytes]
    needs: int = 0


class Kh4Server:
    """The program on one robot. oddity: told of what a careful client never does.

    firmware: letter and number that `B` gives. x_layout: of the binary frame.
    """

    def __init__(
        self,
        hardware: Hardware,
        oddity: Callable[[str], None],
        *,
        firmware: tuple[str, int] = ("B", 5),
        x_layout: XLayout = "shipped",
    ) -> None:
        self.hardware = hardware
        self.firmware = firmware
        self._oddity = oddity
        self._x_layout = x_layout
        self._numbers = [0] * _MOST_ARGUMENTS

    def answer(self, line: bytes) -> bytes:
        """Carry out one line, without its LF and not empty; the reply with its end."""
        letter, count = chr(line[0]), self._read_numbers(line[2:])
        command = _COMMANDS.get(letter)
        if command is None:
            self._oddity(f"unknown command {letter!r}")
            return REFUSED
        if count < command.needs:
            self._oddity(f"{letter} with {count} of {command.needs} numbers: the others are left over")
        try:
            return command.carry_out(self, self._numbers, count)
        except _RefusedError as refused:
            self._oddity(str(refused))
            return REFUSED

    def _read_numbers(self, text: bytes) -> int:
        tokens = [token for token in text.split(b",") if token][:_MOST_ARGUMENTS]
        for place, token in enumerate(tokens):
            if len(token.strip()) > _LONGEST_ARGUMENT:
                self._oddity(f"an argument of {len(token)} characters overflows a buffer")
            number = _NUMBER.match(token)
            self._numbers[place] = int(number.group(1)) if number else 0
        return len(tokens)

    # -- commands --------------------------------------------------------------------------------------------------

    def avoid(self, numbers: Sequence[int], count: int) -> bytes:
        if count == 1 and numbers[0] in (0, 1):
            self.hardware.start_avoidance()
        else:
            self.hardware.end_avoidance()
            if count != 1 or numbers[0] != 2:
                raise _RefusedError("A with a bad argument")
        return reply_line("A")

    def tell_firmware(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("B", self.firmware)

    def drive(self, numbers: Sequence[int], count: int) -> bytes:
        left, right = numbers[:2]
        if max(abs(left), abs(right)) > MAX_ORDER:
            self._oddity(f"order {left},{right} beyond {MAX_ORDER}: the wheels get {wrapped(left, 16)},"
                         f"{wrapped(right, 16)}")  # fmt: skip
        self.hardware.motors.order(Mode.SPEED, left, right)
        return reply_line("D")

    def tell_speeds(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("E", self.hardware.motors.measured_speeds)

    def go_to(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.motors.order(Mode.POSITION, *numbers[:2])
        return reply_line("F")

    def tell_echoes(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("G", self.hardware.ultrasound())

    def set_regulator(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("H")

    def reset_encoders(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.motors.encoders = [0.0, 0.0]
        return reply_line("I")

    def set_profile(self, numbers: Sequence[int], count: int) -> bytes:
        acc_inc, acc_div, min_acc, min_dec = (number & 255 for number in numbers[:4])
        self.hardware.motors.profile = SpeedProfile(acc_inc, acc_div, min_acc, min_dec, numbers[4] & 65535)
        return reply_line("J")

    def set_lights(self, numbers: Sequence[int], count: int) -> bytes:
        if count != 9:
            raise _RefusedError(f"K with {count} numbers instead of 9")
        if any(not 0 <= number <= 63 for number in numbers[:9]):
            self._oddity("a light's level beyond 63 is cut to 6 bits")
        self.hardware.lights = [number & 63 for number in numbers[:9]]
        return reply_line("K")

    def drive_open_loop(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.motors.order(Mode.OPEN_LOOP, *numbers[:2])
        return reply_line("L")

    def set_up_motors(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.motors.set_up()
        return reply_line("M")

    def tell_proximity(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("N", self.hardware.proximity())

    def tell_ambient(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("O", self.hardware.ambient())

    def set_margin(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.motors.margin = numbers[0]
        return reply_line("P")

    def tell_encoders(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("R", self.hardware.motors.encoder_counts)

    def tell_gyroscope(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("S", self.hardware.gyroscope())

    def tell_accelerometer(self, numbers: Sequence[int], count: int) -> bytes:
        return reply_line("T", self.hardware.accelerometer())

    def choose_ultrasound(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.ultrasound_mask = numbers[0] & 31
        return reply_line("U")

    def tell_battery(self, numbers: Sequence[int], count: int) -> bytes:
        if count != 1 or not 0 <= numbers[0] <= 7:
            raise _RefusedError("V with a bad argument")
        return reply_line("V", [self.hardware.battery(numbers[0])])

    def tell_all(self, numbers: Sequence[int], count: int) -> bytes:
        """The binary frame: as shipped, the first low byte is missing and the end is rubbish."""
        proximity, ambient = self.hardware.proximity(), self.hardware.ambient()
        motion = struct.pack("<4i", *self.hardware.motors.measured_speeds, *self.hardware.motors.encoder_counts)
        infrared = struct.pack("<12H", *proximity), struct.pack("<12H", *ambient)
        if self._x_layout == "manual":
            return b"x" + b"".join(infrared) + motion + b"\n\r"
        frame = b"x" + b"".join(half[1:] + b"\x5a" for half in infrared) + motion + b"\n\r"
        rubbish = bytes(13 * place % 256 for place in range(_X_SHIPPED - len(frame) - 1))
        return frame + b"\0" + rubbish

    def reset(self, numbers: Sequence[int], count: int) -> bytes:
        self.hardware.reset()
        return reply_line("Z")


_COMMANDS = {
    "A": _Command(Kh4Server.avoid), "B": _Command(Kh4Server.tell_firmware), "D": _Command(Kh4Server.drive, 2),
    "E": _Command(Kh4Server.tell_speeds), "F": _Command(Kh4Server.go_to, 2), "G": _Command(Kh4Server.tell_echoes),
    "H": _Command(Kh4Server.set_regulator, 3), "I": _Command(Kh4Server.reset_encoders),
    "J": _Command(Kh4Server.set_profile, 5), "K": _Command(Kh4Server.set_lights),
    "L": _Command(Kh4Server.drive_open_loop, 2), "M": _Command(Kh4Server.set_up_motors),
    "N": _Command(Kh4Server.tell_proximity), "O": _Command(Kh4Server.tell_ambient),
    "P": _Command(Kh4Server.set_margin, 1), "R": _Command(Kh4Server.tell_encoders),
    "S": _Command(Kh4Server.tell_gyroscope), "T": _Command(Kh4Server.tell_accelerometer),
    "U": _Command(Kh4Server.choose_ultrasound, 1), "V": _Command(Kh4Server.tell_battery),
    "X": _Command(Kh4Server.tell_all), "Z": _Command(Kh4Server.reset),
}  # fmt: skip
