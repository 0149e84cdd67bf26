"""Controllers of an .argos file: the script, and the devices it may use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import pi
from pathlib import Path

from argos_compat.files import Files
from argos_compat.nodes import Node
from argos_compat.robots import CONTROLLERS, DEVICES, OTHER_ROBOTS, UNSEEN_SENSORS, KindOfDevice
from pybuzz.experiment.plan import Controller, Device, WheelTurning
from pybuzz.settings import BuzzValue
from pybuzz.spelling import did_you_mean

__all__ = ["Controllers"]

_DEGREE = pi / 180
_WHEEL_NOISE = tuple(
    f"{name}{side}"
    for name in ("bias_avg", "bias_stddev", "factor_avg", "factor_stddev")
    for side in ("", "_left", "_right")
)
_RANGES = {
    "pose": ("pos_noise_range", "angle_noise_range", "axis_noise_range"),
    "battery": ("noise_range",),
    "wheel_sensor": ("vel_noise_range", "dist_noise_range"),
}
_TURNING = ("hard_turn_angle_threshold", "soft_turn_angle_threshold", "no_turn_angle_threshold", "max_speed")


@dataclass
class Controllers:
    """The controllers that robots of the file use, read when the first robot uses them."""

    nodes: Mapping[str, Node]
    files: Files
    media: Mapping[str, str]
    """Id of a medium and its kind."""
    substitute: Mapping[str, str]
    globals: Mapping[str, BuzzValue]
    read: dict[str, Controller] = field(default_factory=dict)

    def use(self, robot: Node, kind: str) -> str:
        """The key in `read` of the controller that the element `robot` asks for; "" after a fault."""
        link = robot.child("controller", required=True)
        if link is None:
            return ""
        name = link.text("config")
        own = link.child("params")
        node = self.nodes.get(name)
        if node is None:
            if link.has("config"):
                link.fault_in("config", f"there is no controller '{name}'", kind="unknown controller",
                              hint=did_you_mean(name, self.nodes) or self._known())  # fmt: skip
            return ""
        key = name if own is None else f"{name} of {robot.element.line}:{robot.element.column}"
        if key not in self.read:
            found = self._controller(key, node, own, kind)
            if found is None:
                return ""
            self.read[key] = found
        return key

    def _known(self) -> str:
        return f"controllers of the file: {', '.join(self.nodes) or 'none'}"

    def _controller(self, key: str, node: Node, own: Node | None, kind: str) -> Controller | None:
        meant_for = CONTROLLERS.get(node.tag)
        if meant_for is None:
            node.ignore_content()
            why = "is no Buzz controller: robots run Buzz scripts here"
            if node.tag.startswith("buzz_controller_"):
                why = f"is for no {kind}"
            node.fault("not supported", f"<{node.tag}> {why}",
                       hint=f"use <{_controller_of(kind)}>")  # fmt: skip
            return None
        if meant_for != kind:
            node.fault("wrong controller", f"<{node.tag}> is for a {meant_for}, but a {kind} uses it",
                       hint=f"use <{_controller_of(kind)}>")  # fmt: skip
        node.ignore("library")
        params = node.child("params") if own is None else own
        actuators, sensors = (self._devices(node.child(group, required=True), kind) for group in DEVICES)
        self._check_radio(node, actuators, sensors)
        script = self.files.script(params or node, node.text("id"))
        if kind in OTHER_ROBOTS:
            _report_loss(node, kind, script)
        return Controller(
            key, script, actuators, sensors, _wheel_turning(params) if params else None, dict(self.globals),
            ways=_ways(node, kind, {device.name for device in (*actuators, *sensors)}),
        )  # fmt: skip

    @staticmethod
    def _check_radio(node: Node, actuators: tuple[Device, ...], sensors: tuple[Device, ...]) -> None:
        for group, devices in (("actuators", actuators), ("sensors", sensors)):
            place = node.child(group)
            if place and "radio" not in {device.name for device in devices}:
                place.fault("missing element", f"every Buzz controller needs <range_and_bearing> among its {group}")

    # -- devices -------------------------------------------------------------------------------------------------

    def _devices(self, group: Node | None, kind: str) -> tuple[Device, ...]:
        if group is None:
            return ()
        stand = OTHER_ROBOTS.get(kind)
        found: dict[str, Node] = {}
        devices: list[Device] = []
        for node in group.children():
            tag = stand.devices.get(node.tag, node.tag) if stand else node.tag
            if tag not in DEVICES[group.tag]:
                self._report_unknown_device(group.tag, node, kind)
                continue
            kind_of_device = DEVICES[group.tag][tag]
            if tag in found:
                node.warn("ignored", f"a second <{node.tag}> replaces the one of line {found[tag].element.line}")
            found[tag] = node
            devices.append(self._device(kind_of_device, node, substituted=tag != node.tag))
        return tuple(devices)

    @staticmethod
    def _report_unknown_device(group: str, node: Node, kind: str) -> None:
        node.ignore_content()
        if kind in OTHER_ROBOTS:
            node.warn("substituted", f"a Khepera IV has no <{node.tag}>; it is left out")
        elif group == "sensors" and node.tag in UNSEEN_SENSORS:
            node.warn("ignored", f"<{node.tag}> is left out: no script sees it, in ARGoS neither")
        elif node.tag in ("kheperaiv_encoder", "kheperaiv_camera"):
            node.fault("not supported", f"<{node.tag}> has no simulated version, in ARGoS neither", hint="remove it")
        else:
            known = DEVICES[group]
            own = next((stand.devices[node.tag] for stand in OTHER_ROBOTS.values() if node.tag in stand.devices), None)
            hint = f"a Khepera IV has <{own}>" if own else did_you_mean(node.tag, known)
            node.fault("unknown device", f"a Khepera IV has no {group.removesuffix('s')} <{node.tag}>",
                       hint=hint or f"known {group}: {', '.join(sorted(known))}")  # fmt: skip

    def _device(self, kind: KindOfDevice, node: Node, *, substituted: bool) -> Device:
        name = kind.name
        if substituted:
            node.ignore("implementation")
        else:
            node.choice("implementation", kind.implementations)
        node.ignore("show_rays")
        if name == "wheels":
            return Device(name, _wheel_noise(node))
        if name == "leds":
            self.check_medium(node, "led")
            return Device(name)
        if name == "radio":
            return Device(name, self._radio_noise(node)) if kind.implementations == ("medium",) else Device(name)
        if name in _RANGES:
            ranges = {key: found for key in _RANGES[name] if (found := node.number_range(key)) is not None}
            return Device(name, ranges=ranges)
        noise = {"noise_level": node.number("noise_level", least=0)} if node.has("noise_level") else {}
        readings = node.whole("num_readings", 682, most=100_000) if name == "lidar" else 682
        return Device(name, noise, num_readings=readings)

    def _radio_noise(self, node: Node) -> dict[str, float]:
        self.check_medium(node, "range_and_bearing")
        noise = {}
        if node.has("noise_std_dev"):
            noise["noise_std_dev"] = node.number("noise_std_dev", least=0)
        if node.has("packet_drop_prob"):
            noise["packet_drop_prob"] = node.number("packet_drop_prob", least=0)
        return noise

    def check_medium(self, node: Node, kind: str) -> str:
        """The id of the medium of that kind that the element refers to; a fault if there is none."""
        known = [medium for medium, its_kind in self.media.items() if its_kind == kind]
        if not node.has("medium") and known:
            text = f"<{node.tag}> needs the attribute 'medium'"
            node.fault("missing attribute", text, hint=f'write medium="{known[0]}"')
            return ""
        name = node.text("medium")
        if node.has("medium") and self.media.get(name) != kind:
            node.fault_in(
                "medium", f"there is no <{kind}> medium '{name}'", kind="unknown medium",
                hint=did_you_mean(name, known)
                or (f"media of that kind: {', '.join(known)}" if known else f"add <{kind} id=\"{name}\"/> to <media>"),
            )  # fmt: skip
        return name


def _controller_of(kind: str) -> str:
    return next(tag for tag, robot in CONTROLLERS.items() if robot == kind)


def _ways(controller: Node, kind: str, carried: set[str]) -> dict[str, str]:
    """For each device that is not carried, the element that adds it."""
    stand = OTHER_ROBOTS.get(kind)
    own_tags = {ours: theirs for theirs, ours in stand.devices.items()} if stand else {}
    found = {
        "line": "ARGoS has no such sensor; an experiment in YAML has it with sensors: {line: true}",
        "clearance": "only robots that fly have it",
    }
    name, file = controller.text("id", ""), Path(controller.file).name
    for group, devices in DEVICES.items():
        place = controller.child(group) or controller
        where = f"to <{group}> of controller {name} (line {place.element.line}) of {file}"
        for tag, device in devices.items():
            if device.name not in carried:
                implementation = device.implementations[0]
                found[device.name] = f'add <{own_tags.get(tag, tag)} implementation="{implementation}"/> {where}'
    return found


def _wheel_noise(node: Node) -> dict[str, float]:
    noise = {name: node.number(name) for name in _WHEEL_NOISE if node.has(name)}
    sides = ("", "_left", "_right")
    for name in ("bias_avg", "bias_stddev"):
        if noise and not any(f"{name}{side}" in noise for side in sides):
            node.warn("undefined", f"wheel noise without {name}: ARGoS reads uninitialised memory, here it is 0")
    return noise


def _wheel_turning(params: Node) -> WheelTurning | None:
    node = params.child("wheel_turning")
    if node is None:
        return None
    readers: list[Callable[[str], float]] = [lambda name: node.number(name) * _DEGREE] * 3 + [node.number]
    values = []
    for name, read in zip(_TURNING, readers, strict=True):
        if not node.has(name):
            node.warn("ignored", f"without {name} it and all behind it in {', '.join(_TURNING)} keep their defaults")
            node.ignore(*_TURNING)
            break
        values.append(read(name))
    return WheelTurning(*values)


def _report_loss(node: Node, kind: str, script: Path | None) -> None:
    """One line that names what scripts for `kind` find no more, and which of it this script uses."""
    lost = OTHER_ROBOTS[kind].lost
    text = f"Khepera IVs stand in for {kind}s: scripts have no {', '.join(lost)}"
    used = _mentions(script, lost) if script else []
    hint = f"{script} uses {', '.join(used)}" if used else f"{script} uses none of them" if script else None
    node.warn("substituted", text, hint=hint)


def _mentions(script: Path, names: tuple[str, ...]) -> list[str]:
    found: dict[str, int] = {}
    try:
        lines = script.read_text(errors="replace").splitlines()
    except OSError:
        return []
    for number, line in enumerate(lines, start=1):
        for word in re.findall(r"[A-Za-z_]\w*", line.partition("#")[0]):
            if word in names:
                found.setdefault(word, number)
    return [f"{word} (line {line})" for word, line in found.items()]
