"""Parts of layers that look the same in a live run and in a recording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["MOST_LINKS", "linked_pairs", "ray_in_world"]

MOST_LINKS: Final = 20_000
"""Of one tick: more are not told apart on a screen."""


def linked_pairs(senders: npt.NDArray[np.integer[Any]], receivers: npt.NDArray[np.integer[Any]]) -> list[list[int]]:
    """Pairs of robots of which at least one hears the other, each pair once, the lower index first."""
    pairs = np.column_stack([np.minimum(senders, receivers), np.maximum(senders, receivers)])
    found: list[list[int]] = np.unique(pairs, axis=0)[:MOST_LINKS].tolist()
    return found


def ray_in_world(start: Sequence[float], end: Sequence[float], place: Sequence[float]) -> list[float]:
    """x, y of both ends in the world, m, of a ray as a robot at `place` (x, y, yaw) drew it: forward, to the left."""
    x, y, yaw = place
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return [
        round(value, 4)
        for ahead, left in ((start[0], start[1]), (end[0], end[1]))
        for value in (x + ahead * cosine - left * sine, y + ahead * sine + left * cosine)
    ]
