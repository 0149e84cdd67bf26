"""All bodies of a world as arrays, in order of creation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, inf, isfinite, sin
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.errors import InputError

if TYPE_CHECKING:
    from pybuzz.sim.maps import OccupancyGrid

__all__ = [
    "BOX", "CIRCLE", "Bodies", "BodySpec", "body_angle", "box_body", "cylinder_body", "flyer_body",
    "moment_of_inertia", "robot_body",
]  # fmt: skip

CIRCLE = 0
BOX = 1

_ROOM = 16
_MOTION = ("x", "y", "angle", "yaw", "vx", "vy", "spin")
_ANGLE, _YAW = 2, 3
_FIXED: dict[str, type[np.generic]] = {
    **dict.fromkeys(("radius", "half_x", "half_y", "bottom", "top"), np.float64),
    "kind": np.int8,
    "movable": np.bool_,
    "mapped": np.bool_,
}


@dataclass(frozen=True, slots=True)
class BodySpec:
    """One body before it exists. m, rad, kg; `angle` is the yaw at the start, in (-pi, pi].

    A circle has `radius`, a box `half_x`, `half_y`. It stands from height `bottom` to `top`. `mass` counts for movable
    bodies only. A robot drives with wheels `axle` apart, by at most `max_force` (N) and `max_torque` (N m); other
    movable bodies are held by the ground with such limits, which the world sets. A `mapped` box is a part of an
    occupancy grid: rays see the grid in its place. Bit i of `smooth`: the whole has no outward corner at corner i.
    """

    name: str
    kind: int
    x: float
    y: float
    angle: float
    bottom: float
    top: float
    radius: float = 0.0
    half_x: float = 0.0
    half_y: float = 0.0
    movable: bool = False
    robot: bool = False
    mapped: bool = False
    smooth: int = 0
    mass: float = 0.0
    axle: float = 0.0
    max_force: float = 0.0
    max_torque: float = 0.0

    @property
    def flies(self) -> bool:
        """Whether it is a robot that no physics moves."""
        return self.robot and not self.movable

    def __post_init__(self) -> None:
        """InputError for a body that cannot exist."""
        needed = {"radius": self.radius} if self.kind == CIRCLE else {"size": min(self.half_x, self.half_y)}
        if self.movable:
            needed["mass"] = self.mass
        if self.robot and self.movable:
            needed["axle"] = self.axle
        for what, value in needed.items():
            if not 0.0 < value < inf:
                raise InputError.at(self.name, f"the {what} of a body must be above 0", hint="m and kg")
        if not isfinite(self.x + self.y + self.angle):
            text = f"x {self.x:g}, y {self.y:g}, angle {self.angle:g} is no place to stand"
            raise InputError.at(self.name, text, hint="give finite numbers: m and rad")


def robot_body(
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
) -> BodySpec:
    """A round robot with two wheels. m, rad, kg, N, N m."""
    return BodySpec(
        name, CIRCLE, x, y, angle, bottom, top, radius=radius, movable=True, robot=True, mass=mass, axle=axle,
        max_force=max_force, max_torque=max_torque,
    )  # fmt: skip


def flyer_body(name: str, x: float, y: float, angle: float, *, radius: float, altitude: float) -> BodySpec:
    """A flying robot at a fixed height (m), which touches nothing; its radius counts for what others see of it."""
    return BodySpec(name, CIRCLE, x, y, angle, altitude, altitude + 2 * radius, radius=radius, robot=True)


def box_body(
    name: str, size: Sequence[float], x: float, y: float, angle: float, *, movable: bool = False, mass: float = 1.0
) -> BodySpec:
    """A box standing on the floor; size (x, y, z) in m."""
    half_x, half_y = size[0] * 0.5, size[1] * 0.5
    return BodySpec(name, BOX, x, y, angle, 0.0, size[2], half_x=half_x, half_y=half_y, movable=movable, mass=mass)


def cylinder_body(
    name: str,
    radius: float,
    height: float,
    x: float,
    y: float,
    angle: float = 0.0,
    *,
    movable: bool = False,
    mass: float = 1.0,
) -> BodySpec:
    """A cylinder standing on the floor; m, kg."""
    return BodySpec(name, CIRCLE, x, y, angle, 0.0, height, radius=radius, movable=movable, mass=mass)


def body_angle(orientation: Sequence[float]) -> float:
    """The yaw, in (-pi, pi], that is left of an orientation (yaw, pitch, roll) in rad on a flat world.

    As ARGoS: the quaternion qx(roll) qy(pitch) qz(yaw), read back as an angle about z.
    """
    yaw, pitch, roll = (angle * 0.5 for angle in orientation)
    cz, sz, cy, sy, cx, sx = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    w0, x0, y0, z0 = cx * cy, sx * cy, cx * sy, sx * sy
    w, x, y, z = w0 * cz - z0 * sz, x0 * cz + y0 * sz, y0 * cz - x0 * sz, w0 * sz + z0 * cz
    balance = x * z + w * y
    if abs(balance) > 0.49999:
        return atan2(2.0 * (x * y + w * z), w * w - x * x + y * y - z * z)
    return atan2(2.0 * (w * z - x * y), w * w + x * x - y * y - z * z)


def moment_of_inertia(spec: BodySpec) -> float:
    """kg m^2, as ARGoS's dynamics2d: a circle counts as one of twice its radius, a box sums over its corners."""
    if spec.kind == CIRCLE:
        diameter = spec.radius + spec.radius
        return spec.mass * (0.5 * (diameter * diameter))
    half_x, half_y = spec.half_x, spec.half_y
    weighted = area = 0.0
    corners = [(-half_x, -half_y), (-half_x, half_y), (half_x, half_y), (half_x, -half_y)]
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        cross = bx * ay - by * ax
        weighted += cross * ((ax * ax + ay * ay) + (ax * bx + ay * by) + (bx * bx + by * by))
        area += cross
    return spec.mass * weighted / (6.0 * area)


class Bodies:
    """Structure of arrays, one row per body: float64[n] in m, rad, m/s, rad/s.

    `angle` is unwrapped: it starts as the initial yaw and is only added to; `yaw` is the same in (-pi, pi].
    `movable` is true for robots and for objects that can be pushed; `robot` is the robot's index or -1. `mapped` boxes
    are the occupied cells of `map`.
    The attributes are views that go stale when a body is added or removed.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    angle: NDArray[np.float64]
    yaw: NDArray[np.float64]
    vx: NDArray[np.float64]
    vy: NDArray[np.float64]
    spin: NDArray[np.float64]
    radius: NDArray[np.float64]
    half_x: NDArray[np.float64]
    half_y: NDArray[np.float64]
    bottom: NDArray[np.float64]
    top: NDArray[np.float64]
    kind: NDArray[np.int8]
    movable: NDArray[np.bool_]
    mapped: NDArray[np.bool_]
    robot: NDArray[np.int64]
    names: list[str]
    map: OccupancyGrid | None
    motion: NDArray[np.float64]
    """float64[7, at least n]: x, y, angle, yaw, vx, vy, spin; where an engine writes."""
    changes: int
    """How often a body was added or removed, or the map changed: all but motion is as it was if this is."""

    def __init__(self) -> None:
        self.names = []
        self.map = None
        self.changes = 0
        self.motion = np.zeros((len(_MOTION), _ROOM))
        self._fixed: dict[str, NDArray[Any]] = {name: np.zeros(_ROOM, dtype=kind) for name, kind in _FIXED.items()}
        self._robot = np.full(_ROOM, -1)
        self._show()

    def __len__(self) -> int:
        return len(self.names)

    def poses(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[k, 3]: x, y in m, yaw in rad in (-pi, pi] of these rows; a new array each time."""
        return _columns(self.motion, rows, _YAW)

    def unwrapped_poses(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same with the unwrapped angle."""
        return _columns(self.motion, rows, _ANGLE)

    def append(self, spec: BodySpec) -> int:
        """Add a row, at rest, and return it."""
        row = len(self.names)
        if row == len(self._robot):
            self._grow()
        self.motion[:, row] = (spec.x, spec.y, spec.angle, spec.angle, 0.0, 0.0, 0.0)
        for name, column in self._fixed.items():
            column[row] = getattr(spec, name)
        self._robot[row] = np.count_nonzero(self.robot >= 0) if spec.robot else -1
        self.names.append(spec.name)
        self._show()
        return row

    def delete(self, row: int) -> None:
        """Take a row out; the later ones move up, and so do the indices of later robots."""
        if self.robot[row] >= 0:
            self.robot[self.robot > self.robot[row]] -= 1
        for column in (*self.motion, *self._fixed.values(), self._robot):
            column[row:-1] = column[row + 1 :].copy()
        del self.names[row]
        self._show()

    def _grow(self) -> None:
        self.motion = np.concatenate([self.motion, np.zeros_like(self.motion)], axis=1)
        self._fixed = {name: np.concatenate([column, column]) for name, column in self._fixed.items()}
        self._robot = np.concatenate([self._robot, self._robot])

    def _show(self) -> None:
        count = len(self.names)
        self.changes += 1
        for name, column in (*zip(_MOTION, self.motion, strict=True), *self._fixed.items(), ("robot", self._robot)):
            setattr(self, name, column[:count])


@kernel
def _columns(motion: NDArray[np.float64], rows: NDArray[np.int64], direction: int) -> NDArray[np.float64]:
    """float64[k, 3]: x, y and one of the directions."""
    found = np.empty((len(rows), 3))
    for i in range(len(rows)):
        row = rows[i]
        found[i, 0], found[i, 1], found[i, 2] = motion[0, row], motion[1, row], motion[direction, row]
    return found
