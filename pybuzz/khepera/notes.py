"""What a script notes for the viewer: text, colour, rays and a trail (ARGoS's `debug` functions)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import (
    Value,
    arity_failure,
    expect_integer,
    expect_number,
    format_value_stream,
    host_function,
    mismatch,
    text_of,
)

__all__ = ["Notes", "Ray", "debug_table"]

Color = tuple[int, int, int]
Point = tuple[float, float, float]

DEFAULT_TRAIL = 50
"""Points of a trail if the script does not say (ARGoS's code; its comment says 30)."""


@dataclass(frozen=True, slots=True)
class Ray:
    """From start to end in the robot's frame, in m."""

    color: Color
    start: Point
    end: Point


@dataclass(slots=True)
class Notes:
    """One robot's notes. Text and rays last one step; a trail holds the latest positions, newest first."""

    text: str = ""
    color: Color = (0, 0, 0)
    rays: list[Ray] = field(default_factory=list)
    trail: deque[Point] | None = None
    trail_color: Color = (0, 0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether the script noted nothing in this step."""
        return not self.text and not self.rays

    def begin_step(self) -> None:
        """Forget text and rays of the step before."""
        if self.text or self.rays:
            self.text = ""
            self.rays = []

    def follow(self, position: Point) -> None:
        """Add a position in m to the trail, if the script asked for one."""
        if self.trail is not None:
            self.trail.appendleft(position)


def debug_table(notes: Notes, *, exact: bool, with_trail: bool) -> Table:
    """The global `debug` of a script, writing into `notes`. Exact: coordinates of rays must be floats."""
    table = Table.of(
        [
            ("print", host_function("debug.print", (0, None), lambda *values: _print(notes, values))),
            ("set_color", host_function("debug.set_color", 3, lambda r, g, b: _set_color(notes, (r, g, b)))),
            ("rays", _rays_table(notes, exact)),
        ]
    )
    if with_trail:
        table.store("trajectory", _trajectory_table(notes))
    return table


def _print(notes: Notes, values: tuple[Value, ...]) -> None:
    notes.text = text_of("".join(map(format_value_stream, values)))


def _set_color(notes: Notes, values: tuple[Value, ...]) -> None:
    notes.color = _color(values)


def _rays_table(notes: Notes, exact: bool) -> Table:
    def add(*values: Value) -> None:
        if len(values) not in (6, 9):
            raise arity_failure((6, 9), len(values))
        numbers = [_coordinate(value, exact) for value in values[3:]]
        start = (0.0, 0.0, 0.0) if len(numbers) == 3 else (numbers[0], numbers[1], numbers[2])
        notes.rays.append(Ray(_color(values[:3]), start, (numbers[-3], numbers[-2], numbers[-1])))

    return Table.of(
        [
            ("add", host_function("debug.rays.add", (6, 9), add)),
            ("clear", host_function("debug.rays.clear", 0, lambda: notes.rays.clear())),
        ]
    )


def _trajectory_table(notes: Notes) -> Table:
    def enable(*values: Value) -> None:
        if len(values) == 2:
            raise arity_failure((0, 4), 2)
        most = expect_integer(values[0]) if len(values) in (1, 4) else DEFAULT_TRAIL
        notes.trail = deque(notes.trail or (), maxlen=max(most, 0))
        if len(values) >= 3:
            notes.trail_color = _color(values[-3:])

    def disable() -> None:
        notes.trail = None

    def clear() -> None:
        if notes.trail is not None:
            notes.trail.clear()

    return Table.of(
        [
            ("enable", host_function("debug.trajectory.enable", (0, 4), enable)),
            ("disable", host_function("debug.trajectory.disable", 0, disable)),
            ("clear", host_function("debug.trajectory.clear", 0, clear)),
        ]
    )


def _color(values: tuple[Value, ...]) -> Color:
    red, green, blue = (expect_integer(value) & 255 for value in values)
    return red, green, blue


def _coordinate(value: Value, exact: bool) -> float:
    if exact and not isinstance(value, float):
        raise mismatch("float", value)
    return float(expect_number(value))
