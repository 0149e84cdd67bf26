"""All sensors of all robots, computed at the first reading of a tick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.khepera.model import KheperaModel, load_model
from pybuzz.radio import Links, Radio
from pybuzz.sim.sensors.hearing import Hearing
from pybuzz.sim.sensors.lidar import ArgosLidarSensor, LidarSensor
from pybuzz.sim.sensors.mounts import Carriers, Mount, carriers_of
from pybuzz.sim.sensors.proximity import ProximitySensor
from pybuzz.sim.sensors.surroundings import Surroundings
from pybuzz.sim.sensors.ultrasound import ArgosUltrasoundSensor, UltrasoundSensor
from pybuzz.sim.world import World

__all__ = ["Sensors"]


class Sensor(Protocol):
    """All devices of one kind: `robots` int64[k] carry one, each gives `width` numbers."""

    robots: NDArray[np.int64]
    width: int

    def before(self) -> float | NDArray[np.float64]:
        """The values before the first tick, float64[k, width] or one for all."""

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        """float64[k, width]: the readings of this tick; called at most once per tick."""


class Sensors:
    """Readings of all robots of a world, as documented, or with `exact` as ARGoS 3 computes them.

    mounts: the devices of each robot, in order of the robots, which must be in the world already; names as in
    `DeviceSpec`: proximity, light, ultrasound, lidar, ground, battery, pose, radio. Others are passed over.
    """

    def __init__(
        self,
        world: World,
        mounts: Sequence[Sequence[Mount]],
        *,
        exact: bool = False,
        model: KheperaModel | None = None,
        threads: int = 1,
    ) -> None:
        self._around = Surroundings(world, threads)
        self._mounts = mounts
        makers = _makers(exact, model or load_model())
        self._sensors: dict[str, Sensor] = {}
        for name, make in makers.items():
            carriers = carriers_of(name, mounts)
            if len(carriers):
                self._sensors[name] = make(carriers)
        self._hearing = Hearing(carriers_of("radio", mounts), len(mounts))
        self._readings = {name: self._initial(sensor) for name, sensor in self._sensors.items()}

    @property
    def tick(self) -> int:
        """How often `new_tick` was called."""
        return self._around.tick

    def new_tick(self) -> None:
        """The world has moved: forget the readings. To be called once after each tick's physics."""
        self._around.new_tick()
        self._readings.clear()

    def carried(self, robot: int) -> frozenset[str]:
        """Names of the sensors that a robot can read."""
        return frozenset(mount.device.name for mount in self._mounts[robot]) & frozenset(self._sensors)

    def read(self, name: str) -> NDArray[np.float64]:
        """float64[robots, m], rows of robots without that sensor are 0; see docs/sensors.md for columns and units.

        Before the first tick nothing has been measured: values as ARGoS has them then, mostly 0. Raises KeyError if no
        robot carries that sensor. The array is shared by all who read it in a tick: do not change it.
        """
        if name not in self._readings:
            sensor = self._sensors[name]
            readings = np.zeros((len(self._mounts), sensor.width))
            readings[sensor.robots] = sensor.measure(self._around)
            self._readings[name] = readings
        return self._readings[name]

    def listen(self, radio: Radio, *, check_occlusions: bool = True) -> Links:
        """Who hears whom in this tick, after losses and noise; to be called once per tick, after `new_tick`."""
        return self._hearing.listen(radio, self._around, check_occlusions)

    def _initial(self, sensor: Sensor) -> NDArray[np.float64]:
        readings = np.zeros((len(self._mounts), sensor.width))
        readings[sensor.robots] = sensor.before()
        return readings


def _makers(exact: bool, model: KheperaModel) -> dict[str, Callable[[Carriers], Sensor]]:
    """How to build each kind of sensor, by name."""
    ultrasound = ArgosUltrasoundSensor if exact else UltrasoundSensor
    lidar = ArgosLidarSensor if exact else LidarSensor
    return {
        "proximity": lambda carriers: ProximitySensor(carriers, model.proximity),
        "ultrasound": lambda carriers: ultrasound(carriers, model.ultrasound),
        "lidar": lambda carriers: lidar(carriers, model.lidar),
    }
