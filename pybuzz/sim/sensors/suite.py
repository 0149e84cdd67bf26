"""All sensors of all robots, computed at the first reading of a tick."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pybuzz.khepera.model import KheperaModel, load_model
from pybuzz.radio import Links, Radio
from pybuzz.sim.batteries import Batteries, BatterySpec
from pybuzz.sim.lidar import Lidar, LidarScan
from pybuzz.sim.own_sensors import UserSensor, own_names
from pybuzz.sim.sensors.battery import ArgosBatterySensor, BatterySensor
from pybuzz.sim.sensors.by_layout import ByLayout
from pybuzz.sim.sensors.clearance import ClearanceSensor
from pybuzz.sim.sensors.ground import GroundSensor
from pybuzz.sim.sensors.hearing import Hearing
from pybuzz.sim.sensors.lidar import ArgosLidarSensor, LidarSensor
from pybuzz.sim.sensors.light import ArgosLightSensor, LightSensor
from pybuzz.sim.sensors.line import FIRST_VALUE, LineSensor
from pybuzz.sim.sensors.mounts import Carriers, Mount, carriers_of
from pybuzz.sim.sensors.own import OwnSensor
from pybuzz.sim.sensors.pose import PoseSensor
from pybuzz.sim.sensors.proximity import ProximitySensor
from pybuzz.sim.sensors.sensor import Beamed, Sensor
from pybuzz.sim.sensors.surroundings import Surroundings
from pybuzz.sim.sensors.ultrasound import ArgosUltrasoundSensor, UltrasoundSensor
from pybuzz.sim.sensors.wheels import WheelSensor
from pybuzz.sim.world import World

__all__ = ["Sensors"]


class Sensors:
    """Readings of all robots of a world, as documented, or with `exact` as ARGoS 3 computes them.

    mounts: the devices of each robot, in order of the robots, which must be in the world already; names as in
    `DeviceSpec`: proximity, light, ultrasound, lidar, ground, line, battery, pose, wheel_sensor, radio. Others are
    passed over.
    batteries: of each robot; None, or no battery sensor: it never runs down, as in ARGoS.
    models: what each robot is; none: all are Khepera IVs.
    threads: how many cast rays at once; readings do not depend on it. own: people's sensor objects that go on.
    """

    def __init__(
        self,
        world: World,
        mounts: Sequence[Sequence[Mount]],
        *,
        batteries: Sequence[BatterySpec | None] = (),
        exact: bool = False,
        models: Sequence[KheperaModel] = (),
        threads: int = 1,
        own: dict[tuple[str, str], UserSensor] | None = None,
    ) -> None:
        self._around = Surroundings(world, threads)
        self._mounts = mounts
        self._exact = exact
        self._models = models or [load_model()] * len(mounts)
        self._sensors: dict[str, Sensor] = {}
        for name, make in _makers(exact).items():
            carriers = carriers_of(name, mounts)
            if len(carriers):
                self._sensors[name] = make(carriers, [self._models[robot] for robot in carriers.robots])
        self._gauge = self._battery_sensor(batteries, exact)
        self._bars = self._line_sensor()
        self._objects: dict[tuple[str, str], UserSensor] = {} if own is None else own
        for name in sorted({mount.device.name for carried in mounts for mount in carried} & {*own_names()}):
            self._sensors[name] = OwnSensor(carriers_of(name, mounts), self._objects)
        self._hearing = Hearing(carriers_of("radio", mounts), len(mounts))
        self._readings: dict[str, NDArray[np.float64]] = {}

    @property
    def tick(self) -> int:
        """How often `new_tick` was called."""
        return self._around.tick

    @property
    def names(self) -> frozenset[str]:
        """The sensors that at least one robot carries."""
        return frozenset(self._sensors)

    def new_tick(self) -> None:
        """The world has moved: forget the readings. To be called once after each tick's physics."""
        self._around.new_tick()
        self._readings.clear()
        for sensor in (self._gauge, self._bars):
            if sensor is not None:
                sensor.advance(self._around)

    def carried(self, robot: int) -> frozenset[str]:
        """Names of the sensors that a robot can read."""
        return frozenset(mount.device.name for mount in self._mounts[robot]) & frozenset(self._sensors)

    def lengths(self, robot: int) -> dict[str, int]:
        """How many columns of its row are a robot's own, of sensors of which robots may have different numbers."""
        devices = {mount.device.name: mount.device for mount in self._mounts[robot]}
        found = {"lidar": devices["lidar"].num_readings} if "lidar" in devices else {}
        if "line" in devices:
            found["line"] = FIRST_VALUE + int(devices["line"].options["num_sensors"])
        if "clearance" in devices:
            found["clearance"] = int(devices["clearance"].options["num_beams"])
        for name, sensor in self._sensors.items():
            if name in devices and isinstance(sensor, ByLayout):
                found[name] = sensor.width_of(robot)
        return found

    def fields(self, name: str) -> tuple[str, ...]:
        """Names of the columns of a sensor of a person's own; none: they go by index."""
        self.read(name)
        found = self._sensors[name]
        return found.fields if isinstance(found, OwnSensor) else ()

    def read(self, name: str) -> NDArray[np.float64]:
        """float64[robots, m], rows of robots without that sensor are 0; see docs/sensors.md for columns and units.

        Before the first tick nothing has been measured: values as ARGoS has them then, mostly 0. Raises KeyError if no
        robot carries that sensor. The array is shared by all who read it in a tick: do not change it.
        """
        if name not in self._readings:
            sensor = self._sensors[name]
            measured = sensor.measure(self._around) if self.tick else sensor.before(self._around)
            self._readings[name] = self._for_all(sensor, measured)
        return self._readings[name]

    def _for_all(self, sensor: Sensor, measured: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """The carriers' readings as rows among those of all robots."""
        if isinstance(measured, np.ndarray) and len(measured) == len(self._mounts):
            return measured
        readings = np.zeros((len(self._mounts), sensor.width))
        readings[sensor.robots] = measured
        return readings

    @property
    def lidars(self) -> dict[int, Lidar]:
        """The robots that carry a laser scanner with a layout of its own."""
        sensor = self._sensors.get("lidar")
        return sensor.layouts if isinstance(sensor, LidarSensor) else {}

    def scans(self) -> list[LidarScan | None]:
        """The scan of each robot in this tick; None for those without such a scanner."""
        found: list[LidarScan | None] = [None] * len(self._mounts)
        for robot, lidar in self.lidars.items():
            pose, row = self._around.yaw_poses[[robot]], self.read("lidar")[[robot], : lidar.num_rays]
            found[robot] = lidar.of_distances(pose, row)[0]
        return found

    def listen(self, radio: Radio, *, check_occlusions: bool = True) -> Links:
        """Who hears whom in this tick, after losses and noise; to be called once per tick, after `new_tick`."""
        return self._hearing.listen(radio, self._around, check_occlusions)

    def reach(self, radio: Radio, *, check_occlusions: bool) -> Links:
        """Who would hear whom in this tick if nothing were lost; draws nothing, and may be called at any time."""
        return radio.exchange(self._around.poses, self._around.blocked if check_occlusions else None)

    def is_measured(self, name: str) -> bool:
        """Whether somebody has read this sensor in this tick."""
        return name in self._readings

    def alone(self, robot: int) -> Sensors:
        """Sensors of one robot alone, which give its readings to the last bit, and of which the run takes no notice.

        Those that remember earlier ticks are not among them: batteries, line sensors and people's own.
        """
        apart = {"battery", "line", "radio", *own_names()}
        mounts: list[Sequence[Mount]] = [()] * len(self._mounts)
        mounts[robot] = [mount for mount in self._mounts[robot] if mount.device.name not in apart]
        return Sensors(self._around.world, mounts, exact=self._exact, models=self._models)

    def look_again(self, tick: int) -> None:
        """It is this tick now, not an earlier one than it was: forget the readings."""
        self._around.tick = tick
        self._readings.clear()

    def rays(self, name: str, robot: int) -> NDArray[np.float64]:
        """float64[m, 5]: from where to where the rays of one robot go now, x, y and x, y in m, and whether they end at
        something (1 or 0). Empty for a sensor without rays."""
        sensor = self._sensors.get(name)
        beams = sensor.beams_of(robot) if isinstance(sensor, Beamed) else None
        if beams is None:
            return np.zeros((0, 5))
        return self._around.segments(robot, beams)

    def refitted(
        self,
        mounts: Sequence[Sequence[Mount]],
        batteries: Sequence[BatterySpec | None],
        models: Sequence[KheperaModel],
        origins: Sequence[int | None],
    ) -> Sensors:
        """Sensors for the same world after robots came or went: robot i was robot origins[i], or is new (None).

        Noise and batteries of those that stayed go on as if nothing had happened.
        """
        around = self._around
        sensors = Sensors(
            around.world,
            mounts,
            batteries=batteries,
            exact=self._exact,
            models=models,
            threads=around.threads,
            own=self._objects,
        )
        sensors._around.tick = around.tick
        sensors._hearing.take_over(self._hearing, origins)
        if sensors._gauge is not None and self._gauge is not None:
            sensors._gauge.take_over(self._gauge, origins)
        if sensors._bars is not None and self._bars is not None:
            sensors._bars.take_over(self._bars, origins)
        return sensors

    @property
    def charges(self) -> NDArray[np.float64]:
        """float64[robots]: what is in the batteries, in their own units; 1 where none runs down."""
        charges = np.ones(len(self._mounts))
        if self._gauge is not None:
            charges[self._gauge.robots] = self._gauge.batteries.charge
        return charges

    def _line_sensor(self) -> LineSensor | None:
        carriers = carriers_of("line", self._mounts)
        if not len(carriers):
            return None
        self._sensors["line"] = bars = LineSensor(carriers)
        return bars

    def _battery_sensor(self, batteries: Sequence[BatterySpec | None], exact: bool) -> BatterySensor | None:
        carriers = carriers_of("battery", self._mounts)
        if not len(carriers):
            return None
        specs = [batteries[robot] if len(batteries) else None for robot in carriers.robots]
        kept = Batteries(specs, self._around.poses[carriers.robots])
        gauge = (ArgosBatterySensor if exact else BatterySensor)(carriers, kept)
        self._sensors["battery"] = gauge
        return gauge


_Maker = Callable[[Carriers, Sequence[KheperaModel]], Sensor]
"""Makes a sensor of its carriers and what each of these is."""

_Layout = TypeVar("_Layout", bound=Hashable)


def _makers(exact: bool) -> dict[str, _Maker]:
    """How to build each kind of sensor, by name."""
    lidar = ArgosLidarSensor if exact else LidarSensor
    return {
        "proximity": _by_layout(lambda model: model.proximity, ProximitySensor),
        "light": _by_layout(lambda model: model.light, ArgosLightSensor if exact else LightSensor),
        "ultrasound": _by_layout(lambda model: model.ultrasound, ArgosUltrasoundSensor if exact else UltrasoundSensor),
        "lidar": lambda carriers, models: lidar(carriers, [model.lidar for model in models]),
        "ground": _by_layout(lambda model: model.ground, GroundSensor),
        "pose": lambda carriers, _: PoseSensor(carriers),
        "clearance": lambda carriers, _: ClearanceSensor(carriers),
        "wheel_sensor": _by_layout(lambda model: model.body.axle, WheelSensor),
    }


def _by_layout(layout_of: Callable[[KheperaModel], _Layout], make: Callable[[Carriers, _Layout], Sensor]) -> _Maker:
    def made(carriers: Carriers, models: Sequence[KheperaModel]) -> Sensor:
        layouts = [layout_of(model) for model in models]
        # Robots of one layout, the usual case: their readings need not be brought together.
        return make(carriers, layouts[0]) if len(set(layouts)) == 1 else ByLayout(carriers, layouts, make)

    return made
