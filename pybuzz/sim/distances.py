"""How far places are from the bodies of a world, seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.bodies import BOX, Bodies

__all__ = ["TOUCHING_M", "nearest_distances", "touching_pairs"]

Floats = NDArray[np.float64]

TOUCHING_M = 0.001
"""Bodies nearer than this touch: the physics lets them rest with a gap of less, or a little within each other."""


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


def touching_pairs(bodies: Bodies, robots: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[k, 2]: rows of `bodies` that touch, a robot first and what it touches second, in order.

    robots: int64[n], the rows of those that are asked for. Two robots that touch make two pairs. Heights do not count.
    """
    positions = np.column_stack((bodies.x[robots], bodies.y[robots]))
    near = np.zeros((len(robots), len(bodies)), dtype=np.bool_)
    reach = bodies.radius[robots][:, None] + TOUCHING_M
    boxes = bodies.kind == BOX
    near[:, ~boxes] = _to_circles(bodies, ~boxes, positions) < reach
    near[:, boxes] = _to_boxes(bodies, boxes, positions) < reach
    near[np.arange(len(robots)), robots] = False
    places, others = np.nonzero(near)
    return np.column_stack((robots[places], others))


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
