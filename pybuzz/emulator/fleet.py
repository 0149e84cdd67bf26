"""A fleet file that tells `pybuzz deploy` where the emulated robots are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from pybuzz.experiment.plan import Robot

if TYPE_CHECKING:
    from pybuzz.emulator.emulator import EmulatedRobot, Emulator

__all__ = ["fleet_text", "write_fleet"]


def write_fleet(emulator: Emulator, path: Path) -> None:
    """Write the file, over an older one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(fleet_text(emulator), encoding="utf-8")


def fleet_text(emulator: Emulator) -> str:
    """Ids, links and start poses of the robots, and their radio; poses in m and degrees."""
    lines = [f"# The emulated robots of {emulator.plan.source}.", "robots:"]
    lines += [_entry(robot, emulator.scene.poses[robot.index].tolist()) for robot in emulator.robots]
    radio: Robot = emulator.scene.placed[0].item
    lines.append(f"radio: {{range: {radio.radio_range:g}, data_size: {radio.data_size}}}")
    return "\n".join(lines) + "\n"


def _entry(robot: EmulatedRobot, pose: list[float]) -> str:
    x, y, yaw = pose
    start = f"[{x:.6f}, {y:.6f}, {math.degrees(yaw):.4f}]"
    laser = f', laser: "{robot.laser.url}"' if robot.laser is not None else ""
    return f'  - {{id: {robot.number}, link: "{robot.port.url}", start: {start}{laser}}}'
