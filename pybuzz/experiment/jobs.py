"""Jobs that an experiment needs no code for, as plain data: set, write, floor, changes, stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pybuzz.experiment.expressions import texts_given_to
from pybuzz.experiment.plan import Box, Cylinder

__all__ = ["Change", "Jobs", "Painting", "Shape", "Stop", "ValuesSet", "Writing"]

Color = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ValuesSet:
    """Buzz globals set before `init`, of the robots with numeric ids from `first` to `last`; None: of all.

    `place`: file and line, for messages.
    """

    values: Mapping[str, int | float | str | None]
    ids: tuple[int, int] | None = None
    place: tuple[str, int] = ("", 0)

    def counts_for(self, number: int) -> bool:
        return self.ids is None or self.ids[0] <= number <= self.ids[1]


@dataclass(frozen=True, slots=True)
class Writing:
    """A CSV file with one row per robot and time. `every`: so many ticks; None: at the end. Poses in m and rad."""

    file: Path
    globals: tuple[str, ...]
    every: int | None = 1
    poses: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle (x, y, x, y of two corners) or a circle (x, y, radius), m; colour in 0..255."""

    measures: tuple[float, ...]
    color: Color

    def covers(self, x: float, y: float) -> bool:
        if len(self.measures) == 4:
            x1, y1, x2, y2 = self.measures
            return min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)
        center_x, center_y, radius = self.measures
        return (x - center_x) ** 2 + (y - center_y) ** 2 <= radius**2


@dataclass(frozen=True, slots=True)
class Painting:
    """An image over the arena or a colour, None: the floor that the experiment has; shapes on it, later ones on top."""

    image: Path | None = None
    color: Color | None = None
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """At the begin of a tick: move `name` to (x, y, yaw) in m and rad, or add a thing, or take `name` out."""

    tick: int
    name: str
    pose: tuple[float, float, float | None] | None = None
    added: Box | Cylinder | None = None
    place: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Stop:
    """The run ends before the tick at which the expression holds."""

    expression: str
    place: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Jobs:
    values_set: tuple[ValuesSet, ...] = ()
    writings: tuple[Writing, ...] = ()
    painting: Painting | None = None
    changes: tuple[Change, ...] = ()
    stops: tuple[Stop, ...] = field(default=())

    def joined(self, other: Jobs) -> Jobs:
        """Both; of two floors the other."""
        return Jobs(
            (*self.values_set, *other.values_set),
            (*self.writings, *other.writings),
            other.painting or self.painting,
            (*self.changes, *other.changes),
            (*self.stops, *other.stops),
        )

    @property
    def globals_set(self) -> frozenset[str]:
        return frozenset(name for one in self.values_set for name in one.values)

    @property
    def globals_read(self) -> frozenset[str]:
        """What is written, and what stopping depends on."""
        written = {name for one in self.writings for name in one.globals}
        return frozenset(written.union(*(texts_given_to(["buzz"], one.expression) for one in self.stops)))

    def globals_of(self, number: int) -> dict[str, int | float | str | None]:
        """What is set for the robot of this numeric id; later entries count."""
        found: dict[str, int | float | str | None] = {}
        for one in self.values_set:
            if one.counts_for(number):
                found.update(one.values)
        return found
