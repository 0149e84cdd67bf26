"""What a robot is: sizes, sensors, laws and limits, read from robots/<kind>.yaml or a file of the user's own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from pybuzz.errors import Diagnostic, InputError
from pybuzz.khepera.model_bounds import count_fault, noise_names, number_fault, order_faults
from pybuzz.khepera.model_text import Places, plain_data
from pybuzz.shipped import robots_folder
from pybuzz.spelling import did_you_mean
from pybuzz.yaml_tree import parse

__all__ = [
    "Calibration", "Flight", "Ground", "Hull", "KheperaModel", "Leds", "Lidar", "Light", "Limits", "LineBar",
    "Proximity", "Radio", "Ultrasound", "is_kind_file", "known_kinds", "load_model",
]  # fmt: skip

Spot = tuple[float, float]
Noise = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Hull:
    """A standing cylinder on two wheels: m, kg, N, N m."""

    radius: float
    bottom: float
    height: float
    mass: float
    axle: float
    wheel_radius: float
    max_force: float
    max_torque: float

    @property
    def top(self) -> float:
        return self.bottom + self.height


@dataclass(frozen=True, slots=True)
class Radio:
    """Range and antenna height in m, packet size in bytes."""

    range: float
    data_size: int
    height: float


@dataclass(frozen=True, slots=True)
class Leds:
    """Places (x, y) in m; `levels`: largest value of the hardware."""

    places: tuple[Spot, ...]
    levels: int


@dataclass(frozen=True, slots=True)
class Proximity:
    """Infrared ring: angles in degrees, lengths in m; value scale exp(-decay d) - offset between near and range."""

    angles: tuple[float, ...]
    radius: float
    height: float
    range: float
    near: float
    scale: float
    decay: float
    offset: float


@dataclass(frozen=True, slots=True)
class Light:
    """Ambient light ring: angles in degrees, lengths in m."""

    angles: tuple[float, ...]
    radius: float
    height: float


@dataclass(frozen=True, slots=True)
class Ultrasound:
    """Angles in degrees, lengths in m; readings are limited to [nearest, farthest]."""

    angles: tuple[float, ...]
    radius: float
    height: float
    nearest: float
    farthest: float


@dataclass(frozen=True, slots=True)
class Lidar:
    """Beams from first_angle (right) to last_angle (left), in degrees; lengths in m."""

    readings: int
    first_angle: float
    last_angle: float
    radius: float
    height: float
    range: float


@dataclass(frozen=True, slots=True)
class Ground:
    """Places (x, y) of the sensors below the hull, in m."""

    places: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class LineBar:
    """A bar of line sensors `offset` ahead of the centre, each averaging over a radius of `aperture`; m.

    `line_width`: of the lines that it is made for. `threshold`: readings above it are on the line.
    """

    sensors: int
    offset: float
    aperture: float
    line_width: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Flight:
    """A robot that flies at `altitude` (m), at most `speed` (m/s); its lidar has `beams` of `range` (m) in `steps`."""

    altitude: float
    speed: float
    beams: int
    range: float
    steps: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Of the real robot's wheels: m/s, units of an order, m per encoder pulse."""

    wheel_speed: float
    wheel_speed_ceiling: float
    speed_unit: float
    max_order: int
    min_order: int
    order_change: int
    pulse: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Raw readings of a real robot that was not calibrated; `proximity_curve`: (distance in m, raw value)."""

    proximity_curve: tuple[Spot, ...]
    proximity_floor: float
    proximity_near: float
    light_dark: float
    light_bright: float
    ground_black: float
    ground_white: float
    battery_empty: float
    battery_full: float


@dataclass(frozen=True, slots=True)
class KheperaModel:
    """All numbers of one kind of robot. `noise`: presets, each noise parameters by device.

    `line`: None if this kind comes without a bar of line sensors. `flight`: None if it drives.
    """

    kind: str
    body: Hull
    radio: Radio
    leds: Leds
    proximity: Proximity
    light: Light
    ultrasound: Ultrasound
    lidar: Lidar
    ground: Ground
    limits: Limits
    calibration: Calibration
    noise: Mapping[str, Mapping[str, Noise]]
    line: LineBar | None = None
    flight: Flight | None = None


def known_kinds() -> list[str]:
    """The kinds of robots that come with the package."""
    return sorted(found.stem for found in robots_folder().glob("*.yaml"))


def is_kind_file(kind: str) -> bool:
    """Whether this names a file of the user's own, not a kind that comes with the package."""
    return kind.endswith((".yaml", ".yml"))


def load_model(kind: str = "kheperaiv") -> KheperaModel:
    """The description of a kind that comes with the package, or of a file of the user's own (`is_kind_file`).

    Raises InputError if there is no such kind or file, or with every fault of its file.
    """
    if not is_kind_file(kind):
        return _shipped_model(kind)
    path = Path(kind)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError.at(kind, f"cannot be read: {fault.strerror}", kind="missing file") from None
    except ValueError:
        raise InputError.at(kind, "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8") from None
    return _own_model(text, kind)


@cache
def _own_model(text: str, file: str) -> KheperaModel:
    parse(text, file)  # refuses repeated keys, which the plain reader lets pass
    return read_model(text, file, taken=known_kinds())


@cache
def _shipped_model(kind: str) -> KheperaModel:
    path = robots_folder() / f"{kind}.yaml"
    if not path.is_file():
        known = known_kinds()
        hint = did_you_mean(kind, known) or f"known kinds: {', '.join(known)}, or a file of your own: {kind}.yaml"
        raise InputError.at(kind, f"there is no robot of kind '{kind}'", hint=hint)
    return read_model(path.read_text(encoding="utf-8"), str(path))


def read_model(text: str, file: str, *, taken: Sequence[str] = ()) -> KheperaModel:
    """A robot's description from the text of its file. Raises InputError with every fault at once.

    A file that says `like: KIND` has all that it does not say itself from that kind, down to single keys of a section.
    `taken`: names that the kind may not have.
    """
    own = plain_data(text, file)
    reader = _Reader(text, file)
    if isinstance(own, dict):
        _need_parent(own, file)
        reader.check_name(own.get("kind"), taken)
    model = reader.value(KheperaModel, _with_parents(own, file), "")
    reader.check_orders()
    if reader.faults:
        raise InputError(reader.faults)
    assert isinstance(model, KheperaModel)
    return model


def _need_parent(own: dict[Any, Any], file: str) -> None:
    needed = [one.name for one in fields(KheperaModel) if one.default is MISSING]
    missing = [name for name in needed if name not in own]
    if "like" not in own and len(missing) > len(needed) // 2:
        text = f"it lacks {', '.join(missing)}, and names no kind that it is like"
        raise InputError.at(file, text, hint="add like: kheperaiv, and what the file leaves out is as in that kind")


def _with_parents(data: Any, file: str) -> Any:
    if not isinstance(data, dict) or "like" not in data:
        return data
    known = known_kinds()
    if data["like"] not in known:
        hint = did_you_mean(str(data["like"]), known) or f"known kinds: {', '.join(known)}"
        raise InputError.at(file, f"it is like '{data['like']}', but there is no such kind", hint=hint)
    path = robots_folder() / f"{data['like']}.yaml"
    parent = _with_parents(plain_data(path.read_text(encoding="utf-8"), str(path)), str(path))
    return _over(parent, {key: value for key, value in data.items() if key != "like"})


def _over(parent: dict[Any, Any], own: dict[Any, Any]) -> dict[Any, Any]:
    """What `own` says, in all depth, and what it does not say from `parent`."""
    both = {
        key: _over(parent[key], value) if isinstance(value, dict) and isinstance(parent.get(key), dict) else value
        for key, value in own.items()
    }
    return {**parent, **both}


class _Reader:
    """Turns plain data into the dataclasses above; collects what does not fit."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self.faults: list[Diagnostic] = []
        self._numbers: dict[str, float] = {}

    def check_name(self, kind: object, taken: Sequence[str]) -> None:
        """A file of the user's own names its kind, and not as one that comes with the package."""
        if taken and kind is None:
            self._fault("kind", "'kind' is missing", "give this robot a name of its own: kind: NAME")
        elif kind in taken:
            self._fault(
                "kind", f"'kind' is '{kind}', which comes with the package", "give this robot a name of its own"
            )

    def check_orders(self) -> None:
        for smaller, larger, text in order_faults(self._numbers):
            self._fault((smaller, larger), text)

    def value(self, kind: Any, data: object, where: str) -> object:
        if get_origin(kind) is UnionType:
            kind = get_args(kind)[0]
        if is_dataclass(kind):
            return self._record(kind, data, where)
        if get_origin(kind) is tuple:
            return self._sequence(get_args(kind), data, where)
        if get_origin(kind) is not None:
            return self._table(get_args(kind)[1], data, where)
        if kind in (int, float) and type(data) in (int, kind):
            return self._number(kind, data, where)
        if type(data) is kind:
            return data
        return self._fault(where, f"'{where}' must be of type {kind.__name__}, not {data!r}")

    def _number(self, kind: Any, data: Any, where: str) -> object:
        try:
            value = float(data)
        except OverflowError:
            value = math.inf
        fault = number_fault(where, value if kind is float or value == math.inf else data)
        if fault:
            return self._fault(where, fault)
        self._numbers[where] = value
        return value if kind is float else data

    def _record(self, kind: Any, data: object, where: str) -> object:
        if not isinstance(data, dict):
            return self._fault(where, f"'{where or 'the file'}' must be a mapping")
        hints = get_type_hints(kind)
        names = [one.name for one in fields(kind)]
        for key in data:
            if key not in names:
                self._fault(
                    _path(where, key), f"unknown key '{_path(where, key)}'", did_you_mean(str(key), names) or ""
                )
        missing = [one.name for one in fields(kind) if one.name not in data and one.default is MISSING]
        for name in missing:
            self._fault(where, f"'{_path(where, name)}' is missing")
        found = {name: self.value(hints[name], data[name], _path(where, name)) for name in names if name in data}
        return None if missing else kind(**found)

    def _sequence(self, parts: tuple[Any, ...], data: object, where: str) -> object:
        kinds = [parts[0]] * len(data) if parts[-1] is Ellipsis and isinstance(data, list) else list(parts)
        if not isinstance(data, list) or len(data) != len(kinds):
            return self._fault(where, f"'{where}' must be a list, of {len(parts)} numbers if it is a place")
        fault = count_fault(where, len(data))
        if fault:
            return self._fault(where, fault)
        return tuple(self.value(kinds[i], one, f"{where}[{i}]") for i, one in enumerate(data))

    def _table(self, kind: Any, data: object, where: str) -> object:
        if not isinstance(data, dict):
            return self._fault(where, f"'{where}' must be a mapping")
        if kind is float:
            self._check_noise([str(key) for key in data], where)
        return {str(key): self.value(kind, one, _path(where, key)) for key, one in data.items()}

    def _check_noise(self, parameters: list[str], where: str) -> None:
        device, devices = where.rpartition(".")[2], noise_names()
        if device not in devices:
            hint = did_you_mean(device, devices) or f"devices: {', '.join(devices)}"
            self._fault(where, f"'{where}' is no device that a preset gives noise", hint)
            return
        known = noise_names(device)
        for name in parameters:
            if name not in known:
                hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
                self._fault(_path(where, name), f"unknown key '{_path(where, name)}'", hint)

    def _fault(self, where: str | tuple[str, ...], text: str, hint: str = "") -> object:
        place, line = self._places.of(*([where] if isinstance(where, str) else where))
        self.faults.append(Diagnostic(place, "error", text, source_line=line, hint=hint))
        return None

    @cached_property
    def _places(self) -> Places:
        return Places(self._text, self._file)


def _path(where: str, key: object) -> str:
    return f"{where}.{key}" if where else str(key)
