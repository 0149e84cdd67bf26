"""The scripts of a deployment: one mind per robot, stepped with what its robot said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from pybuzz.buzz import Program, Value, compile_program
from pybuzz.buzz.checks import check_script
from pybuzz.buzz.values import format_value_stream, text_of
from pybuzz.errors import Diagnostic, ScriptError
from pybuzz.khepera import SENSORS, Bindings, KheperaModel, robot_names, signatures
from pybuzz.link.body import RealBody
from pybuzz.link.calibration import RobotCalibration
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet

__all__ = ["Heard", "RobotMind", "Scripts"]

Heard = tuple[list[Packet], list[float], list[float], list[float]]
"""Packets with distances in cm, azimuths and elevations in rad: what Mind.hear takes."""

_COMMUNICATION: Final = frozenset({"neighbors", "stigmergy", "swarm"})
_NEIGHBORHOOD: Final = frozenset({"neighbors", "pose"})

_MISSING_FUNCTION: Final = "missing-function"

Log = Callable[[FleetRobot, str], None]


class Scripts:
    """The programs of a fleet, each checked and compiled once. Raises ScriptError with all errors of a script."""

    def __init__(self, fleet: Fleet, script: Path, include_dirs: Sequence[Path] = ()) -> None:
        self._include_dirs = include_dirs
        self.warnings: list[Diagnostic] = []
        self._programs: dict[Path, Program] = {}
        self._missing: dict[Path, list[str]] = {}
        self._of_robot = {robot.id: robot.script or script for robot in fleet.robots}
        for path in dict.fromkeys(self._of_robot.values()):
            self._programs[path] = self._checked(path)

    def program(self, robot: FleetRobot) -> Program:
        return self._programs[self._of_robot[robot.id]]

    def sensors(self, robot: FleetRobot) -> list[str]:
        """Which sensors the robot's script reads."""
        return [name for name in SENSORS if name in self.program(robot).mentioned_globals]

    def missing_functions(self, robot: FleetRobot) -> list[str]:
        """Those that a robot calls and the robot's script surely has not."""
        return self._missing[self._of_robot[robot.id]]

    def depends_on_pose(self, robot: FleetRobot) -> bool:
        return bool(_NEIGHBORHOOD & self.program(robot).mentioned_globals)

    @property
    def communicate(self) -> bool:
        """Whether any script has to do with other robots."""
        return any(_COMMUNICATION & program.mentioned_globals for program in self._programs.values())

    def _checked(self, path: Path) -> Program:
        found = check_script(path, include_dirs=self._include_dirs, signatures=signatures())
        errors = [one for one in found if one.severity == "error"]
        if errors:
            raise ScriptError(errors)
        self.warnings += [one for one in found if one.code != _MISSING_FUNCTION]
        self._missing[path] = [one.text for one in found if one.code == _MISSING_FUNCTION]
        return compile_program(path, include_dirs=self._include_dirs, host_names=signatures().globals)


class RobotMind:
    """One robot's script on its body. A failed script stays failed; see `error`."""

    def __init__(
        self,
        robot: FleetRobot,
        program: Program,
        model: KheperaModel,
        calibration: RobotCalibration,
        data_size: int,
        log: Log,
        io_folder: Path | None = None,
    ) -> None:
        self.robot = robot
        self.has_ended = False
        self.body = RealBody(model, calibration, period_s=robot.period_s, has_laser=robot.laser is not None)

        def warn(text: str) -> None:
            log(robot, text)

        machine = program.new_machine(
            robot.id, log=lambda values: log(robot, _text(values)), io_folder=io_folder, warn=warn
        )
        machine.random.seed(robot.id)
        machine.host = lambda: robot_names(model, self.body.sensors | self.body.actuators)
        self._bindings = Bindings(machine, self.body, model, exact=False)
        self._mind = Mind(
            machine,
            robot.id,
            data_size=data_size,
            log_oversize=lambda topic, size, limit: log(
                robot, f"message of {size} bytes dropped: a packet holds {limit}"
            ),
            warn=warn,
        )

    @property
    def error(self) -> ScriptError | None:
        return self._mind.error

    @property
    def drives(self) -> bool:
        """Whether its script decides what the robot does."""
        return self._mind.alive and not self.has_ended

    @property
    def packet(self) -> Packet | None:
        return self._mind.packet() if self.drives else None

    @property
    def order(self) -> tuple[float, float, tuple[int, int, int]]:
        """Left and right in m/s, colours of the lights: what the keeper is told."""
        command = self._bindings.command
        return command.left_m_s, command.right_m_s, command.leds

    @property
    def leds(self) -> tuple[int, int, int]:
        return self._bindings.command.leds if self.drives else (0, 0, 0)

    def begin(self) -> None:
        """The code outside functions, then `init`."""
        self._bindings.refresh()
        self._mind.start()
        self._mind.init()

    def step(self, heard: Heard) -> None:
        """Packets in (listeners still see the last tables), tables refreshed, `step`."""
        self._bindings.begin_step()
        self._mind.hear(*heard)
        if self._mind.alive:
            self._bindings.refresh()
            self._mind.step()

    def finish(self) -> None:
        """Calls `destroy` of a script that has not failed."""
        if self._mind.alive:
            self._mind.destroy()


def _text(values: tuple[Value, ...]) -> str:
    return text_of("".join(map(format_value_stream, values)))
