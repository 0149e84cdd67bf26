"""Places of antennas, and how one antenna lies as seen from another, in ARGoS 3's arithmetic."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part

__all__ = ["antennas_of", "bearings", "facing"]

_LEVEL = 2e-17
"""Slopes below this come out as an elevation of exactly 0, since the arc cosine rounds to pi/2: nearly all do."""


@kernel
def antennas_of(poses: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, 3]: antennas `heights` float64[n] (m) over poses float64[n, 3] (x, y in m, unwrapped angle in rad).

    ARGoS rotates (0, 0, height) by the robot's quaternion, which leaves it within an ulp of the height.
    """
    antennas = np.empty((len(poses), 3))
    for i in range(len(poses)):
        w, q, height = math.cos(0.5 * poses[i, 2]), math.sin(0.5 * poses[i, 2]), heights[i]
        antennas[i, 0], antennas[i, 1] = poses[i, 0], poses[i, 1]
        antennas[i, 2] = w * height * w + q * height * q
    return antennas


@kernel_part
def facing(angle: float) -> tuple[float, float]:
    """The inverse of the quaternion (w, 0, 0, q) of a robot turned by `angle`: w and q, for `bearings`."""
    return math.cos(0.5 * angle), -math.sin(0.5 * angle)


@kernel_part
def bearings(vx: float, vy: float, vz: float, w: float, q: float) -> tuple[float, float, float]:
    """Distance, azimuth and elevation of a vector in world axes, for a robot whose `facing` is w, q.

    ARGoS rotates the vector by the inverse of the robot's quaternion, then takes spherical coordinates.
    """
    k, l, m, o = -q * vz, w * vx - q * vy, w * vy + q * vx, w * vz  # noqa: E741
    x, y, z = l * w - m * q, l * q + m * w, o * w - k * q
    distance = math.sqrt(x * x + y * y + z * z)
    slope = z / distance
    elevation = 0.0 if abs(slope) < _LEVEL else 0.5 * math.pi - math.acos(slope)
    return distance, math.atan2(y, x), elevation
