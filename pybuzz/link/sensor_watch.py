"""Which readings of a robot are too old, or cannot be true: rules over their times and values. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from pybuzz.link.events import DriverEvent
from pybuzz.link.fleet import FleetRobot, PoseSource
from pybuzz.link.readings import Battery, RawReadings
from pybuzz.link.safety import judge_battery

__all__ = ["SensorWatch"]

_OLDEST_SCAN_S: Final = 0.5
_EQUAL_READINGS: Final = 10
"""Twelve infrared sensors with a noise of some 3 units never all stand still for so many readings."""


class SensorWatch:
    """One robot during a run. Everything is told once; an event that `fails` stops the robot. Times in s."""

    def __init__(
        self, robot: FleetRobot, source: PoseSource, sensors: Collection[str], *, depends_on_pose: bool
    ) -> None:
        self._robot = robot
        self._stop_after_s = source.stop_after_s if source.source == "udp" and depends_on_pose else 0.0
        self._reads_scans = robot.laser is not None and "lidar" in sensors
        self._infrared: tuple[float, ...] = ()
        self._equal = 0
        self._told: set[str] = set()

    def ages(self, now: float, *, pose_at: float, scan_at: float) -> Iterator[DriverEvent]:
        """Of the newest external pose and the newest scan, which were taken at these times."""
        if self._stop_after_s and now - pose_at > self._stop_after_s:
            yield from self._once(
                "pose", f"no external pose for {self._stop_after_s:g} s, and its script depends on it"
            )
        if self._reads_scans and now - scan_at > _OLDEST_SCAN_S:
            text = f"no scan of its laser for {_OLDEST_SCAN_S:g} s, and its script reads lidar: the robot is stopped"
            yield from self._once("laser", text)

    def infrared(self, latest: RawReadings) -> Iterator[DriverEvent]:
        """After each reading of the infrared sensors; nothing if they are not read."""
        values = (*(latest.proximity or ()), *(latest.ground or ()))
        self._equal = self._equal + 1 if values and values == self._infrared else 0
        self._infrared = values
        if self._equal >= _EQUAL_READINGS:
            text = f"its infrared sensors have said the same {self._equal + 1} times: frozen, the robot is stopped"
            yield from self._once("frozen", text)

    def jump(self, left: int, right: int) -> Iterator[DriverEvent]:
        """Encoders that were not believed."""
        text = f"impossible encoders {left}, {right}: not believed; further ones are not told"
        yield from self._once("jump", text)

    def battery(self, battery: Battery) -> Iterator[DriverEvent]:
        """After each reading of the gauge."""
        state = judge_battery(battery.percent, battery.volts)
        percent = f"{battery.percent:g} %" if battery.percent is not None else ""
        volts = f"{battery.volts:.2f} V" if battery.volts else ""
        said = f"{percent} {volts}".strip()
        if state == "empty":
            yield from self._once("empty", f"the battery is at {said}: stopped, charge it")
        elif state == "low":
            yield from self._once("low", f"the battery is low: {said}")

    def _once(self, what: str, text: str) -> Iterator[DriverEvent]:
        if what not in self._told:
            self._told.add(what)
            kind = "battery" if what in ("empty", "low") else what
            yield DriverEvent(self._robot.id, kind, text, fails=what not in ("low", "jump"), ends_run=what == "empty")
