"""Calibration files: read with every fault, and written.

robot: 1
proximity: {mode: curve, floor: [111, ...], near: [758, ...], noise: [3, ...]}     # 8 raw values each
light: {dark: [0, ...], bright: [1023, ...]}
ground: {black: [300, ...], white: [950, ...]}                                     # 4 raw values each
wheels: {left: 1.0, right: 1.0, axle: 1.0}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pybuzz.errors import InputError
from pybuzz.faults import Faults
from pybuzz.khepera.model import KheperaModel
from pybuzz.link.calibration import LEAST_LIGHT_SPAN, Mode, RobotCalibration, WheelFactors, default_calibration
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import parse

__all__ = ["read_calibration", "write_calibration"]

_LEAST_SPAN = 20


def read_calibration(path: Path, model: KheperaModel) -> RobotCalibration:
    """The calibration in a file; what it leaves out is as for a robot that was not calibrated.

    Raises InputError with every fault of the file.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        hint = "make one with: pybuzz robots --fleet FLEET.yaml --calibrate"
        raise InputError.at(str(path), f"cannot be read: {error}", kind="calibration", hint=hint) from None
    faults = Faults(str(path), text)
    reader = YamlReader(faults)
    with reader.section(parse(text, str(path)), "the calibration") as top:
        top.get("robot")
        found = _calibration(top, default_calibration(model))
    faults.settle()
    return found


def write_calibration(path: Path, robot: int, calibration: RobotCalibration) -> None:
    """Write a file that `read_calibration` reads. Raises InputError if it cannot be written."""
    found = calibration
    lines = [
        f"# Raw values of robot {robot}; index 0 looks ahead, then counter-clockwise.",
        f"robot: {robot}",
        f"proximity: {{mode: {found.proximity_mode}, floor: {_listed(found.proximity_floor)},",
        f"  near: {_listed(found.proximity_near)}, noise: {_listed(found.proximity_noise)}}}",
        f"light: {{dark: {_listed(found.light_dark)}, bright: {_listed(found.light_bright)}}}",
        f"ground: {{black: {_listed(found.ground_black)}, white: {_listed(found.ground_white)}}}",
        f"wheels: {{left: {found.wheels.left:.5g}, right: {found.wheels.right:.5g}, axle: {found.wheels.axle:.5g}}}",
    ]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    except OSError as error:
        raise InputError.at(str(path), f"cannot be written: {error.strerror}", kind="calibration") from None


def _calibration(top: Section, base: RobotCalibration) -> RobotCalibration:
    with top.section("proximity") as proximity:
        floor = _raw(proximity, "floor", base.proximity_floor)
        near = _raw(proximity, "near", base.proximity_near)
        noise = _raw(proximity, "noise", base.proximity_noise)
        mode = cast(Mode, proximity.choice("mode", ("curve", "linear"), base.proximity_mode) or "curve")
        _check_span(proximity, floor, near, _LEAST_SPAN)
    with top.section("light") as light:
        dark, bright = _raw(light, "dark", base.light_dark), _raw(light, "bright", base.light_bright)
        _check_span(light, dark, bright, LEAST_LIGHT_SPAN)
    with top.section("ground") as ground:
        black, white = _raw(ground, "black", base.ground_black), _raw(ground, "white", base.ground_white)
        _check_span(ground, black, white, _LEAST_SPAN)
    with top.section("wheels") as wheels:
        factors = WheelFactors(*(wheels.number(name, 1.0, above=0.5) for name in ("left", "right", "axle")))
    return dataclasses.replace(
        base, proximity_floor=floor, proximity_near=near, proximity_noise=noise, proximity_mode=mode,
        light_dark=dark, light_bright=bright, ground_black=black, ground_white=white, wheels=factors,
    )  # fmt: skip


def _raw(section: Section, key: str, base: Sequence[float]) -> tuple[float, ...]:
    entry = section.get(key)
    if entry is None:
        return tuple(base)
    if entry.items is None or len(entry.items) != len(base):
        found = entry.what if entry.items is None else f"a list of {len(entry.items)}"
        section.reader.fault(entry, f"{key}: {found}, but {len(base)} raw values are needed")
        return tuple(base)
    return tuple(section.reader.number(item, key, least=0.0) for item in entry.items)


def _check_span(section: Section, low: Sequence[float], high: Sequence[float], least: float) -> None:
    for index, (first, second) in enumerate(zip(low, high, strict=True)):
        if abs(second - first) < least:
            section.fault(
                f"{section.name}[{index}]: the two raw values {first:g} and {second:g} are too near to each other",
                hint="calibrate this sensor again: pybuzz robots --calibrate",
            )
            return


def _listed(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{value:.4g}" for value in values) + "]"
