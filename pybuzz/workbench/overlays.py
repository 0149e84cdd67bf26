"""What can be drawn over the arena: rays, radio links, messages, scripts' notes, commands; only what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from pybuzz.experiment.experiment import Experiment
from pybuzz.experiment.robots import Robot
from pybuzz.experiment.simulation import Simulation
from pybuzz.workbench.layer_parts import MOST_LINKS, linked_pairs, ray_in_world

__all__ = ["LAYERS", "draw_layers"]

_MOST_FOR_ALL: Final = 50
"""Of so many robots all rays are drawn; of more, only those of the selected one."""
_MOST_LIDAR_RAYS: Final = 120
"""Of one scan: more are not told apart on a screen."""
_RAY_SENSORS: Final = ("proximity", "ultrasound", "lidar")


def draw_layers(experiment: Experiment, names: Sequence[str], selected: str | None) -> dict[str, Any]:
    """The fields of the message `overlay` for these layers, of this moment."""
    found: dict[str, Any] = {"tick": experiment.tick}
    return found | {name: LAYERS[name](experiment.simulation, selected) for name in names}


def _rays(simulation: Simulation, selected: str | None) -> list[dict[str, Any]]:
    robots: Sequence[Robot] = simulation.robots
    if len(robots) > _MOST_FOR_ALL:
        robots = [robot for robot in robots if robot.name == selected]
    return [
        {"robot": robot.name, "sensor": sensor, "lines": _lines(simulation, robot, sensor)}
        for robot in robots
        for sensor in _RAY_SENSORS
        if sensor in robot.body.sensors and (sensor != "lidar" or robot.name == selected)
    ]


def _lines(simulation: Simulation, robot: Robot, sensor: str) -> list[list[float]]:
    rays = simulation.readings.rays(sensor, robot.body.index)
    every = max(1, -(-len(rays) // _MOST_LIDAR_RAYS))
    lines: list[list[float]] = rays[::every].round(4).tolist()
    return lines


def _links(simulation: Simulation, selected: str | None) -> list[list[int]]:
    ways = simulation.air.passages()
    return linked_pairs(ways.senders[ways.received], ways.receivers[ways.received])


def _messages(simulation: Simulation, selected: str | None) -> list[dict[str, Any]]:
    """Packets that say something, to each robot in range."""
    robots, packets = simulation.robots, simulation.air.packets
    if len(packets) != len(robots) or not simulation.air.used:
        return []
    ways = simulation.air.passages()
    speaks = np.array([not packet.is_silent for packet in packets], dtype=bool)
    return [
        {
            "from": robots[ways.senders[way]].name,
            "to": robots[ways.receivers[way]].name,
            "lost": ways.reason(way),
        }
        for way in np.flatnonzero(speaks[ways.senders])[:MOST_LINKS].tolist()
    ]


def _notes(simulation: Simulation, selected: str | None) -> list[dict[str, Any]]:
    """Text, rays (in the world) and trails that scripts drew in this tick."""
    drawn = [robot for robot in simulation.robots if not robot.notes.is_empty or robot.notes.trail]
    return [_note(simulation, robot) for robot in drawn]


def _note(simulation: Simulation, robot: Robot) -> dict[str, Any]:
    notes, bodies = robot.notes, simulation.world.bodies
    row = simulation.world.row_of(robot.name)
    place = float(bodies.x[row]), float(bodies.y[row]), float(bodies.yaw[row])
    rays = [{"color": list(ray.color), "line": ray_in_world(ray.start, ray.end, place)} for ray in notes.rays]
    trail = [[point[0], point[1]] for point in notes.trail or ()]
    return {
        "robot": robot.name,
        "text": notes.text,
        "color": list(notes.color),
        "rays": rays,
        "trail": trail,
        "trail_color": list(notes.trail_color),
    }


def _commands(simulation: Simulation, selected: str | None) -> list[list[float]]:
    return [[robot.command.left_m_s, robot.command.right_m_s] for robot in simulation.robots]


LAYERS: Final[Mapping[str, Callable[[Simulation, str | None], Any]]] = {
    "rays": _rays, "links": _links, "messages": _messages, "notes": _notes, "commands": _commands,
}  # fmt: skip
"""By name; each is given the name of the selected robot."""
