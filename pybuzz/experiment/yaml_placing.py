"""Where things stand in a YAML experiment: `at` and `yaw`, or `place` with a way of drawing; walls; names."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

from pybuzz.experiment.plan import Box, Draw, Point
from pybuzz.yaml_nodes import Section
from pybuzz.yaml_tree import Entry

__all__ = ["WALL_HEIGHT", "WALL_THICKNESS", "Names", "Spot", "read_spot", "walls"]

WALL_THICKNESS = 0.1
WALL_HEIGHT = 0.5
_DEGREE = pi / 180
_TRIALS = 100
_METHODS = ("uniform", "gaussian", "grid", "constant")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an entry of the file puts its things: a pose (m, rad), or draws (m, degrees) for `count` of them."""

    position: Point = (0.0, 0.0, 0.0)
    orientation: Point = (0.0, 0.0, 0.0)
    count: int = 1
    draws: tuple[Draw, Draw] | None = None
    max_trials: int = _TRIALS


@dataclass
class Names:
    """The names of a file, each taken once."""

    taken: dict[str, int] = field(default_factory=dict)

    def take(self, section: Section, name: str) -> None:
        """Register a name; a fault if it is taken."""
        if name in self.taken:
            text = f"the name '{name}' is taken by the entry of line {self.taken[name]}"
            section.reader.fault(section.get("name") or section.entry, text, kind="duplicate name")
        self.taken.setdefault(name, section.entry.line)


def read_spot(section: Section, *, dimensions: int = 2) -> Spot:
    """`at` and `yaw`, or `place`, `count`, `yaw` and `max_trials`. Positions have 2 or 3 `dimensions`."""
    at, place = section.get("at"), section.get("place")
    count = section.whole("count", 1, most=100_000)
    trials = section.whole("max_trials", _TRIALS)
    if place is not None:
        position = _position_draw(section, place, dimensions, count)
        orientation = _yaw_draw(section, position)
        if at is not None:
            section.reader.fault(at, "'at' and 'place' exclude each other")
        return Spot(count=count, draws=(position, orientation), max_trials=trials)
    if at is None:
        section.fault(f"{section.name} needs 'at' or 'place'", kind="missing key")
    elif count != 1:
        section.reader.fault(at, f"{count} things cannot all stand at one place", hint="draw places: place: {...}")
    position_m = _point(section, at, "at", dimensions) if at else (0.0, 0.0, 0.0)
    return Spot(position_m, (section.number("yaw", 0.0) * _DEGREE, 0.0, 0.0))


def walls(size: Point, center: Point) -> list[Box]:
    """Four static boxes around the arena: their inner faces are its edges, their thickness lies outside."""
    half_x, half_y = size[0] / 2, size[1] / 2
    out = WALL_THICKNESS / 2
    across = (size[0] + 2 * WALL_THICKNESS, WALL_THICKNESS, WALL_HEIGHT)
    along = (WALL_THICKNESS, size[1], WALL_HEIGHT)
    x, y = center[0], center[1]
    return [
        Box("wall_north", across, (x, y + half_y + out, 0.0)),
        Box("wall_south", across, (x, y - half_y - out, 0.0)),
        Box("wall_east", along, (x + half_x + out, y, 0.0)),
        Box("wall_west", along, (x - half_x - out, y, 0.0)),
    ]


def _point(section: Section, entry: Entry, name: str, dimensions: int) -> Point:
    x, y, *rest = section.reader.vector(entry, name, dimensions)
    return x, y, rest[0] if rest else 0.0


def _position_draw(section: Section, entry: Entry, dimensions: int, count: int) -> Draw:
    method, value = _method(section, entry, "place", _METHODS)
    if value is None:
        return Draw("constant", (0.0, 0.0, 0.0))
    if method == "constant":
        return Draw("constant", _point(section, value, method, dimensions))
    if method == "grid":
        return _grid(section, value, dimensions, count)
    pair = section.reader.items(value, method)
    if len(pair) != 2:
        what = "[[min], [max]]" if method == "uniform" else "[[mean], [standard deviation]]"
        section.reader.fault(value, f"{method} needs two points: {what}")
        return Draw("constant", (0.0, 0.0, 0.0))
    first, second = (_point(section, point, method, dimensions) for point in pair)
    if method == "gaussian":
        return Draw("gaussian", first, second)
    if any(low > high for low, high in zip(first, second, strict=True)):
        section.reader.fault(value, "uniform: the first point must not be larger than the second, in no component")
    return Draw("uniform", first, second)


def _grid(section: Section, entry: Entry, dimensions: int, count: int) -> Draw:
    with section.reader.section(entry, "grid") as grid:
        center = grid.need("center")
        distances, layout = grid.need("distances"), grid.need("layout")
        if center is None or distances is None or layout is None:
            return Draw("constant", (0.0, 0.0, 0.0))
        entries = layout.items or []
        if len(entries) != dimensions:
            section.reader.fault(layout, f"layout: {dimensions} whole numbers are needed")
            return Draw("constant", (0.0, 0.0, 0.0))
        x, y, *rest = (section.reader.whole(item, "layout", least=1, most=100_000) for item in entries)
        z = rest[0] if rest else 1
        if x * y * z < count:
            section.reader.fault(layout, f"a grid of {x} x {y} has {x * y * z} places, {count} are needed")
        return Draw(
            "grid", _point(section, center, "center", dimensions), _point(section, distances, "distances", dimensions),
            (x, y, z),
        )  # fmt: skip


def _yaw_draw(section: Section, position: Draw) -> Draw:
    """A fixed yaw, or a way of drawing it; any yaw for things at random places, 0 for a grid and a fixed place."""
    entry = section.get("yaw")
    if entry is None:
        if position.method in ("grid", "constant"):
            return Draw("constant", (0.0, 0.0, 0.0))
        return Draw("uniform", (0.0, 0.0, 0.0), (360.0, 0.0, 0.0))
    if entry.keys is None:
        return Draw("constant", (section.number("yaw"), 0.0, 0.0))
    method, value = _method(section, entry, "yaw", ("uniform", "gaussian"))
    if value is None:
        return Draw("constant", (0.0, 0.0, 0.0))
    first, second = section.reader.vector(value, method, 2)
    if method == "gaussian":
        return Draw("gaussian", (first, 0.0, 0.0), (second, 0.0, 0.0))
    if first > second:
        section.reader.fault(value, "uniform: the first angle must not be larger than the second")
    return Draw("uniform", (first, 0.0, 0.0), (second, 0.0, 0.0))


def _method(section: Section, entry: Entry, name: str, known: tuple[str, ...]) -> tuple[str, Entry | None]:
    """The one key of {method: ...} and its value."""
    with section.reader.section(entry, name) as methods:
        found = [(method, value) for method in known if (value := methods.get(method)) is not None]
        if len(found) == 1:
            return found[0]
        if entry.keys is not None and (found or not entry.keys):
            section.reader.fault(entry, f"{name} needs exactly one of {', '.join(known)}")
    return "", None
