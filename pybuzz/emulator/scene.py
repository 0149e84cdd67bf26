"""The world of an experiment, moved in small steps by motors instead of scripts, and what sensors meet in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.placing import PlacedRobot, place
from pybuzz.experiment.plan import Device, Plan
from pybuzz.experiment.setup import floor_image
from pybuzz.khepera import load_model
from pybuzz.link.scip import FIRST_STEP, LAST_STEP
from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.rays import beams_to
from pybuzz.sim.sensors.ground import GroundSensor
from pybuzz.sim.sensors.light import LightSensor
from pybuzz.sim.sensors.mounts import Carriers, Mount
from pybuzz.sim.sensors.surroundings import Surroundings
from pybuzz.sim.world import World

__all__ = ["STEP_S", "Scene"]

STEP_S = 0.01
"""The micro-controller's control period."""

_INFRARED_REACH_M = 0.25
_ULTRASOUND_REACH_M = 2.5
_LASER_REACH_M = 5.6
_LASER_FRONT_STEP = 384
_LASER_STEPS_PER_TURN = 1024

_INFRARED_OF_RING = (3, 2, 1, 0, 7, 6, 5, 4)
"""For each infrared sensor in the robot's order (back left, left, front left, front, front right, right, back right,
back) its place in the ring of the model, which starts ahead and goes counter-clockwise (Khepera IV user manual)."""
_ULTRASOUND_OF_RING = (2, 1, 0, 4, 3)
"""The same for ultrasound: left, front left, front, front right, right."""
_GROUND_OF_MODEL = (1, 0, 3, 2)
"""The same for the ground: left, front left, front right, right."""


class Scene:
    """Robots of a plan in its world. Robots are known by their index, in order of creation.

    Sensors are in the robot's own order and count from the hull, the laser from the robot's centre; distances are in m,
    infinity where nothing is in reach. They are computed for all robots when the first one is asked in a step.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        model = load_model()
        self.world = world = World(STEP_S, PhysicsSettings(**asdict(plan.physics)))
        world.set_floor(floor_image(plan))
        placed = [one for one in place(plan, seed, world) if isinstance(one, PlacedRobot)]
        self.placed: Sequence[PlacedRobot] = placed
        self.steps = 0
        self._around = Surroundings(world)
        self._looked_at = -1
        self._cache: dict[str, NDArray[np.float64]] = {}
        everyone = np.arange(len(placed), dtype=np.int64)
        light, ground = (Carriers(everyone, (Mount(Device(name)),) * len(placed)) for name in ("light", "ground"))
        self._light = LightSensor(light, model.light)
        self._ground = GroundSensor(ground, model.ground)
        ring, sonar, scanner = model.proximity, model.ultrasound, model.lidar
        infrared = np.radians(ring.angles)[list(_INFRARED_OF_RING)]
        sonars = np.radians(sonar.angles)[list(_ULTRASOUND_OF_RING)]
        self._everyone = everyone
        self._beams = {
            "infrared": beams_to(infrared, ring.radius, _INFRARED_REACH_M, ring.height),
            "ultrasound": beams_to(sonars, sonar.radius, _ULTRASOUND_REACH_M, sonar.height),
            "laser": beams_to(_laser_angles(), 0.0, _LASER_REACH_M, scanner.height),
        }

    @property
    def time_s(self) -> float:
        """Time in the world since it began."""
        return self.steps * STEP_S

    @property
    def poses(self) -> NDArray[np.float64]:
        """float64[robots, 3]: x, y in m, yaw in rad."""
        return self.world.poses

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        """Advance by STEP_S. wheel_speeds: float64[robots, 2], left and right rim speeds in m/s."""
        self.steps += 1
        self.world.step(wheel_speeds)

    def move(self, robot: int, x: float, y: float, yaw: float) -> None:
        """Put a robot elsewhere by hand."""
        self.world.move(self.placed[robot].name, x, y, yaw)
        self._looked_at = -1

    def distances(self, kind: str, robot: int) -> list[float]:
        """Of infrared (8), ultrasound (5) or laser (682)."""
        return self._row(kind, robot, lambda: self._around.distances(self._everyone, self._beams[kind]))

    def light(self, robot: int) -> list[float]:
        """8 values in [0, 1], in the order of infrared."""
        return self._row("light", robot, lambda: self._light.measure(self._around)[:, list(_INFRARED_OF_RING)])

    def ground(self, robot: int) -> list[float]:
        """4 values, 0 black to 1 white: left, front left, front right, right."""
        return self._row("ground", robot, lambda: self._ground.measure(self._around)[:, list(_GROUND_OF_MODEL)])

    def _row(self, kind: str, robot: int, measure: Callable[[], NDArray[np.float64]]) -> list[float]:
        if self._looked_at != self.steps:
            self._looked_at = self.steps
            self._around.new_tick()
            self._cache.clear()
        if kind not in self._cache:
            self._cache[kind] = measure()
        row: list[float] = self._cache[kind][robot].tolist()
        return row


def _laser_angles() -> NDArray[np.float64]:
    steps = np.arange(FIRST_STEP, LAST_STEP + 1, dtype=np.float64) - _LASER_FRONT_STEP
    angles: NDArray[np.float64] = steps * (2.0 * np.pi / _LASER_STEPS_PER_TURN)
    return angles
