"""A word, once, about a robot outside the arena of an ARGoS file: there the run would end, here it goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.logs import Log
from pybuzz.experiment.plan import Arena
from pybuzz.experiment.robots import Robot

__all__ = ["ArenaWatch"]


class ArenaWatch:
    """Looks after every tick until the first robot is outside."""

    def __init__(self, arena: Arena, log: Log) -> None:
        center, half = np.array(arena.center), np.array(arena.size) / 2
        center[2], half[2] = 0.0, np.inf
        self._low, self._high = center - half, center + half
        """float64[3]: x, y, yaw, which may be any."""
        self._log = log
        self._told = False

    def look(self, robots: Sequence[Robot], poses: NDArray[np.float64]) -> None:
        """To be called when all robots of a tick are where they are. poses: float64[robots, 3]."""
        if self._told:
            return
        outside = (poses < self._low) | (poses > self._high)
        if np.count_nonzero(outside):
            self._told = True
            robot = int(outside.any(axis=1).argmax())
            x, y, _ = poses[robot]
            self._log.write(
                robots[robot].name,
                f'outside the arena, at {x:.6g}, {y:.6g}: ARGoS would end the run unless its radio has index="dummy"; '
                "here it goes on",
                error=True,
            )
