"""A kh4server that a relay can start as its child, and that can be killed: python kh4server_child.py STATE TERMINAL.

As on the robot, the motors are a thing apart: they keep their last order without the program, and its start puts them
to idle. The file STATE is these motors: the order and, in the second line, how often the program has started. While a
file STATE.deaf exists the program that was started before it neither obeys nor answers D and M.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path


def main() -> None:
    motors, deaf = Path(sys.argv[1]), Path(sys.argv[1] + ".deaf")
    starts = int(motors.read_text().split()[1]) + 1 if motors.exists() else 1
    order(motors, "0,0", starts)
    deaf.unlink(missing_ok=True)
    with open(sys.argv[2], "r+b", buffering=0) as line:
        while True:
            request = line.readline().strip()
            letter = request[:1]
            if not letter or (letter in b"DM" and deaf.exists()):
                continue
            if letter in b"DM":
                order(motors, request[2:].decode() or "0,0", starts)
            reply = letter.lower()
            if letter == b"R":
                turns = motors.read_text().split()[0] != "0,0"
                reply += b",%d,0" % (time.monotonic_ns() // 1_000_000 if turns else 0)
            line.write(reply + b"\r\n")


def order(motors: Path, text: str, starts: int) -> None:
    new = motors.with_suffix(".new")
    new.write_text(f"{text} {starts}\n")
    new.replace(motors)


if __name__ == "__main__":
    main()
