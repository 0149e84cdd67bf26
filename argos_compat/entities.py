"""The arena of an .argos file: single entities, and distributions of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import pi

from argos_compat.controllers import Controllers
from argos_compat.nodes import Node
from argos_compat.robots import KNOWN_ELSEWHERE, LEFT_OUT, OTHER_ROBOTS
from pybuzz.experiment.numeric_ids import numeric_id
from pybuzz.experiment.plan import Battery, Box, Cylinder, Distribution, Draw, Floor, Item, Light, Point, Robot
from pybuzz.invocation import command_with
from pybuzz.spelling import did_you_mean

__all__ = ["Entities"]

_DEGREE = pi / 180
_ORIGIN: Point = (0.0, 0.0, 0.0)
_BATTERIES = {
    "time": ("delta",),
    "motion": ("pos_delta", "orient_delta"),
    "time_motion": ("time_factor", "pos_factor", "orient_factor"),
}
_METHODS = {
    "uniform": ("min", "max"),
    "gaussian": ("mean", "std_dev"),
    "constant": ("values",),
    "grid": ("center", "distances", "layout"),
}
_KINDS = ("box", "cylinder", "light", "floor", "kheperaiv")


@dataclass
class Entities:
    """Reads the children of <arena>. `controllers` is asked for each robot's controller."""

    controllers: Controllers
    substitute: Mapping[str, str]
    loop_functions: bool
    """Whether the file has any: without them ARGoS leaves a floor white that they should draw."""
    _names: dict[str, int] = field(default_factory=dict)
    _numbers: dict[int, str] = field(default_factory=dict)
    _refused: set[str] = field(default_factory=set)

    def read(self, arena: Node) -> tuple[Item, ...]:
        """All items in the order of creation: single ones first, then the distributions."""
        nodes = arena.children()
        singles = [self._entity(node, single=True) for node in nodes if node.tag != "distribute"]
        spread = [self._distribution(node) for node in nodes if node.tag == "distribute"]
        return tuple(item for item in [*singles, *spread] if item is not None)

    # -- one entity ----------------------------------------------------------------------------------------------

    def _entity(self, node: Node, *, single: bool) -> Box | Cylinder | Light | Floor | Robot | None:
        if node.tag == "box":
            return self._box(node, single)
        if node.tag == "cylinder":
            return self._cylinder(node, single)
        if node.tag == "light":
            return self._light(node, single)
        if node.tag == "floor":
            return self._floor(node)
        if node.tag == "kheperaiv" or self.substitute.get(node.tag) == "kheperaiv":
            return self._robot(node, single)
        node.ignore_content()
        if node.tag in OTHER_ROBOTS or node.tag in KNOWN_ELSEWHERE:
            self._refuse_robot(node)
        else:
            node.fault("unknown element", f"an arena has no <{node.tag}>",
                       hint=did_you_mean(node.tag, (*_KINDS, "distribute"))
                       or f"known: {', '.join(_KINDS)}, distribute")  # fmt: skip
        return None

    def _refuse_robot(self, node: Node) -> None:
        """Report a robot of another kind, once for each kind."""
        kind, known = node.tag, node.tag in self._refused
        self._refused.add(kind)
        if known:
            return
        if self.substitute.get(kind) == LEFT_OUT:
            node.warn("left out", f"{kind}s are left out")
            return
        hint = f"leave them out: {command_with('--substitute', f'{kind}={LEFT_OUT}', file=node.file)}"
        if kind in OTHER_ROBOTS:
            hint = (
                f"put Khepera IVs in their place: {command_with('--substitute', f'{kind}=kheperaiv', file=node.file)}"
            )
        node.fault("not supported", f"there is no {kind} here, only Khepera IVs", hint=hint)

    def _box(self, node: Node, single: bool) -> Box:
        movable, mass = self._movable(node)
        position, orientation = self._body(node, single)
        return Box(self._name(node, single), node.point("size", above=0), position, orientation, movable, mass)

    def _cylinder(self, node: Node, single: bool) -> Cylinder:
        movable, mass = self._movable(node)
        position, orientation = self._body(node, single)
        return Cylinder(
            self._name(node, single), node.number("radius", above=0), node.number("height", above=0), position,
            orientation, movable, mass,
        )  # fmt: skip

    @staticmethod
    def _movable(node: Node) -> tuple[bool, float]:
        if leds := node.child("leds"):
            leds.ignore_content()
            node.warn("not supported", f"LEDs of a <{node.tag}> are left out: no sensor of a Khepera IV sees them")
        movable = node.boolean("movable")
        if not movable:
            node.ignore("mass")
            return False, 1.0
        return True, node.number("mass", above=0)

    def _light(self, node: Node, single: bool) -> Light:
        node.ignore("orientation")
        if single:
            position = node.point("position", _ORIGIN)
        else:
            node.ignore("position")
            position = _ORIGIN
        self.controllers.check_medium(node, "led")
        return Light(self._name(node, single), position, node.number("intensity"), node.color("color"))

    def _floor(self, node: Node) -> Floor:
        name = self._name(node, True)
        source = node.choice("source", ("image", "loop_functions"))
        if source == "loop_functions":
            node.ignore("pixels_per_meter")
            if self.loop_functions:
                node.warn("not supported", "a floor drawn by loop functions: it is white here",
                          hint="give it an image, or a floor function among the hooks")  # fmt: skip
            return Floor(name)
        written = node.text("path")
        return Floor(name, self.controllers.files.find(node, "path", written, "image"))

    def _robot(self, node: Node, single: bool) -> Robot:
        kind = node.tag
        if kind != "kheperaiv":
            node.ignore(*(name for name in node.element.attributes if name.startswith("omnidirectional_camera_")))
        position, orientation = self._body(node, single)
        name = self._name(node, single)
        if single:
            self._number(node, name)
        force, torque = _drive(node)
        return Robot(
            name, self.controllers.use(node, kind), None, "kheperaiv", position, orientation,
            node.number("rab_range", 3.0, least=0), node.whole("rab_data_size", 10, least=4, most=1_000_000),
            _battery(node), force, torque,
        )  # fmt: skip

    def _body(self, node: Node, single: bool) -> tuple[Point, Point]:
        body = node.child("body", required=single)
        if body is None:
            return _ORIGIN, _ORIGIN
        if not single:
            body.ignore("position", "orientation")
            return _ORIGIN, _ORIGIN
        position = body.point("position", _ORIGIN)
        if position[2] != 0:
            flat = body.command_setting("position", f"{position[0]:g},{position[1]:g},0")
            body.fault_in("position", f"z is {position[2]:g}, but everything stands on the ground, at z = 0",
                          hint=flat)  # fmt: skip
        yaw, pitch, roll = body.point("orientation", _ORIGIN, parts="z,y,x")
        return position, (yaw * _DEGREE, pitch * _DEGREE, roll * _DEGREE)

    # -- names ---------------------------------------------------------------------------------------------------

    def _name(self, node: Node, single: bool) -> str:
        name = node.text("id")
        if single and node.has("id"):
            self._register(node, name)
        return name

    def _register(self, node: Node, name: str) -> None:
        if name in self._names:
            node.fault_in("id", f"'{name}' is the id of the entity of line {self._names[name]} already",
                          kind="duplicate id")  # fmt: skip
        self._names.setdefault(name, node.element.line)

    def _number(self, node: Node, name: str) -> None:
        number = numeric_id(name)
        if number is None:
            if node.has("id"):
                command = node.command_setting("id", f"{name}1")
                node.fault_in("id", f"'{name}' has no number, from which a robot gets its numeric id", hint=command)
            return
        if number in self._numbers:
            node.warn(
                "duplicate id", f"the robots '{self._numbers[number]}' and '{name}' both have the numeric id {number}: "
                "their neighbours see only one of them",
            )  # fmt: skip
        self._numbers.setdefault(number, name)

    # -- distributions -------------------------------------------------------------------------------------------

    def _distribution(self, node: Node) -> Distribution | None:
        drawn = [_draw(node.child(name, required=True)) for name in ("position", "orientation")]
        entity = node.child("entity", required=True)
        if entity is None:
            return None
        quantity, trials = entity.whole("quantity"), entity.whole("max_trials")
        base = entity.whole("base_num", 0)
        if not entity.children():
            entity.fault("missing element", "<entity> needs an element such as <kheperaiv> that is to be distributed")
            return None
        first, *others = entity.children()
        for other in others:
            other.ignore_content()
            other.warn("ignored", f"only the first element, <{first.tag}>, is distributed")
        template = self._entity(first, single=False)
        position, orientation = drawn
        if isinstance(template, Floor):
            first.fault("wrong element", "a floor cannot be distributed")
            return None
        if template is None or position is None or orientation is None:
            return None
        self._number_clones(first, template.name, base, quantity, isinstance(template, Robot))
        _check_grids(node, quantity)
        if not isinstance(template, Light):
            _check_height(node, position)
        return Distribution(position, orientation, template, quantity, trials, base, node.element.line)

    def _number_clones(self, node: Node, name: str, base: int, quantity: int, robots: bool) -> None:
        if not node.has("id"):
            return
        if quantity > 100_000:
            node.fault("wrong value", f"{quantity} copies of <{node.tag}> are more than any machine can run")
            return
        for number in range(base, base + quantity):
            self._register(node, f"{name}{number}")
            if robots:
                self._number(node, f"{name}{number}")


def _drive(node: Node) -> tuple[float | None, float | None]:
    """Overridden limits of the wheels' force (N) and torque (N m)."""
    engine = node.child("dynamics2d")
    steering = engine.child("differential_steering") if engine else None
    if steering is None:
        return None, None
    force = steering.number("max_force", least=0) if steering.has("max_force") else None
    torque = steering.number("max_torque", least=0) if steering.has("max_torque") else None
    return force, torque


def _battery(node: Node) -> Battery | None:
    battery = node.child("battery")
    if battery is None:
        return None
    model = battery.choice("discharge_model", _BATTERIES, "time")
    start, full = battery.number("start_charge", 1.0, least=0), battery.number("full_charge", 1.0, above=0)
    factors = {name: battery.number(name) for name in _BATTERIES[model] if battery.has(name)}
    if model == "motion":
        return Battery("motion", start, full, factors)
    return Battery("time_motion" if model == "time_motion" else "time", start, full, factors)


def _draw(node: Node | None) -> Draw | None:
    if node is None:
        return None
    method = node.choice("method", _METHODS)
    if method == "uniform":
        low, high = node.point("min"), node.point("max")
        if node.has("min") and node.has("max") and any(a > b for a, b in zip(low, high, strict=True)):
            node.fault_in("min", "min must not be larger than max, in no component")
        return Draw("uniform", low, high)
    if method == "gaussian":
        return Draw("gaussian", node.point("mean"), node.point("std_dev"))
    if method == "constant":
        return Draw("constant", node.point("values"))
    if method == "grid":
        return Draw("grid", node.point("center"), node.point("distances"), _layout(node))
    node.ignore(*(name for names in _METHODS.values() for name in names))
    return None


def _layout(node: Node) -> tuple[int, int, int]:
    written = node.point("layout")
    x, y, z = (int(part) for part in written)
    if node.has("layout") and (min(x, y, z) < 1 or (x, y, z) != written):
        node.fault_in("layout", "a layout is three whole numbers, each at least 1")
        return 1, 1, 1
    return x, y, z


def _check_grids(node: Node, quantity: int) -> None:
    for name in ("position", "orientation"):
        child = node.child(name)
        if child and child.element.attributes.get("layout"):
            x, y, z = _layout(child)
            if 0 < x * y * z < quantity:
                child.fault_in("layout", f"a grid of {x} x {y} x {z} has {x * y * z} places, {quantity} are needed")


def _check_height(node: Node, position: Draw) -> None:
    """Bodies stand at z = 0 exactly, or the physics engine does not take them."""
    z = position.first[2]
    spread = {
        "uniform": position.second[2] != z,
        "gaussian": position.second[2] != 0,
        "grid": position.layout[2] > 1 and position.second[2] != 0,
    }.get(position.method, False)
    child = node.child("position")
    if child and (z != 0 or spread):
        child.fault_in(_METHODS[position.method][0], "z must be 0: everything that is no light stands on the ground")
