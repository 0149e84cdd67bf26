"""A simulated robot: a body in the world, a mind, and what joins the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.tables import from_python, to_python
from pybuzz.errors import InputError, ScriptError
from pybuzz.experiment.air import Heard
from pybuzz.experiment.contacts import Contact, contacts_of
from pybuzz.experiment.pilots import Pilot
from pybuzz.khepera import ACTUATORS, Bindings, Command, Notes, load_model
from pybuzz.khepera.motors import BridgeDrive
from pybuzz.sim.random_numbers import Generator
from pybuzz.sim.world import World
from pybuzz.spelling import did_you_mean
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import pack_messages

if TYPE_CHECKING:
    from pybuzz.buzz.machine import Machine
    from pybuzz.experiment.readings import Readings
    from pybuzz.swarm.mind import Mind

__all__ = ["NamedRobots", "NoisyWheels", "Robot", "RobotView", "ScriptGlobals", "SimulatedBody"]


class SimulatedBody:
    """What a script's bindings read: this robot's row of the world's readings.

    lengths: of its own rows, of sensors whose rows are as long as the longest of all robots.
    """

    __slots__ = ("_lengths", "_readings", "actuators", "index", "sensors")

    def __init__(
        self,
        readings: Readings,
        index: int,
        sensors: frozenset[str],
        actuators: frozenset[str],
        lengths: Mapping[str, int] | None = None,
    ) -> None:
        self._readings = readings
        self.index = index
        self.sensors = sensors
        self.actuators = actuators.intersection(ACTUATORS)
        self._lengths = lengths or {}

    def fields(self, sensor: str) -> Sequence[str]:
        return self._readings.fields(sensor)

    def read(self, sensor: str) -> Sequence[float]:
        row = self._readings.rows[sensor][self.index]
        return self._own(sensor, row) if self._lengths else row

    def look(self, sensor: str) -> Sequence[float]:
        """The same for an onlooker, of whom the run takes no notice."""
        return self._own(sensor, self._readings.look(sensor, self.index))

    def _own(self, sensor: str, row: Sequence[float]) -> Sequence[float]:
        length = self._lengths.get(sensor)
        return row if length is None or length == len(row) else row[:length]


_WHEEL_NOISE = {"factor_avg": 1.0, "factor_stddev": 0.0, "bias_avg": 0.0, "bias_stddev": 0.0}


class NoisyWheels:
    """Noise of ARGoS's steering actuator, drawn at every call that moves: factor x (speed + bias), left then right.

    parameters: bias_avg, bias_stddev (m/s), factor_avg, factor_stddev, each also with _left or _right behind it.
    """

    def __init__(self, seed: int, parameters: Mapping[str, float]) -> None:
        self._generator = generator = Generator(seed)
        self._factors: list[tuple[float, float]] = []
        self._biases: list[float] = []
        for side in ("left", "right"):
            own = {
                name: parameters.get(f"{name}_{side}", parameters.get(name, default))
                for name, default in _WHEEL_NOISE.items()
            }
            self._factors.append((own["factor_stddev"], own["factor_avg"]))
            self._biases.append(generator.gaussian(own["bias_stddev"], own["bias_avg"]))

    def __call__(self, left: float, right: float) -> tuple[float, float]:
        first, second = (self._driven(side, speed) for side, speed in enumerate((left, right)))
        return first, second

    def _driven(self, side: int, speed: float) -> float:
        deviation, average = self._factors[side]
        factor = self._generator.gaussian(deviation, average) if deviation > 0.0 else average
        return factor * (speed + self._biases[side])


class Robot:
    """One robot of a simulation. Without a mind it has no script: it stands still and sends only its number.

    drive: what stands between its script and its wheels; None: nothing. pilot: a Python controller that drives it in
    place of a script. observer: takes the step and what is heard, and does the step.
    """

    __slots__ = (
        "bindings",
        "body",
        "command",
        "data_size",
        "drive",
        "kind",
        "leds",
        "mind",
        "name",
        "notes",
        "number",
        "observer",
        "packet",
        "pilot",
    )

    def __init__(
        self,
        name: str,
        number: int,
        body: SimulatedBody,
        data_size: int,
        drive: BridgeDrive | None = None,
        kind: str = "kheperaiv",
    ) -> None:
        self.name = name
        self.number = number
        self.kind = kind
        self.body = body
        self.data_size = data_size
        self.mind: Mind | None = None
        self.command = Command()
        self.notes = Notes()
        self.leds = self.command.leds
        """Applied in this tick; what the script asks for is applied in the next."""
        self.drive = drive
        self.pilot: Pilot | None = None
        self.bindings: Bindings | None = None
        self.observer: Callable[[Callable[[Heard], None], Heard], None] | None = None
        self.packet = Packet(pack_messages(number, [], data_size))
        """What the robot sends next."""

    def give_mind(self, mind: Mind, bindings: Bindings) -> None:
        """From now on a script drives the robot."""
        self.mind = mind
        self.command = bindings.command
        self.notes = bindings.notes
        self.bindings = bindings
        self.packet = mind.packet()

    @property
    def alive(self) -> bool:
        """Whether a script or a controller drives the robot and has not failed."""
        driver = self.mind if self.pilot is None else self.pilot
        return driver is not None and driver.error is None

    @property
    def error(self) -> ScriptError | None:
        driver = self.mind if self.pilot is None else self.pilot
        return driver.error if driver is not None else None

    def step(self, heard: Heard) -> None:
        """Packets in, listeners run (they see the tables of the last tick), tables refreshed, step. Needs a mind."""
        mind, bindings = self.mind, self.bindings
        assert mind is not None
        assert bindings is not None
        bindings.begin_step()
        robots, readings, packets, in_order = heard
        mind.take_in(robots, readings, packets, in_order=in_order)
        if mind.error is None:
            bindings.refresh()
            mind.step()
            self.packet = mind.packet()
            if bindings.shows_queue:
                waiting = mind.waiting
                bindings.show_queue(waiting.total, waiting.broadcast, waiting.vstig, waiting.swarm)

    def stop(self) -> None:
        """Wheels and lights off, whatever the script last asked for."""
        if self.drive is not None:
            self.drive.stop()
        self.command.left_m_s = self.command.right_m_s = 0.0
        self.command.leds = (0, 0, 0)


class ScriptGlobals(MutableMapping[str, Any]):
    """A script's globals as plain Python data; setting one takes effect at once."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def __getitem__(self, name: str) -> Any:
        if name not in self._machine.globals:
            raise KeyError(name)
        return to_python(self._machine.get_global(name))

    def __setitem__(self, name: str, value: Any) -> None:
        self._machine.set_global(name, from_python(value, single=self._machine.program.single_precision))

    def __delitem__(self, name: str) -> None:
        self._machine.set_global(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._machine.globals)

    def __len__(self) -> int:
        return len(self._machine.globals)

    def __repr__(self) -> str:
        return f"<globals {', '.join(self)}>"


class RobotView:
    """A robot as hooks and Python callers see it."""

    def __init__(self, robot: Robot, world: World, axle: float = 0.0) -> None:
        self._robot = robot
        self._world = world
        self._axle = axle or load_model().body.axle

    @property
    def name(self) -> str:
        """Its name in the experiment."""
        return self._robot.name

    @property
    def number(self) -> int:
        """Its numeric id, which scripts know as `id`."""
        return self._robot.number

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y in m, yaw in rad in (-pi, pi]."""
        row, bodies = self._world.row_of(self.name), self._world.bodies
        return float(bodies.x[row]), float(bodies.y[row]), float(bodies.yaw[row])

    @property
    def x(self) -> float:
        """x of the pose, m."""
        return self.pose[0]

    @property
    def y(self) -> float:
        """y of the pose, m."""
        return self.pose[1]

    @property
    def yaw(self) -> float:
        """rad in (-pi, pi], counter-clockwise from the x axis."""
        return self.pose[2]

    @property
    def radius(self) -> float:
        """Of its body, m."""
        return float(self._world.bodies.radius[self._world.row_of(self.name)])

    @property
    def contacts(self) -> list[Contact]:
        """What it touches now: robots, obstacles, cells of the map."""
        return contacts_of(self._world, self.name)

    @property
    def command(self) -> Command:
        """What its script last asked for; applied in the next tick."""
        return self._robot.command

    @property
    def leds(self) -> tuple[int, int, int]:
        """Red, green, blue as they shine in this tick."""
        return self._robot.leds

    @property
    def notes(self) -> Notes:
        """What its script drew in this tick."""
        return self._robot.notes

    @property
    def alive(self) -> bool:
        """Whether its script runs."""
        return self._robot.alive

    @property
    def error(self) -> ScriptError | None:
        """Why its script failed."""
        return self._robot.error

    @property
    def has_script(self) -> bool:
        """Whether it has a script, failed or not, and so globals."""
        return self._robot.mind is not None

    @property
    def globals(self) -> ScriptGlobals:
        """Its script's globals as plain Python data; writing one takes effect at once."""
        if self._robot.mind is None:
            raise InputError.at(self.name, "this robot has no script, and so no globals")
        return ScriptGlobals(self._robot.mind.machine)

    def read(self, sensor: str) -> list[float]:
        """A sensor's values in this tick in SI units, as docs/sensors.md lists them; scripts may have others (cm)."""
        if sensor not in self._robot.body.sensors:
            known = sorted(self._robot.body.sensors)
            hint = did_you_mean(sensor, known) or f"it has: {', '.join(known)}"
            raise InputError.at(self.name, f"this robot has no sensor '{sensor}'", hint=hint)
        return list(self._robot.body.read(sensor))

    def drive(
        self,
        controller: Callable[..., Any],
        *,
        goal: tuple[float, ...] | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        """Let a Python function drive the robot from now on; pybuzz.experiment.pilots says what it takes and returns.

        Raises InputError if a script drives the robot already.
        """
        if self._robot.mind is not None:
            raise InputError.at(self.name, "a script drives this robot", hint="write script: null in the experiment")
        self._robot.pilot = Pilot(controller, self._axle, goal, config or {})

    def move(self, x: float, y: float, yaw: float) -> None:
        """Put the robot elsewhere, without a test for overlap; m, rad."""
        self._world.move(self.name, x, y, yaw)

    def __repr__(self) -> str:
        x, y, yaw = self.pose
        return f"<Robot {self.name} at {x:.3f}, {y:.3f}, yaw {yaw:.3f}>"


class NamedRobots(Mapping[str, RobotView]):
    """Robots by name; an unknown name is answered with the nearest."""

    def __init__(self, views: Mapping[str, RobotView]) -> None:
        self._views = views

    def __getitem__(self, name: str) -> RobotView:
        if name not in self._views:
            raise KeyError(did_you_mean(name, self._views) or f"there is no robot '{name}'")
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)
