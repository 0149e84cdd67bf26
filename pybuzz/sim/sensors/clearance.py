"""Lidar of flying robots over the world's terrain: how far it is to what stands as high as they fly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.heightmap_lidar import VectorizedLiDAR
from pybuzz.sim.sensors.mounts import Carriers
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ClearanceSensor"]


class ClearanceSensor:
    """Shares of the range, 1 clear: beam k at 2 pi k / K from the robot's heading, counter-clockwise.

    Robots may have lidars of different kinds; later columns of shorter rows are 0. Options of the device: num_beams,
    max_range (m), n_steps, exact (1: the mode "exact").
    """

    def __init__(self, carriers: Carriers) -> None:
        self.robots = carriers.robots
        kinds: dict[tuple[tuple[str, Any], ...], list[int]] = {}
        for place, mount in enumerate(carriers.mounts):
            kinds.setdefault(tuple(sorted(mount.device.options.items())), []).append(place)
        self._groups = [(_lidar(dict(options)), np.array(places)) for options, places in kinds.items()]
        self.width = max((lidar.num_beams for lidar, _ in self._groups), default=0)

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        return self.measure(around)

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        readings = np.zeros((len(self.robots), self.width))
        world = around.world
        for lidar, places in self._groups:
            robots = self.robots[places]
            if world.terrain is None:
                readings[places, : lidar.num_beams] = 1.0
                continue
            heights = world.bodies.bottom[world.robot_bodies[robots]]
            poses = around.yaw_poses[robots]
            positions = np.column_stack((poses[:, :2] - world.terrain_center, heights))
            values = lidar.scan(positions[None], world.terrain, headings=poses[None, :, 2])
            readings[places, : lidar.num_beams] = values[0]
        return readings


def _lidar(options: dict[str, Any]) -> VectorizedLiDAR:
    mode: Any = "exact" if options["exact"] else "march"
    return VectorizedLiDAR(options["num_beams"], options["max_range"], options["n_steps"], mode=mode)
