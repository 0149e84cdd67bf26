"""Boxes and cylinders of a running experiment, as hooks and Python callers see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pybuzz.sim.bodies import BOX
from pybuzz.sim.world import World
from pybuzz.spelling import did_you_mean

__all__ = ["Entities", "EntityView"]


class EntityView:
    """One box or cylinder."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        """Its name in the experiment."""
        self._world = world

    @property
    def kind(self) -> Literal["box", "cylinder"]:
        """What it is."""
        return "box" if self._world.bodies.kind[self._row] == BOX else "cylinder"

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y in m, yaw in rad in (-pi, pi]."""
        bodies, row = self._world.bodies, self._row
        return float(bodies.x[row]), float(bodies.y[row]), float(bodies.yaw[row])

    @property
    def size(self) -> tuple[float, float]:
        """Along its own x and y axis, m; of a cylinder its diameter twice."""
        bodies, row = self._world.bodies, self._row
        half = (bodies.half_x[row], bodies.half_y[row]) if self.kind == "box" else (bodies.radius[row],) * 2
        return 2.0 * float(half[0]), 2.0 * float(half[1])

    @property
    def movable(self) -> bool:
        """Whether robots can push it."""
        return bool(self._world.bodies.movable[self._row])

    def move(self, x: float, y: float, yaw: float) -> None:
        """Put it elsewhere, without a test for overlap; m, rad."""
        self._world.move(self.name, x, y, yaw)

    @property
    def _row(self) -> int:
        return self._world.row_of(self.name)

    def __repr__(self) -> str:
        x, y, yaw = self.pose
        return f"<{self.kind} {self.name} at {x:.3f}, {y:.3f}, yaw {yaw:.3f}>"


class Entities(Mapping[str, EntityView]):
    """The boxes and cylinders by name, in order of creation; an unknown name is answered with the nearest."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getitem__(self, name: str) -> EntityView:
        names = list(self)
        if name not in names:
            raise KeyError(did_you_mean(name, names) or f"there is no box or cylinder '{name}'")
        return EntityView(name, self._world)

    def __iter__(self) -> Iterator[str]:
        bodies = self._world.bodies
        rows = zip(list(bodies.names), bodies.robot < 0, ~bodies.mapped, strict=True)
        return (name for name, no_robot, own in rows if no_robot and own)

    def __len__(self) -> int:
        return sum(1 for _ in self)
