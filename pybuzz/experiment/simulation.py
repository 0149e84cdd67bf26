"""The run loop: a world full of robots, advanced tick by tick in ARGoS's order.

act        the commands of the last tick: wheel speeds, LEDs, packets
physics    all bodies
radio      who hears whom, from the new poses
hooks      pre_step
robots     each in order of creation
hooks      post_step
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pybuzz.errors import ScriptError
from pybuzz.experiment.air import Air
from pybuzz.experiment.logs import Log
from pybuzz.experiment.pilots import Pilot
from pybuzz.experiment.readings import Readings
from pybuzz.experiment.robots import Robot, RobotView
from pybuzz.sim.lidar import LidarScan
from pybuzz.sim.world import World
from pybuzz.swarm.mind import Mind

__all__ = ["Failure", "Simulation"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A script that failed, and when; tick 0 is before the first tick."""

    tick: int
    robot: str
    error: ScriptError


def _nothing() -> None:
    pass


class Simulation:
    """Robots in a world, all of the same precision. `air` says who hears whom.

    Scripts have run their code outside functions; `init` runs when `start` is called.
    """

    def __init__(
        self,
        world: World,
        robots: list[Robot],
        readings: Readings,
        air: Air,
        log: Log,
        *,
        exact: bool,
        pre_step: Callable[[], None] = _nothing,
        post_step: Callable[[], None] = _nothing,
    ) -> None:
        self.world = world
        self.robots = robots
        self.readings = readings
        self.air = air
        self.log = log
        self.tick = 0
        self.failures: list[Failure] = []
        self.selected_robot = 0
        self._exact = exact
        self.pre_step = pre_step
        self.post_step = post_step

    def start(self) -> None:
        """Call every script's `init`, in order of creation; all robots are in place."""
        for robot in self.robots:
            self._begin(robot)

    def step(self) -> None:
        """Advance by one tick."""
        self.tick += 1
        self.log.tick = self.tick
        self.act()
        self.pre_step()
        self._run_scripts()
        self.post_step()

    # -- laser scanners ------------------------------------------------------------------------------------------

    def lidar_obstacle_robots(self) -> list[RobotView]:
        """The robots that laser scanners meet: all, or none if robots pass through each other."""
        if not self.world.settings.robot_collision:
            return []
        return [RobotView(robot, self.world) for robot in self.robots]

    @property
    def robot_lidar_readings(self) -> list[LidarScan | None]:
        """This tick's scan of each robot; None for one without a laser scanner of num_rays."""
        return self.readings.scans

    @property
    def lidar_readings(self) -> LidarScan | None:
        """The scan of the robot number `selected_robot`, the first one if nobody selected another."""
        scans = self.robot_lidar_readings
        return scans[self.selected_robot] if 0 <= self.selected_robot < len(scans) else None

    def reset(self) -> None:
        """Call every living script's `reset`, in order of creation."""
        for robot in self.robots:
            self._run(robot, Mind.reset)

    def destroy(self) -> None:
        """Call every living script's `destroy`, last created first, as ARGoS takes robots out."""
        for robot in reversed(self.robots):
            self._run(robot, Mind.destroy)

    def add(self, robot: Robot) -> None:
        """A robot that comes into the running simulation; its `init` runs at once."""
        self.robots.append(robot)
        self._begin(robot)

    def remove(self, robot: Robot) -> None:
        """Take a robot out; its `destroy` runs first."""
        self._run(robot, Mind.destroy)
        self.robots.remove(robot)
        for index, other in enumerate(self.robots):
            other.body.index = index

    def act(self) -> None:
        """What robots asked for takes effect: the world moves, and the radio carries their packets."""
        wheels: list[float] = []
        for robot in self.robots:
            command = robot.command
            robot.leds = command.leds
            left, right = command.left_m_s, command.right_m_s
            wheels += (left, right) if robot.drive is None else robot.drive.next(left, right)
        self.air.put([robot.packet for robot in self.robots])
        self.world.step(np.array(wheels, dtype=np.float64).reshape(-1, 2))
        self.readings.begin_tick()
        self.air.exchange()

    def _run_scripts(self) -> None:
        for robot, heard in zip(self.robots, self.air.heard(), strict=True):
            if robot.pilot is not None:
                self._run_pilot(robot, robot.pilot)
            elif robot.mind is not None and robot.mind.error is None:
                if robot.observer is None:
                    robot.step(heard)
                else:
                    robot.observer(robot.step, heard)
                if robot.mind.error is not None:
                    self._failed(robot)

    def _run_pilot(self, robot: Robot, pilot: Pilot) -> None:
        if pilot.error is None:
            scan = self.readings.scans[robot.body.index]
            pilot.step(RobotView(robot, self.world), self.world, scan, robot.command)
            if pilot.error is not None:
                self._failed(robot)

    def _begin(self, robot: Robot) -> None:
        """Call `init`, unless the script has failed already outside functions."""
        if robot.error is None:
            self._run(robot, Mind.init)
        else:
            self._failed(robot)

    def _run(self, robot: Robot, action: Callable[[Mind], None]) -> None:
        if robot.mind is not None and robot.alive:
            action(robot.mind)
            if not robot.alive:
                self._failed(robot)

    def _failed(self, robot: Robot) -> None:
        assert robot.error is not None
        self.failures.append(Failure(self.tick, robot.name, robot.error))
        if not self._exact:
            robot.stop()
            self.air.silence(robot.body.index)

    def reconnect(self) -> None:
        """After robots came or went: failed ones are not heard, unless exact; the others hear each other anew."""
        for robot in self.robots:
            if robot.error is not None and not self._exact:
                self.air.silence(robot.body.index)
        if self.tick:
            self.air.put([robot.packet for robot in self.robots])
            self.air.exchange()
