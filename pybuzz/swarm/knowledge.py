"""What a robot knows of others, as plain data for people who look at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Entry", "Knowledge", "Neighbor"]


class Neighbor(NamedTuple):
    """One robot that was heard in this step; cm and rad."""

    robot: int
    distance_cm: float
    azimuth_rad: float
    elevation_rad: float


class Entry(NamedTuple):
    """One entry of a stigmergy: who wrote it last, and at which tick of its clock."""

    key: Any
    value: Any
    robot: int
    clock: int


class Knowledge(NamedTuple):
    """neighbors: by id; None of a script that does not use them. swarms: whether it is a member, by number. claims: the
    swarms that others say they are in, by robot. stores: the entries of each stigmergy, by number, in walking order.
    topics: that it listens to."""

    neighbors: Sequence[Neighbor] | None
    swarms: Mapping[int, bool]
    claims: Mapping[int, Sequence[int]]
    stores: Mapping[int, Sequence[Entry]]
    topics: Sequence[str]
