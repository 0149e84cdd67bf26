"""Fills a world from a Plan: every pose, number and seed as ARGoS gives them, to the last bit.

One seeder gives all seeds. Its first generator draws every distribution, in the order of the plan; each robot that is
tried, failed trials included, then takes a seed for every noisy device and one for its controller. So a layout depends
on the seed alone, and the noise of a device on the layouts before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Protocol

from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.experiment.numeric_ids import numeric_id
from pybuzz.experiment.plan import Box, Cylinder, Device, Distribution, Draw, Floor, Light, Plan, Point, Robot
from pybuzz.khepera import load_model
from pybuzz.sim.bodies import BodySpec, body_angle, box_body, cylinder_body, flyer_body, robot_body
from pybuzz.sim.random_numbers import Generator, Seeder, first_uniform_int

__all__ = ["Placed", "PlacedRobot", "Placer", "Site", "drawn_pose", "place", "quaternion"]

Quaternion = tuple[float, float, float, float]
Template = Box | Cylinder | Light | Floor | Robot

_DEGREE = pi / 180
_LARGEST_SCRIPT_SEED = 65535
_NOISE_LEVELS = frozenset(("proximity", "ultrasound", "light", "ground", "lidar", "line", "clearance"))


class Site(Protocol):
    """What placing needs of a world."""

    def trial(self, spec: BodySpec) -> bool:
        """Whether a body may stand where it wants to; a failed trial counts."""

    def add(self, spec: BodySpec) -> int:
        """Add a body without a test."""

    def add_light(self, name: str, position: Point, intensity: float) -> None:
        """Add a light."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One thing in the world: what it is, its own name, position in m, orientation as (w, x, y, z) and yaw in rad."""

    item: Template
    name: str
    position: Point = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedRobot(Placed):
    """A robot, its numeric id, and the seeds of its noisy devices (by name) and of its script (0 to 65535)."""

    item: Robot
    number: int = 0
    seeds: Mapping[str, int] = field(default_factory=dict)
    script_seed: int = 0


def place(plan: Plan, seed: int, world: Site) -> list[Placed]:
    """Put everything of the plan into `world`; all of it in the order of creation, robots as PlacedRobot.

    Raises InputError when something finds no free place within its trials.
    """
    return Placer(plan, seed, world).place()


def drawn_pose(generator: Generator, position: Draw, orientation: Draw, index: int = 0) -> tuple[Point, Point]:
    """Position (m) and orientation (yaw, pitch, roll in rad) of trial `index` (which counts for grids only).

    As ARGoS, both are printed with six digits and read back.
    """
    place_m = _printed(_drawn(generator, position, index))
    z, y, x = _printed(_drawn(generator, orientation, index))
    return place_m, (z * _DEGREE, y * _DEGREE, x * _DEGREE)


def quaternion(orientation: Point) -> Quaternion:
    """qx(roll) qy(pitch) qz(yaw) for an orientation (yaw, pitch, roll) in rad."""
    yaw, pitch, roll = orientation
    about_x = (cos(roll / 2), sin(roll / 2), 0.0, 0.0)
    about_y = (cos(pitch / 2), 0.0, sin(pitch / 2), 0.0)
    about_z = (cos(yaw / 2), 0.0, 0.0, sin(yaw / 2))
    return _product(_product(about_x, about_y), about_z)


class Placer:
    """Places one plan, and what is put into its world later."""

    def __init__(self, plan: Plan, seed: int, world: Site) -> None:
        self._plan = plan
        self._world = world
        self._seeder = Seeder(seed)
        self._generator = self._seeder.next_generator()
        self._noisy = {
            name: [device.name for device in (*controller.actuators, *controller.sensors) if _draws_noise(device)]
            for name, controller in plan.controllers.items()
        }

    def place(self) -> list[Placed]:
        """Everything of the plan, in the order of creation. Raises InputError when something finds no free place."""
        placed: list[Placed] = []
        for item in self._plan.items:
            if isinstance(item, Distribution):
                placed += [self._distribute(item, index) for index in range(item.quantity)]
            else:
                placed.append(self._single(item))
        return placed

    def put(self, item: Box | Cylinder | Light | Robot) -> Placed:
        """One more thing, where it says. Its seeds follow those of the plan. Raises InputError if it has no room."""
        orientation = (0.0, 0.0, 0.0) if isinstance(item, Light) else item.orientation
        found = self._at(item, item.name, 0, item.position, orientation)
        body = self._body(found)
        if body is not None and not self._world.trial(body):
            raise InputError.at(item.name, "there is something where it should stand", kind="no room")
        self._add(found, body)
        return found

    def _single(self, item: Template) -> Placed:
        if isinstance(item, Floor):
            return Placed(item, item.name)
        orientation = (0.0, 0.0, 0.0) if isinstance(item, Light) else item.orientation
        found = self._at(item, item.name, 0, item.position, orientation)
        self._add(found, self._body(found))
        return found

    def _distribute(self, item: Distribution, index: int) -> Placed:
        name = f"{item.template.name}{item.base_num + index}" if item.numbered else item.template.name
        for _ in range(item.max_trials + 1):
            pose = drawn_pose(self._generator, item.position, item.orientation, index)
            found = self._at(item.template, name, index, *pose)
            body = self._body(found)
            if body is None or self._world.trial(body):
                self._add(found, body)
                return found
            if "grid" in (item.position.method, item.orientation.method):
                text = f"the place of {name} on the grid is taken"
                raise self._no_room(item, text, "move the grid, or what stands there")
        tries = item.max_trials + 1
        raise self._no_room(
            item, f"{name} finds no free place: {tries} of {tries} trials hit something",
            "fewer or smaller things, more room, or more trials (max_trials)",
        )  # fmt: skip

    def _no_room(self, item: Distribution, text: str, hint: str) -> InputError:
        return InputError(Diagnostic(Place(self._plan.source, item.line), "no room", text, hint=hint))

    def _at(self, item: Template, name: str, index: int, position: Point, orientation: Point) -> Placed:
        turned = quaternion(orientation)
        yaw = body_angle(orientation)
        if not isinstance(item, Robot):
            return Placed(item, name, position, turned, yaw)
        seeds = {device: self._seeder.next_seed() for device in self._noisy.get(item.controller, ())}
        script_seed = first_uniform_int(self._seeder.next_seed(), 0, _LARGEST_SCRIPT_SEED)
        number = numeric_id(name) if item.number is None else item.number + index
        return PlacedRobot(item, name, position, turned, yaw, number or 0, seeds, script_seed)

    def _body(self, placed: Placed) -> BodySpec | None:
        item, (x, y, _), yaw = placed.item, placed.position, placed.yaw
        if isinstance(item, Box):
            return box_body(placed.name, item.size, x, y, yaw, movable=item.movable, mass=item.mass)
        if isinstance(item, Cylinder):
            radius, height = item.radius, item.height
            return cylinder_body(placed.name, radius, height, x, y, yaw, movable=item.movable, mass=item.mass)
        if isinstance(item, Robot):
            return _robot_body(item, placed.name, x, y, yaw)
        return None

    def _add(self, placed: Placed, body: BodySpec | None) -> None:
        if body is not None:
            self._world.add(body)
        elif isinstance(placed.item, Light):
            self._world.add_light(placed.name, placed.position, placed.item.intensity)


def _robot_body(robot: Robot, name: str, x: float, y: float, yaw: float) -> BodySpec:
    hull = load_model(robot.kind).body
    if robot.altitude is not None:
        return flyer_body(name, x, y, yaw, radius=hull.radius, altitude=robot.altitude)
    return robot_body(
        name, x, y, yaw, radius=hull.radius, mass=hull.mass, axle=hull.axle, top=hull.top,
        max_force=hull.max_force if robot.max_force is None else robot.max_force,
        max_torque=hull.max_torque if robot.max_torque is None else robot.max_torque,
    )  # fmt: skip


def _draws_noise(device: Device) -> bool:
    """Whether ARGoS makes a generator for the device."""
    if device.name == "wheels":
        return bool(device.noise)
    if device.name == "radio":
        return any(device.noise.get(name, 0.0) > 0 for name in ("noise_std_dev", "packet_drop_prob"))
    if device.name in _NOISE_LEVELS:
        return device.noise.get("noise_level", 0.0) > 0
    return any(low != high for low, high in device.ranges.values())


def _drawn(generator: Generator, draw: Draw, index: int) -> Point:
    first, second = draw.first, draw.second
    if draw.method == "uniform":
        x, y, z = (
            low if low == high else generator.uniform(low, high) for low, high in zip(first, second, strict=True)
        )
        return x, y, z
    if draw.method == "gaussian":
        # ARGoS built by GCC evaluates the three arguments from the last to the first.
        z = generator.gaussian(second[2], first[2])
        y = generator.gaussian(second[1], first[1])
        return generator.gaussian(second[0], first[0]), y, z
    if draw.method == "grid":
        return _on_grid(draw, index)
    return first


def _on_grid(draw: Draw, index: int) -> Point:
    """Counted from the corner of the largest x, y, z, x first."""
    columns, rows, layers = draw.layout
    steps = (index % columns, index // columns % rows, index // (columns * rows))
    x, y, z = (
        center + (count - 1) * distance * 0.5 - step * distance
        for center, count, distance, step in zip(draw.first, (columns, rows, layers), draw.second, steps, strict=True)
    )
    return x, y, z


def _printed(point: Point) -> Point:
    x, y, z = (float(f"{value:g}") for value in point)
    return x, y, z


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    w1, x1, y1, z1 = a
    w2, x2, y2, z2 = b
    return (
        w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
        w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
        w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
    )
