"""Puts scripts on robots: compiles each once, joins machine, body and mind, and starts them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pybuzz.buzz.program import Program, compile_program
from pybuzz.buzz.tables import from_python
from pybuzz.buzz.tree import Binary
from pybuzz.buzz.walking import walk
from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.experiment.hooks import HookRunner
from pybuzz.experiment.logs import Log
from pybuzz.experiment.plan import Controller
from pybuzz.experiment.robots import NoisyWheels, Robot, RobotView
from pybuzz.experiment.script_names import lidar_angles, names_of
from pybuzz.khepera import Bindings, KheperaModel, signatures
from pybuzz.khepera.bindings import COLUMNS, ROWS
from pybuzz.spelling import did_you_mean
from pybuzz.swarm.mind import Mind

__all__ = ["ScriptOptions", "Scripts", "check_globals"]

_DIFFERING = ("battery", "gotop", "light", "ultrasound")
"""Names that mean something else when exact."""

_ARITHMETIC = frozenset("+-*/%^")


@dataclass(frozen=True, slots=True)
class ScriptOptions:
    """How all scripts of an experiment are run. `budget`: see Program.new_machine; None: as it says."""

    exact: bool = False
    single_precision: bool = False
    budget: int | None = None
    io_folder: Path | None = None
    include_dirs: tuple[Path, ...] = ()


class Scripts:
    """The programs of one experiment, each compiled once and shared by all robots that run it."""

    def __init__(
        self,
        controllers: Iterable[Controller],
        options: ScriptOptions,
        log: Log,
        hooks: HookRunner,
        more_globals: Collection[str] = (),
    ) -> None:
        """more_globals: that the experiment sets, beside those of the controllers."""
        self._options = options
        self._log = log
        self._hooks = hooks
        self._programs: dict[Path, Program] = {}
        controllers = list(controllers)
        self._globals = frozenset(name for controller in controllers for name in controller.globals) | {*more_globals}
        self._sensors = frozenset(device.name for controller in controllers for device in controller.sensors)

    @property
    def programs(self) -> list[Program]:
        return list(self._programs.values())

    def mentioned(self, names: Iterable[str]) -> list[str]:
        """Which of these globals any script mentions."""
        return [name for name in names if any(name in program.mentioned_globals for program in self.programs)]

    @property
    def differing_names(self) -> list[str]:
        """What the scripts use that means something else when exact."""
        return self.mentioned(_DIFFERING)

    @property
    def calculate(self) -> bool:
        """Whether any script computes numbers, whose last digits then depend on the precision."""
        return any(map(_calculates, self.programs))

    def put_on(
        self,
        robot: Robot,
        view: RobotView,
        controller: Controller,
        *,
        model: KheperaModel,
        script_seed: int,
        wheel_seed: int | None,
    ) -> None:
        """Give a robot the mind of its controller; nothing of the script has run yet.

        model: what the robot is. script_seed: of the script's own generator. wheel_seed: of noisy wheels.
        Raises ScriptError if the script does not compile.
        """
        if controller.script is None:
            return
        options = self._options
        names = self._hooks.script_names(view, single=options.single_precision)
        program = self._program(controller.script, names)
        limits = {} if options.budget is None else {"budget": options.budget}
        machine = program.new_machine(
            robot.number,
            log=self._log.script_function(robot.name),
            io_folder=options.io_folder,
            warn=lambda text: self._warn(robot, text),
            **limits,
        )
        machine.random.seed(script_seed)
        machine.host = lambda: names_of(controller, model)
        bindings = Bindings(
            machine,
            robot.body,
            model,
            exact=options.exact,
            wheel_turning=controller.wheel_turning,
            wheel_noise=_wheel_noise(controller, wheel_seed),
            fields=robot.body.fields,
            lidar_angles=lidar_angles(controller),
        )
        for name, value in names.items():
            machine.register(name, value)
        mind = Mind(
            machine,
            robot.number,
            data_size=robot.data_size,
            log_oversize=lambda what, size, limit: self._warn(
                robot,
                f"{what} is dropped: it takes {size} bytes, but must take less than {limit} at a data size of "
                f"{robot.data_size} bytes",
            ),
            warn=lambda text: self._warn(robot, text),
        )
        robot.give_mind(mind, bindings)

    def start(self, robot: Robot, values: Mapping[str, int | float | str | None]) -> None:
        """Run the code outside functions, then set the globals that the experiment gives."""
        mind = robot.mind
        if mind is None:
            return
        mind.start()
        if robot.alive:
            for name, value in values.items():
                mind.machine.set_global(name, from_python(value, single=self._options.single_precision))

    def _program(self, path: Path, hook_names: Mapping[str, object]) -> Program:
        if path not in self._programs:
            self._programs[path] = compile_program(
                path,
                include_dirs=self._options.include_dirs,
                single_precision=self._options.single_precision,
                exact=self._options.exact,
                host_names=signatures().globals | self._globals | self._sensors | frozenset(hook_names),
                columns=COLUMNS,
                rows=ROWS,
            )
        return self._programs[path]

    def _warn(self, robot: Robot, text: str) -> None:
        self._log.write(robot.name, text, error=True)


def check_globals(scripts: Scripts, names: Collection[str], key: str = "buzz.") -> None:
    """Raises InputError for every global that an experiment sets or reads (by this key) and no script mentions."""
    unknown = sorted(set(names).difference(scripts.mentioned(names)))
    known = {name for program in scripts.programs for name in program.mentioned_globals}
    if unknown and scripts.programs:
        raise InputError(
            Diagnostic(
                Place(f"{key}{name}"), "unknown global", f"no script uses a global '{name}'",
                hint=did_you_mean(name, known) or "",
            )
            for name in unknown
        )  # fmt: skip


def _calculates(program: Program) -> bool:
    mentions = "math" in program.mentioned_globals
    return mentions or any(isinstance(node, Binary) and node.operator in _ARITHMETIC for node in walk(program.script))


def _wheel_noise(controller: Controller, seed: int | None) -> NoisyWheels | None:
    wheels = [device for device in controller.actuators if device.name == "wheels"]
    return NoisyWheels(seed, wheels[-1].noise) if seed is not None and wheels and wheels[-1].noise else None
