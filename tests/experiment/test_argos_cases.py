"""Every published run of ARGoS 3 with the Khepera IV and Buzz, run again with `exact`: all rows, all columns.

The files in tests/data/argos-cases were written by real ARGoS at 17 digits; its README says what the columns are.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pybuzz
from pybuzz.experiment.robots import Robot

CASES = Path(__file__).parent.parent / "data" / "argos-cases"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())

POSES = ("x", "y", "yaw")
POSE_TOLERANCE = 1e-12
"""Metres and radians, of robots and movable objects, in contacts and crowds too."""

TOLERANCE = 1e-9
SCRIPT_TOLERANCE = 1e-6
"""Relative, of script variables, which are single precision."""

WHEEL_SENSOR = ("ds_vl", "ds_vr", "ds_dl", "ds_dr", "ds_axis")
"""The generic wheel sensor, which no script of a Khepera IV can read."""

WIDTHS = {"prox": "proximity", "us": "ultrasound", "light": "light", "ground": "ground", "lidar": "lidar"}


class Run:
    """One case while it is run again."""

    def __init__(self, name: str) -> None:
        self.experiment = pybuzz.load(CASES / name / "scene.argos", exact=True)
        self.simulation = self.experiment.simulation
        self.simulation.air.used = True
        self.indices = {robot.name: index for index, robot in enumerate(self.simulation.robots)}
        self.wheels: dict[str, tuple[float, float]] = {robot.name: (0.0, 0.0) for robot in self.simulation.robots}

    def step(self) -> None:
        robots = self.simulation.robots
        self.wheels = {robot.name: (robot.command.left_m_s, robot.command.right_m_s) for robot in robots}
        assert self.experiment.step()

    def value(self, name: str, column: str) -> Any:
        """What the run has for a column of a body's row; None if nothing is to be compared."""
        if column in ("x", "y", "yaw"):
            bodies, row = self.simulation.world.bodies, self.simulation.world.row_of(name)
            return float(getattr(bodies, column)[row])
        index = self.indices[name]
        robot = self.simulation.robots[index]
        return self._of_robot(robot, index, column)

    def _of_robot(self, robot: Robot, index: int, column: str) -> Any:
        plain: dict[str, Callable[[], Any]] = {
            "wheel_left": lambda: self.wheels[robot.name][0],
            "wheel_right": lambda: self.wheels[robot.name][1],
            "rab_count": lambda: len(self._heard(index)),
            "rab": lambda: self._heard(index),
            "buzz_id": lambda: robot.number,
            "vm_ready": lambda: int(robot.alive),
            "bat_charge": lambda: robot.body.read("battery")[0],
            "battery_true_charge": lambda: float(self.simulation.readings.charges[index]),
            "bat_time_left": lambda: robot.body.read("battery")[1],
        }
        if column in plain:
            return plain[column]()
        if column.startswith("pos_"):
            return robot.body.read("pose")[("x", "y", "z", "yaw").index(column.removeprefix("pos_"))]
        if column.startswith("led"):
            return "{} {} {}".format(*robot.leds)
        if column in WHEEL_SENSOR:
            return float(self.simulation.readings.array("wheel_sensor")[index, WHEEL_SENSOR.index(column)])
        if column.startswith("out_"):
            return self.experiment.robots[robot.name].globals.get(column)
        kind = column.rstrip("0123456789")
        return robot.body.read(WIDTHS[kind])[int(column.removeprefix(kind))]

    def _heard(self, index: int) -> list[tuple[int, float, float, float, str]]:
        links, packets = self.simulation.air.links, self.simulation.air.packets
        if links is None:
            return []
        rows = links.of(index)
        sent = [packets[sender] for sender in links.senders[rows]]
        return [
            (
                packet.robot_id,
                float(distance) * 100.0,
                float(azimuth),
                float(elevation),
                packet.data.rstrip(b"\0").hex(),
            )
            for packet, distance, azimuth, elevation in zip(
                sent, links.distance_m[rows], links.azimuth_rad[rows], links.elevation_rad[rows], strict=True
            )
        ]


def _differences(name: str) -> Iterator[str]:
    """Everything in which the run differs from ARGoS's, in the order of the file."""
    run = Run(name)
    tick = 0
    with (CASES / name / "expected.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            while tick < int(row["tick"]):
                run.step()
                tick += 1
            for column, expected in row.items():
                if (expected == "" and column != "rab") or column in ("tick", "id"):
                    continue
                if expected == "" and row["rab_count"] == "":
                    continue
                found = run.value(row["id"], column)
                if not _agrees(column, found, expected):
                    yield f"tick {tick} {row['id']} {column}: {found!r}, ARGoS {expected}"


def _agrees(column: str, found: Any, expected: str) -> bool:
    if column == "rab":
        return _same_packets(found, expected)
    if column.startswith("led"):
        return bool(found == expected)
    if column.startswith("out_"):
        return _same_variable(found, expected)
    if column.startswith("lidar"):
        return bool(found == int(expected))
    return _near(found, float(expected), POSE_TOLERANCE if column in POSES else TOLERANCE)


def _same_packets(found: list[tuple[int, float, float, float, str]], expected: str) -> bool:
    packets = [packet.split(":") for packet in expected.split(";")] if expected else []
    if len(packets) != len(found):
        return False
    return all(
        mine[0] == int(theirs[0])
        and all(_near(mine[k], float(theirs[k]), TOLERANCE) for k in (1, 2, 3))
        and mine[4] == bytes.fromhex(theirs[4]).rstrip(b"\0").hex()
        for mine, theirs in zip(found, packets, strict=True)
    )


def _same_variable(found: Any, expected: str) -> bool:
    if expected == "nil":
        return found is None
    if expected == "table":
        return isinstance(found, dict)
    if expected.startswith('"'):
        return bool(found == expected.strip('"'))
    if not isinstance(found, int | float):
        return False
    return _near(found, float(expected), SCRIPT_TOLERANCE * max(1.0, abs(float(expected))))


def _near(found: float, expected: float, tolerance: float) -> bool:
    return found == expected or (math.isfinite(found) and abs(found - expected) <= tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_argos_is_repeated_exactly(name: str) -> None:
    differences = []
    for difference in _differences(name):
        differences.append(difference)
        if len(differences) == 5:
            break
    assert not differences, "\n".join(differences)
