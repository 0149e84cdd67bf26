"""The world: what stands and moves in it, its lights and its floor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.sim.bodies import Bodies, BodySpec, box_body, cylinder_body, robot_body
from pybuzz.sim.distances import nearest_distances, touching_pairs
from pybuzz.sim.floors import Floor, WhiteFloor
from pybuzz.sim.heightmap import VectorizedUrbanMap
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.physics import PhysicsEngine, PhysicsSettings
from pybuzz.sim.solver_engine import ContactSolver

__all__ = ["Lights", "World"]

EngineFactory = Callable[[Bodies, float, PhysicsSettings], PhysicsEngine]


@dataclass(slots=True)
class Lights:
    """All lights in order of creation: positions float64[n, 3] in m, intensities float64[n]."""

    names: list[str]
    positions: NDArray[np.float64]
    intensities: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.names)


class World:
    """Robots, boxes, cylinders and lights on a flat floor, moved tick by tick.

    Lengths in m, angles in rad, masses in kg. Everything has a name of its own; bodies keep their order of creation.
    Bodies, lights and poses may be read at any time; change them through the methods.
    """

    bodies: Bodies
    lights: Lights
    floor: Floor | None

    def __init__(
        self,
        tick_seconds: float,
        settings: PhysicsSettings | None = None,
        *,
        engine: EngineFactory = ContactSolver,
    ) -> None:
        self.tick_seconds = tick_seconds
        self.settings = settings or PhysicsSettings()
        self.bodies = Bodies()
        self.lights = Lights([], np.zeros((0, 3)), np.zeros(0))
        self.floor = None
        self.terrain: VectorizedUrbanMap | None = None
        self.terrain_center = (0.0, 0.0)
        self.changes = 0
        """How often something was added, removed or moved by hand: who keeps places of bodies looks again."""
        self.wheel_speeds: NDArray[np.float64] = np.zeros((0, 2))
        """float64[robots, 2]: left and right, m/s, of the last tick; 0 before a robot's first."""
        self._rows: dict[str, int] = {}
        self._engine = engine(self.bodies, tick_seconds, self.settings)
        self._robot_bodies: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._flyers: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        """Which of the robots fly."""

    @property
    def robot_bodies(self) -> NDArray[np.int64]:
        """int64[robots]: each robot's row in `bodies`."""
        return self._robot_bodies

    @property
    def robots(self) -> list[str]:
        """The robots' names, in order of creation."""
        return [self.bodies.names[row] for row in self._robot_bodies]

    @property
    def poses(self) -> NDArray[np.float64]:
        """float64[robots, 3]: x, y in m, yaw in rad in (-pi, pi]; a new array each time."""
        return self.poses_of(self._robot_bodies)

    def poses_of(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same for any rows of `bodies`, for example those of movable objects."""
        return self.bodies.poses(rows)

    def row_of(self, name: str) -> int:
        """The row in `bodies` of a body; InputError if there is none of that name."""
        if name not in self._rows:
            raise InputError.at(name, "there is no body of that name in the world")
        return self._rows[name]

    def has(self, name: str) -> bool:
        """Whether there is a body of that name."""
        return name in self._rows

    def add(self, spec: BodySpec) -> int:
        """Add a body, without a test for overlap; returns its row in `bodies`. InputError if the name is taken."""
        self._check_new(spec.name)
        if spec.movable and not spec.robot:
            force, torque = self.settings.ground_limits(spec.kind)
            spec = replace(spec, max_force=force, max_torque=torque)
        row = self.bodies.append(spec)
        self._rows[spec.name] = row
        self._engine.add(spec)
        self.changes += 1
        if spec.robot:
            self._count_robots()
            self.wheel_speeds = np.vstack([self.wheel_speeds, np.zeros((1, 2))])
        return row

    def add_robot(
        self,
        name: str,
        x: float,
        y: float,
        angle: float,
        *,
        radius: float,
        mass: float,
        axle: float,
        top: float,
        bottom: float = 0.0,
        max_force: float = 1.5,
        max_torque: float = 1.5,
    ) -> int:
        """Add a round robot with two wheels; returns the robot's index. See `robot_body`."""
        spec = robot_body(
            name, x, y, angle, radius=radius, mass=mass, axle=axle, top=top, bottom=bottom,
            max_force=max_force, max_torque=max_torque,
        )  # fmt: skip
        row = self.add(spec)
        return int(self.bodies.robot[row])

    def add_box(
        self,
        name: str,
        size: Sequence[float],
        x: float,
        y: float,
        angle: float,
        *,
        movable: bool = False,
        mass: float = 1.0,
    ) -> int:
        """Add a box of size (x, y, z); returns its row in `bodies`."""
        return self.add(box_body(name, size, x, y, angle, movable=movable, mass=mass))

    def add_cylinder(
        self,
        name: str,
        radius: float,
        height: float,
        x: float,
        y: float,
        angle: float = 0.0,
        *,
        movable: bool = False,
        mass: float = 1.0,
    ) -> int:
        """Add a cylinder; returns its row in `bodies`."""
        return self.add(cylinder_body(name, radius, height, x, y, angle, movable=movable, mass=mass))

    def add_light(self, name: str, position: Sequence[float], intensity: float) -> None:
        """Add a light at (x, y, z). It has no body. InputError if the name is taken."""
        self._check_new(name)
        self.lights = Lights(
            [*self.lights.names, name],
            np.vstack([self.lights.positions, np.asarray(position, dtype=np.float64)]),
            np.append(self.lights.intensities, intensity),
        )

    @property
    def map(self) -> OccupancyGrid | None:
        """The occupancy grid, if there is one."""
        return self.bodies.map

    def set_map(self, found: OccupancyGrid | None) -> None:
        """Make the occupied cells of a map part of the world, in place of an earlier map; None: no map.

        Its static boxes are among `bodies`, `mapped`.
        """
        for name in [name for name, mapped in zip(self.bodies.names, self.bodies.mapped, strict=True) if mapped]:
            self._take_out(self._rows[name])
        self.bodies.map = found
        self.bodies.changes += 1
        self.changes += 1
        for spec in found.bodies() if found is not None else ():
            self.add(spec)

    @property
    def line_map(self) -> Floor:
        """The floor as line sensors see it: `darkness(places, aperture)`."""
        return self.floor or WhiteFloor()

    def set_terrain(self, terrain: VectorizedUrbanMap | None, center: tuple[float, float] = (0.0, 0.0)) -> None:
        """Put one city (a map of batch size 1) below the flying robots, its middle at `center`; None: flat ground."""
        if terrain is not None and terrain.batch_size != 1:
            raise InputError.at("terrain", f"a world has one terrain, this map has {terrain.batch_size}")
        self.terrain, self.terrain_center = terrain, center

    def set_floor(self, floor: Floor | None) -> None:
        """Paint the floor; None is plain white."""
        self.floor = floor

    def distance_to_nearest_obstacle(self, position: Sequence[float], *, robots: bool = False) -> float:
        """m from x, y to the outline of the nearest box, cylinder or wall of the map, with `robots` also robot.

        0 within one, infinity if there is none; heights do not count. Raises InputError for a place that is no number.
        """
        return float(
            self.distances_to_nearest_obstacles(np.asarray(position, dtype=np.float64)[None, :2], robots=robots)[0]
        )

    def distances_to_nearest_obstacles(
        self, positions: NDArray[np.float64], *, robots: bool = False
    ) -> NDArray[np.float64]:
        """float64[k]: the same for many places float64[k, 2]."""
        if not np.isfinite(positions).all():
            raise InputError.at("position", "there is a place that is no number", hint="give finite numbers: m")
        return nearest_distances(self.bodies, positions, robots=robots)

    def touching(self, robots: Sequence[int] | None = None) -> NDArray[np.int64]:
        """int64[k, 2]: rows in `bodies` that touch now, a robot first. robots: of these rows alone; None: of all.

        Computed when it is asked for, from where the bodies are: within 1 mm of each other. What flies touches nothing;
        robots that may pass through each other (`collision_policy: none`) touch where they overlap.
        """
        driving = np.delete(self._robot_bodies, self._flyers)
        asked = driving if robots is None else np.intersect1d(driving, np.asarray(robots, dtype=np.int64))
        pairs = touching_pairs(self.bodies, asked)
        return pairs[~np.isin(pairs[:, 1], self._robot_bodies[self._flyers])]

    def remove(self, name: str) -> None:
        """Take a body or a light out. InputError if there is none of that name."""
        if name in self.lights.names:
            keep = [other != name for other in self.lights.names]
            names = [other for other in self.lights.names if other != name]
            self.lights = Lights(names, self.lights.positions[keep], self.lights.intensities[keep])
            return
        self._take_out(self._own_row(name))

    def _take_out(self, row: int) -> None:
        self._engine.remove(row)
        self.changes += 1
        self.wheel_speeds = self.wheel_speeds[self._robot_bodies != row]
        self.bodies.delete(row)
        self._rows = {other: index for index, other in enumerate(self.bodies.names)}
        self._count_robots()

    def _count_robots(self) -> None:
        self._robot_bodies = np.flatnonzero(self.bodies.robot >= 0)
        self._flyers = np.flatnonzero(~self.bodies.movable[self._robot_bodies])

    def move(self, name: str, x: float, y: float, yaw: float) -> None:
        """Put a body elsewhere by hand, without a test for overlap; it keeps its velocity."""
        row = self._own_row(name)
        if not isfinite(x + y + yaw):
            text = f"x {x:g}, y {y:g}, yaw {yaw:g} is no place to stand"
            raise InputError.at(name, text, hint="give finite numbers: m and rad")
        bodies = self.bodies
        bodies.x[row], bodies.y[row], bodies.angle[row], bodies.yaw[row] = x, y, yaw, yaw
        self._engine.move(row)
        self.changes += 1

    def overlaps(self, spec: BodySpec) -> bool:
        """Whether a body would overlap one that is there; heights do not count."""
        return not spec.flies and self._engine.overlaps(spec)

    def trial(self, spec: BodySpec) -> bool:
        """Whether a body may be added where it stands; a failed trial is counted, as ARGoS's placing demands."""
        if not self.overlaps(spec):
            return True
        self._engine.fail_trial(spec)
        return False

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        """Advance by one tick. wheel_speeds: float64[robots, 2], left and right rim speeds in m/s.

        Of flying robots they are the speeds ahead and to the left. A robot whose speeds are not finite numbers brakes.
        """
        # A copy of its own has the one layout that the kernels are compiled for.
        speeds = np.array(wheel_speeds, dtype=np.float64).reshape(len(self._robot_bodies), 2)
        self.wheel_speeds = speeds
        self._engine.step(speeds)
        if len(self._flyers):
            self._fly(self._robot_bodies[self._flyers], speeds[self._flyers])

    def _fly(self, rows: NDArray[np.int64], speeds: NDArray[np.float64]) -> None:
        """Move bodies that meet nothing for a tick, at these speeds ahead and to the left."""
        bodies = self.bodies
        ahead, left = np.where(np.isfinite(speeds).all(axis=1, keepdims=True), speeds, 0.0).T
        c, s = np.cos(bodies.yaw[rows]), np.sin(bodies.yaw[rows])
        bodies.vx[rows], bodies.vy[rows] = ahead * c - left * s, ahead * s + left * c
        bodies.x[rows] += bodies.vx[rows] * self.tick_seconds
        bodies.y[rows] += bodies.vy[rows] * self.tick_seconds

    def _own_row(self, name: str) -> int:
        """The row of a body that is no part of the map."""
        row = self.row_of(name)
        if self.bodies.mapped[row]:
            raise InputError.at(name, "this is a part of the map", hint="change the map as a whole: set_map")
        return row

    def _check_new(self, name: str) -> None:
        if name in self._rows or name in self.lights.names:
            raise InputError.at(name, "the world already has something of that name", hint="give it another name")
