"""The emulator: a scene, its robots' electronics and programs, their ports, and the clock that moves them all."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from pybuzz.emulator.control import ControlPort
from pybuzz.emulator.faults import Fault, Faults
from pybuzz.emulator.hardware import Hardware, HardwareOptions
from pybuzz.emulator.journal import Journal
from pybuzz.emulator.laser import Laser
from pybuzz.emulator.line import SPEEDS, Line
from pybuzz.emulator.ports import PseudoTerminal, TcpPort
from pybuzz.emulator.scene import STEP_S, Scene
from pybuzz.emulator.server import Kh4Server, XLayout
from pybuzz.emulator.tracker import Tracker
from pybuzz.errors import InputError
from pybuzz.experiment.placing import PlacedRobot
from pybuzz.experiment.plan import Distribution, Plan, Robot
from pybuzz.khepera import load_model

__all__ = ["EmulatedRobot", "Emulator", "EmulatorOptions"]

KIND: Final = "kheperaiv"
FIRST_PORT: Final = 7000
_LATE_S = 0.1
_LOST_S = 1.0


@dataclass(frozen=True, slots=True)
class EmulatorOptions:
    """How the robots of an experiment are offered.

    port: the first robot's; the others follow. 0: free ones. terminals: a folder of pseudo terminals in place of ports.
    laser_port, control_port: the same for the lasers, and for control; None: none.
    poses_to: where the datagrams of a tracking system go. line: of SPEEDS. stepped: time passes only when the control
    port says so.
    """

    host: str = "127.0.0.1"
    port: int = FIRST_PORT
    terminals: Path | None = None
    laser_port: int | None = None
    control_port: int | None = None
    poses_to: tuple[str, int] | None = None
    log: Path | None = None
    line: str = "loopback"
    stepped: bool = False
    x_layout: XLayout = "shipped"
    hardware: HardwareOptions = field(default_factory=HardwareOptions)
    faults: Sequence[Fault] = ()


class EmulatedRobot:
    """One robot: what it is made of, and where it is reached."""

    def __init__(self, emulator: Emulator, index: int, placed: PlacedRobot) -> None:
        options, journal = emulator.options, emulator.journal
        self.name = placed.name
        self.number = placed.number
        self.index = index
        seed = emulator.seed * 1000 + index
        self.hardware = Hardware(emulator.scene, index, load_model(), seed, _charged(options.hardware, placed))
        self.faults = Faults()
        self.server = Kh4Server(
            self.hardware, lambda text: journal.write(self.number, "oddity", text=text), x_layout=options.x_layout
        )
        self.line = Line(self.number, self.server, self.faults, journal, SPEEDS[options.line], Random(seed))
        self.port: TcpPort | PseudoTerminal
        if options.terminals is not None:
            self.port = PseudoTerminal(self.line, options.terminals.absolute() / self.name)
        else:
            self.port = TcpPort(self.line, journal, options.host, options.port and options.port + index)
        self.laser: TcpPort | None = None
        self._scanner = Laser(self.number, self.hardware, journal)
        if options.laser_port is not None and emulator.has_laser(placed):
            self.laser = TcpPort(
                self._scanner, journal, options.host, options.laser_port and options.laser_port + index
            )
        self.hidden = ""
        """From the tracking system: "missing" or "nan", as the fault says."""
        self._was_turning = False

    async def open(self) -> None:
        """Be reachable from now on."""
        await self.port.open()
        if self.laser is not None:
            await self.laser.open()

    def close(self) -> None:
        self.port.close()
        if self.laser is not None:
            self.laser.close()

    def apply_faults(self, now: float, journal: Journal) -> None:
        """States of the hardware, and what happens once."""
        states = self.faults.states(now)
        stuck = states["stuck"].value if "stuck" in states else None
        self.hardware.motors.stuck = [stuck in (side, "both") for side in ("left", "right")]
        self.hardware.frozen = "frozen" in states
        self.hidden = str(states["hidden"].value) if "hidden" in states else ""
        self._scanner.is_silent = "lasersilent" in states
        self._scanner.values = int(states["laservalues"].number) if "laservalues" in states else None
        self.hardware.stopped_charge = states["battery"].number / 100.0 if "battery" in states else None
        self.server.firmware = _firmware(states["firmware"]) if "firmware" in states else ("B", 5)
        for fault in self.faults.due(now):
            journal.write(self.number, "fault", fault=fault.name, value=fault.value)
            self._happen(fault)

    def _happen(self, fault: Fault) -> None:
        if fault.name == "close":
            self.line.break_off(fault.number)
        elif fault.name == "microreset":
            self.hardware.reset()
        elif fault.name == "jump":
            motors = self.hardware.motors
            motors.encoders = [count + fault.number for count in motors.encoders]

    def tell_motion(self, journal: Journal) -> None:
        """Log when the wheels begin and cease to turn."""
        is_turning = self.hardware.motors.is_turning
        if is_turning != self._was_turning:
            self._was_turning = is_turning
            journal.write(self.number, "moving" if is_turning else "still")


class Emulator:
    """All robots of a plan. Raises InputError if it has none, or one that is no Khepera IV.

    Run it in an asyncio loop: `open`, then `run` until it is cancelled, then `close`.
    """

    def __init__(self, plan: Plan, seed: int, options: EmulatorOptions | None = None) -> None:
        self.plan = plan
        self.seed = seed
        self.options = options = options or EmulatorOptions()
        _check_kinds(plan)
        self.scene = Scene(plan, seed)
        self.journal = Journal(options.log)
        self.robots = [EmulatedRobot(self, index, placed) for index, placed in enumerate(self.scene.placed)]
        if not self.robots:
            raise InputError.at(plan.source, "this experiment has no robots to emulate")
        self.control = None if options.control_port is None else ControlPort(self, options.host, options.control_port)
        self._tracker = Tracker(*options.poses_to) if options.poses_to is not None else None
        self._started = 0.0

    def has_laser(self, placed: PlacedRobot) -> bool:
        """Whether the experiment gives that robot a laser scanner."""
        return any(device.name == "lidar" for device in self.plan.controllers[placed.item.controller].sensors)

    async def open(self) -> None:
        """Make all robots reachable. Raises LinkError if a port cannot be had, InputError for faults of no robot."""
        self._warm_up()
        for robot in self.robots:
            await robot.open()
        if self.control is not None:
            await self.control.open()
        for fault in self.options.faults:
            self.add_fault(fault)
        self._started = self.now - self.scene.time_s
        self.journal.write(0, "ready", robots=[robot.number for robot in self.robots])
        self.journal.flush()

    def close(self) -> None:
        """End all connections and complete the log."""
        for robot in self.robots:
            robot.close()
        if self.control is not None:
            self.control.close()
        if self._tracker is not None:
            self._tracker.close()
        self.journal.close()

    @property
    def now(self) -> float:
        """The clock of faults and ports, s."""
        return asyncio.get_running_loop().time()

    async def run(self) -> None:
        """Let time pass as on the wall clock, or if stepped only faults act. Never ends by itself."""
        while True:
            if not self.options.stepped:
                self._catch_up()
            self._apply_faults()
            if self._tracker is not None:
                self._tracker.look(self.scene.time_s, self._poses_in_sight())
            self.journal.flush()
            await self._rest()

    async def _rest(self) -> None:
        """Until the next step is due; while stepped, as long as a step."""
        due = self.now + STEP_S if self.options.stepped else self._started + self.scene.time_s + STEP_S
        await asyncio.sleep(max(0.0, due - self.now))
        if self.options.stepped:
            self._tell_late(self.now - due)

    def advance(self, seconds: float) -> None:
        """Let so much time pass in the world at once."""
        for _ in range(round(seconds / STEP_S)):
            self.step()
        self.journal.flush()

    def step(self) -> None:
        """One step of the world."""
        driven = [robot.hardware.wheel_speeds() for robot in self.robots]
        self.scene.step(np.array(driven))
        for robot, pose, speeds in zip(self.robots, self.scene.poses.tolist(), driven, strict=True):
            robot.hardware.moved(pose, speeds)
            robot.tell_motion(self.journal)

    def add_fault(self, fault: Fault) -> None:
        """Let it act from now on. Raises InputError if there is no such robot."""
        for robot in self._chosen(fault.robot):
            robot.faults.add(fault, self.now)
        self._apply_faults()

    def clear_faults(self, number: int | None = None) -> None:
        """Take all faults of a robot, or of all, away. Raises InputError if there is no such robot."""
        for robot in self._chosen(number):
            robot.faults.clear()
        self._apply_faults()

    def move(self, number: int, x: float, y: float, yaw: float) -> None:
        """Put a robot elsewhere by hand; m, rad. Raises InputError if there is no such robot."""
        for robot in self._chosen(number):
            self.scene.move(robot.index, x, y, yaw)
            robot.hardware.placed((x, y, yaw))

    def state(self) -> dict[str, Any]:
        """The truth about all robots as plain data: m, rad, units, pulses."""
        return {"time": self.scene.time_s, "robots": [self._robot_state(robot) for robot in self.robots]}

    def _chosen(self, number: int | None) -> list[EmulatedRobot]:
        chosen = [robot for robot in self.robots if number in (None, robot.number)]
        if not chosen:
            numbers = ", ".join(str(robot.number) for robot in self.robots)
            raise InputError.at("emulator", f"there is no robot {number}", hint=f"the robots are {numbers}")
        return chosen

    def _robot_state(self, robot: EmulatedRobot) -> dict[str, Any]:
        motors, hardware = robot.hardware.motors, robot.hardware
        return {
            "robot": robot.number, "name": robot.name, "url": robot.port.url,
            "laser": robot.laser.url if robot.laser is not None else None,
            "connected": robot.line.is_connected, "pose": self.scene.poses[robot.index].tolist(),
            "mode": int(motors.mode), "orders": motors.orders, "speeds": motors.speeds,
            "encoders": list(motors.encoder_counts), "lights": hardware.lights,
            "ultrasound": hardware.ultrasound_mask, "charge": hardware.charge,
        }  # fmt: skip

    def _catch_up(self) -> None:
        behind = self.now - self._started - self.scene.time_s
        self._tell_late(behind)
        if behind > _LOST_S:
            self._started += behind
        while self.now - self._started >= self.scene.time_s + STEP_S:
            self.step()

    def _tell_late(self, behind_s: float) -> None:
        if behind_s > _LATE_S:
            self.journal.write(0, "late", seconds=round(behind_s, 3))

    def _poses_in_sight(self) -> list[tuple[int, list[float]]]:
        poses = zip(self.robots, self.scene.poses.tolist(), strict=True)
        return [
            (robot.number, [math.nan] * 3 if robot.hidden else pose)
            for robot, pose in poses
            if robot.hidden != "missing"
        ]

    def _apply_faults(self) -> None:
        for robot in self.robots:
            robot.apply_faults(self.now, self.journal)

    def _warm_up(self) -> None:
        """Compile what the first requests would have to wait for."""
        still = np.zeros((len(self.robots), 2))
        self.scene.step(still)
        for robot, pose in zip(self.robots, self.scene.poses.tolist(), strict=True):
            robot.hardware.placed(pose)
            robot.hardware.proximity()
            robot.hardware.ambient()
            robot.hardware.ultrasound()
            robot.hardware.laser()


def _check_kinds(plan: Plan) -> None:
    items = [item.template if isinstance(item, Distribution) else item for item in plan.items]
    others = sorted({item.kind for item in items if isinstance(item, Robot) and item.kind != KIND})
    if others:
        raise InputError.at(
            plan.source, f"robots of kind {', '.join(others)} speak no kh4server", hint=f"only {KIND} is emulated"
        )


def _charged(options: HardwareOptions, placed: PlacedRobot) -> HardwareOptions:
    """With the charge that the experiment gives the robot."""
    battery = placed.item.battery
    if battery is None:
        return options
    charge = battery.start_charge / battery.full_charge
    return HardwareOptions(options.bright_is_high, options.stall, charge)


def _firmware(fault: Fault) -> tuple[str, int]:
    letter, _, number = str(fault.value).partition(",")
    return letter, int(number) if number.isdigit() else 0
