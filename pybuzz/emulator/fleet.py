"""A fleet file that tells `pybuzz deploy` where the emulated robots are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from pybuzz.experiment.plan import Device, Plan, Robot

if TYPE_CHECKING:
    from pybuzz.emulator.emulator import EmulatedRobot, Emulator

__all__ = ["fleet_text", "write_fleet"]


def write_fleet(emulator: Emulator, path: Path) -> None:
    """Write the file, over an older one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(fleet_text(emulator), encoding="utf-8")


def fleet_text(emulator: Emulator) -> str:
    """Ids, names, links and start poses of the robots, and their radio; poses in m and degrees."""
    plan = emulator.plan
    lines = [f"# The emulated robots of {plan.source}, seed {emulator.seed}.", "robots:"]
    lines += [_entry(robot, emulator.scene.poses[robot.index].tolist()) for robot in emulator.robots]
    first = emulator.scene.placed[0].item
    loss = _radio_device(plan, first).noise.get("packet_drop_prob", 0.0)
    occlusion = "true" if plan.radio.check_occlusions else "false"
    lines.append(
        f"radio: {{range: {first.radio_range:g}, data_size: {first.data_size}, loss: {loss:g}, occlusion: {occlusion}}}"
    )
    return "\n".join(lines) + "\n"


def _radio_device(plan: Plan, robot: Robot) -> Device:
    devices = [device for device in plan.controllers[robot.controller].sensors if device.name == "radio"]
    return devices[-1] if devices else Device("radio")


def _entry(robot: EmulatedRobot, pose: list[float]) -> str:
    x, y, yaw = pose
    start = f"[{x:.6f}, {y:.6f}, {math.degrees(yaw):.4f}]"
    laser = f', laser: "{robot.laser.url}"' if robot.laser is not None else ""
    return f'  - {{id: {robot.number}, name: "{robot.name}", link: "{robot.port.url}", start: {start}{laser}}}'
