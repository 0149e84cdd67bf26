"""A word, once, about a robot outside the arena of an ARGoS file: there the run would end, here it goes on."""

from __future__ import annotations

import numpy as np

from pybuzz.experiment.logs import Log
from pybuzz.experiment.plan import Arena
from pybuzz.experiment.simulation import Simulation

__all__ = ["ArenaWatch"]


class ArenaWatch:
    """Looks after every tick until the first robot is outside."""

    def __init__(self, arena: Arena, log: Log) -> None:
        center, size = np.array(arena.center[:2]), np.array(arena.size[:2])
        self._low, self._high = center - size / 2, center + size / 2
        self._log = log
        self._told = False

    def look(self, simulation: Simulation) -> None:
        """To be called when all robots of a tick are where they are."""
        if self._told or not simulation.robots:
            return
        places = simulation.world.poses[:, :2]
        outside = (places < self._low) | (places > self._high)
        if outside.any():
            self._told = True
            robot = int(outside.any(axis=1).argmax())
            x, y = places[robot]
            self._log.write(
                simulation.robots[robot].name,
                f'outside the arena, at {x:.6g}, {y:.6g}: ARGoS would end the run unless its radio has index="dummy"; '
                "here it goes on",
                error=True,
            )
