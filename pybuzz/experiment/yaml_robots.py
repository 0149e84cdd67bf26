"""The robots of a YAML experiment: groups of them, their scripts, numbers, sensors and globals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import pi
from pathlib import Path

from pybuzz.errors import InputError
from pybuzz.experiment.numeric_ids import LARGEST, numeric_id
from pybuzz.experiment.plan import Battery, Controller, Device, Distribution, Robot, WheelTurning
from pybuzz.experiment.yaml_placing import Names, Spot, read_spot
from pybuzz.experiment.yaml_sensors import clearance_device, line_device, own_device
from pybuzz.experiment.yaml_worlds import is_free_lidar, read_controller, read_lidar
from pybuzz.khepera.model import KheperaModel, is_kind_file, known_kinds, load_model
from pybuzz.settings import BuzzValue
from pybuzz.sim.own_sensors import own_names
from pybuzz.spelling import did_you_mean
from pybuzz.yaml_nodes import Section
from pybuzz.yaml_tree import Entry

__all__ = ["BATTERIES", "EXTRA_SENSORS", "RANGES", "SENSORS", "WHEEL_NOISE", "RadioDefaults", "RobotReader"]

SENSORS = ("proximity", "light", "ultrasound", "lidar", "ground", "battery", "pose", "radio")
"""All sensors of a robot, the radio last; it has every one of them unless the file says false."""

FLYING_SENSORS = ("battery", "pose", "radio")
"""Those of them that a flying robot has."""

EXTRA_SENSORS = ("line",)
"""Sensors that a robot has if its kind comes with them or the file asks for them."""

RANGES = {
    "battery": {"noise": "noise_range"},
    "pose": {"position_noise": "pos_noise_range", "angle_noise": "angle_noise_range", "axis_noise": "axis_noise_range"},
}
"""Keys that hold [min, max], and their names in the Plan."""

WHEEL_NOISE = tuple(
    f"{name}{side}"
    for name in ("bias_avg", "bias_stddev", "factor_avg", "factor_stddev")
    for side in ("", "_left", "_right")
)
BATTERIES = {
    "time": ("delta",),
    "motion": ("pos_delta", "orient_delta"),
    "time_motion": ("time_factor", "pos_factor", "orient_factor"),
}
_DEGREE = pi / 180


@dataclass(frozen=True, slots=True)
class RadioDefaults:
    """What the file's `radio` says, for robots that say nothing: range in m, size in bytes."""

    range_m: float = 1.5
    data_size: int = 100
    noise: float = 0.0
    loss: float = 0.0


class RobotReader:
    """Reads all groups of robots of one file."""

    def __init__(
        self, folder: Path, names: Names, radio: RadioDefaults, globals_: dict[str, BuzzValue], lidar: Device | None
    ) -> None:
        self._folder = folder
        self._names = names
        self._radio = radio
        self._globals = globals_
        self._lidar = lidar
        self._numbers: set[int] = set()
        self.controllers: dict[str, Controller] = {}

    def read(self, sections: Sequence[Section]) -> list[Robot | Distribution]:
        """One Robot or Distribution for each section. Numbers that are given count first, the others fill up."""
        spots = [read_spot(section) for section in sections]
        firsts = self._first_numbers(sections, spots)
        return [
            self._robot(index, section, spot, first)
            for index, (section, spot, first) in enumerate(zip(sections, spots, firsts, strict=True), start=1)
        ]

    # -- numbers and names ---------------------------------------------------------------------------------------

    def _first_numbers(self, sections: Sequence[Section], spots: Sequence[Spot]) -> list[int]:
        given = [_given_number(section, spot) for section, spot in zip(sections, spots, strict=True)]
        for section, spot, first in zip(sections, spots, given, strict=True):
            if first is not None:
                self._reserve(section, first, spot.count)
        return [
            self._free_block(spot.count) if first is None else first for spot, first in zip(spots, given, strict=True)
        ]

    def _reserve(self, section: Section, first: int, count: int) -> None:
        block = range(first, first + count)
        twice = [number for number in block if number in self._numbers]
        entry = section.get("id") or section.get("name") or section.entry
        if twice:
            section.reader.fault(entry, f"another robot has the number {twice[0]} already", kind="duplicate number")
        elif first + count - 1 > LARGEST:
            section.reader.fault(entry, f"numbers of robots go up to {LARGEST}")
        self._numbers.update(block)

    def _free_block(self, count: int) -> int:
        first = 1
        while taken := [number for number in range(first, first + count) if number in self._numbers]:
            first = taken[-1] + 1
        self._numbers.update(range(first, first + count))
        return first

    # -- one group -----------------------------------------------------------------------------------------------

    def _robot(self, index: int, section: Section, spot: Spot, first: int) -> Robot | Distribution:
        with section:
            kind, model = self._kind(section)
            name = section.word("name", "kh")
            single = spot.draws is None
            alone = single or (spot.count == 1 and section.has("name"))
            if single and not section.has("name"):
                name = f"{name}{first}"
            key = f"robots[{index}]"
            self.controllers[key] = self._controller(key, section, model)
            with section.section("radio") as radio:
                reach = radio.number("range", self._radio.range_m, least=0)
                size = radio.whole("data_size", self._radio.data_size, least=4)
            altitude = _altitude(section, model)
            robot = Robot(
                name, key, first, kind, spot.position, spot.orientation, reach, size, _battery(section),
                section.number("max_force", least=0) if section.has("max_force") else None,
                section.number("max_torque", least=0) if section.has("max_torque") else None,
                "bridge" if section.choice("drive", ("direct", "bridge"), "direct") == "bridge" else "direct",
                altitude,
            )  # fmt: skip
            if spot.draws is None:
                self._names.take(section, name)
                return robot
            for number in range(first, first + spot.count):
                self._names.take(section, name if alone else f"{name}{number}")
            line = section.entry.line
            return Distribution(
                *spot.draws, robot, spot.count, spot.max_trials, 0 if alone else first, line, numbered=not alone
            )

    def _kind(self, section: Section) -> tuple[str, KheperaModel]:
        """The kind as the Plan has it, and what it is: one that comes with the package, or a file of the user's own."""
        written, entry = section.word("kind", "kheperaiv"), section.get("kind")
        if entry is None or not is_kind_file(written):
            kind = section.choice("kind", [*known_kinds(), "a YAML file"], "kheperaiv") or "kheperaiv"
            return kind, load_model(kind)
        try:
            return str(self._folder / written), load_model(str(self._folder / written))
        except InputError as fault:
            section.reader.fault(entry, f"kind: '{written}' describes no robot", kind="wrong robot kind", hint="")
            section.reader.faults.include(fault.diagnostics)
            return "kheperaiv", load_model()

    def _controller(self, key: str, section: Section, model: KheperaModel) -> Controller:
        values = dict(self._globals)
        with section.section("globals") as own:
            for name in own.names:
                entry = own.get(name)
                if entry is not None:
                    value = section.reader.buzz_value(entry, name)
                    values.setdefault(name, value)
        leds = (Device("leds"),) if section.boolean("leds", True) else ()
        motion = _wheels(section) if model.flight is None else Device("flight")
        preset = _noise_preset(section, model)
        sensors = _with_noise(self._sensors(section, model), preset)
        actuators = _with_noise((motion, *leds, Device("radio")), preset)
        python, goal, config = read_controller(section, self._folder)
        if python is not None and model.flight is not None:
            section.fault("a Python controller asks for wheels, which a flying robot has not", hint="give it a script")
        script = self._script(section) if python is None else None
        ways = _ways(section, key, model, {device.name for device in (*actuators, *sensors)})
        return Controller(key, script, actuators, sensors, _turning(section), values, ways, python, goal, config)

    def _script(self, section: Section) -> Path | None:
        entry = section.need("script")
        if entry is None or entry.tag == "null":
            return None
        name = section.reader.word(entry, "script")
        path = self._folder / name
        try:
            found = bool(name) and path.is_file()
        except (OSError, ValueError):
            found = False
        if name and not found:
            nearby = [other.name for other in self._folder.glob("*.bzz")]
            hint = did_you_mean(Path(name).name, nearby) or f"looked for {path}"
            section.reader.fault(entry, f"there is no script '{name}'", kind="missing script", hint=hint)
        return path if found else None

    # -- devices -------------------------------------------------------------------------------------------------

    def _sensors(self, section: Section, model: KheperaModel) -> tuple[Device, ...]:
        """The sensors that the file names, in its order (which is that of their seeds), then all others."""
        usual = SENSORS if model.flight is None else FLYING_SENSORS
        known = (*usual, *(EXTRA_SENSORS if model.flight is None else ("clearance",)), *own_names())
        devices: dict[str, Device | None] = {}
        with section.section("sensors") as sensors:
            for name in [name for name in sensors.names if name in known]:
                entry = sensors.get(name)
                if entry is not None:
                    devices[name] = self._sensor(section, name, entry, model)
            for name in known:
                sensors.get(name)
        instead = {"radio": self._radio_device(), "lidar": self._lidar}
        if self._lidar == Device("lidar"):
            instead["lidar"] = _khepera_lidar(model)
        for name in usual:
            devices.setdefault(name, instead.get(name, Device(name)))
        if model.line is not None:
            devices.setdefault("line", line_device(section, None, model))
        if model.flight is not None:
            devices.setdefault("clearance", clearance_device(section, None, model))
        return tuple(device for device in devices.values() if device is not None)

    def _sensor(self, section: Section, name: str, entry: Entry, model: KheperaModel) -> Device | None:
        if entry.tag == "bool" and entry.text is not None:
            wanted = section.reader.boolean(entry, name)
            if name == "radio":
                if not wanted:
                    section.reader.fault(entry, "a robot cannot be without its radio", hint="set its range to 0")
                return self._radio_device()
            if name == "line" and wanted:
                return line_device(section, None, model)
            if name == "clearance" and wanted:
                return clearance_device(section, None, model)
            if not wanted:
                return None
            return _khepera_lidar(model) if name == "lidar" else Device(name)
        if name not in (*SENSORS, *EXTRA_SENSORS, "clearance"):
            return own_device(section, name, entry)
        with section.reader.section(entry, name) as options:
            if name == "radio":
                return self._radio_device(options)
            if name == "line":
                return line_device(section, options, model)
            if name == "clearance":
                return clearance_device(section, options, model)
            if name == "lidar" and is_free_lidar(entry):
                return read_lidar(options)
            if name in RANGES:
                ranges = {target: _range(options, key) for key, target in RANGES[name].items() if options.has(key)}
                return Device(name, ranges=ranges)
            noise = {"noise_level": options.number("noise", least=0)} if options.has("noise") else {}
            if name == "lidar":
                readings = options.whole("readings", model.lidar.readings, most=100_000)
                return Device(name, noise, num_readings=readings)
            return Device(name, noise)

    def _radio_device(self, options: Section | None = None) -> Device:
        noise, loss = self._radio.noise, self._radio.loss
        if options:
            noise, loss = options.number("noise", noise, least=0), _share(options, "loss", loss)
        values = {"noise_std_dev": noise, "packet_drop_prob": loss}
        return Device("radio", {name: value for name, value in values.items() if value})


def _ways(section: Section, key: str, model: KheperaModel, carried: set[str]) -> dict[str, str]:
    """For each device that is not carried, what to write."""
    where = f"in {key} (line {section.entry.line}) of {Path(section.reader.faults.file).name}"
    if model.flight is None:
        known = [*SENSORS, *EXTRA_SENSORS, *own_names()]
        ways = {"clearance": "only robots that fly have it"}
    else:
        known = [*FLYING_SENSORS, *own_names()]
        ways = dict.fromkeys(SENSORS, "a robot that flies does not have it")
        ways["wheels"] = "a robot that flies is steered with goto(x, y)"
    ways |= {name: f"write sensors: {{{name}: true}} {where}" for name in known}
    ways["leds"] = f"write leds: true {where}"
    return {name: way for name, way in ways.items() if name not in carried}


def _altitude(section: Section, model: KheperaModel) -> float | None:
    """Of a robot that flies, in m."""
    if model.flight is None:
        return None
    return section.number("altitude", model.flight.altitude, least=0)


def _given_number(section: Section, spot: Spot) -> int | None:
    """The number that `id` gives to the first robot of a group, or the name to a single one."""
    if section.has("id"):
        return section.whole("id", most=LARGEST)
    entry = section.get("name")
    if entry is None or entry.text is None or spot.count != 1:
        return None
    return numeric_id(entry.text) if any(letter.isdigit() for letter in entry.text) else None


def _share(section: Section, key: str, default: float) -> float:
    value = section.number(key, default, least=0)
    entry = section.get(key)
    if entry is not None and value > 1:
        section.reader.fault(entry, f"{key}: {value:g} is not a share between 0 and 1")
    return value


def _range(section: Section, key: str) -> tuple[float, float]:
    entry = section.get(key)
    assert entry is not None
    low, high = section.reader.vector(entry, key, 2)
    if low > high:
        section.reader.fault(entry, f"{key}: the first number must not be larger than the second")
    return low, high


def _khepera_lidar(model: KheperaModel) -> Device:
    """The laser scanner that the kind comes with."""
    return Device("lidar", num_readings=model.lidar.readings)


def _wheels(section: Section) -> Device:
    with section.section("wheels") as wheels:
        return Device("wheels", {name: wheels.number(name) for name in WHEEL_NOISE if wheels.has(name)})


def _noise_preset(section: Section, model: KheperaModel) -> Mapping[str, Mapping[str, float]]:
    """Noise by device, of the preset that `noise` names: those of the robot's description, or none."""
    presets = model.noise
    return presets.get(section.choice("noise", ("none", *presets), "none"), {})


def _with_noise(devices: tuple[Device, ...], preset: Mapping[str, Mapping[str, float]]) -> tuple[Device, ...]:
    """The devices, with the preset's noise where the file gives a device none of its own."""
    return tuple(
        replace(device, noise=preset[device.name])
        if device.name in preset and not (device.noise or device.options)
        else device
        for device in devices
    )


def _turning(section: Section) -> WheelTurning | None:
    if not section.has("turning"):
        return None
    with section.section("turning") as turning:
        return WheelTurning(
            turning.number("hard", 90.0) * _DEGREE, turning.number("soft", 70.0) * _DEGREE,
            turning.number("none", 10.0) * _DEGREE, turning.number("max_speed", 10.0),
        )  # fmt: skip


def _battery(section: Section) -> Battery | None:
    if not section.has("battery"):
        return None
    with section.section("battery") as battery:
        model = battery.choice("model", tuple(BATTERIES), "time") or "time"
        start, full = battery.number("start_charge", 1.0, least=0), battery.number("full_charge", 1.0, above=0)
        factors = {name: battery.number(name) for name in BATTERIES[model] if battery.has(name)}
        if model == "motion":
            return Battery("motion", start, full, factors)
        return Battery("time_motion" if model == "time_motion" else "time", start, full, factors)
