"""A real robot's body as a script sees it: the latest raw readings, calibrated."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from pybuzz.khepera import ACTUATORS, KheperaModel
from pybuzz.link.calibration import Converter, RobotCalibration
from pybuzz.link.readings import Battery, RawReadings
from pybuzz.link.scip import step_at

__all__ = ["RealBody"]

_LEAST_DRAIN_MA: Final = 20.0
_SECONDS_PER_HOUR: Final = 3600.0


class RealBody:
    """One robot. `update` brings new readings; `read` gives them in SI, `read_raw` as the hardware said them."""

    actuators = frozenset(ACTUATORS)

    def __init__(self, model: KheperaModel, calibration: RobotCalibration, *, period_s: float, has_laser: bool) -> None:
        self.sensors = frozenset({"pose", "battery", "ground", "proximity", "light", "ultrasound"})
        if has_laser:
            self.sensors |= {"lidar"}
        self.latest = RawReadings()
        self._period_s = period_s
        self._model = model
        self._converter = converter = Converter(model, calibration)
        self._by_sensor: dict[str, Callable[[], Sequence[float]]] = {
            "proximity": lambda: converter.proximity(self.read_raw("proximity")),
            "light": lambda: converter.light(self.read_raw("light")),
            "ground": lambda: converter.ground(self.read_raw("ground")),
            "ultrasound": lambda: converter.ultrasound(self.read_raw("ultrasound")),
            "lidar": self._lidar,
            "pose": self._pose,
            "battery": self._battery,
        }
        self._unread: dict[str, tuple[float, ...]] = {
            "proximity": calibration.proximity_floor,
            "light": calibration.light_dark,
            "ground": calibration.ground_white,
            "ultrasound": (model.ultrasound.farthest * 100.0,) * len(model.ultrasound.angles),
        }
        """What a sensor says that was not asked yet: nothing in sight."""
        self._beams = _beams(model)

    def update(self, readings: RawReadings) -> None:
        """New readings; what they lack keeps its last value."""
        for name in ("proximity", "light", "ground", "ultrasound", "lidar_mm", "battery"):
            if getattr(readings, name) is None:
                setattr(readings, name, getattr(self.latest, name))
        self.latest = readings

    def read(self, sensor: str) -> Sequence[float]:
        return self._by_sensor[sensor]()

    def read_raw(self, sensor: str) -> Sequence[float]:
        values: tuple[float, ...] | None = getattr(self.latest, sensor)
        return self._unread[sensor] if values is None else values

    def _pose(self) -> Sequence[float]:
        x, y, yaw = self.latest.pose
        return x, y, 0.0, yaw, 0.0, 0.0

    def _battery(self) -> Sequence[float]:
        """Charge in [0, 1]; control steps left at the mean current, infinity if it is unknown or charging."""
        battery = self.latest.battery or Battery()
        percent = 100.0 if battery.percent is None else battery.percent
        volts = self._model.calibration.battery_full if battery.volts is None else battery.volts
        charge = self._converter.charge(percent, volts)
        if battery.left_mah is None or battery.mean_ma is None or battery.mean_ma >= 0.0:
            return charge, math.inf
        hours = battery.left_mah / max(_LEAST_DRAIN_MA, -battery.mean_ma)
        return charge, hours * _SECONDS_PER_HOUR / self._period_s

    def _lidar(self) -> Sequence[float]:
        """Whole cm; 0 for nothing."""
        scan = self.latest.lidar_mm
        if scan is None:
            return [0] * len(self._beams)
        return [int(scan[step] // 10) for step in self._beams]


def _beams(model: KheperaModel) -> tuple[int, ...]:
    """Which reading of the scanner each beam of the script's table is: the nearest in angle."""
    lidar = model.lidar
    first, last = math.radians(lidar.first_angle), math.radians(lidar.last_angle)
    width = (last - first) / (lidar.readings - 1)
    return tuple(step_at(first + beam * width) for beam in range(lidar.readings))
