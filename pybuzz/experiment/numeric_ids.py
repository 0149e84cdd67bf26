"""The 16-bit number of a robot, from its name, as the ARGoS controller of Buzz derives it."""

from __future__ import annotations

import re

from pybuzz.experiment.plan import Distribution, Robot

__all__ = ["LARGEST", "numbers_of", "numeric_id"]

LARGEST = 65535

_DIGITS = re.compile(r"[0-9]+")


def numeric_id(name: str) -> int | None:
    """The number that ARGoS gives to a robot called `name`; None if it refuses the name.

    The number behind the last underscore counts, unless it is 0 or not there: then the number that starts at
    the first digit of the name. A name without underscore and digit has no number.
    """
    _, underscore, tail = name.rpartition("_")
    number = _leading_number(tail) if underscore else 0
    if number == 0:
        first = _DIGITS.search(name)
        if first is None and not underscore:
            return None
        number = int(first[0]) if first else 0
    return min(number, LARGEST)


def numbers_of(item: Robot | Distribution) -> list[int]:
    """The numbers of a robot, or of all copies of a distributed one, in order."""
    if isinstance(item, Robot):
        return [_number(item, item.name, 0)]
    robot = item.template
    assert isinstance(robot, Robot)
    if not item.numbered:
        return [_number(robot, robot.name, index) for index in range(item.quantity)]
    return [_number(robot, f"{robot.name}{item.base_num + index}", index) for index in range(item.quantity)]


def _number(robot: Robot, name: str, index: int) -> int:
    return (numeric_id(name) or 0) if robot.number is None else robot.number + index


def _leading_number(text: str) -> int:
    digits = _DIGITS.match(text)
    return int(digits[0]) if digits else 0
