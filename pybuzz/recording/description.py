"""What a recording says about its run beside the numbers: plain data, written to run.json.

Lengths in m, angles in rad, anticlockwise. No clock: two equal runs have equal descriptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

__all__ = ["ArenaMark", "ObstacleMark", "RobotMark", "RunDescription", "ViewMark"]


@dataclass(frozen=True, slots=True)
class RobotMark:
    """One robot. `radius` (m) is how large it is drawn, `altitude` (m) how high it flies."""

    name: str
    kind: str = "kheperaiv"
    number: int = 0
    radius: float = 0.0704
    altitude: float = 0.0


@dataclass(frozen=True, slots=True)
class ArenaMark:
    """The arena's size (x, y) and centre."""

    size: tuple[float, float]
    center: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ObstacleMark:
    """A box (`size` x, y) or a cylinder (`size` is its diameter twice) as it stood at first.

    `since` is the tick at the end of which it first stood there: 0, unless it was added later.
    """

    name: str
    shape: str
    position: tuple[float, float]
    size: tuple[float, float]
    yaw: float = 0.0
    movable: bool = False
    since: int = 0


@dataclass(frozen=True, slots=True)
class ViewMark:
    """Where a picture of what is seen from above lies: its bottom left corner, its width and depth."""

    corner: tuple[float, float]
    size: tuple[float, float]


@dataclass(frozen=True, slots=True)
class RunDescription:
    """A run: what was run, with what seed and options, and what stood around.

    robots    in order of creation; those that came later are last
    obstacles the same
    lights    (x, y) of each light
    views     by name (floor, map), where NAME.png lies: what does not move, seen from above before the first tick
    options   whatever else decided the run (exact, single_precision, set, ...): plain data only
    digest    SHA-256 of the text of the experiment file and of all scripts; empty if nobody told
    """

    experiment: str
    seed: int
    ticks_per_second: int = 10
    robots: tuple[RobotMark, ...] = ()
    arena: ArenaMark | None = None
    obstacles: tuple[ObstacleMark, ...] = ()
    lights: tuple[tuple[float, float], ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    views: Mapping[str, ViewMark] = field(default_factory=dict)
    digest: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data that json can write; field by field, since `asdict` takes longer than a tick of a large swarm."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data |= {name: [_plain(mark) for mark in data[name]] for name in ("robots", "obstacles")}
        data["arena"] = None if self.arena is None else _plain(self.arena)
        data["views"] = {name: _plain(mark) for name, mark in self.views.items()}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunDescription:
        """The description that `to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        arena = data["arena"]
        if int(data["ticks_per_second"]) < 1:
            raise ValueError(f"{data['ticks_per_second']} ticks per second")
        return cls(
            experiment=str(data["experiment"]),
            seed=int(data["seed"]),
            ticks_per_second=int(data["ticks_per_second"]),
            robots=tuple(RobotMark(**robot) for robot in data["robots"]),
            arena=ArenaMark(**{name: _pair(value) for name, value in arena.items()}) if arena else None,
            obstacles=tuple(_obstacle(obstacle) for obstacle in data["obstacles"]),
            lights=tuple(_pair(light) for light in data["lights"]),
            options=dict(data["options"]),
            views={name: _view(mark) for name, mark in data.get("views", {}).items()},
            digest=str(data.get("digest", "")),
        )


def _plain(mark: object) -> dict[str, Any]:
    return {name: getattr(mark, name) for name in type(mark).__slots__}  # type: ignore[attr-defined]


def _obstacle(data: Mapping[str, Any]) -> ObstacleMark:
    return ObstacleMark(**{**data, "position": _pair(data["position"]), "size": _pair(data["size"])})


def _view(data: Mapping[str, Any]) -> ViewMark:
    return ViewMark(_pair(data["corner"]), _pair(data["size"]))


def _pair(values: Any) -> tuple[float, float]:
    x, y = values
    return float(x), float(y)
