"""Lidar of flying robots over the world's terrain: how far it is to what stands as high as they fly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.heightmap_lidar import VectorizedLiDAR
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ClearanceSensor"]


class ClearanceSensor:
    """Shares of the range, 1 clear: beam k at 2 pi k / K from the robot's heading, counter-clockwise.

    Robots may have lidars of different kinds; later columns of shorter rows are 0. Options of the device: num_beams,
    max_range (m), n_steps, exact (1: the mode "exact"). noise_level (m) is by how much distances to things are off at
    most, uniformly; they stay in [0, 1], and clear beams stay 1.
    """

    def __init__(self, carriers: Carriers) -> None:
        self.robots = carriers.robots
        kinds: dict[tuple[tuple[str, Any], ...], list[int]] = {}
        for place, mount in enumerate(carriers.mounts):
            kinds.setdefault(tuple(sorted(mount.device.options.items())), []).append(place)
        self._groups = [_Group(carriers, places, dict(options)) for options, places in kinds.items()]
        self.width = max((group.beams for group in self._groups), default=0)

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        """Without noise: nothing has been drawn before the first tick."""
        readings = np.zeros((len(self.robots), self.width))
        for group in self._groups:
            readings[group.places, : group.beams] = group.look(self.robots, around)
        return readings

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        readings = self.before(around)
        for group in self._groups:
            readings[group.places, : group.beams] = group.blurred(readings[group.places, : group.beams], around.tick)
        return readings


class _Group:
    """All lidars of one kind: `places` int64[k] among the carriers, `beams` of each."""

    def __init__(self, carriers: Carriers, places: list[int], options: dict[str, Any]) -> None:
        mine = Carriers(carriers.robots[places], tuple(carriers.mounts[place] for place in places))
        self.places = np.array(places, dtype=np.int64)
        self._lidar = _lidar(options)
        self.beams = self._lidar.num_beams
        self._noise = UniformNoise.of_levels(mine, self.beams)

    def look(self, robots: NDArray[np.int64], around: Surroundings) -> NDArray[np.float64]:
        """float64[k, beams] without noise."""
        world, mine = around.world, robots[self.places]
        if world.terrain is None:
            return np.ones((len(mine), self.beams))
        heights, poses = world.bodies.bottom[world.robot_bodies[mine]], around.yaw_poses[mine]
        positions = np.column_stack((poses[:, :2] - world.terrain_center, heights))
        values: NDArray[np.float64] = self._lidar.scan(positions[None], world.terrain, headings=poses[None, :, 2])[0]
        return values

    def blurred(self, values: NDArray[np.float64], tick: int) -> NDArray[np.float64]:
        """The same with the noise of a tick."""
        off = np.zeros(values.shape)
        self._noise.add_to(off, tick)
        return np.where(values < 1.0, np.clip(values + off / self._lidar.max_range, 0.0, 1.0), values)


def _lidar(options: dict[str, Any]) -> VectorizedLiDAR:
    mode: Any = "exact" if options["exact"] else "march"
    return VectorizedLiDAR(options["num_beams"], options["max_range"], options["n_steps"], mode=mode)
