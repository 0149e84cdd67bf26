"""A published ARGoS case as a world: bodies and wheel speeds from its files, without the product's own readers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.world import World

CASES = Path(__file__).parents[1] / "data" / "argos-cases"
KHEPERA = {"radius": 0.0704, "mass": float(np.float32(0.4)), "axle": 0.1054, "top": 0.0047 + 0.053}


def case_names() -> list[str]:
    return sorted(path.name for path in CASES.iterdir() if path.is_dir())


@dataclass(frozen=True)
class ArgosCase:
    """wheels: float64[ticks + 1, robots, 2]; poses: float64[ticks + 1, bodies, 3] of robots and movable objects."""

    tick_seconds: float
    settings: PhysicsSettings
    entities: list[tuple[ElementTree.Element, dict[str, str]]]
    names: list[str]
    wheels: NDArray[np.float64]
    poses: NDArray[np.float64]

    def world(self, **options: Any) -> World:
        """The world before the first tick."""
        world = World(self.tick_seconds, self.settings, **options)
        for element, row in self.entities:
            _add(world, element, row)
        return world

    def run(self, world: World) -> NDArray[np.float64]:
        """Drive a world with the recorded wheel speeds; poses like `poses`."""
        rows = np.array([world.row_of(name) for name in self.names])
        result = [world.poses_of(rows)]
        for wheels in self.wheels[1:]:
            world.step(wheels)
            result.append(world.poses_of(rows))
        return np.array(result)


def read_case(name: str) -> ArgosCase:
    scene = ElementTree.parse(CASES / name / "scene.argos").getroot()
    experiment = scene.find("framework/experiment")
    engine = scene.find("physics_engines/dynamics2d")
    assert experiment is not None
    assert engine is not None
    frictions = {key: float(value) for node in engine.findall("friction") for key, value in node.attrib.items()}
    settings = PhysicsSettings(iterations=int(engine.get("iterations", "10")), **frictions)
    with (CASES / name / "layout.csv").open() as file:
        entities = [(_element_of(scene, row["id"]), row) for row in csv.DictReader(file)]
    names, wheels, poses = _recorded(CASES / name / "expected.csv")
    return ArgosCase(1.0 / float(experiment.attrib["ticks_per_second"]), settings, entities, names, wheels, poses)


def _element_of(scene: ElementTree.Element, name: str) -> ElementTree.Element:
    arena = scene.find("arena")
    assert arena is not None
    for element in arena:
        if element.get("id") == name:
            return element
    templates = (child for entity in arena.iter("entity") for child in entity)
    return next(child for child in templates if name.removeprefix(child.attrib["id"]).isdigit())


def _recorded(path: Path) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    with path.open() as file:
        rows = list(csv.DictReader(file))
    names = [row["id"] for row in rows if row["tick"] == "0"]
    poses = np.array([[float(row[key]) for key in ("x", "y", "yaw")] for row in rows])
    driven = [row for row in rows if row["wheel_left"]]
    wheels = np.array([[float(row[key]) for key in ("wheel_left", "wheel_right")] for row in driven])
    ticks = len(rows) // len(names)
    return names, wheels.reshape(ticks, -1, 2), poses.reshape(ticks, len(names), 3)


def _numbers(text: str) -> Iterator[float]:
    return (float(part) for part in text.split(","))


def _add(world: World, element: ElementTree.Element, row: dict[str, str]) -> None:
    x, y = float(row["x"]), float(row["y"])
    if element.tag == "light":
        world.add_light(row["id"], [x, y, float(row["z"])], float(element.attrib["intensity"]))
        return
    w, z = float(row["qw"]), float(row["qz"])
    angle = atan2(2.0 * w * z, w * w - z * z)
    get = element.get
    pushed = {"movable": get("movable") == "true", "mass": float(get("mass", "1"))}
    if element.tag == "box":
        world.add_box(row["id"], list(_numbers(element.attrib["size"])), x, y, angle, **pushed)
    elif element.tag == "cylinder":
        world.add_cylinder(row["id"], float(get("radius", "")), float(get("height", "")), x, y, angle, **pushed)
    else:
        drive = element.find("dynamics2d/differential_steering")
        limits = {} if drive is None else {key: float(value) for key, value in drive.attrib.items()}
        world.add_robot(row["id"], x, y, angle, **KHEPERA, **limits)
