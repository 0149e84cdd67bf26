"""Sensors of a YAML experiment that ARGoS does not have: what the file may say about them."""

from __future__ import annotations

from dataclasses import replace

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Device
from pybuzz.khepera.model import KheperaModel, load_model
from pybuzz.sim.line_bar import default_span
from pybuzz.sim.own_sensors import make_sensor
from pybuzz.yaml_nodes import Section
from pybuzz.yaml_tree import Entry

__all__ = ["clearance_device", "line_device", "own_device"]

_MOST_SENSORS = 1000


def line_device(robot: Section, options: Section | None, model: KheperaModel) -> Device:
    """A bar of line sensors: what `options` say, else what the robot's kind comes with. Any robot may carry one."""
    bar = model.line or load_model("line_follower").line
    assert bar is not None
    section = options or Section(robot.reader, replace(robot.entry, keys={}), "line")
    sensors = section.whole("num_sensors", bar.sensors, least=2, most=_MOST_SENSORS)
    line_width = section.number("line_width", bar.line_width, above=0)
    span = default_span(sensors, line_width, 2 * model.body.radius)
    noise = section.number("sensor_noise" if section.has("sensor_noise") else "noise", 0.0, least=0)
    values = {
        "num_sensors": sensors,
        "sensor_offset": section.number("sensor_offset", bar.offset),
        "sensor_span": section.number("sensor_span", span, above=0),
        "sensor_aperture": section.number("sensor_aperture", bar.aperture, least=0),
        "line_threshold": section.number("line_threshold", bar.threshold, least=0),
    }
    return Device("line", {"noise_level": noise} if noise else {}, options=values)


def clearance_device(robot: Section, options: Section | None, model: KheperaModel) -> Device:
    """The lidar of a flying robot over the terrain: what `options` say, else what the robot's kind comes with."""
    flight = model.flight
    assert flight is not None
    section = options or Section(robot.reader, replace(robot.entry, keys={}), "clearance")
    mode = section.choice("mode", ("march", "exact"), "march")
    noise = section.number("noise", 0.0, least=0)
    values = {
        "num_beams": section.whole("num_beams", flight.beams, least=1, most=_MOST_SENSORS),
        "max_range": section.number("max_range", flight.range, above=0),
        "n_steps": section.whole("n_steps", flight.steps, least=1, most=1_000_000),
        "exact": int(mode == "exact"),
    }
    return Device("clearance", {"noise_level": noise} if noise else {}, options=values)


def own_device(robot: Section, name: str, entry: Entry) -> Device | None:
    """A sensor of a person's own: its options are numbers, truth values and texts, and what its class makes of them."""
    with robot.reader.section(entry, name) as section:
        options = {key: _plain(section, key) for key in section.names}
    try:
        make_sensor(name, options)
    except InputError as error:
        robot.reader.fault(entry, "; ".join(found.text for found in error.diagnostics))
    return Device(name, options=options)


def _plain(section: Section, key: str) -> float | int | str | bool | None:
    entry = section.get(key)
    assert entry is not None
    if entry.tag == "bool":
        return section.reader.boolean(entry, key)
    return section.reader.buzz_value(entry, key)
