"""From a Plan to a Simulation: the world is filled, robots get bodies, sensors, radios and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from pybuzz.errors import InputError
from pybuzz.experiment.air import Air
from pybuzz.experiment.hooks import HookRunner
from pybuzz.experiment.jobs import Jobs
from pybuzz.experiment.logs import Log
from pybuzz.experiment.pilots import Pilot, load_controller
from pybuzz.experiment.placing import Placed, PlacedRobot, Placer
from pybuzz.experiment.plan import Box, Controller, Cylinder, Distribution, Floor, Light, Plan
from pybuzz.experiment.plan import Robot as PlannedRobot
from pybuzz.experiment.readings import Readings
from pybuzz.experiment.robots import Robot, RobotView, SimulatedBody
from pybuzz.experiment.scripts import ScriptOptions, Scripts
from pybuzz.experiment.simulation import Simulation
from pybuzz.khepera import KheperaModel, load_model
from pybuzz.khepera.motors import BridgeDrive
from pybuzz.radio import Radio, ranks_in_table
from pybuzz.sim.floors import Floor as WorldFloor
from pybuzz.sim.floors import PaintedFloor, grey_of, load_floor
from pybuzz.sim.heightmap import VectorizedUrbanMap, load_heights
from pybuzz.sim.physics import PhysicsSettings
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World
from pybuzz.spelling import did_you_mean

__all__ = ["Stage", "colored_floor", "floor_image"]

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
        self.world = World(
            1.0 / plan.ticks_per_second, PhysicsSettings(**asdict(plan.physics), robot_collision=plan.robot_collision)
        )
        self.world.set_map(plan.map.load() if plan.map is not None else None)
        self.world.set_floor(_floor(plan, hooks))
        self.world.set_terrain(_terrain(plan, seed), plan.arena.center[:2])
        self._placer = Placer(plan, seed, self.world)
        self._antennas = AntennaNumbers()
        self._placed: list[PlacedRobot] = []
        for one in self._placer.place():
            self._register(one)
        self._sensors = Sensors(
            self.world,
            [self._mounts(one) for one in self._placed],
            batteries=[one.item.battery for one in self._placed],
            exact=options.exact,
            models=self._models(),
            threads=threads,
        )
        self._readings = Readings(self._sensors)
        self._jobs = plan.jobs or Jobs()
        self.scripts = Scripts(plan.controllers.values(), options, log, hooks, self._jobs.globals_set)
        self.views: dict[str, RobotView] = {}
        self._functions: dict[Path, Callable[..., Any]] = {}
        robots = [self._robot(one, index) for index, one in enumerate(self._placed)]
        air = Air(
            self._sensors,
            self._new_radio(),
            [one.number for one in self._placed],
            check_occlusions=plan.radio.check_occlusions,
            used=bool(self.scripts.mentioned(_LISTENING)),
            single=options.single_precision,
        )
        self.simulation = Simulation(self.world, robots, self._readings, air, log, exact=options.exact)
        for robot, one in zip(robots, self._placed, strict=True):
            self.scripts.start(robot, self._globals(one))

    def add(self, item: Box | Cylinder | Light | PlannedRobot) -> Robot | None:
        """Put one more thing into the world; a robot starts its life. Raises InputError if it has no room."""
        if isinstance(item, PlannedRobot) and item.controller not in self._plan.controllers:
            known = self._plan.controllers
            hint = did_you_mean(item.controller, known) or f"there are: {', '.join(known)}"
            raise InputError.at(item.name, f"there is no controller '{item.controller}'", hint=hint)
        placed = self._placer.put(_with_radio(item, self._plan) if isinstance(item, PlannedRobot) else item)
        self._register(placed)
        if not isinstance(placed, PlacedRobot):
            return None
        self._refit([*range(len(self._placed) - 1), None])
        robot = self._robot(placed, len(self._placed) - 1)
        self.simulation.air.used |= bool(self.scripts.mentioned(_LISTENING))
        self.scripts.start(robot, self._globals(placed))
        self.simulation.add(robot)
        self.simulation.reconnect()
        return robot

    def remove(self, name: str) -> None:
        """Take something out of the world. Raises InputError if there is nothing of that name."""
        if name not in self.views:
            self.world.remove(name)
            return
        index = next(index for index, one in enumerate(self._placed) if one.name == name)
        self.simulation.remove(self.simulation.robots[index])
        self.world.remove(name)
        del self._placed[index], self.views[name]
        self._refit([one for one in range(len(self._placed) + 1) if one != index])
        self.simulation.reconnect()

    def _register(self, placed: Placed) -> None:
        self._antennas.count(placed)
        if isinstance(placed, PlacedRobot):
            self._placed.append(placed)

    def _refit(self, origins: Sequence[int | None]) -> None:
        """Sensors and radio of the robots that there are now; robot i was robot origins[i] or is new."""
        batteries = [one.item.battery for one in self._placed]
        mounts = [self._mounts(one) for one in self._placed]
        self._sensors = self._sensors.refitted(mounts, batteries, self._models(), origins)
        self._readings.change(self._sensors)
        self.simulation.air.change(self._sensors, self._new_radio(), [one.number for one in self._placed])

    def _new_radio(self) -> Radio:
        return Radio(
            [one.item.radio[0] for one in self._placed],
            [one.item.radio[1] for one in self._placed],
            height_m=[model.radio.height for model in self._models()],
            ranks=ranks_in_table([self._antennas.of(one) for one in self._placed]),
        )

    def _models(self) -> list[KheperaModel]:
        return [load_model(one.item.kind) for one in self._placed]

    def _controller(self, placed: PlacedRobot) -> Controller:
        return self._plan.controllers[placed.item.controller]

    def _globals(self, placed: PlacedRobot) -> dict[str, int | float | str | None]:
        """What is set before its `init`."""
        return {**self._controller(placed).globals, **self._jobs.globals_of(placed.number)}

    def _mounts(self, placed: PlacedRobot) -> list[Mount]:
        """Its sensors; of two with one name the later counts."""
        devices = {device.name: device for device in self._controller(placed).sensors}
        return [Mount(device, placed.seeds.get(name)) for name, device in devices.items()]

    def _robot(self, placed: PlacedRobot, index: int) -> Robot:
        """The robot with its script, of which nothing has run yet."""
        controller = self._controller(placed)
        actuators = frozenset(device.name for device in controller.actuators)
        lengths = self._sensors.lengths(index)
        body = SimulatedBody(self._readings, index, self._sensors.carried(index), actuators, lengths)
        item = placed.item
        model = load_model(item.kind)
        drive = BridgeDrive(model.limits, self.world.tick_seconds) if item.drive == "bridge" else None
        robot = Robot(placed.name, placed.number, body, item.radio[1], drive, model.kind)
        view = self.views[robot.name] = RobotView(robot, self.world, model.body.axle)
        if controller.python is not None:
            robot.pilot = self._pilot(controller.python, controller, model.body.axle)
        self.scripts.put_on(
            robot,
            view,
            controller,
            script_seed=placed.script_seed,
            wheel_seed=placed.seeds.get("wheels"),
            model=model,
        )
        return robot

    def _pilot(self, target: Path, controller: Controller, axle: float) -> Pilot:
        """The Python controller of one robot; its file is run once for all robots."""
        if target not in self._functions:
            self._functions[target] = load_controller(target)
        return Pilot(self._functions[target], axle, controller.goal, controller.config)


def _with_radio(robot: PlannedRobot, plan: Plan) -> PlannedRobot:
    """What its radio lacks is that of the plan's robots with its controller, else of the plan's first robot."""
    things = [item.template if isinstance(item, Distribution) else item for item in plan.items]
    robots = [thing for thing in things if isinstance(thing, PlannedRobot)]
    alike = [other for other in robots if other.controller == robot.controller]
    reach, size = (*alike, *robots, robot)[0].radio
    return replace(
        robot,
        radio_range=reach if robot.radio_range is None else robot.radio_range,
        data_size=size if robot.data_size is None else robot.data_size,
    )


class AntennaNumbers:
    """The numbers of the robots' antennas in ARGoS's flat list of all entities and their components."""

    def __init__(self) -> None:
        self._entries = 0
        self._numbers: dict[str, int] = {}

    def count(self, placed: Placed) -> None:
        """One more entity, in order of creation."""
        if isinstance(placed, PlacedRobot):
            self._numbers[placed.name] = self._entries + _ANTENNA
            self._entries += _ROBOT_ENTRIES
        else:
            self._entries += 1 if isinstance(placed.item, Light | Floor) else _BODY_ENTRIES

    def of(self, robot: PlacedRobot) -> int:
        return self._numbers[robot.name]


def _floor(plan: Plan, hooks: HookRunner) -> WorldFloor | None:
    """What the hooks paint, else the image that the plan names."""
    return floor_image(plan) if hooks.floor_color is None else colored_floor(hooks.floor_color)


def colored_floor(color: Callable[[float, float], Sequence[float]]) -> WorldFloor:
    """A floor by its colours: red, green, blue in 0..255 at x, y in m."""
    return _ColoredFloor(color)


class _ColoredFloor(PaintedFloor):
    """`color` is what is seen from above."""

    def __init__(self, color: Callable[[float, float], Sequence[float]]) -> None:
        super().__init__(lambda x, y: float(grey_of(np.array(color(x, y)).clip(0, 255).astype(np.uint8))))
        self.color = color


def _terrain(plan: Plan, seed: int) -> VectorizedUrbanMap | None:
    """The city that the plan describes."""
    city = plan.terrain
    if city is None:
        return None
    if city.heights is not None:
        return load_heights(city.heights, city.cell_size)
    x, y = plan.arena.size[:2]
    return VectorizedUrbanMap(
        1, (x, y, city.highest), cell_size=city.cell_size, alpha=city.alpha, beta=city.beta, gamma=city.gamma,
        seed=seed if city.seed is None else city.seed,
    )  # fmt: skip


def floor_image(plan: Plan) -> WorldFloor | None:
    """The image that the plan names; None is a white floor."""
    floors = [item for item in plan.items if isinstance(item, Floor) and item.image is not None]
    if not floors:
        return None
    image, resolution = floors[-1].image, floors[-1].resolution
    assert image is not None
    if resolution is None:
        return load_floor(image, plan.arena.size[:2])
    (x, y, _), (width, depth, _) = plan.arena.center, plan.arena.size
    return load_floor(image, (width, depth), resolution, (x - width / 2, y - depth / 2))
