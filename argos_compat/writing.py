"""Plans as ARGoS experiments."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

from argos_compat.robots import DEVICES
from pybuzz.experiment.numeric_ids import numeric_id
from pybuzz.experiment.plan import (
    Arena,
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
    Robot,
)  # fmt: skip
from pybuzz.experiment.wording import degrees_text, length_text, number_text

__all__ = ["write"]

Attributes = Mapping[str, str]

_TAGS = {group: {kind.name: tag for tag, kind in devices.items()} for group, devices in DEVICES.items()}
_FRICTIONS = ("box_linear_friction", "box_angular_friction", "cylinder_linear_friction", "cylinder_angular_friction")
_METHODS = {
    "uniform": ("min", "max"), "gaussian": ("mean", "std_dev"), "constant": ("values",),
    "grid": ("center", "distances"),
}  # fmt: skip


class _Lines:
    """XML, an element a line, indented by its depth."""

    def __init__(self) -> None:
        self._lines = ['<?xml version="1.0" ?>']
        self._open: list[str] = []

    def leaf(self, tag: str, attributes: Attributes | None = None) -> None:
        self._put(f"<{tag}{_printed(attributes or {})}/>")

    def open(self, tag: str, attributes: Attributes | None = None) -> None:
        self._put(f"<{tag}{_printed(attributes or {})}>")
        self._open.append(tag)

    def comment(self, text: str) -> None:
        self._put(f"<!-- {text} -->")

    def close(self) -> None:
        tag = self._open.pop()
        self._put(f"</{tag}>")

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def _put(self, line: str) -> None:
        self._lines.append("  " * len(self._open) + line)


def write(plan: Plan, folder: Path) -> str:
    """The text of an .argos file in `folder` that says what the plan says, as far as ARGoS can."""
    return _Writer(plan, folder).text()


class _Writer:
    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._lines = _Lines()
        self._distinct: list[Controller] = []
        self._ids = {key: self._id_of(controller) for key, controller in plan.controllers.items()}

    def _id_of(self, controller: Controller) -> str:
        """One id for all controllers that are equal but for their names and globals, which ARGoS has not."""
        anonymous = dataclasses.replace(controller, name="", globals={})
        if anonymous not in self._distinct:
            self._distinct.append(anonymous)
        return f"controller{self._distinct.index(anonymous) + 1}"

    def text(self) -> str:
        lines = self._lines
        lines.open("argos-configuration")
        self._framework()
        self._controllers()
        self._loop_functions()
        self._arena(self._plan.arena)
        self._physics(self._plan.physics)
        self._media()
        lines.close()
        return lines.text()

    def _loop_functions(self) -> None:
        if self._plan.hooks is not None:
            file, label = self._plan.hooks.rpartition(".py")[::2]
            library = os.path.relpath(f"{file}.py", self._folder)
            self._lines.leaf("loop_functions", {"library": library, "label": label.removeprefix(":")})

    def _framework(self) -> None:
        plan = self._plan
        attributes = {
            "length": length_text(plan.ticks, plan.ticks_per_second), "ticks_per_second": str(plan.ticks_per_second),
        }  # fmt: skip
        if plan.seed is not None:
            attributes["random_seed"] = str(plan.seed)
        self._lines.open("framework")
        self._lines.leaf("experiment", attributes)
        self._lines.close()

    def _media(self) -> None:
        self._lines.open("media")
        occlusions = "true" if self._plan.radio.check_occlusions else "false"
        # Without a grid a robot may leave the arena, as it may here.
        self._lines.leaf("range_and_bearing", {"id": "rab", "index": "dummy", "check_occlusions": occlusions})
        self._lines.leaf("led", {"id": "leds"})
        self._lines.close()

    def _physics(self, physics: Physics) -> None:
        frictions = {name: number_text(getattr(physics, name)) for name in _FRICTIONS if getattr(physics, name) != 1.49}
        self._lines.open("physics_engines")
        attributes = {"id": "dyn2d", "iterations": str(physics.iterations)}
        if frictions:
            self._lines.open("dynamics2d", attributes)
            self._lines.leaf("friction", frictions)
            self._lines.close()
        else:
            self._lines.leaf("dynamics2d", attributes)
        self._lines.close()

    # -- controllers ---------------------------------------------------------------------------------------------

    def _controllers(self) -> None:
        self._lines.open("controllers")
        for index, controller in enumerate(self._distinct, start=1):
            self._lines.open("buzz_controller_kheperaiv", {"id": f"controller{index}"})
            for group, devices in (("actuators", controller.actuators), ("sensors", controller.sensors)):
                self._lines.open(group)
                for device in devices:
                    if device.name in _TAGS[group]:
                        self._lines.leaf(_TAGS[group][device.name], _device(group, device))
                self._lines.close()
            self._params(controller)
            self._lines.close()
        self._lines.close()

    def _params(self, controller: Controller) -> None:
        attributes = {}
        if controller.script:
            script = Path(os.path.relpath(controller.script, self._folder))
            attributes = {
                "bytecode_file": str(script.with_suffix(".bo")),
                "debug_file": str(script.with_suffix(".bdb")),
            }
        if controller.wheel_turning is None:
            self._lines.leaf("params", attributes)
            return
        turning = controller.wheel_turning
        self._lines.open("params", attributes)
        self._lines.leaf("wheel_turning", {
            "hard_turn_angle_threshold": degrees_text(turning.hard_turn),
            "soft_turn_angle_threshold": degrees_text(turning.soft_turn),
            "no_turn_angle_threshold": degrees_text(turning.no_turn),
            "max_speed": number_text(turning.max_speed_cm_s),
        })  # fmt: skip
        self._lines.close()

    # -- the arena -----------------------------------------------------------------------------------------------

    def _arena(self, arena: Arena) -> None:
        self._lines.open("arena", {"size": _vector(arena.size), "center": _vector(arena.center)})
        self._what_sensors_need()
        for item in self._plan.items:
            if isinstance(item, Distribution):
                self._distribution(item)
            else:
                self._entity(item, _own_name(item), body=True)
        self._lines.close()

    def _what_sensors_need(self) -> None:
        """A dark light and a white floor: ARGoS ends with an error if a light or ground sensor finds none at all."""
        things = [item.template if isinstance(item, Distribution) else item for item in self._plan.items]
        carried = {device.name for controller in self._distinct for device in controller.sensors}
        if "light" in carried and not any(isinstance(thing, Light) for thing in things):
            self._lines.comment("ARGoS ends with an error if a light sensor finds no light: this one is dark")
            dark = Light(_free_name("dark", things), (0.0, 0.0, 0.0), 0.0, "black")
            self._entity(dark, dark.name, body=True)
        if "ground" in carried and not any(isinstance(thing, Floor) for thing in things):
            self._lines.comment("ARGoS ends with an error if a ground sensor finds no floor: this one is white")
            self._floor(Floor("floor"), _free_name("floor", things))

    def _distribution(self, item: Distribution) -> None:
        self._lines.open("distribute")
        for tag, draw in (("position", item.position), ("orientation", item.orientation)):
            self._lines.leaf(tag, _draw(draw))
        name, base = _group_name(item)
        self._lines.open("entity", {
            "quantity": str(item.quantity), "max_trials": str(item.max_trials), "base_num": str(base),
        })  # fmt: skip
        self._entity(item.template, name, body=False)
        self._lines.close()
        self._lines.close()

    def _entity(self, item: Item, name: str, *, body: bool) -> None:
        if isinstance(item, Floor):
            self._floor(item, name)
        elif isinstance(item, Light):
            where = {"position": _vector(item.position)} if body else {}
            rest = {"color": item.color, "intensity": number_text(item.intensity), "medium": "leds"}
            self._lines.leaf("light", {"id": name} | where | rest)
        elif isinstance(item, Box | Cylinder):
            self._obstacle(item, name, body)
        elif isinstance(item, Robot):
            self._robot(item, name, body)

    def _floor(self, floor: Floor, name: str) -> None:
        source: Attributes = {"source": "loop_functions", "pixels_per_meter": "100"}
        if floor.image:
            source = {"source": "image", "path": os.path.relpath(floor.image, self._folder)}
        self._lines.leaf("floor", {"id": name, **source})

    def _obstacle(self, item: Box | Cylinder, name: str, body: bool) -> None:
        attributes = {"id": name}
        if isinstance(item, Box):
            attributes["size"] = _vector(item.size)
        else:
            attributes |= {"radius": number_text(item.radius), "height": number_text(item.height)}
        attributes["movable"] = "true" if item.movable else "false"
        if item.movable:
            attributes["mass"] = number_text(item.mass)
        tag = "box" if isinstance(item, Box) else "cylinder"
        if not body:
            self._lines.leaf(tag, attributes)
            return
        self._lines.open(tag, attributes)
        self._body(item)
        self._lines.close()

    def _robot(self, robot: Robot, name: str, body: bool) -> None:
        reach = {"rab_range": number_text(robot.radio[0]), "rab_data_size": str(robot.radio[1])}
        self._lines.open("kheperaiv", {"id": name} | reach)
        if body:
            self._body(robot)
        self._lines.leaf("controller", {"config": self._ids[robot.controller]})
        if robot.battery:
            battery = robot.battery
            charges = {"start_charge": battery.start_charge, "full_charge": battery.full_charge, **battery.factors}
            numbers = {key: number_text(value) for key, value in charges.items()}
            self._lines.leaf("battery", {"discharge_model": battery.model} | numbers)
        limits = {"max_force": robot.max_force, "max_torque": robot.max_torque}
        given = {key: number_text(value) for key, value in limits.items() if value is not None}
        if given:
            self._lines.open("dynamics2d")
            self._lines.leaf("differential_steering", given)
            self._lines.close()
        self._lines.close()

    def _body(self, item: Box | Cylinder | Robot) -> None:
        turned = ",".join(degrees_text(angle) for angle in item.orientation)
        self._lines.leaf("body", {"position": _vector(item.position), "orientation": turned})


def _device(group: str, device: Device) -> dict[str, str]:
    kind = DEVICES[group][_TAGS[group][device.name]]
    attributes = {"implementation": kind.implementations[0]}
    if device.name == "leds":
        attributes["medium"] = "leds"
    if device.name == "radio" and group == "sensors":
        attributes["medium"] = "rab"
    if device.name == "lidar" and device.num_readings != 682:
        attributes["num_readings"] = str(device.num_readings)
    attributes |= {name: number_text(value) for name, value in device.noise.items()}
    ranges = {name: f"{number_text(low)}:{number_text(high)}" for name, (low, high) in device.ranges.items()}
    return attributes | ranges


def _draw(draw: Draw) -> dict[str, str]:
    values = dict(zip(_METHODS[draw.method], (_vector(draw.first), _vector(draw.second)), strict=False))
    layout = {"layout": ",".join(map(str, draw.layout))} if draw.method == "grid" else {}
    return {"method": draw.method} | values | layout


def _free_name(name: str, things: Iterable[Box | Cylinder | Light | Floor | Robot]) -> str:
    """`name`, made longer until nothing is called so."""
    taken = {thing.name for thing in things}
    while name in taken:
        name += "_"
    return name


def _own_name(item: Box | Cylinder | Light | Floor | Robot) -> str:
    """The name of a single thing; a robot's must give its number in ARGoS."""
    if isinstance(item, Robot) and item.number is not None and numeric_id(item.name) != item.number:
        return f"{item.name}_{item.number}"
    return item.name


def _group_name(item: Distribution) -> tuple[str, int]:
    """Stem and first number of the names of copies: the numbers of robots follow from their names in ARGoS."""
    template = item.template
    if item.numbered:
        number = template.number if isinstance(template, Robot) else None
        copies = (f"{template.name}{item.base_num + index}" for index in range(item.quantity))
        if number is None or all(numeric_id(name) == number + index for index, name in enumerate(copies)):
            return template.name, item.base_num
        return f"{template.name}_", number
    stem, digits = re.fullmatch(r"(.*?)(0|[1-9][0-9]*|)", _own_name(template), re.DOTALL).groups()  # type: ignore[union-attr]
    return stem, int(digits or 1)


def _vector(values: tuple[float, ...]) -> str:
    return ",".join(number_text(value) for value in values)


def _printed(attributes: Attributes) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
