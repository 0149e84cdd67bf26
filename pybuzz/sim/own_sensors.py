"""Sensors that people write themselves: registered by a decorator or an entry point, then used by name.

    @sensor("nearest", fields=("distance",))
    class Nearest:
        def read(self, robot, world):
            return world.distance_to_nearest_obstacle(robot.position)

An experiment asks for it (`sensors: {nearest: true}`, options go to the class), scripts find a table `nearest`,
recordings keep its numbers. A package registers one by an entry point of the group `pybuzz.sensors`, whose name is
the sensor's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.khepera.body import SENSORS
from pybuzz.spelling import did_you_mean
from pybuzz.user_code import explained

if TYPE_CHECKING:
    from pybuzz.sim.world import World

__all__ = ["GROUP", "SensedRobot", "UserSensor", "make_sensor", "names_made_in", "own_names", "sensor"]

GROUP = "pybuzz.sensors"

Made = TypeVar("Made")

_TAKEN = (*SENSORS, "radio", "wheel_sensor", "neighbors", "swarm", "stigmergy", "id", "debug", "math", "string", "io")
_registered: dict[str, tuple[Any, tuple[str, ...]]] = {}


@dataclass(frozen=True, slots=True)
class SensedRobot:
    """The robot that senses: its name, its index among the world's robots, x, y in m and yaw in rad."""

    name: str
    index: int
    x: float
    y: float
    yaw: float

    @property
    def position(self) -> tuple[float, float]:
        return self.x, self.y


def sensor(name: str, *, fields: Iterable[str] = ()) -> Callable[[Made], Made]:
    """Register the class or object below as the sensor `name`; a later one of that name takes its place.

    It has `read(robot, world)`, for one robot, or `read_all(world)`, rows for all robots of the world in their order.
    A reading is a number, a sequence of numbers of one length, or a mapping of names to numbers. fields: names of the
    numbers, which scripts find in the table; without them a sequence is found by index, a single number as `value`.
    Raises InputError if the name cannot be a table of a script or one of its fields no key.
    """
    given = tuple(fields)
    for word in (name, *given):
        if not word.isidentifier() or not word.isascii():
            raise InputError.at(word, "this cannot be a name in a script", hint="letters, digits and underscores")
    if name in _TAKEN:
        raise InputError.at(name, "scripts have something of that name already", hint="give the sensor another name")

    def register(made: Made) -> Made:
        if not any(callable(getattr(made, method, None)) for method in ("read", "read_all")):
            raise InputError.at(name, "a sensor needs read(robot, world) or read_all(world)")
        _registered[name] = made, given
        return made

    return register


def own_names() -> list[str]:
    """The names of all sensors that are registered or installed."""
    return sorted({*_registered, *_installed()})


def names_made_in(module: ModuleType) -> list[str]:
    """The names of the sensors that this module registers, whether it was loaded before or not."""
    homes = {name: getattr(made, "__module__", "") for name, (made, _) in _registered.items()}
    return sorted(name for name, home in homes.items() if home == module.__name__)


def make_sensor(name: str, options: Mapping[str, Any]) -> UserSensor:
    """The sensor of that name, a class called with the options. Raises InputError if there is none, or they misfit."""
    if name not in _registered:
        entry = _installed().get(name)
        if entry is None:
            hint = did_you_mean(name, own_names()) or ""
            raise InputError.at(name, "there is no sensor of that name", hint=hint)
        found = entry.load()
        if name not in _registered:
            sensor(name, fields=getattr(found, "fields", ()))(found)
    made, fields = _registered[name]
    if inspect.isclass(made):
        with explained(_file_of(made), f"the sensor {name}"):
            return UserSensor(name, made(**options), fields)
    if options:
        raise InputError.at(name, f"this sensor has no options such as {', '.join(options)}")
    return UserSensor(name, made, fields)


class UserSensor:
    """One registered object, and how its readings become rows of numbers."""

    def __init__(self, name: str, made: object, fields: tuple[str, ...]) -> None:
        self.name = name
        self.fields = fields
        self._made: Any = made
        self._file = _file_of(type(made))

    def read(self, world: World, robots: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[k, m] of these robots. Raises InputError with the line of the person's code that failed."""
        with explained(self._file, f"the sensor {self.name}"):
            if hasattr(self._made, "read_all"):
                rows = self._rows_of_all(world)
                return rows[robots]
            poses = world.poses
            names = world.robots
            readings = [
                self._made.read(SensedRobot(names[robot], robot, *poses[robot].tolist()), world)
                for robot in robots.tolist()
            ]
            return self._matrix(
                [self._numbers(reading, names[robot]) for reading, robot in zip(readings, robots, strict=True)]
            )

    def _rows_of_all(self, world: World) -> NDArray[np.float64]:
        found = self._made.read_all(world)
        if isinstance(found, Mapping):
            self.fields = self.fields or tuple(found)
            found = np.column_stack([np.asarray(found[field], dtype=np.float64) for field in self.fields])
        rows = np.asarray(found, dtype=np.float64)
        rows = rows.reshape(-1, 1) if rows.ndim == 1 else rows
        if rows.ndim != 2 or len(rows) != len(world.robots):
            text = f"read_all gave the shape {rows.shape} for {len(world.robots)} robots: one row each is needed"
            raise InputError.at(self.name, text)
        return self._checked(rows)

    def _numbers(self, reading: Any, robot: str) -> list[float]:
        if isinstance(reading, Mapping):
            self.fields = self.fields or tuple(reading)
            if set(reading) != set(self.fields):
                text = f"{robot} reads {', '.join(map(str, reading))} instead of {', '.join(self.fields)}"
                raise InputError.at(self.name, text)
            reading = [reading[field] for field in self.fields]
        try:
            return [float(number) for number in (reading if np.iterable(reading) else (reading,))]
        except (TypeError, ValueError) as fault:
            raise InputError.at(self.name, f"{robot} reads {reading!r}, but numbers are needed") from fault

    def _matrix(self, rows: list[list[float]]) -> NDArray[np.float64]:
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            counts = " and ".join(map(str, sorted(lengths)))
            raise InputError.at(self.name, f"robots read {counts} numbers: all must read equally many")
        return self._checked(np.array(rows, dtype=np.float64).reshape(len(rows), -1))

    def _checked(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.fields and rows.shape[1] != len(self.fields):
            text = f"it gives {rows.shape[1]} numbers, but has {len(self.fields)} fields: {', '.join(self.fields)}"
            raise InputError.at(self.name, text)
        return rows


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _file_of(made: type) -> str:
    try:
        return inspect.getsourcefile(made) or made.__module__
    except (OSError, TypeError):
        return made.__module__
