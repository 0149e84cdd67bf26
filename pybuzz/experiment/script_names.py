"""What the scripts of an experiment find, robot by robot: for `check` and for the hints of errors."""

from __future__ import annotations

from pybuzz.buzz.signatures import Entries, HostNames
from pybuzz.experiment.plan import Controller
from pybuzz.invocation import command_with
from pybuzz.khepera import KheperaModel, robot_names
from pybuzz.sim.lidar import Lidar

__all__ = ["lidar_angles", "names_of"]

_NO_NAMES = frozenset({"radio", "wheel_sensor"})
"""Devices of which scripts see nothing by name."""


def names_of(controller: Controller, model: KheperaModel) -> HostNames:
    """What a script of this controller finds on a robot of this kind, hooks aside."""
    devices = {device.name for device in (*controller.sensors, *controller.actuators)} - _NO_NAMES
    names = robot_names(
        model, devices, turning=controller.wheel_turning, entries=_entries(controller), ways=controller.ways
    )
    return names.joined(HostNames(settings=frozenset(controller.globals), unset=_way_to_set))


def _way_to_set(name: str) -> str:
    """What to do about a global that nothing sets."""
    return f"if the experiment should set it: {command_with('--set', f'buzz.{name}=1')}"


def lidar_angles(controller: Controller) -> list[float] | None:
    """Of a laser scanner with a layout of its own: its beams in the robot's frame."""
    lidars = [device for device in controller.sensors if device.name == "lidar"]
    if not lidars or not lidars[-1].options:
        return None
    angles: list[float] = Lidar.of_options(lidars[-1].options).directions.tolist()
    return angles


def _entries(controller: Controller) -> dict[str, Entries]:
    """Of tables whose size the experiment says."""
    found: dict[str, Entries] = {}
    for device in controller.sensors:
        if device.name == "lidar":
            angles = lidar_angles(controller)
            beams = Entries(len(angles), frozenset({"value", "angle"})) if angles else Entries(device.num_readings)
            found["lidar"] = beams
        elif device.name == "line":
            found["line"] = Entries(int(device.options["num_sensors"]), frozenset({"value"}))
        elif device.name == "clearance":
            found["clearance"] = Entries(int(device.options["num_beams"]), frozenset({"value", "angle"}))
    return found
