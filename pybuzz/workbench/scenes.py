"""The scene: what there is to draw, apart from where it is just now."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from pybuzz.experiment.experiment import Experiment
from pybuzz.experiment.plan import Distribution, Plan
from pybuzz.experiment.plan import Robot as PlannedRobot
from pybuzz.experiment.robots import Robot
from pybuzz.sim.bodies import BOX
from pybuzz.sim.world import World
from pybuzz.workbench.frames import object_rows

__all__ = ["describe_scene", "planned_robots"]

NameOf = Callable[[str | PathLike[str]], str]


def describe_scene(
    experiment: Experiment, revision: int, floor: dict[str, Any] | None, name_of: NameOf
) -> dict[str, Any]:
    """The fields of the message `scene`. floor: where its picture lies. name_of: a file's name as the page knows it."""
    world, plan = experiment.simulation.world, experiment.plan
    lights = zip(world.lights.names, world.lights.positions.tolist(), strict=True)
    return {
        "revision": revision,
        "arena": {"size": list(plan.arena.size[:2]), "center": list(plan.arena.center[:2])},
        "floor": floor,
        "robots": [_robot(robot, world, name_of) for robot in experiment.simulation.robots],
        "objects": [_object(world, row) for row in object_rows(world).tolist()],
        "lights": [{"name": name, "x": x, "y": y} for name, (x, y, _) in lights],
        "cells": _cells(world),
    }


def planned_robots(plan: Plan) -> list[PlannedRobot]:
    """The robots that a plan asks for, one for each group."""
    items = [item.template if isinstance(item, Distribution) else item for item in plan.items]
    return [item for item in items if isinstance(item, PlannedRobot)]


def _robot(robot: Robot, world: World, name_of: NameOf) -> dict[str, Any]:
    script = None if robot.mind is None else name_of(robot.mind.machine.program.path)
    return {
        "name": robot.name,
        "number": robot.number,
        "kind": robot.kind,
        "radius": float(world.bodies.radius[world.row_of(robot.name)]),
        "script": script,
    }


def _object(world: World, row: int) -> dict[str, Any]:
    bodies = world.bodies
    is_box = bodies.kind[row] == BOX
    half = (bodies.half_x[row], bodies.half_y[row]) if is_box else (bodies.radius[row],) * 2
    return {
        "name": bodies.names[row],
        "shape": "box" if is_box else "cylinder",
        "size": [2.0 * float(half[0]), 2.0 * float(half[1])],
        "movable": bool(bodies.movable[row]),
    }


def _cells(world: World) -> list[list[float]]:
    """The occupied parts of a map: x, y of the middle, width and depth."""
    bodies, rows = world.bodies, world.bodies.mapped.nonzero()[0]
    columns = (bodies.x[rows], bodies.y[rows], 2.0 * bodies.half_x[rows], 2.0 * bodies.half_y[rows])
    return [list(cell) for cell in zip(*(column.tolist() for column in columns), strict=True)]
