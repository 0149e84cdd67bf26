"""A script on a fleet: pre-flight, synchronized start, steps with what the robots say, and the end, however it comes.

This process runs the scripts; the keeper, another one, holds the links and stops the robots whatever happens here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from pybuzz.errors import InputError, ScriptError
from pybuzz.khepera import load_model
from pybuzz.link.calibration import RobotCalibration, default_calibration
from pybuzz.link.calibration_file import read_calibration
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.keeper_client import KeeperClient
from pybuzz.link.messages import Message
from pybuzz.link.minds import Heard, RobotMind, Scripts
from pybuzz.link.preflight import as_error, host_findings, link_findings, relay_findings, script_findings
from pybuzz.link.probe import Finding
from pybuzz.link.readings import RawReadings
from pybuzz.link.stopping import StopResult, stop_directly
from pybuzz.recording import NO_ROBOT, Recorder, RobotMark, RunDescription

if TYPE_CHECKING:
    from pybuzz.link.air import Air

__all__ = ["Deployment", "Outcome", "Watcher", "calibration_of"]

_PROBE_S: Final = 15.0
_PREPARE_S: Final = 15.0
_STEPPING: Final = ("running", "halted")


class Watcher(Protocol):
    """Who is told what happens: the terminal."""

    def logged(self, robot: FleetRobot, text: str) -> None:
        """A line of a script's `log`."""

    def happened(self, robot: FleetRobot | None, kind: str, text: str) -> None:
        """Something about a robot, or about all."""

    def ticked(self, tick: int, states: dict[int, dict[str, Any]]) -> bool:
        """States of all robots by id; whether the person at the terminal wants to stop."""


@dataclass(slots=True)
class Outcome:
    """How a deployment ended. reason: in words. interrupted: by a person or a signal."""

    reason: str = ""
    interrupted: bool = False
    ticks: int = 0
    script_errors: dict[int, ScriptError] = field(default_factory=dict)
    link_failures: list[str] = field(default_factory=list)
    recording_error: InputError | None = None
    stops: list[StopResult] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """3 a robot or link failed; 1 a script or the recording failed; 130 interrupted; else 0."""
        if self.link_failures or not all(stop.stopped for stop in self.stops):
            return 3
        if self.script_errors or self.recording_error:
            return 1
        return 130 if self.interrupted else 0


class Deployment:
    """One run. Make it (which checks the scripts), `check` the robots, `run`, all within one KeeperClient."""

    def __init__(
        self,
        fleet: Fleet,
        script: Path,
        watcher: Watcher,
        *,
        include_dirs: Sequence[Path] = (),
        io_folder: Path | None = None,
    ) -> None:
        """io_folder: the one in which scripts may read and write files; made if it is not there."""
        self.outcome = Outcome()
        self.scripts = Scripts(fleet, script, include_dirs)
        self._io_folder = io_folder
        self._fleet = fleet
        self._script = script
        self._watcher = watcher
        self._robots = {robot.id: robot for robot in fleet.robots}
        self._states: dict[int, dict[str, Any]] = {}
        self._recorder: Recorder | None = None
        self._minds: list[RobotMind] = []
        self._air: Air | None = None

    def check(self, keeper: KeeperClient, *, force: bool, check_relay: bool) -> list[Finding]:
        """Pre-flight. Returns what is doubtful; raises LinkError with all that forbids the run."""
        found = script_findings(self._fleet, self.scripts) + host_findings(self._fleet)
        found += link_findings(self._fleet, self.scripts, keeper.wait_for("probed", _PROBE_S, self._hear))
        if check_relay:
            found += relay_findings(self._fleet)
        forbidding = [one for one in found if not one.only_warns and not (force and one.can_be_forced)]
        if forbidding:
            raise as_error(found)
        return found

    def run(self, keeper: KeeperClient, *, seconds: float | None, record: Path | None) -> None:
        """Until the time is over, nothing drives any more, or somebody stops it. `conclude` comes after it."""
        most = None if seconds is None else round(seconds / self._fleet.period_s)
        self._open_air()
        self._make_minds()
        wishes = {
            robot.id: {
                "sensors": self.scripts.sensors(robot),
                "depends_on_pose": self.scripts.depends_on_pose(robot),
            }
            for robot in self._fleet.robots
        }
        keeper.send("prepare", robots=wishes)
        prepared = keeper.wait_for("prepared", _PREPARE_S, self._hear)
        if prepared is None:
            text = "the robots could not be prepared in time"
            self.outcome.link_failures.append(text)
            self._watcher.happened(None, "link", text)
            return
        self._take_states(prepared)
        self._open_recorder(record)
        with self._noting_a_failed_recording():
            self._begin()
            if not self.outcome.reason:
                keeper.send("start")
            while not self._is_over(most):
                self._next_tick(keeper)

    def conclude(self, keeper: KeeperClient, reason: str, *, interrupted: bool) -> Outcome:
        """Stop all robots, tell how that went, close the recording. Robots that nobody could stop are tried again."""
        outcome = self.outcome
        outcome.interrupted |= interrupted
        ended = keeper.stop(outcome.reason or reason, self._hear)
        outcome.reason = outcome.reason or (ended["reason"] if ended else "") or reason
        # At the same time: one that cannot be reached must not hold up those behind it.
        with ThreadPoolExecutor(len(self._fleet.robots)) as pool:
            outcome.stops = list(pool.map(lambda robot: _stop_result(robot, ended), self._fleet.robots))
        for mind in self._minds:
            if mind.error is None:
                mind.finish()
                self._note_script_error(mind)
        with self._noting_a_failed_recording():
            if self._recorder is not None:
                status = {0: "completed", 130: "interrupted"}.get(outcome.exit_code, "failed")
                self._recorder.close(status)
        return outcome

    @contextmanager
    def _noting_a_failed_recording(self) -> Iterator[None]:
        """A full disk ends the run; what became of the robots must be told all the same."""
        try:
            yield
        except InputError as error:
            self.outcome.recording_error = self.outcome.recording_error or error
            self.outcome.reason = self.outcome.reason or "the recording failed"

    def _note_script_error(self, mind: RobotMind) -> None:
        if mind.error is not None:
            self.outcome.script_errors[mind.robot.id] = mind.error
            self._watcher.happened(mind.robot, "script", str(mind.error))

    # One tick

    def _next_tick(self, keeper: KeeperClient) -> None:
        message = keeper.receive(1.0)
        fresh: dict[int, RawReadings] = {}
        while message is not None:
            if message["kind"] == "tick":
                self.outcome.ticks = message["tick"]
                fresh |= self._take_states(message)
            else:
                self._hear(message)
            # What has piled up while the scripts ran is one tick: the newest readings count.
            message = keeper.receive(0.0)
        if fresh:
            self._step(keeper, fresh)
        if self._watcher.ticked(self.outcome.ticks, self._states):
            self.outcome.reason, self.outcome.interrupted = "stopped at the terminal", True

    def _step(self, keeper: KeeperClient, fresh: dict[int, RawReadings]) -> None:
        commands = {}
        for mind, what in zip(self._minds, self._heard(), strict=True):
            robot = mind.robot.id
            if robot in fresh and mind.drives and self._states[robot]["state"] in _STEPPING:
                mind.step(what)
                if mind.error is not None:
                    self._fail(keeper, mind, mind.error)
                else:
                    commands[robot] = mind.order
        keeper.send("step", commands=commands)
        self._record()

    def _heard(self) -> list[Heard]:
        """What each robot hears of the packets that the others' last steps made."""
        if self._air is None:
            return [([], [], [], [])] * len(self._minds)
        return self._air.exchange(self._poses(in_touch=True), [mind.packet for mind in self._minds])

    def _take_states(self, message: Message) -> dict[int, RawReadings]:
        """The states of a message, and the readings in it."""
        fresh = {}
        for key, state in message["robots"].items():
            readings = state.pop("readings", None)
            self._states[int(key)] = state
            if readings is not None:
                fresh[int(key)] = RawReadings.from_json(readings)
        for mind in self._minds:
            if mind.robot.id in fresh:
                mind.body.update(fresh[mind.robot.id])
        return fresh

    def _fail(self, keeper: KeeperClient, mind: RobotMind, error: ScriptError) -> None:
        keeper.send("stop_robot", robot=mind.robot.id, reason="its script failed")
        self.outcome.script_errors[mind.robot.id] = error
        if self._fleet.safety.on_error == "stop-run":
            self.outcome.reason = f"the script of robot {mind.robot.id} failed"
            keeper.send("stop", reason=self.outcome.reason)
        self._tell(mind.robot, "script", str(error))

    def _is_over(self, most: int | None) -> bool:
        if self.outcome.reason:
            return True
        if most is not None and self.outcome.ticks >= most:
            self.outcome.reason = "the time is over"
        elif not any(mind.drives and self._state(mind) not in ("stopped", "ended") for mind in self._minds):
            self.outcome.reason = "no robot drives any more"
        return bool(self.outcome.reason)

    def _state(self, mind: RobotMind) -> str:
        return str(self._states.get(mind.robot.id, {}).get("state", "connecting"))

    def _hear(self, message: Message) -> None:
        if message["kind"] == "event":
            robot = self._robots.get(message["robot"])
            if robot is not None and message["fails"]:
                self.outcome.link_failures.append(f"robot {robot.id} {robot}: {message['text']}")
            self._tell(robot, message["what"], message["text"])
        elif message["kind"] == "ended":
            self.outcome.reason = self.outcome.reason or message["reason"]
            self.outcome.interrupted |= message["reason"].startswith(("SIG", "pybuzz stop"))

    def _tell(self, robot: FleetRobot | None, kind: str, text: str) -> None:
        """Of a robot, or of all of them."""
        self._watcher.happened(robot, kind, text)
        if self._recorder is not None:
            row = NO_ROBOT if robot is None else self._row(robot)
            self._recorder.event(self.outcome.ticks, row, kind, text)

    # Before and after

    def _open_air(self) -> None:
        """Its kernels are compiled before any wheel turns; scripts that keep to themselves do without."""
        if not self.scripts.communicate:
            return
        from pybuzz.link.air import Air

        model, robots = load_model(), len(self._fleet.robots)
        self._air = Air(self._fleet.radio, robots, hull_radius_m=model.body.radius, antenna_m=model.radio.height)
        self._air.exchange(np.zeros((robots, 3)), [None] * robots)

    def _make_minds(self) -> None:
        model = load_model()
        folder = self._io_folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        size = self._fleet.radio.data_size
        self._minds = [
            RobotMind(robot, self.scripts.program(robot), model, calibration_of(robot), size, self._log, folder)
            for robot in self._fleet.robots
        ]

    def _begin(self) -> None:
        for mind in self._minds:
            mind.begin()
            self._note_script_error(mind)
        failed = ", ".join(map(str, self.outcome.script_errors))
        if failed:
            self.outcome.reason = f"the script of robot {failed} failed before the first step"
        self._record()

    def _log(self, robot: FleetRobot, text: str) -> None:
        self._watcher.logged(robot, text)
        if self._recorder is not None:
            self._recorder.log(self.outcome.ticks, self._row(robot), text)

    def _row(self, robot: FleetRobot) -> int:
        return self._fleet.robots.index(robot)

    def _poses(self, *, in_touch: bool = False) -> np.ndarray[Any, np.dtype[np.float64]]:
        """float64[n, 3]; in_touch: NaN for robots whose link is lost."""
        rows = [
            (np.nan,) * 3 if in_touch and self._state(mind) == "lost" else mind.body.latest.pose for mind in self._minds
        ]
        return np.array(rows, dtype=np.float64)

    def _open_recorder(self, folder: Path | None) -> None:
        if folder is None:
            return
        robots = tuple(RobotMark(robot.name, number=robot.id) for robot in self._fleet.robots)
        options = {"fleet": self._fleet.file, "wheel_speed": self._fleet.wheel_speed, "deployed": True}
        rate = max(1, round(1.0 / self._fleet.period_s))
        self._recorder = Recorder(RunDescription(str(self._script), 0, rate, robots, options=options), folder)

    def _record(self) -> None:
        if self._recorder is not None:
            leds = np.array([mind.leds for mind in self._minds], dtype=np.uint8)
            self._recorder.record_tick(self.outcome.ticks, self._poses(), leds)


def _stop_result(robot: FleetRobot, ended: Message | None) -> StopResult:
    """What the keeper says, or a stop from here if it could not."""
    report = ended["robots"].get(str(robot.id)) if ended else None
    if report and report["stopped"]:
        return StopResult(robot, "stopped", "deployment", report["text"])
    return stop_directly(robot)


def calibration_of(robot: FleetRobot) -> RobotCalibration:
    """From the robot's file, or that of a robot nobody has calibrated. Raises InputError for a faulty file."""
    model = load_model()
    return read_calibration(robot.calibration, model) if robot.calibration else default_calibration(model)
