"""All bodies of a world as arrays, in order of creation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BOX", "CIRCLE", "Bodies", "BodySpec"]

CIRCLE = 0
BOX = 1

_FLOATS = ("x", "y", "angle", "vx", "vy", "spin", "radius", "half_x", "half_y", "bottom", "top")


@dataclass(frozen=True, slots=True)
class BodySpec:
    """One body before it exists. m, rad; `angle` is the yaw at the start, in (-pi, pi].

    A circle has `radius`, a box `half_x`, `half_y`. It stands from height `bottom` to `top`.
    """

    name: str
    kind: int
    x: float
    y: float
    angle: float
    bottom: float
    top: float
    radius: float = 0.0
    half_x: float = 0.0
    half_y: float = 0.0
    movable: bool = False
    robot: bool = False


class Bodies:
    """Structure of arrays, `count` rows in use: float64[n] in m, rad, m/s, rad/s.

    `angle` is unwrapped: it starts as the initial yaw and is only added to. `movable` is true for robots and
    for objects that can be pushed; `robot` is the robot's index or -1.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    angle: NDArray[np.float64]
    vx: NDArray[np.float64]
    vy: NDArray[np.float64]
    spin: NDArray[np.float64]
    radius: NDArray[np.float64]
    half_x: NDArray[np.float64]
    half_y: NDArray[np.float64]
    bottom: NDArray[np.float64]
    top: NDArray[np.float64]
    kind: NDArray[np.int8]
    movable: NDArray[np.bool_]
    robot: NDArray[np.int64]
    names: list[str]

    def __init__(self) -> None:
        for name in _FLOATS:
            setattr(self, name, np.zeros(0))
        self.kind = np.zeros(0, dtype=np.int8)
        self.movable = np.zeros(0, dtype=np.bool_)
        self.robot = np.zeros(0, dtype=np.int64)
        self.names = []

    def __len__(self) -> int:
        return len(self.names)
