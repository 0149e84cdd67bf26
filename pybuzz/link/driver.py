"""The thread that drives one robot: orders and readings in a steady period, and every reason to stop.

A script's step is far away, in another process; this thread knows only the last order and when it came. It stops the
robot when steps are missing, and it never waits for anybody but the robot itself.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, Literal

from pybuzz.khepera import KheperaModel, WheelOrders
from pybuzz.link import protocol
from pybuzz.link.calibration import RobotCalibration
from pybuzz.link.conversation import ExchangeError
from pybuzz.link.events import DriverEvent
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.odometry import Odometry, Reading
from pybuzz.link.positions import PoseEstimate
from pybuzz.link.probe import Probe, probe
from pybuzz.link.readings import Instruments
from pybuzz.link.safety import PauseWatch, StuckWatch
from pybuzz.link.sensor_watch import SensorWatch
from pybuzz.link.session import HandshakeError, Session, StopReport
from pybuzz.link.transports import LinkLostError

__all__ = ["Driver", "State"]

State = Literal["connecting", "ready", "running", "halted", "stopped", "lost", "ended"]
"""halted: wheels at zero until the script completes a step; stopped: for good; lost: the link is gone."""

_MISSED_PERIODS: Final = 2
_REMEMBERED_ORDERS: Final = 3
"""Wheels turned by these since the last reading: one order stood before it, one came since, an older one ran out."""
_REFUSALS: Final = 3
"""So many refused orders, or periods with refused readings, in a row: the robot is stopped."""
_PAUSE_PERIODS: Final = 3
_RECONNECT_S: Final = 0.5
_LATE_SHARE: Final = 0.1
_SENSE_SHARE: Final = 0.5
"""Readings are taken this share of the period after the order: so late that the order shows, so early that the step
and the next order come in time. Slow lines need all of their period."""


class _Interrupted(Exception):  # noqa: N818 - no error
    """The robot is to be stopped: the exchange that was next does not begin."""


class _Paused(Exception):  # noqa: N818 - no error
    """This process did not run for a while: the robot drove blind, or its relay has stopped it."""


class Driver(threading.Thread):
    """One robot, from connecting to the last stop. `tell` and `published` are called from its thread."""

    def __init__(
        self,
        robot: FleetRobot,
        fleet: Fleet,
        model: KheperaModel,
        calibration: RobotCalibration,
        tell: Callable[[DriverEvent], None],
        published: Callable[[], None],
    ) -> None:
        super().__init__(name=robot.name, daemon=True)
        self.robot = robot
        self.session = Session(robot.link, before_each=self._interrupt)
        self.estimate = PoseEstimate(robot.start, robot.marker)
        self.probed = threading.Event()
        self.probe = Probe(robot.id)
        self.prepared = threading.Event()
        self.state: State = "connecting"
        self.report: StopReport | None = None
        self.overruns = 0
        self.loop_ms = 0.0
        self.is_fresh = False
        """Whether there are readings that no step has seen."""
        self.instruments = Instruments(self.session, ())
        self._fleet = fleet
        self._model = model
        self._tell = tell
        self._published = published
        self._orders = WheelOrders(model.limits, period_s=robot.period_s, wheel_speed=fleet.wheel_speed)
        wheels = calibration.wheels
        self._odometry = Odometry(
            model.limits.pulse, model.body.axle, left=wheels.left, right=wheels.right, axle=wheels.axle
        )
        self._stuck = StuckWatch()
        self._command = (0.0, 0.0)
        self._colors = (0, 0, 0)
        self._shown: tuple[int, int, int] | None = None
        self._last_order = self._order_before = (0, 0)
        self._recent_orders: deque[tuple[int, int]] = deque([(0, 0)], _REMEMBERED_ORDERS)
        self._read_at = 0.0
        self._is_pending = False
        self._step_came = False
        self._missed = 0
        self._refused_orders = self._refused_periods = 0
        self._refused: set[str] = set()
        self._watch = SensorWatch(robot, fleet.pose, (), depends_on_pose=False)
        self._scanned_at = 0.0
        self._start_at: float | None = None
        self._pauses = PauseWatch(max(_PAUSE_PERIODS * robot.period_s, robot.link.lost_after_s + 0.1))
        self._wake = threading.Event()
        self._goes = threading.Event()
        self._ends = False
        self._stop_reason = ""

    # Called from other threads

    def prepare(self, sensors: Collection[str], *, depends_on_pose: bool) -> None:
        """The run is to begin: set the robot up for a script that reads these sensors."""
        self.instruments = Instruments(self.session, sensors)
        self._watch = SensorWatch(self.robot, self._fleet.pose, sensors, depends_on_pose=depends_on_pose)
        self._goes.set()
        self._wake.set()

    def start_at(self, moment: float) -> None:
        """When the first period begins, on the clock of time.monotonic."""
        self._start_at = moment
        self._wake.set()

    def command(self, left_m_s: float, right_m_s: float, colors: tuple[int, int, int]) -> None:
        """What a completed step asks for; it holds until the next."""
        self._command = (left_m_s, right_m_s)
        self._colors = colors
        self._step_came = True

    def scanned(self, distances_mm: tuple[int, ...]) -> None:
        """A new scan of the robot's laser."""
        self.instruments.latest.lidar_mm = distances_mm
        self._scanned_at = time.monotonic()

    def stop_robot(self, reason: str) -> None:
        """Stop this robot for good, now; the others go on."""
        self._stop_reason = reason
        self._wake.set()

    def end(self) -> None:
        """Stop the robot and end the thread."""
        self._ends = True
        self._wake.set()

    def status(self) -> dict[str, Any]:
        """What the live table and `pybuzz robots` show."""
        battery = self.instruments.latest.battery
        return {
            "state": self.state,
            "percent": battery.percent if battery else None,
            "volts": battery.volts if battery else None,
            "loop_ms": round(self.loop_ms, 1),
            "overruns": self.overruns,
            "counters": self.session.counters.to_json(),
        }

    # The thread

    def run(self) -> None:
        try:
            self._live()
        except BaseException as error:
            text = f"fault of pybuzz in the thread of this robot: {type(error).__name__}: {error}; all robots stop"
            self._tell(DriverEvent(self.robot.id, "fault", text, fails=True, ends_run=True))
        finally:
            # Whoever waits for this robot must not wait for ever.
            self.probed.set()
            self.prepared.set()
            self._finish()

    def _live(self) -> None:
        self.probe = probe(self.robot, self.session)
        self.state = "lost" if self.probe.trouble else "ready"
        self.probed.set()
        self._sleep_until(None, lambda: self._goes.is_set())
        if not self._ends:
            self._guarded(self._set_up)
            self.prepared.set()
            self._sleep_until(None, lambda: self._start_at is not None)
        if not self._ends:
            self.state = "running" if self.state == "ready" else self.state
            self._periods()

    def _periods(self) -> None:
        assert self._start_at is not None
        period, slot = self.robot.period_s, 0
        self._pauses.reset(time.monotonic())
        while not self._ends:
            begin = self._start_at + slot * period
            self._sleep_until(begin)
            if self.state == "lost":
                self._try_again()
            elif not self._ends:
                self._guarded(lambda begin=begin: self._period(begin))  # type: ignore[misc]
            late = time.monotonic() - (self._start_at + (slot + 1) * period)
            slot += 1
            if late > _LATE_SHARE * period:
                # No queue builds up: the periods that are over are left out.
                self._overrun(f"a period of {period * 1e3:.0f} ms took {(late + period) * 1e3:.0f} ms")
                slot += round(late / period)

    def _period(self, begin: float) -> None:
        if self._stop_reason and self.state in ("running", "halted"):
            self._stop_for_good()
            return
        self._count_missed_steps()
        if self.state == "running":
            self._order(*self._orders.next(*self._command))
            self._show(self._colors)
        share = _SENSE_SHARE if self.robot.link.kind != "bluetooth" else 0.0
        self._sleep_until(begin + share * self.robot.period_s)
        if self._ends or (self._stop_reason and self.state != "stopped"):
            return
        if self.state in ("running", "halted"):
            self.instruments.sense()
            self._heed(self._watch.infrared(self.instruments.latest))
        self._read_wheels()
        self._check_ages()
        self.loop_ms = (time.monotonic() - begin) * 1e3
        self._is_pending = self.state in ("running", "halted")
        self.is_fresh = True
        self._published()
        if self.instruments.check_battery(time.monotonic()):
            assert self.instruments.latest.battery is not None
            self._heed(self._watch.battery(self.instruments.latest.battery))

    def _sleep_until(self, moment: float | None, ready: Callable[[], bool] = lambda: False) -> None:
        """Until then, or until something happens that cannot wait."""
        while not self._ends and not ready():
            if self._stop_reason and self.state in ("running", "halted"):
                self._guarded(self._stop_for_good)
            left = 1.0 if moment is None else moment - time.monotonic()
            if left <= 0.0:
                return
            self._pauses.look(time.monotonic())
            if self._wake.wait(left):
                self._wake.clear()
            self._pauses.look(time.monotonic(), asleep_s=left)

    def _guarded(self, action: Callable[[], None]) -> None:
        """A failed exchange is a lost link; a refusal is told once, and stops the robot if it goes on."""
        try:
            action()
            self._refused_periods = 0
        except _Interrupted:
            pass
        except _Paused as pause:
            self._lose(str(pause))
        except ExchangeError as error:
            if error.kind == "refused":
                self._refused_periods += 1
                self._note_refusal(str(error), self._refused_periods)
            else:
                self._lose(str(error))
        except LinkLostError as error:
            self._lose(str(error))

    def _interrupt(self) -> None:
        """Between two exchanges: a stop waits for the one under way and no other."""
        if self._ends or (self._stop_reason and self.state in ("running", "halted")):
            raise _Interrupted
        self._pauses.look(time.monotonic())
        if self.state in ("running", "halted") and self._pauses.longest_s:
            paused_s, self._pauses.longest_s = self._pauses.longest_s, 0.0
            raise _Paused(f"this computer paused for {paused_s:.1f} s")

    def _note_refusal(self, text: str, in_a_row: int) -> None:
        if text not in self._refused:
            self._refused.add(text)
            self._tell(DriverEvent(self.robot.id, "refused", f"{text}; further refusals are only counted"))
        if in_a_row >= _REFUSALS and self.state in ("running", "halted") and not self._stop_reason:
            self._stop_reason = f"{text}, {in_a_row} times in a row: the robot is stopped"
            self._tell(DriverEvent(self.robot.id, "refused", self._stop_reason, fails=True))

    # Orders

    def _order(self, left: int, right: int) -> bool:
        """Whether the robot took the order. One that it refused leaves the wheels as they were."""
        # It may drive by an order whose reply is lost, so this comes before the exchange.
        self._recent_orders.append((left, right))
        try:
            self.session.ask_in_time(protocol.speed_order(left, right))
        except ExchangeError as error:
            if error.kind != "refused":
                self._last_order = (left, right)
                raise
            self._refused_orders += 1
            if error.last_line.decode("latin-1") == protocol.RELAY_REFUSAL:
                self._stop_reason = f"{error}: the robot is stopped for good"
                self._tell(DriverEvent(self.robot.id, "stopped", self._stop_reason, fails=True))
            else:
                self._note_refusal(str(error), self._refused_orders)
            return False
        self._last_order = (left, right)
        self._refused_orders = 0
        return True

    def _halt(self) -> bool:
        """Zero at once: an order to stop is not bound by the ramp. Whether the robot took it."""
        self._orders.stop()
        return self._order(0, 0)

    def _show(self, colors: tuple[int, int, int]) -> None:
        if colors != self._shown:
            levels = [round(level * self._model.leds.levels / 255) for level in colors]
            self.session.ask_in_time(protocol.lights(levels, levels, levels))
            self._shown = colors

    def _stop_for_good(self) -> None:
        self.state = "stopped"
        self._orders.stop()
        self._last_order = (0, 0)
        self._command, self._colors, self._shown = (0.0, 0.0), (0, 0, 0), None
        report = self.session.stop()
        if not report.stopped:
            raise LinkLostError(f"{report.outcome}: {report.text}")

    def _count_missed_steps(self) -> None:
        """Has a step been completed since the period before? Late ones count when they come."""
        if self._step_came:
            self._step_came = False
            self._missed = 0
            if self.state == "halted":
                self.state = "running"
                self._tell(DriverEvent(self.robot.id, "resumed", "steps are completed again"))
        elif self._is_pending:
            self._missed += 1
            self._overrun("no completed step in a period")
            if self._missed >= _MISSED_PERIODS and self.state == "running" and self._halt():
                self.state = "halted"
                text = f"no completed step in {self._missed} periods: wheels stopped until the next one"
                self._tell(DriverEvent(self.robot.id, "halted", text))

    def _overrun(self, text: str) -> None:
        self.overruns += 1
        if self.overruns == 1:
            self._tell(DriverEvent(self.robot.id, "overrun", f"{text}; further ones are only counted"))

    # Readings

    def _read_wheels(self) -> None:
        left, right = self.instruments.encoders()
        now = time.monotonic()
        elapsed, self._read_at = now - self._read_at, now
        motion = self._odometry.read(left, right, elapsed, self._recent_orders)
        latest = self.instruments.latest
        if motion.kind in (Reading.MOTION, Reading.JUMP):
            self.estimate.move(motion)
            fault = self._stuck.take(self._last_order, motion.pulses, elapsed)
            if fault and self.state == "running":
                self._tell(DriverEvent(self.robot.id, "stuck", fault, fails=True))
                self._stop_reason = fault
        if motion.kind is Reading.RESET:
            self._tell(DriverEvent(self.robot.id, "reset", "the micro-controller was reset: set up again"))
            self._set_up()
        elif motion.kind is Reading.JUMP:
            self._heed(self._watch.jump(left, right))
        latest.pose = self.estimate.pose
        age = self.estimate.age_s(now)
        latest.pose_age_s = age if age < 1e6 else None

    def _heed(self, events: Iterable[DriverEvent]) -> None:
        """Tell them; one that fails stops this robot."""
        for event in events:
            self._tell(event)
            if event.fails:
                self._stop_reason = event.text

    def _check_ages(self) -> None:
        if self.state == "running" and self._start_at is not None:
            pose_at, scan_at = (max(moment, self._start_at) for moment in (self.estimate.seen_at, self._scanned_at))
            self._heed(self._watch.ages(time.monotonic(), pose_at=pose_at, scan_at=scan_at))

    # The link

    def _set_up(self) -> None:
        """Motors idle, ultrasound as needed, lights off, a new encoder base unless the old one still holds."""
        ask = self.session.ask_in_time
        ask(protocol.motors_idle())
        ask(protocol.ultrasound_mask(self.instruments.ultrasound_mask))
        self._shown = None
        self._show((0, 0, 0))
        self._stuck.reset()
        self._orders.stop()
        encoders, now = self.instruments.encoders(), time.monotonic()
        self.estimate.move(self._odometry.resume(*encoders, self._order_before, now - self._read_at))
        self._read_at = now
        self.instruments.sense()

    def _lose(self, reason: str) -> None:
        ends = self._fleet.safety.link_lost == "end"
        then = "all robots stop" if ends else "it is called until it answers again"
        text = f"the link is lost: {reason}; {then}"
        self._tell(DriverEvent(self.robot.id, "link lost", text, fails=True, ends_run=ends))
        self.state = "lost"
        self._orders.stop()
        self._order_before, self._last_order = self._last_order, (0, 0)
        if self.session.is_open and self.session.stop().stopped:
            self._come_back()
        self._pauses.reset(time.monotonic())

    def _try_again(self) -> None:
        try:
            self.session.connect()
        except (LinkLostError, HandshakeError):
            self._sleep_until(time.monotonic() + _RECONNECT_S)
            return
        if self.session.stop().stopped:
            self.session.counters.reconnections += 1
            self._come_back()
        self._pauses.reset(time.monotonic())

    def _come_back(self) -> None:
        """The link is there again and the robot stands: set it up, and drive on if the fleet file says so."""
        try:
            self._set_up()
        except (ExchangeError, LinkLostError, _Interrupted, _Paused):
            return
        resumes = self._fleet.safety.resume and not self._stop_reason
        self.state = "running" if resumes else "stopped"
        self._is_pending, self._step_came, self._missed = False, False, 0
        self._command = (0.0, 0.0)
        text = "the link is back: it drives on" if resumes else "the link is back: the robot stays stopped"
        self._tell(DriverEvent(self.robot.id, "reconnected", text))

    def _finish(self) -> None:
        """The last stop. A robot whose link is gone gets one more chance."""
        try:
            if not self.session.is_open and not self.probe.trouble:
                self.session.connect()
        except (LinkLostError, HandshakeError) as error:
            self.report = StopReport("not reached", str(error))
        else:
            unopened = StopReport("not reached", "its link never opened")
            self.report = self.session.stop() if self.session.is_open else unopened
        self.session.close()
        self.state = "ended"
