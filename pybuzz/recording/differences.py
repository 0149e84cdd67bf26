"""Where two recordings first differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from pybuzz.recording.recording import LogLine, Recording

__all__ = ["Difference", "first_difference"]

_POSE = ("x", "y", "yaw")
_LED = ("red", "green", "blue")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of two recordings: what differs, and its values left and right.

    `robot` is empty where the difference is not about one robot; a value is None where there is nothing.
    """

    tick: int
    robot: str
    what: str
    left: Any
    right: Any

    def __str__(self) -> str:
        who = f", robot {self.robot}" if self.robot else ""
        return f"tick {self.tick}{who}: {self.what}: {self.left!r} and {self.right!r}"


def first_difference(left: Recording, right: Recording) -> Difference | None:
    """The earliest difference, or None if both hold the same.

    Numbers must be exactly equal (nan equals nan). Within a tick poses come first, then objects, LEDs, sensors,
    variables and log lines. What only one of them recorded (a sensor, a variable) is a difference at tick 0.
    """
    if left.robots != right.robots:
        return Difference(0, "", "robots", left.robots, right.robots)
    found = list(_differences(left, right))
    if left.ticks != right.ticks:
        found.append(Difference(min(left.ticks, right.ticks) + 1, "", "number of ticks", left.ticks, right.ticks))
    return min(found, key=lambda difference: difference.tick, default=None)


def _differences(left: Recording, right: Recording) -> Iterator[Difference]:
    """The first difference of each kind."""
    robots = left.robots
    yield from _of_arrays("pose", _POSE, left.poses, right.poses, robots)
    yield from _of_objects(left, right)
    yield from _of_arrays("led", _LED, left.leds, right.leds, robots)
    for name in sorted(left.sensors.keys() | right.sensors.keys()):
        if name in left.sensors and name in right.sensors:
            yield from _of_arrays(f"sensor {name}", (), left.sensors[name], right.sensors[name], robots)
        else:
            yield Difference(0, "", f"sensor {name} is recorded", name in left.sensors, name in right.sensors)
    for name in sorted(left.globals.keys() | right.globals.keys()):
        if name in left.globals and name in right.globals:
            yield from _of_variables(name, left.globals[name], right.globals[name], robots)
        else:
            yield Difference(0, "", f"global {name} is recorded", name in left.globals, name in right.globals)
    yield from _of_logs(left.log, right.log)


def _of_arrays(
    what: str, titles: tuple[str, ...], left: npt.NDArray[Any], right: npt.NDArray[Any], robots: list[str]
) -> Iterator[Difference]:
    ticks = min(len(left), len(right))
    if left.shape[2] != right.shape[2]:
        yield Difference(0, "", f"number of values of {what}", left.shape[2], right.shape[2])
        return
    one, other = left[:ticks], right[:ticks]
    unequal = (one != other) & ~((one != one) & (other != other))
    places = np.argwhere(unequal.any(axis=(1, 2)))
    if len(places):
        tick = int(places[0, 0])
        robot, index = (int(place) for place in np.argwhere(unequal[tick])[0])
        title = titles[index] if titles else str(index)
        values = left[tick, robot, index].item(), right[tick, robot, index].item()
        yield Difference(tick, robots[robot], f"{what} {title}", *values)


def _of_objects(left: Recording, right: Recording) -> Iterator[Difference]:
    names = list(dict.fromkeys((*left.objects.names, *right.objects.names)))
    found = _of_arrays("pose", _POSE, _ways(left, names), _ways(right, names), names)
    for difference in found:
        yield replace(difference, robot="", what=f"object {difference.robot}: {difference.what}")


def _ways(recording: Recording, names: list[str]) -> npt.NDArray[np.float64]:
    """float64[ticks + 1, names, 3]: where obstacles of these names were; nan where there is none."""
    ways = np.full((len(recording.poses), len(names), 3), np.nan)
    for mark in recording.description.obstacles:
        if mark.name in names:
            ways[mark.since :, names.index(mark.name)] = (*mark.position, mark.yaw)
    for column, name in enumerate(recording.objects.names):
        ways[:, names.index(name)] = recording.objects.poses[:, column]
    return ways


def _of_variables(
    name: str, left: npt.NDArray[np.object_], right: npt.NDArray[np.object_], robots: list[str]
) -> Iterator[Difference]:
    for tick, (one, other) in enumerate(zip(left, right, strict=False)):
        for robot, (value, other_value) in enumerate(zip(one, other, strict=True)):
            if repr(value) != repr(other_value):
                yield Difference(tick, robots[robot], f"global {name}", value, other_value)
                return


def _of_logs(left: list[LogLine], right: list[LogLine]) -> Iterator[Difference]:
    for one, other in zip_longest(left, right):
        if one != other:
            first = min((line for line in (one, other) if line is not None), key=lambda line: line.tick)
            yield Difference(first.tick, first.robot, "log", _shown(one), _shown(other))
            return


def _shown(line: LogLine | None) -> str | None:
    return None if line is None else f"[{line.robot}] {line.text}"
