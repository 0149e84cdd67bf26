"""Every name that a script may find on a Khepera IV, for the checker; `Bindings` gives them their values."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pybuzz.buzz.signatures import Entries, HostNames, Range, Signature
from pybuzz.khepera.body import ACTUATORS, SENSORS
from pybuzz.khepera.model import KheperaModel, load_model
from pybuzz.khepera.steering import WheelTurning

__all__ = ["robot_names", "signatures"]

_NUMBERS = ("number",)
_INTEGERS = ("integer",)

_FUNCTIONS = {
    "set_wheels": Signature(2, 2, _NUMBERS, portable=("float",)),
    "gotop": Signature(2, 2, _NUMBERS),
    "goto": Signature(2, 2, _NUMBERS),
    "gotoc": Signature(2, 2, _NUMBERS),
    "set_leds": Signature(3, 3, _NUMBERS, portable=_INTEGERS),
    "log": Signature(0, None),
    "debug.print": Signature(0, None),
    "debug.set_color": Signature(3, 3, _INTEGERS),
    "debug.rays.add": Signature(6, 9, ("integer", "integer", "integer", "number"),
                                portable=("integer", "integer", "integer", "float")),
    "debug.rays.clear": Signature(0, 0),
    "debug.trajectory.enable": Signature(0, 4, _INTEGERS),
    "debug.trajectory.disable": Signature(0, 0),
    "debug.trajectory.clear": Signature(0, 0),
}  # fmt: skip


_DEVICES = {
    "set_wheels": ("wheels",),
    "gotop": ("wheels",),
    "goto": ("wheels", "flight"),
    "gotoc": ("wheels", "flight"),
    "set_leds": ("leds",),
    "debug.trajectory": ("pose",),
    **{sensor: (sensor,) for sensor in SENSORS},
}
"""Names that a script finds only on a robot that carries a device, and the devices any of which will do."""

_VALUES = {
    "debug.msgqueue": ("total", "broadcast", "vstig", "swarm"),
    "pose.position": ("x", "y", "z"),
    "pose.orientation": ("yaw", "pitch", "roll"),
    "battery": ("available_charge", "time_left"),
    "line": ("error", "position", "lost"),
}
_RING = frozenset({"value", "angle", "raw"})


def signatures() -> HostNames:
    """Functions with what they take, and tables, of a Khepera IV that carries every device."""
    model = load_model()
    return robot_names(model, {*SENSORS, *ACTUATORS}, entries={"lidar": Entries(model.lidar.readings, None)})


def robot_names(
    model: KheperaModel,
    devices: Collection[str],
    *,
    turning: WheelTurning | None = None,
    entries: Mapping[str, Entries] | None = None,
    ways: Mapping[str, str] | None = None,
) -> HostNames:
    """What scripts find on a robot of some kind.

    devices: sensors and actuators that it carries, people's own among them. turning: its parameters of `gotoc`.
    entries: of tables that are not like those of its kind. ways: how a robot comes by a device that it lacks.
    """
    missing = {name: needs for name, needs in _DEVICES.items() if not any(need in devices for need in needs)}
    absent = {name: (ways or {}).get(needs[0], "") for name, needs in missing.items()}
    absent |= {name: way for name, way in (ways or {}).items() if name not in (*ACTUATORS, *absent, *devices)}
    functions = {name: one for name, one in _FUNCTIONS.items() if not any(_is_part(name, path) for path in missing)}
    tables = {device for device in devices if device not in ACTUATORS} | {"controller"}
    held = {name: found for name, found in {**_entries(model), **(entries or {})}.items() if name in devices}
    paths = {f"{table}.{name}" for table, names in _VALUES.items() for name in names} | _VALUES.keys()
    values = {path for path in paths if "." in path and not any(_is_part(path, name) for name in missing)}
    return HostNames(functions, frozenset(tables), frozenset(values), held, _ranges(model, turning), absent)


def _is_part(path: str, of: str) -> bool:
    return path == of or path.startswith(f"{of}.")


def _entries(model: KheperaModel) -> dict[str, Entries]:
    return {
        "proximity": Entries(len(model.proximity.angles), _RING),
        "light": Entries(len(model.light.angles), _RING),
        "ultrasound": Entries(len(model.ultrasound.angles), _RING),
        "ground": Entries(len(model.ground.places), frozenset({"value", "offset", "raw"})),
        "lidar": Entries(model.lidar.readings),
        "line": Entries(model.line.sensors if model.line else None, frozenset({"value"})),
        "clearance": Entries(None, frozenset({"value", "angle"})),
    }


def _ranges(model: KheperaModel, turning: WheelTurning | None) -> dict[str, Range]:
    color = Range(0, 255, "colours go from 0 to 255")
    fastest = model.limits.wheel_speed * 100.0
    real = f"the real robot drives at most {fastest:g} cm/s; simulated wheels keep to no limit"
    wheels = Range(-fastest, fastest, real)
    if model.flight is not None:
        most = model.flight.speed * 100.0
        steer = Range(0, most, f"it flies at most {most:g} cm/s", of_length=True)
    else:
        most = (turning or WheelTurning()).max_speed_cm_s
        steer = Range(0, most, f"it drives at most {most:g} cm/s: its max_speed", of_length=True)
    return {
        "set_leds": color,
        "debug.set_color": color,
        "debug.rays.add": color,
        "set_wheels": wheels,
        "gotop": Range(-fastest, fastest, real, arguments=1),
        "goto": steer,
        "gotoc": steer,
    }
