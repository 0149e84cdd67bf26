"""From a Plan to a Simulation: the world is filled, robots get bodies, sensors, radios and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from pybuzz.experiment.air import Air
from pybuzz.experiment.hooks import HookRunner
from pybuzz.experiment.logs import Log
from pybuzz.experiment.placing import Placed, PlacedRobot, place
from pybuzz.experiment.plan import Controller, Floor, Light, Plan
from pybuzz.experiment.readings import Readings
from pybuzz.experiment.robots import Robot, RobotView, SimulatedBody
from pybuzz.experiment.scripts import ScriptOptions, Scripts
from pybuzz.experiment.simulation import Simulation
from pybuzz.khepera import load_model
from pybuzz.radio import Links, Radio, ranks_in_table
from pybuzz.sim.floors import Floor as WorldFloor
from pybuzz.sim.floors import PaintedFloor, grey_of, load_floor
from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World

__all__ = ["Stage"]

_LISTENING = ("neighbors", "swarm", "stigmergy")
"""Globals without which a script cannot tell whether a packet came."""

_ROBOT_ENTRIES, _ANTENNA, _BODY_ENTRIES = 15, 12, 3
"""In ARGoS's flat list of entities and components: how many a Khepera IV has, which one is its antenna, and how many a
box or cylinder has; lights and floors have one."""


class Stage:
    """Everything of one experiment that a run needs, in place; scripts have run their code outside functions."""

    def __init__(
        self, plan: Plan, seed: int, options: ScriptOptions, log: Log, hooks: HookRunner, *, threads: int = 1
    ) -> None:
        self._plan = plan
        self._model = model = load_model()
        self.world = world = World(1.0 / plan.ticks_per_second, PhysicsSettings(**asdict(plan.physics)))
        world.set_floor(_floor(plan, hooks))
        everything = place(plan, seed, world, model.body)
        placed = [one for one in everything if isinstance(one, PlacedRobot)]
        sensors = Sensors(
            world,
            [self._mounts(one) for one in placed],
            batteries=[one.item.battery for one in placed],
            exact=options.exact,
            model=model,
            threads=threads,
        )
        self._sensors = sensors
        self._radio = Radio(
            [one.item.radio_range for one in placed],
            [one.item.data_size for one in placed],
            height_m=model.radio.height,
            ranks=ranks_in_table(_antenna_indices(everything)),
        )
        readings = Readings(sensors)
        robots = [self._robot(one, index, readings) for index, one in enumerate(placed)]
        self.views = {robot.name: RobotView(robot, world) for robot in robots}
        self.scripts = Scripts(plan.controllers.values(), options, model, log, hooks)
        self._give_scripts(robots, placed)
        air = Air(self._connect, used=bool(self.scripts.mentioned(_LISTENING)), single=options.single_precision)
        self.simulation = Simulation(world, robots, readings, air, log, exact=options.exact)
        for robot, one in zip(robots, placed, strict=True):
            self.scripts.start(robot, self._controller(one))

    def _controller(self, placed: PlacedRobot) -> Controller:
        return self._plan.controllers[placed.item.controller]

    def _mounts(self, placed: PlacedRobot) -> list[Mount]:
        """Its sensors; of two with one name the later counts."""
        devices = {device.name: device for device in self._controller(placed).sensors}
        return [Mount(device, placed.seeds.get(name)) for name, device in devices.items()]

    def _robot(self, placed: PlacedRobot, index: int, readings: Readings) -> Robot:
        controller = self._controller(placed)
        body = SimulatedBody(
            readings,
            index,
            self._sensors.carried(index),
            frozenset(device.name for device in controller.actuators),
        )
        return Robot(placed.name, placed.number, body, placed.item.data_size)

    def _give_scripts(self, robots: Sequence[Robot], placed: Sequence[PlacedRobot]) -> None:
        for robot, one in zip(robots, placed, strict=True):
            self.scripts.put_on(
                robot,
                self.views[robot.name],
                self._controller(one),
                script_seed=one.script_seed,
                wheel_seed=one.seeds.get("wheels"),
            )

    def _connect(self) -> Links:
        return self._sensors.listen(self._radio, check_occlusions=self._plan.radio.check_occlusions)


def _antenna_indices(everything: Sequence[Placed]) -> list[int]:
    """The number of each robot's antenna in ARGoS's flat list of all entities and their components."""
    indices, count = [], 0
    for placed in everything:
        if isinstance(placed, PlacedRobot):
            indices.append(count + _ANTENNA)
            count += _ROBOT_ENTRIES
        else:
            count += 1 if isinstance(placed.item, Light | Floor) else _BODY_ENTRIES
    return indices


def _floor(plan: Plan, hooks: HookRunner) -> WorldFloor | None:
    """What the hooks paint, else the image that the plan names."""
    paint = hooks.floor_color
    if paint is not None:
        return PaintedFloor(lambda x, y: float(grey_of(np.array(paint(x, y)).clip(0, 255).astype(np.uint8))))
    images = [item.image for item in plan.items if isinstance(item, Floor) and item.image is not None]
    return load_floor(images[-1], plan.arena.size[:2]) if images else None
