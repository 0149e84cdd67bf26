"""What a robot is asked in a control period, and what it said: raw values, as they pass between processes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Final

from pybuzz.link import protocol
from pybuzz.link.calibration import GROUND_ORDER, RING_ORDER, ULTRASOUND_ORDER, reordered
from pybuzz.link.odometry import Pose
from pybuzz.link.session import Session

__all__ = ["Battery", "Instruments", "RawReadings"]

_CHARGE_EVERY_S: Final = 5.0
_VOLTAGE_EVERY_S: Final = 30.0
_ALL_ULTRASOUND: Final = 31


@dataclass(slots=True)
class Battery:
    """Charge in percent, voltage in V, what is left in mAh, mean current in mA (negative: draining); None: unknown."""

    percent: float | None = None
    volts: float | None = None
    left_mah: float | None = None
    mean_ma: float | None = None


@dataclass(slots=True)
class RawReadings:
    """One robot at one moment; rows in the order of the script's tables, None for what was not asked.

    pose: of the run's frame; pose_age_s: of the newest external pose, None without one.
    """

    pose: Pose = (0.0, 0.0, 0.0)
    pose_age_s: float | None = None
    proximity: tuple[float, ...] | None = None
    light: tuple[float, ...] | None = None
    ground: tuple[float, ...] | None = None
    ultrasound: tuple[float, ...] | None = None
    lidar_mm: tuple[float, ...] | None = None
    battery: Battery | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> RawReadings:
        battery = data.pop("battery", None)
        return cls(**data, battery=Battery(**battery) if battery else None)


class Instruments:
    """Asks a robot for what its script reads, and no more: every exchange costs milliseconds of the period."""

    def __init__(self, session: Session, sensors: Collection[str]) -> None:
        self._session = session
        self._infrared = bool({"proximity", "ground"} & set(sensors))
        self._light = "light" in sensors
        self._ultrasound = "ultrasound" in sensors
        self._current = "battery" in sensors
        self._rounds = 0
        self._charge_due = self._voltage_due = 0.0
        self.latest = RawReadings(battery=Battery())

    @property
    def ultrasound_mask(self) -> int:
        """Transducers are noisy and slow each other down: on only if the script reads them."""
        return _ALL_ULTRASOUND if self._ultrasound else 0

    def encoders(self) -> tuple[int, int]:
        left, right = self._session.ask_in_time(protocol.encoders()).values
        return int(left), int(right)

    def sense(self) -> None:
        """Everything but encoders and battery. Raises what Session.ask raises."""
        ask, latest = self._session.ask_in_time, self.latest
        if self._infrared:
            values = ask(protocol.proximity()).values
            latest.proximity = reordered(values, RING_ORDER)
            latest.ground = reordered(values, GROUND_ORDER)
        if self._ultrasound:
            latest.ultrasound = reordered(ask(protocol.ultrasound()).values, ULTRASOUND_ORDER)
        if self._light and self._rounds % 2 == 0:
            latest.light = reordered(ask(protocol.ambient()).values, RING_ORDER)
        self._rounds += 1

    def check_battery(self, now: float) -> bool:
        """Ask for one thing about the battery if its time has come; whether something was asked."""
        battery = self.latest.battery
        assert battery is not None
        if now >= self._charge_due:
            self._charge_due = now + _CHARGE_EVERY_S
            (battery.percent,) = self._session.ask_in_time(protocol.battery(5)).values
        elif now >= self._voltage_due:
            self._voltage_due = now + _VOLTAGE_EVERY_S
            (millivolts,) = self._session.ask_in_time(protocol.battery(0)).values
            battery.volts = millivolts / 1000.0
            if self._current:
                (battery.left_mah,) = self._session.ask_in_time(protocol.battery(3)).values
                (battery.mean_ma,) = self._session.ask_in_time(protocol.battery(2)).values
        else:
            return False
        return True
