"""The positioning sensor: where the robot is and how it stands (ARGoS 3's positioning sensor)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part
from pybuzz.sim.sensors.mounts import Carriers, Mount, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["PoseSensor"]

_DRAWS = ("pos_noise_range",) * 3 + ("angle_noise_range",) + ("axis_noise_range",) * 3
"""A noisy sensor's draws in ARGoS's order: position z, y, x (m), angle (rad), axis z, y, x."""


class PoseSensor:
    """Six numbers: x, y, z in m, yaw, pitch, roll in rad. True, or noisy in position, angle and axis of turning."""

    width = 6

    def __init__(self, carriers: Carriers) -> None:
        self.robots = carriers.robots
        noisy = carriers.noisy()
        limits = np.array([_limits(carriers.mounts[place]) for place in noisy], dtype=np.float64).reshape(-1, 7, 2)
        self._noise = UniformNoise(noisy, carriers.streams(), limits[..., 0], limits[..., 1])

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        x, y, yaw = around.yaw_poses[self.robots].T
        nothing = np.zeros(len(x))
        return np.column_stack((x, y, self._heights(around), yaw, nothing, nothing))

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        values = self.before(around)
        noisy = self._noise.places
        if len(noisy):
            values[noisy] = _disturbed(around.poses[self.robots[noisy]], self._noise.draw(around.tick))
            values[noisy, 2] += self._heights(around)[noisy]
        return values

    def _heights(self, around: Surroundings) -> NDArray[np.float64]:
        """m: 0 on wheels."""
        world = around.world
        rows = world.robot_bodies[self.robots]
        return np.where(world.bodies.movable[rows], 0.0, world.bodies.bottom[rows])


def _limits(mount: Mount) -> Sequence[tuple[float, float]]:
    return [mount.device.ranges.get(name, (0.0, 0.0)) for name in _DRAWS]


@kernel
def _disturbed(poses: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[k, 6]: poses with unwrapped angle, moved by draws[k, 7]; a robot that is not turned turns about z."""
    values = np.empty((len(poses), 6))
    for i in range(len(poses)):
        w, z = math.cos(0.5 * poses[i, 2]), math.sin(0.5 * poses[i, 2])
        turned = z * z > 0.0
        angle = (2.0 * math.acos(w) if turned else 0.0) + draws[i, 3]
        axis_z = (z * (1.0 / math.sqrt(z * z)) if turned else 1.0) + draws[i, 4]
        axis_y, axis_x = draws[i, 5], draws[i, 6]
        w, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
        x, y, z = s * axis_x, s * axis_y, s * axis_z
        values[i, 0], values[i, 1], values[i, 2] = poses[i, 0] + draws[i, 2], poses[i, 1] + draws[i, 1], draws[i, 0]
        values[i, 3], values[i, 4], values[i, 5] = _euler_angles(w, x, y, z)
    return values


@kernel_part
def _euler_angles(w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Yaw, pitch and roll of a quaternion that need not have length 1, as ARGoS reads them."""
    balance = x * z + w * y
    if abs(balance) > 0.49999:
        yaw = math.atan2(2.0 * (x * y + w * z), w * w - x * x + y * y - z * z)
        return yaw, math.copysign(0.5 * math.pi, balance), 0.0
    yaw = math.atan2(2.0 * (w * z - x * y), w * w + x * x - y * y - z * z)
    roll = math.atan2(2.0 * (w * x - y * z), w * w - x * x - y * y + z * z)
    return yaw, math.asin(min(max(2.0 * balance, -1.0), 1.0)), roll
