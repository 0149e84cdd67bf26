"""Counts messages of a run while it runs."""

from __future__ import annotations

import numpy as np

from pybuzz.experiment import Experiment
from pybuzz.swarm.wire import split_messages

__all__ = ["MessageCount"]


class MessageCount:
    """Messages put on the air, and those that a robot in range did not receive (occlusion, loss)."""

    def __init__(self) -> None:
        self.sent = 0
        self.lost = 0

    def observe(self, experiment: Experiment) -> None:
        """The tick that was just run: what was on the air in it, and who heard whom."""
        air = experiment.simulation.air
        counts = np.array(
            [0 if one.is_silent else len(split_messages(one.data)) for one in air.packets], dtype=np.int64
        )
        self.sent += int(counts.sum())
        if air.links is not None and counts.any():
            places = experiment.simulation.world.poses[: len(counts), :2]
            apart = np.linalg.norm(places[:, None] - places[None], axis=2)
            in_range = (apart < air.ranges_m[: len(counts), None]).sum(axis=1) - 1
            heard = np.bincount(air.links.senders, minlength=len(counts))
            self.lost += int((counts * np.maximum(in_range - heard, 0)).sum())
