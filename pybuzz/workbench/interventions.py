"""What people change by hand while an experiment runs: kept with its ticks, so that a run can be done again with it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pybuzz.errors import InputError
from pybuzz.experiment.experiment import Experiment
from pybuzz.experiment.numeric_ids import LARGEST
from pybuzz.experiment.plan import Box, Cylinder, Light
from pybuzz.experiment.plan import Robot as PlannedRobot
from pybuzz.khepera import load_model
from pybuzz.spelling import did_you_mean
from pybuzz.workbench.pipe import Message
from pybuzz.workbench.scenes import planned_robots

__all__ = ["INTERVENTIONS", "Interventions"]


_HEIGHT_M: Final = 0.5
_LIGHT_HEIGHT_M: Final = 1.0


class Interventions:
    """In the order in which they are made; each with the tick after whose end it is made. kept: to be made again."""

    def __init__(self, kept: Sequence[tuple[int, Message]] = ()) -> None:
        self.made: list[tuple[int, Message]] = []
        self._waiting = deque(kept)

    def make(self, experiment: Experiment, message: Message) -> None:
        """Change the experiment, and keep how. Raises InputError for what cannot be done."""
        # What fails is kept too: a try to put something down takes random numbers.
        self.made.append((experiment.tick, message))
        INTERVENTIONS[message["type"]](experiment, message)

    def due(self, tick: int) -> Message | None:
        """What is to be made again after this tick, one after the other."""
        return self._waiting.popleft()[1] if self._waiting and self._waiting[0][0] <= tick else None


def _move(experiment: Experiment, message: Message) -> None:
    name, pose = _text(message, "name"), [_number(message, key) for key in ("x", "y", "yaw")]
    experiment.simulation.world.move(name, *pose)


def _remove(experiment: Experiment, message: Message) -> None:
    experiment.remove(_text(message, "name"))


def _set(experiment: Experiment, message: Message) -> None:
    value = message.get("value")
    if not (value is None or isinstance(value, int | float | str)):
        raise InputError.at("value", "a global can be set to a number, a text or nil")
    if message.get("value_kind") == "float" and isinstance(value, int):
        value = float(value)  # JSON of a page does not tell 5.0 from 5
    robot, name = _text(message, "robot"), _text(message, "name")
    minds = {one.name: one.mind for one in experiment.simulation.robots if one.mind is not None}
    if robot not in minds:
        raise InputError.at(robot, did_you_mean(robot, minds) or "there is no such robot, or it has no script")
    known = minds[robot].machine.program.mentioned_globals
    if name not in known:
        raise InputError.at(robot, did_you_mean(name, known) or f"its script has no global '{name}'")
    try:
        experiment.robots[robot].globals[name] = value
    except OverflowError as fault:
        raise InputError.at("value", str(fault)) from fault


def _add(experiment: Experiment, message: Message) -> None:
    item = message.get("item")
    if not isinstance(item, Mapping):
        raise InputError.at("item", "it must say what to add: kind, x, y")
    kind = _text(item, "kind")
    make = _THINGS.get(kind, _robot)
    experiment.add(make(experiment, item))


def _box(experiment: Experiment, item: Mapping[str, Any]) -> Box:
    size = item.get("size", (0.3, 0.3))
    if not (isinstance(size, Sequence) and len(size) == 2 and all(isinstance(side, int | float) for side in size)):
        raise InputError.at("size", "a box needs two lengths in m: its sides")
    return Box(
        _new_name(experiment, "box"),
        (size[0], size[1], _HEIGHT_M),
        _place(item),
        _turned(item),
        bool(item.get("movable")),
    )


def _cylinder(experiment: Experiment, item: Mapping[str, Any]) -> Cylinder:
    radius = _number(item, "radius", 0.15)
    name = _new_name(experiment, "cylinder")
    return Cylinder(name, radius, _HEIGHT_M, _place(item), _turned(item), bool(item.get("movable")))


def _light(experiment: Experiment, item: Mapping[str, Any]) -> Light:
    return Light(_new_name(experiment, "light"), _place(item, _LIGHT_HEIGHT_M))


def _robot(experiment: Experiment, item: Mapping[str, Any]) -> PlannedRobot:
    """Like the first robot of that kind, and of that script if one is named, in the experiment's file."""
    kind, script = item["kind"], item.get("script")
    planned = [robot for robot in planned_robots(experiment.plan) if load_model(robot.kind).kind == kind]
    if script is not None:
        paths = {name: str(made.script) for name, made in experiment.plan.controllers.items()}
        planned = [robot for robot in planned if paths[robot.controller].endswith(str(script))]
    if not planned:
        known = sorted({load_model(robot.kind).kind for robot in planned_robots(experiment.plan)} | set(_THINGS))
        text = f"this experiment has no '{kind}'" + (f" with the script {script}" if script is not None else "")
        raise InputError.at(kind, text, hint=f"there are: {', '.join(known)}")
    numbers = [robot.number for robot in experiment.robots.values()]
    number = max(numbers, default=0) + 1
    if number > LARGEST:
        number = next(free for free in range(1, LARGEST + 1) if free not in numbers)
    name = _new_name(experiment, planned[0].name.rstrip("0123456789") or "robot", number)
    return replace(planned[0], name=name, number=number, position=_place(item), orientation=_turned(item))


_THINGS: Final[dict[str, Callable[[Experiment, Mapping[str, Any]], Box | Cylinder | Light | PlannedRobot]]] = {
    "box": _box, "cylinder": _cylinder, "light": _light,
}  # fmt: skip

INTERVENTIONS: Final[dict[str, Callable[[Experiment, Message], None]]] = {
    "move": _move, "remove": _remove, "set": _set, "add": _add,
}  # fmt: skip
"""By the type of their message."""


def _place(item: Mapping[str, Any], height_m: float = 0.0) -> tuple[float, float, float]:
    return _number(item, "x"), _number(item, "y"), height_m


def _turned(item: Mapping[str, Any]) -> tuple[float, float, float]:
    return _number(item, "yaw", 0.0), 0.0, 0.0


def _new_name(experiment: Experiment, stem: str, number: int = 1) -> str:
    """A name that nothing in the world has."""
    world = experiment.simulation.world
    while world.has(f"{stem}{number}") or f"{stem}{number}" in world.lights.names:
        number += 1
    return f"{stem}{number}"


def _text(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise InputError.at(key, f"'{key}' must be a text")
    return value


def _number(message: Mapping[str, Any], key: str, default: float | None = None) -> float:
    value = message.get(key, default)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError.at(key, f"'{key}' must be a finite number")
    return float(value)
