"""The radio between real robots: their packets go through this computer, as far as poses and settings let them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pybuzz.link.fleet import RadioSettings
from pybuzz.link.minds import Heard
from pybuzz.radio import Radio
from pybuzz.swarm.packets import Packet

__all__ = ["Air"]


class Air:
    """Who hears whose packet. hull_radius_m, antenna_m: of the robots, which may stand in between."""

    def __init__(self, settings: RadioSettings, robots: int, *, hull_radius_m: float, antenna_m: float) -> None:
        self._settings = settings
        self._hull_radius_m = hull_radius_m
        self._radio = Radio([settings.range_m] * robots, [settings.data_size] * robots, height_m=antenna_m)
        self._random = random.Random(settings.seed)

    def exchange(self, poses: NDArray[np.float64], packets: Sequence[Packet | None]) -> list[Heard]:
        """For each robot what it hears. poses: float64[n, 3], NaN: unknown; a robot without packet is not heard."""
        occluder = self._blocked if self._settings.occlusion else None
        links = self._radio.exchange(poses, occluder)
        found: list[Heard] = []
        for first, last in pairwise(links.starts.tolist()):
            heard: Heard = ([], [], [], [])
            for place in range(first, last):
                packet = packets[links.senders[place]]
                if packet is not None and self._random.random() >= self._settings.loss:
                    heard[0].append(packet)
                    heard[1].append(float(links.distance_m[place]) * 100.0)
                    heard[2].append(float(links.azimuth_rad[place]))
                    heard[3].append(float(links.elevation_rad[place]))
            found.append(heard)
        return found

    def _blocked(self, antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[m]: whether a third robot's hull stands on the straight line of a pair."""
        start, end = antennas[pairs[:, 0], :2], antennas[pairs[:, 1], :2]
        along = end - start
        lengths = np.maximum((along**2).sum(axis=1), 1e-12)
        share = ((antennas[None, :, :2] - start[:, None]) * along[:, None]).sum(axis=2) / lengths[:, None]
        nearest = start[:, None] + np.clip(share, 0.0, 1.0)[:, :, None] * along[:, None]
        near = ((antennas[None, :, :2] - nearest) ** 2).sum(axis=2) < self._hull_radius_m**2
        rows = np.arange(len(pairs))
        near[rows, pairs[:, 0]] = near[rows, pairs[:, 1]] = False
        blocked: NDArray[np.bool_] = near.any(axis=1)
        return blocked
