"""How far places are from the bodies of a world, seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.bodies import BOX, Bodies

__all__ = ["nearest_distances"]

Floats = NDArray[np.float64]


def nearest_distances(bodies: Bodies, positions: Floats, *, robots: bool) -> Floats:
    """float64[k] in m from places float64[k, 2] to the outline of the nearest body; 0 within one, infinity without any.

    robots: whether other robots count; else boxes, cylinders and the map do, movable or not. Heights do not count.
    """
    chosen = np.ones(len(bodies), dtype=np.bool_) if robots else bodies.robot < 0
    boxes, circles = chosen & (bodies.kind == BOX), chosen & (bodies.kind != BOX)
    found = np.full(len(positions), np.inf)
    for distances in (_to_circles(bodies, circles, positions), _to_boxes(bodies, boxes, positions)):
        found = np.minimum(found, distances.min(axis=1, initial=np.inf))
    return found.clip(min=0.0)


def _apart(bodies: Bodies, rows: NDArray[np.bool_], positions: Floats) -> tuple[Floats, Floats]:
    """float64[k, m]: x and y from each body to each place."""
    return positions[:, :1] - bodies.x[rows], positions[:, 1:2] - bodies.y[rows]


def _to_circles(bodies: Bodies, rows: NDArray[np.bool_], positions: Floats) -> Floats:
    found: Floats = np.hypot(*_apart(bodies, rows, positions)) - bodies.radius[rows]
    return found


def _to_boxes(bodies: Bodies, rows: NDArray[np.bool_], positions: Floats) -> Floats:
    x, y = _apart(bodies, rows, positions)
    c, s = np.cos(bodies.angle[rows]), np.sin(bodies.angle[rows])
    beyond_x = np.maximum(np.abs(x * c + y * s) - bodies.half_x[rows], 0.0)
    beyond_y = np.maximum(np.abs(y * c - x * s) - bodies.half_y[rows], 0.0)
    found: Floats = np.hypot(beyond_x, beyond_y)
    return found
