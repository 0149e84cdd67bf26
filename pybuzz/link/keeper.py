"""The process that holds the links, apart from all scripts: `python -m pybuzz.link.keeper`, spoken to over its pipes.

Whatever happens to the process that runs the scripts (an endless loop, a crash, kill -9), this one notices that steps
are missing or that its input has ended, and stops the robots. It loads neither scripts nor numpy.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

from pybuzz.errors import PybuzzError
from pybuzz.khepera.model import load_model
from pybuzz.link.calibration import RobotCalibration, default_calibration
from pybuzz.link.calibration_file import read_calibration
from pybuzz.link.control import ControlServer
from pybuzz.link.driver import Driver
from pybuzz.link.events import DriverEvent
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.fleet_file import read_fleet_text
from pybuzz.link.laser import Laser
from pybuzz.link.messages import STOP_SIGNALS, Message, Outbox, read_messages
from pybuzz.link.pose_listener import PoseListener
from pybuzz.link.session import longest_stop_s

__all__ = ["Keeper", "main"]

_TICK_SHARE: Final = 0.8
"""The readings of a tick are sent when all robots have reported, at the latest after this share of the period."""

_SPREAD_SHARE: Final = 0.15
"""Orders of the robots follow each other over this share of the period: all at once they would wait for each other."""

_SWITCH_S: Final = 0.0005
"""How long a thread of this process may keep the others waiting; none of them computes for longer."""

_START_DELAY_S: Final = 0.2
_PROBE_S: Final = 12.0


class Keeper:
    """The drivers of a fleet, from connecting to the last stop."""

    def __init__(self, fleet: Fleet, outbox: Outbox) -> None:
        self.reason = ""
        self._fleet = fleet
        self._outbox = outbox
        self._stop_s = max(longest_stop_s(robot.link) for robot in fleet.robots)
        self._news = threading.Condition()
        self._ending = threading.Event()
        self._ended = threading.Event()
        self._running = threading.Event()
        self._started_at = 0.0
        self._poses: PoseListener | None = None
        self._lasers: list[Laser] = []
        model = load_model()
        self.drivers = {
            robot.id: Driver(robot, fleet, model, _calibration_of(robot), self._tell, self._published)
            for robot in fleet.robots
        }

    def connect(self) -> None:
        """Open all links and question all robots at the same time."""
        if self._fleet.pose.source == "udp":
            estimates = {robot: driver.estimate for robot, driver in self.drivers.items()}
            self._poses = PoseListener(self._fleet.pose, estimates, self._tell_of_poses)
        for driver in self.drivers.values():
            driver.start()
        threading.Thread(target=self._report_probes, daemon=True).start()

    def obey(self, message: Message) -> None:
        """Carry out what the process with the scripts asks for."""
        kind = message["kind"]
        if kind == "step":
            for robot, (left, right, colors) in message["commands"].items():
                self.drivers[int(robot)].command(left, right, tuple(colors))
        elif kind == "stop_robot":
            self.drivers[message["robot"]].stop_robot(message["reason"])
        elif kind == "prepare":
            threading.Thread(target=self._prepare, args=(message["robots"],), daemon=True).start()
        elif kind == "start":
            self._start()
        elif kind == "stop":
            self.end(message["reason"])

    def end(self, reason: str) -> None:
        """Stop all robots, now; the first reason counts."""
        self.reason = self.reason or reason
        for driver in self.drivers.values():
            driver.end()
        self._ending.set()

    def run(self) -> None:
        """Send ticks until the end, then wait for the robots to stand."""
        while not self._ending.is_set():
            if self._running.wait(0.05):
                self._send_ticks()
        self._wait_for_stops()

    def wait(self) -> dict[str, Any]:
        """What became of every robot, once all have stopped or had the time to."""
        self._ended.wait(self._stop_s + 0.5)
        return {"reason": self.reason, "robots": self._reports()}

    def _report_probes(self) -> None:
        end = time.monotonic() + _PROBE_S
        for driver in self.drivers.values():
            driver.probed.wait(max(0.0, end - time.monotonic()))
        probes = []
        for driver in self.drivers.values():
            probe = driver.probe.to_json()
            if not driver.probed.is_set():
                probe |= {"trouble": "unreachable", "text": "the link does not open"}
            probes.append(probe)
        self._outbox.send("probed", probes=probes)

    def _prepare(self, robots: dict[str, Any]) -> None:
        for robot, wishes in robots.items():
            driver = self.drivers[int(robot)]
            driver.prepare(wishes["sensors"], depends_on_pose=wishes["depends_on_pose"])
            if driver.robot.laser is not None and "lidar" in wishes["sensors"]:
                self._lasers.append(Laser(driver.robot, driver.scanned, self._tell))
        for driver in self.drivers.values():
            driver.prepared.wait(_PROBE_S)
        self._outbox.send("prepared", robots=self._states(all_of_them=True))

    def _start(self) -> None:
        """One moment for all, but for a few milliseconds."""
        self._started_at = time.monotonic() + _START_DELAY_S
        spread = _SPREAD_SHARE * self._fleet.period_s / len(self.drivers)
        for place, driver in enumerate(self.drivers.values()):
            driver.start_at(self._started_at + place * spread)
        self._running.set()

    def _send_ticks(self) -> None:
        period, tick = self._fleet.period_s, 0
        while not self._ending.is_set():
            begin = self._started_at + tick * period
            self._ending.wait(max(0.0, begin - time.monotonic()))
            self._wait_for_readings(tick, begin + _TICK_SHARE * period)
            self._outbox.send("tick", tick=tick + 1, robots=self._states(all_of_them=False))
            tick = max(tick + 1, int((time.monotonic() - self._started_at) / period))

    def _wait_for_readings(self, tick: int, until: float) -> None:
        due = [driver for driver in self.drivers.values() if _is_due(driver.robot, tick, self._fleet.period_s)]
        with self._news:
            while not self._ending.is_set():
                left = until - time.monotonic()
                busy = any(not driver.is_fresh and driver.state in ("running", "halted", "stopped") for driver in due)
                if left <= 0.0 or not busy:
                    return
                self._news.wait(left)

    def _states(self, *, all_of_them: bool) -> dict[int, Any]:
        """Each robot's state; with its readings if no step has seen them yet."""
        found = {}
        for robot, driver in self.drivers.items():
            state = driver.status()
            if driver.is_fresh or all_of_them:
                driver.is_fresh = False
                state["readings"] = driver.instruments.latest.to_json()
            found[robot] = state
        return found

    def _tell(self, event: DriverEvent) -> None:
        self._outbox.send("event", robot=event.robot, what=event.kind, text=event.text, fails=event.fails)
        if event.ends_run:
            self.end(f"robot {event.robot}: {event.text}")

    def _tell_of_poses(self, text: str) -> None:
        self._outbox.send("event", robot=None, what="pose", text=text, fails=False)

    def _published(self) -> None:
        with self._news:
            self._news.notify_all()

    def _wait_for_stops(self) -> None:
        end = time.monotonic() + self._stop_s
        for driver in self.drivers.values():
            if driver.is_alive():
                driver.join(max(0.0, end - time.monotonic()))
        if self._poses is not None:
            self._poses.close()
            if self._poses.stream.rejected:
                self._tell_of_poses(f"{self._poses.stream.rejected} datagrams of the tracker were refused or came late")
        for laser in self._lasers:
            laser.close()
        self._ended.set()
        self._outbox.send("ended", **self.wait())

    def _reports(self) -> dict[int, Any]:
        found = {}
        for robot, driver in self.drivers.items():
            report = driver.report
            text = report.text if report else "its link does not answer"
            outcome = report.outcome if report else "not reached"
            found[robot] = {"stopped": outcome == "stopped", "outcome": outcome, "text": text, **driver.status()}
        return found


def main() -> None:
    """Speak over stdin and stdout until the robots stand. stderr is for people."""
    sys.setswitchinterval(_SWITCH_S)
    outbox = Outbox(sys.stdout.buffer)
    messages = read_messages(sys.stdin.buffer)
    first = next(messages, None)
    if first is None or first["kind"] != "fleet":
        return
    try:
        fleet = read_fleet_text(first["text"], first["file"], Path(first["folder"]))
        keeper = Keeper(fleet, outbox)
        _end_by_signals(keeper)
        server = ControlServer(first["file"], lambda order: _carry_out(keeper, order), fleet.robots)
        keeper.connect()
    except PybuzzError as error:
        outbox.send("failed", diagnostics=[found.to_json() for found in error.diagnostics])
        outbox.close(1.0)
        return
    threading.Thread(target=_listen, args=(keeper, messages), daemon=True).start()
    keeper.run()
    outbox.close(1.0)
    server.close()


def _listen(keeper: Keeper, messages: Any) -> None:
    for message in messages:
        keeper.obey(message)
    keeper.end("the process that runs the scripts is gone")


def _carry_out(keeper: Keeper, order: str) -> dict[str, Any]:
    """What the control socket can be asked for: stop."""
    if order != "stop":
        return {}
    keeper.end("pybuzz stop")
    return keeper.wait()


def _end_by_signals(keeper: Keeper) -> None:
    """Ctrl-C reaches this process too, when it comes from a terminal."""

    def end(number: int, _frame: object) -> None:
        # Not here: the handler may have interrupted code that holds the locks which `end` needs.
        threading.Thread(target=keeper.end, args=(signal.Signals(number).name,), daemon=True).start()

    for number in STOP_SIGNALS:
        signal.signal(number, end)
    if hasattr(signal, "pthread_sigmask"):
        # They were held back until here, see KeeperClient.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _calibration_of(robot: FleetRobot) -> RobotCalibration:
    model = load_model()
    return read_calibration(robot.calibration, model) if robot.calibration else default_calibration(model)


def _is_due(robot: FleetRobot, tick: int, base_s: float) -> bool:
    return tick % max(1, round(robot.period_s / base_s)) == 0


if __name__ == "__main__":
    main()
    # Not by the usual shutdown of Python, which aborts with a fatal error when a thread still waits at stdin: so it is
    # when the other process hangs, or has not yet closed its end.
    os._exit(0)
