"""What robots touch, for people who look: computed when it is asked for, the physics takes no notice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

from pybuzz.sim.world import World

__all__ = ["CONTACT_EVENT", "Contact", "ContactWatch", "contacts_of"]

CONTACT_EVENT = "contact"
"""The kind of event when a robot begins to touch something."""


@dataclass(frozen=True, slots=True)
class Contact:
    """Something that a robot touches. kind: robot, obstacle (box or cylinder) or grid (a cell of the map)."""

    kind: Literal["robot", "obstacle", "grid"]
    name: str


def contacts_of(world: World, name: str) -> list[Contact]:
    """What one robot touches now, in order of creation."""
    return [_contact(world, int(other)) for _, other in world.touching([world.row_of(name)])]


class ContactWatch:
    """Tells when robots begin to touch something; also of what they touch at the start."""

    def __init__(self, world: World, tell: Callable[[str, str, str], None]) -> None:
        """tell: called with the robot's name, the kind of event and its text, JSON with the fields of Contact."""
        self._world = world
        self._tell = tell
        self._touching: set[tuple[str, str]] = set()

    def look(self) -> None:
        """To be called at the end of a tick."""
        names, before = self._world.bodies.names, self._touching
        self._touching = set()
        for robot, other in self._world.touching():
            pair = names[robot], names[other]
            self._touching.add(pair)
            if pair not in before:
                contact = _contact(self._world, int(other))
                self._tell(names[robot], CONTACT_EVENT, json.dumps(asdict(contact)))


def _contact(world: World, row: int) -> Contact:
    bodies = world.bodies
    if bodies.robot[row] >= 0:
        return Contact("robot", bodies.names[row])
    return Contact("grid" if bodies.mapped[row] else "obstacle", bodies.names[row])
