"""Plans as YAML experiments, laid out as a person would write them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pybuzz.experiment.numeric_ids import numbers_of
from pybuzz.experiment.plan import (
    Battery,
    Box,
    Controller,
    Cylinder,
    Device,
    Distribution,
    Draw,
    Floor,
    Item,
    Light,
    Physics,
    Plan,
    Point,
    Robot,
    Terrain,
)  # fmt: skip
from pybuzz.experiment.wording import degrees_text, length_text, number_text
from pybuzz.experiment.yaml_robots import EXTRA_SENSORS, FLYING_SENSORS, RANGES, SENSORS
from pybuzz.khepera.model import is_kind_file
from pybuzz.settings import BuzzValue
from pybuzz.sim.own_sensors import own_names

__all__ = ["write"]

Pairs = dict[str, str]
"""Keys and their values, ready to print."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_TAKEN_BY_YAML = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"))


def write(plan: Plan, folder: Path) -> str:
    """The text of a YAML file in `folder` that says what the plan says, as far as YAML experiments can."""
    items = [item.template if isinstance(item, Distribution) else item for item in plan.items]
    robots = [item for item in items if isinstance(item, Robot)]
    radio = _common_radio(robots)
    sections = [
        f"experiment: {_flow(_experiment(plan))}",
        f"arena: {_flow(_arena(plan, folder))}",
        *_python(plan, folder),
        *_terrain(plan.terrain, folder),
        *_map(plan, folder),
        *_physics(plan.physics),
        *([] if plan.robot_collision else ["interaction: {robot_collision: false}"]),
        _list("obstacles", [_obstacle(item) for item in plan.items if _is(item, Box, Cylinder)]),
        _list("lights", [_light(item) for item in plan.items if _is(item, Light)]),
        _list("robots", _robots(plan, radio, folder)),
        *_radio(plan, radio),
        *_record(plan),
        *([] if plan.hooks is None else [f"hooks: {_quoted(os.path.relpath(plan.hooks, folder))}"]),
        *_io(plan, folder),
    ]
    return "\n".join(section for section in sections if section) + "\n"


def _io(plan: Plan, folder: Path) -> list[str]:
    """The folder for scripts' files, which a file may only name if it lies below its own."""
    name = ".." if plan.io is None else os.path.relpath(plan.io, folder)
    return [] if name.split(os.sep)[0] == ".." else [f"io: {_quoted(name)}"]


def _is(item: Item, *kinds: type) -> bool:
    return isinstance(item.template if isinstance(item, Distribution) else item, kinds)


# -- the experiment as a whole ---------------------------------------------------------------------------------------


def _experiment(plan: Plan) -> Pairs:
    pairs = {
        "ticks_per_second": str(plan.ticks_per_second),
        "length": length_text(plan.ticks, plan.ticks_per_second),
    }
    return pairs if plan.seed is None else {**pairs, "seed": str(plan.seed)}


def _arena(plan: Plan, folder: Path) -> Pairs:
    pairs = {"size": _vector(plan.arena.size[:2])}
    if plan.arena.center[:2] != (0.0, 0.0):
        pairs["center"] = _vector(plan.arena.center[:2])
    for item in plan.items:
        if isinstance(item, Floor) and item.image:
            pairs["floor"] = _word(os.path.relpath(item.image, folder))
            if item.resolution is not None:
                pairs["resolution"] = number_text(item.resolution)
    return pairs


def _python(plan: Plan, folder: Path) -> list[str]:
    files = [_word(os.path.relpath(path, folder)) for path in plan.python]
    return [f"python: [{', '.join(files)}]"] if files else []


def _terrain(terrain: Terrain | None, folder: Path) -> list[str]:
    if terrain is None:
        return []
    usual = Terrain()
    pairs = {
        name: number_text(getattr(terrain, name))
        for name in ("cell_size", "alpha", "beta", "gamma", "highest", "seed")
        if getattr(terrain, name) != getattr(usual, name)
    }
    if terrain.heights is not None:
        pairs["heights"] = _word(os.path.relpath(terrain.heights, folder))
    return [f"terrain: {_flow(pairs)}"]


def _map(plan: Plan, folder: Path) -> list[str]:
    found = plan.map
    if found is None:
        return []
    height = {"height": number_text(found.height)} if found.height != 0.5 else {}
    if found.ros and found.path is not None:
        return [f"map: {_flow({'ros': _word(os.path.relpath(found.path, folder))} | height)}"]
    pairs = {"rows": _quoted(found.rows)} if found.path is None else {}
    if found.path is not None:
        pairs = {"image": _word(os.path.relpath(found.path, folder)), "threshold": number_text(found.threshold)}
    pairs |= {"resolution": number_text(found.resolution), "origin": _vector(found.origin)} | height
    return [f"map: {_flow(pairs)}"]


def _physics(physics: Physics) -> list[str]:
    usual = Physics()
    names = ("iterations", *(name for name in Physics.__slots__ if name != "iterations"))
    pairs = {
        name: number_text(getattr(physics, name)) for name in names if getattr(physics, name) != getattr(usual, name)
    }
    return [f"physics: {_flow(pairs)}"] if pairs else []


def _common_radio(robots: list[Robot]) -> tuple[float, int] | None:
    """Range and data size, if all robots share them."""
    found = {robot.radio for robot in robots}
    return found.pop() if len(found) == 1 else None


def _radio(plan: Plan, common: tuple[float, int] | None) -> list[str]:
    pairs = {"range": number_text(common[0]), "data_size": str(common[1])} if common else {}
    if not plan.radio.check_occlusions:
        pairs["occlusion"] = "false"
    return [f"radio: {_flow(pairs)}"] if pairs else []


def _record(plan: Plan) -> list[str]:
    kept = {"globals": plan.record.globals, "sensors": plan.record.sensors}
    pairs = {name: f"[{', '.join(map(_word, words))}]" for name, words in kept.items() if words}
    if plan.record.messages:
        pairs["messages"] = "true"
    if plan.record.contacts:
        pairs["contacts"] = "true"
    return [f"record: {_flow(pairs)}"] if pairs else []


# -- things ----------------------------------------------------------------------------------------------------------


def _obstacle(item: Item) -> str:
    template = item.template if isinstance(item, Distribution) else item
    if isinstance(template, Box):
        pairs = {"box": _vector(template.size)}
    else:
        assert isinstance(template, Cylinder)
        size = {"radius": number_text(template.radius), "height": number_text(template.height)}
        pairs = {"cylinder": _flow(size)}
    pairs |= _named(item) | _spot(item)
    if template.movable:
        pairs |= {"movable": "true", "mass": number_text(template.mass)}
    return _flow(pairs)


def _light(item: Item) -> str:
    template = item.template if isinstance(item, Distribution) else item
    assert isinstance(template, Light)
    pairs = _named(item) | _spot(item, dimensions=3) | {"intensity": number_text(template.intensity)}
    if template.color != "yellow":
        pairs["color"] = _word(template.color)
    return _flow(pairs)


def _named(item: Item) -> Pairs:
    """Name of a single thing; stem and first number of a group."""
    if not isinstance(item, Distribution):
        return {"name": _word(item.name)}
    return {"name": _word(item.template.name), "first": str(item.base_num)}


def _spot(item: Item, *, dimensions: int = 2) -> Pairs:
    if isinstance(item, Floor):
        return {}
    if not isinstance(item, Distribution):
        pairs = {"at": _vector(item.position[:dimensions])}
        if not isinstance(item, Light) and item.orientation[0] != 0:
            pairs["yaw"] = degrees_text(item.orientation[0])
        return pairs
    place = {"place": _position(item.position, dimensions)}
    yaw = {} if isinstance(item.template, Light) else {"yaw": _yaw(item.orientation)}
    return {"count": str(item.quantity)} | place | yaw | {"max_trials": str(item.max_trials)}


def _position(draw: Draw, dimensions: int) -> str:
    first, second = draw.first[:dimensions], draw.second[:dimensions]
    if draw.method == "constant":
        return _flow({"constant": _vector(first)})
    if draw.method == "grid":
        layout = f"[{', '.join(map(str, draw.layout[:dimensions]))}]"
        return _flow({"grid": _flow({"center": _vector(first), "distances": _vector(second), "layout": layout})})
    return _flow({draw.method: f"[{_vector(first)}, {_vector(second)}]"})


def _yaw(draw: Draw) -> str:
    if draw.method in ("uniform", "gaussian"):
        return _flow({draw.method: _vector((draw.first[0], draw.second[0]))})
    return number_text(draw.first[0])


# -- robots ----------------------------------------------------------------------------------------------------------


def _robots(plan: Plan, common: tuple[float, int] | None, folder: Path) -> list[str]:
    taken: set[int] = set()
    given = {number for item in plan.items if _is(item, Robot) for number in numbers_of(item)}  # type: ignore[arg-type]
    found = []
    for item in plan.items:
        robot = item.template if isinstance(item, Distribution) else item
        if isinstance(robot, Robot) and isinstance(item, Robot | Distribution):
            named = _numbered(item, robot, taken, given)
            found.append(_robot(plan, item, robot, named, common, folder))
    return found


def _robot(plan: Plan, item: Item, robot: Robot, named: Pairs, common: tuple[float, int] | None, folder: Path) -> str:
    controller = plan.controllers[robot.controller]
    script = _word(os.path.relpath(controller.script, folder)) if controller.script else "null"
    kind = _word(os.path.relpath(robot.kind, folder)) if is_kind_file(robot.kind) else robot.kind
    pairs = {"kind": kind} | named | ({"script": script} if controller.python is None else {}) | _spot(item)
    if controller.python is not None:
        pairs["controller"] = _quoted(os.path.relpath(controller.python, folder))
        if controller.goal is not None:
            pairs["goal"] = _vector(controller.goal)
        if controller.config:
            pairs["config"] = _quoted(dict(controller.config))
    if common is None:
        pairs["radio"] = _flow({"range": number_text(robot.radio[0]), "data_size": str(robot.radio[1])})
    pairs |= _devices(controller)
    if controller.wheel_turning:
        turning = controller.wheel_turning
        pairs["turning"] = _flow({
            "hard": degrees_text(turning.hard_turn), "soft": degrees_text(turning.soft_turn),
            "none": degrees_text(turning.no_turn), "max_speed": number_text(turning.max_speed_cm_s),
        })  # fmt: skip
    if robot.battery:
        pairs["battery"] = _battery(robot.battery)
    limits = (("max_force", robot.max_force), ("max_torque", robot.max_torque), ("altitude", robot.altitude))
    for name, limit in limits:
        if limit is not None:
            pairs[name] = number_text(limit)
    if robot.drive != "direct":
        pairs["drive"] = robot.drive
    if controller.globals:
        pairs["globals"] = _flow({name: _buzz_text(value) for name, value in controller.globals.items()})
    return _flow(pairs)


def _numbered(item: Robot | Distribution, robot: Robot, taken: set[int], given: set[int]) -> Pairs:
    """Name and first number. Where ARGoS gives a number twice, the second robot gets one that nobody has."""
    count = item.quantity if isinstance(item, Distribution) else 1
    first = next(iter(numbers_of(item)), 0)
    if not taken.isdisjoint(range(first, first + count)):
        first = 1
        while clash := [number for number in range(first, first + count) if number in taken | given]:
            first = clash[-1] + 1
    taken.update(range(first, first + count))
    name = robot.name
    if isinstance(item, Distribution) and item.numbered and count == 1:
        name = f"{name}{item.base_num}"
    return {"name": _word(name), "id": str(first)}


def _devices(controller: Controller) -> Pairs:
    pairs = {}
    sensors = {device.name: device for device in controller.sensors}
    wheels = next((device for device in controller.actuators if device.name == "wheels" and device.noise), None)
    if wheels:
        pairs["wheels"] = _numbers(wheels.noise)
    if "leds" not in {device.name for device in controller.actuators}:
        pairs["leds"] = "false"
    known = (*SENSORS, *EXTRA_SENSORS, "clearance")
    options = {name: text for name, device in sensors.items() if name in known and (text := _sensor(device))}
    flies = any(device.name == "flight" for device in controller.actuators)
    usual = FLYING_SENSORS if flies else SENSORS
    options |= {name: _own_sensor(sensors[name]) for name in own_names() if name in sensors}
    options |= {name: "false" for name in usual if name not in sensors and name != "radio"}
    if options:
        pairs["sensors"] = _flow(options)
    return pairs


def _sensor(device: Device) -> str:
    """What the file must say about a sensor; nothing if it is an ordinary one."""
    names = {"noise_level": "noise", "noise_std_dev": "noise", "packet_drop_prob": "loss"}
    pairs = {names[name]: number_text(value) for name, value in device.noise.items()}
    for key, name in RANGES.get(device.name, {}).items():
        if name in device.ranges:
            pairs[key] = _vector(device.ranges[name])
    if device.name == "lidar" and device.num_readings != 682 and not device.options:
        pairs["readings"] = str(device.num_readings)
    pairs |= {name: number_text(value) for name, value in device.options.items() if name not in ("exact", "endpoint")}
    if "endpoint" in device.options:
        pairs["endpoint"] = "true" if device.options["endpoint"] else "false"
    if device.options.get("exact"):
        pairs["mode"] = "exact"
    return _flow(pairs) if pairs else ""


def _own_sensor(device: Device) -> str:
    pairs = {
        name: number_text(value) if isinstance(value, float) else _quoted(value)
        for name, value in device.options.items()
    }
    return _flow(pairs) if pairs else "true"


def _battery(battery: Battery) -> str:
    charges = {"start_charge": battery.start_charge, "full_charge": battery.full_charge}
    numbers = {name: number_text(value) for name, value in charges.items() if value != 1.0}
    return _flow({"model": battery.model} | numbers | {name: number_text(v) for name, v in battery.factors.items()})


# -- printing --------------------------------------------------------------------------------------------------------


def _list(name: str, entries: list[str]) -> str:
    return "\n".join([f"{name}:", *(f"  - {entry}" for entry in entries)]) if entries else ""


def _flow(pairs: Pairs) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"


def _numbers(values: Mapping[str, float]) -> str:
    return _flow({name: number_text(value) for name, value in values.items()})


def _vector(values: Iterable[float] | Point) -> str:
    return f"[{', '.join(number_text(value) for value in values)}]"


def _word(text: str) -> str:
    """A text, in quotes where YAML could take it for something else."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _TAKEN_BY_YAML else _quoted(text)


def _buzz_text(value: BuzzValue) -> str:
    if value is None:
        return "null"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(value: object) -> str:
    """As JSON, which is YAML too; but YAML does not know JSON's pairs for signs such as emoji."""
    return json.dumps(value, ensure_ascii=False)
