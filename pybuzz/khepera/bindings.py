"""The functions and tables that a script finds on a Khepera IV. SI becomes cm here, and nowhere else."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Final, Protocol

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, Value, expect_integer, expect_number, host_function, mismatch
from pybuzz.khepera.body import SENSORS, Body, Command, RawBody
from pybuzz.khepera.model import KheperaModel
from pybuzz.khepera.notes import Notes, debug_table
from pybuzz.khepera.rings import RingTables
from pybuzz.khepera.scans import ScanTable
from pybuzz.khepera.steering import Steering, WheelNoise, WheelTurning

__all__ = ["COLUMNS", "ROWS", "Bindings"]

COLUMNS: Final = {
    **dict.fromkeys(("proximity", "light", "ultrasound", "lidar"), ("value", "angle")),
    "ground": ("value",),
}
"""Tables whose entries have these numbers, which a script may read as lists; as compile_program takes them."""

ROWS: Final = {
    "pose": ("position.x", "position.y", "position.z", "orientation.yaw", "orientation.pitch", "orientation.roll")
}
"""The same for tables of numbers: where in the table each number of the reading is."""

_USUAL_TURNING = WheelTurning()


class _Program(Protocol):
    @property
    def mentioned_globals(self) -> frozenset[str]: ...
    @property
    def single_precision(self) -> bool: ...
    @property
    def strings(self) -> Collection[str]: ...


class _Machine(Protocol):
    @property
    def program(self) -> _Program: ...
    @property
    def strings(self) -> StringIds: ...
    @property
    def columns(self) -> Mapping[str, Collection[str]]: ...
    def list_key(self, name: str, field: str) -> str: ...
    def give_list(self, key: str, values: Sequence[float]) -> None: ...
    def show_as_table(self, name: str, make: Callable[..., Table]) -> None: ...
    def register(self, name: str, value: Value) -> None: ...
    def get_global(self, name: str) -> Value: ...
    def set_global(self, name: str, value: Value) -> None: ...


_Maker = Callable[[], Table | None]
"""Makes the table of a sensor; None: the one that its global holds has been brought up to date."""

_Conversion = Callable[[Sequence[float]], Sequence[float]]
"""From a body's numbers to a script's."""


class Bindings:
    """One script on one body. Made before the script's global part runs; `refresh` before each step.

    Every table is new in every step, as in ARGoS: a reference that a script keeps shows the old values.
    Tables that the script never mentions are not made, nor those of which it wants lists (Machine.columns).
    fields: names of the values of people's own sensors.
    """

    def __init__(
        self,
        machine: _Machine,
        body: Body,
        model: KheperaModel,
        *,
        exact: bool,
        wheel_turning: WheelTurning | None = None,
        wheel_noise: WheelNoise | None = None,
        fields: Callable[[str], Sequence[str]] | None = None,
        lidar_angles: Sequence[float] | None = None,
    ) -> None:
        self.command = Command()
        self.notes = Notes()
        self._machine = machine
        self._body = body
        # Python looks through a protocol anew at every question.
        self._raw_body = body if isinstance(body, RawBody) else None
        self._model = model
        self._single = machine.program.single_precision
        turning = wheel_turning if wheel_turning is not None else _USUAL_TURNING
        self._steering = Steering(self.command, model.body.axle, turning, wheel_noise)
        self._lidar_angles = lidar_angles
        self._register_functions(exact)
        # Without the sensor there is no list: the script finds nil, as it would have found without lists.
        for name in machine.columns.keys() - body.sensors:
            machine.set_global(name, None)
        self._lists: list[tuple[str, str, _Conversion | None]] = []
        """What code reads as lists: sensor, key of the machine, what turns the reading into the list."""
        makers = self._makers(exact)
        mentioned = machine.program.mentioned_globals
        self.shows_queue = "msgqueue" in machine.program.strings
        self._tables = tuple((name, makers[name]) for name in SENSORS if name in body.sensors and name in mentioned)
        if fields is not None:
            own = sorted((body.sensors - set(SENSORS)) & mentioned)
            self._tables += tuple((name, partial(self._own, name, fields)) for name in own)
        listed = {sensor for sensor, _, _ in self._lists}
        self._tables_beside = tuple((name, make) for name, make in self._tables if name not in listed)
        self.refresh()

    def begin_step(self) -> None:
        """Before the step's first script code: forget the notes of the step before, extend the trail."""
        notes = self.notes
        if notes.text or notes.rays:
            notes.begin_step()
        if notes.trail is not None:
            x, y, z = self._body.read("pose")[:3]
            notes.follow((x, y, z))

    def refresh(self) -> None:
        """Bring the script's tables up to the body's latest readings."""
        machine, tables = self._machine, self._tables
        if machine.columns:
            tables, read, give_list = self._tables_beside, self._body.read, machine.give_list
            for sensor, key, convert in self._lists:
                values = read(sensor)
                give_list(key, values if convert is None else convert(values))
        for name, make in tables:
            table = make()
            if table is not None:
                machine.set_global(name, table)

    def show_queue(self, total: int, broadcast: int, vstig: int, swarm: int) -> None:
        """Put the numbers of messages still waiting into `debug.msgqueue`; absent until the first step is over."""
        queue = Table({"total": total, "broadcast": broadcast, "vstig": vstig, "swarm": swarm})
        self._debug.store("msgqueue", queue)

    def _register_functions(self, exact: bool) -> None:
        machine, actuators, model = self._machine, self._body.actuators, self._model
        with_trail = "pose" in self._body.sensors
        self._debug = debug_table(self.notes, exact=exact, with_trail=with_trail)
        machine.register("debug", self._debug)
        if "wheels" in actuators:
            steering = self._steering
            gotop = steering.toward_polar if exact else steering.drive
            machine.register("set_wheels", host_function("set_wheels", 2, _wheels_call(steering, exact)))
            machine.register("gotop", host_function("gotop", 2, _pair_call("gotop", gotop, exact)))
            for name in ("goto", "gotoc"):
                machine.register(name, host_function(name, 2, _pair_call(name, steering.toward, exact)))
        if "flight" in actuators and model.flight is not None:
            for name in ("goto", "gotoc"):
                machine.register(name, host_function(name, 2, _pair_call(name, self._fly, exact=False)))
        if "leds" in actuators:
            color = _wrapped_color if exact else _limited_color
            machine.register("set_leds", host_function("set_leds", 3, _leds_call(self.command, color)))

    def _makers(self, exact: bool) -> dict[str, _Maker]:
        model = self._model
        return {
            "pose": self._pose_maker(),
            "battery": self._battery,
            "ground": self._ground_maker(),
            "proximity": self._ring_maker("proximity", model.proximity.angles),
            "light": self._ring_maker("light", model.light.angles),
            "ultrasound": self._ring_maker("ultrasound", model.ultrasound.angles, 1.0 if exact else 100.0),
            "lidar": self._lidar if self._lidar_angles is None else self._scan_maker(self._lidar_angles),
            "line": self._line,
            "clearance": self._clearance,
        }

    def _numbers(self, values: Sequence[float]) -> Sequence[float]:
        return array("f", values).tolist() if self._single else values

    def _ring_maker(self, sensor: str, angles_degrees: Sequence[float], factor: float = 1.0) -> _Maker:
        angles = _radians(tuple(angles_degrees), single=self._single)
        ring = RingTables(angles, self._machine.strings)
        convert = _conversion(factor, single=self._single)
        reading, get_global = self._reading(sensor, convert), self._machine.get_global
        if self._raw_body is not None:
            return self._with_raw(sensor, lambda: ring.make(reading()))
        self._offer_lists(sensor, convert, lambda value, angle: ring.make(value), angle=angles)

        def made() -> Table | None:
            values = reading()
            if get_global(sensor) is ring.table and ring.refill(values):
                return None
            return ring.make(values)

        return made

    def _reading(self, sensor: str, convert: _Conversion | None) -> Callable[[], Sequence[float]]:
        """The way to a sensor's numbers as a script finds them."""
        read = partial(self._body.read, sensor)
        return read if convert is None else lambda: convert(read())

    def _offer_lists(
        self,
        sensor: str,
        convert: _Conversion | None,
        make: Callable[..., Table],
        field: str = "value",
        **fixed: Sequence[float],
    ) -> None:
        """Give code that wants lists the values of a sensor, and what is fixed; make: see show_as_table."""
        machine = self._machine
        if sensor in machine.columns and sensor in self._body.sensors:
            self._lists.append((sensor, machine.list_key(sensor, field), convert))
            for name, values in fixed.items():
                machine.give_list(machine.list_key(sensor, name), values)
            machine.show_as_table(sensor, make)

    def _ground_maker(self) -> _Maker:
        offsets = [self._numbers(place) for place in self._model.ground.places]
        convert = _conversion(1.0, single=self._single)
        reading = self._reading("ground", convert)

        def make(value: Sequence[float]) -> Table:
            return Table(
                enumerate(
                    Table({"value": one, "offset": Table(zip("xy", place, strict=True))})
                    for one, place in zip(value, offsets, strict=True)
                )
            )

        if self._raw_body is None:
            self._offer_lists("ground", convert, make)
        return self._with_raw("ground", lambda: make(reading()))

    def _with_raw(self, sensor: str, make: _Maker) -> _Maker:
        """The same table, each entry with what the hardware said, on a body that knows it."""
        body = self._raw_body
        if body is None:
            return make

        def make_with_raw() -> Table | None:
            table = make()
            assert table is not None
            for index, raw in enumerate(body.read_raw(sensor)):
                table[index]["raw"] = raw
            return table

        return make_with_raw

    def _scan_maker(self, angles_rad: Sequence[float]) -> _Maker:
        """Of a laser scanner that is not the Khepera IV's: value in cm, angle."""
        return self._ring_maker("lidar", [math.degrees(angle) for angle in angles_rad], 100.0)

    def _lidar(self) -> Table:
        return ScanTable(self._body.read("lidar"))

    def _line(self) -> Table:
        error, position, lost, *values = self._numbers(self._body.read("line"))
        table = Table(enumerate([Table({"value": value}) for value in values]))
        table.update({"error": error, "position": position, "lost": int(lost)})
        return table

    def _clearance(self) -> Table:
        values = self._numbers(self._body.read("clearance"))
        angles = self._numbers([2.0 * math.pi * beam / len(values) for beam in range(len(values))])
        pairs = zip(values, angles, strict=True)
        return Table(enumerate([Table({"value": value, "angle": angle}) for value, angle in pairs]))

    def _fly(self, x: float, y: float) -> None:
        """Go along a vector in the robot's frame, its length the speed in cm/s, up to what the robot can."""
        assert self._model.flight is not None
        asked = math.hypot(x, y) * 0.01
        share = 0.01 * min(1.0, self._model.flight.speed / asked) if asked else 0.0
        self.command.left_m_s, self.command.right_m_s = x * share, y * share

    def _own(self, sensor: str, fields: Callable[[str], Sequence[str]]) -> Table:
        """Of a person's own sensor: by the names of its values, or by index; a single one without a name is `value`."""
        values = self._numbers(self._body.read(sensor))
        names = fields(sensor) or (("value",) if len(values) == 1 else range(len(values)))
        return Table(zip(names, values, strict=True))

    def _pose_maker(self) -> _Maker:
        def make(row: Sequence[float]) -> Table:
            x, y, z, yaw, pitch, roll = row
            position = Table({"x": x, "y": y, "z": z})
            return Table({"position": position, "orientation": Table({"yaw": yaw, "pitch": pitch, "roll": roll})})

        convert = _conversion(1.0, single=self._single)
        reading = self._reading("pose", convert)
        self._offer_lists("pose", convert, make, "row")
        return lambda: make(reading())

    def _battery(self) -> Table:
        charge, time_left = self._numbers(self._body.read("battery"))
        return Table({"available_charge": charge, "time_left": time_left})


@cache
def _conversion(factor: float, *, single: bool) -> _Conversion | None:
    """Times the factor, and in the script's precision; None: nothing is to be done. The same for all robots."""
    if not single:
        return None if factor == 1.0 else lambda values: [factor * value for value in values]
    if factor == 1.0:
        return lambda values: array("f", values).tolist()
    return lambda values: array("f", [factor * value for value in values]).tolist()


@cache
def _radians(angles_degrees: tuple[float, ...], *, single: bool) -> Sequence[float]:
    """The same list for all robots, which then stays in the processor's cache."""
    angles = [math.radians(angle) for angle in angles_degrees]
    return array("f", angles).tolist() if single else angles


def _wheels_call(steering: Steering, exact: bool) -> Callable[[Value, Value], None]:
    def set_wheels(left: Value, right: Value) -> None:
        if exact:
            for value in (left, right):
                if not isinstance(value, float):
                    raise mismatch("float", value)
        steering.set_wheels(*_finite("set_wheels", left, right))

    return set_wheels


def _pair_call(name: str, steer: Callable[[float, float], None], exact: bool) -> Callable[[Value, Value], None]:
    """exact: any two numbers will do, for ARGoS steers somewhere by each."""

    def call(first: Value, second: Value) -> None:
        if exact:
            steer(float(expect_number(first)), float(expect_number(second)))
        else:
            steer(*_finite(name, first, second))

    return call


def _finite(name: str, first: Value, second: Value) -> tuple[float, float]:
    """Both as finite numbers. A wheel that is told to turn at nan would take the robot out of the world."""
    if first.__class__ is second.__class__ is float and first - first == second - second == 0.0:
        return first, second
    first, second = expect_number(first), expect_number(second)
    if not (math.isfinite(first) and math.isfinite(second)):
        raise BuzzFailure("type mismatch", f"expected finite numbers, got {first:g} and {second:g} in {name}")
    return first, second


def _leds_call(command: Command, color: Callable[[Value], int]) -> Callable[[Value, Value, Value], None]:
    def set_leds(red: Value, green: Value, blue: Value) -> None:
        command.leds = (color(red), color(green), color(blue))

    return set_leds


def _wrapped_color(value: Value) -> int:
    return expect_integer(value) & 255


def _limited_color(value: Value) -> int:
    number = expect_number(value)
    return round(min(max(number, 0), 255)) if number == number else 0
