"""Published runs of real ARGoS beside the same runs here, cell by cell.

tests/data/argos-cases holds, of each case, the scene and what ARGoS 3 with the Khepera IV and Buzz did with it, at 17
digits; its README says what the columns are.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pybuzz
from pybuzz.experiment.robots import Robot

__all__ = ["CASES", "NAMES", "POSES", "WHEEL_SENSOR", "Cell", "Run", "cells"]

CASES = Path(__file__).parent.parent / "data" / "argos-cases"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())

POSES = ("x", "y", "yaw")
WHEEL_SENSOR = ("ds_vl", "ds_vr", "ds_dl", "ds_dr", "ds_axis")
"""The generic wheel sensor, which no script of a Khepera IV can read."""

_SENSORS = {"prox": "proximity", "us": "ultrasound", "light": "light", "ground": "ground", "lidar": "lidar"}

Packets = list[tuple[int, float, float, float, str]]
"""Sender, range in cm, bearing and elevation in rad, bytes as hex without zeros at the end."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of ARGoS's and ours. `found`, `expected`: numbers, texts (colours, variables), or Packets."""

    tick: int
    name: str
    column: str
    found: Any
    expected: Any


class Run:
    """One case while it is run again."""

    def __init__(self, case: str, *, exact: bool, single_precision: bool = False) -> None:
        scene = CASES / case / "scene.argos"
        self.experiment = pybuzz.load(scene, exact=exact, single_precision=single_precision)
        self.simulation = self.experiment.simulation
        self.simulation.air.used = True
        self._indices = {robot.name: index for index, robot in enumerate(self.simulation.robots)}
        self._wheels = {robot.name: (0.0, 0.0) for robot in self.simulation.robots}

    @property
    def moving(self) -> list[str]:
        """Names of the robots and movable objects, in order of creation."""
        bodies = self.simulation.world.bodies
        return [name for name, movable in zip(bodies.names, bodies.movable, strict=True) if movable]

    def step(self) -> None:
        robots = self.simulation.robots
        self._wheels = {robot.name: (robot.command.left_m_s, robot.command.right_m_s) for robot in robots}
        assert self.experiment.step()

    def value(self, name: str, column: str) -> Any:
        """What the run has for a column of a body's row."""
        if column in POSES:
            bodies, row = self.simulation.world.bodies, self.simulation.world.row_of(name)
            return float(getattr(bodies, column)[row])
        index = self._indices[name]
        return self._of_robot(self.simulation.robots[index], index, column)

    def _of_robot(self, robot: Robot, index: int, column: str) -> Any:
        plain: dict[str, Callable[[], Any]] = {
            "wheel_left": lambda: self._wheels[robot.name][0],
            "wheel_right": lambda: self._wheels[robot.name][1],
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
        return robot.body.read(_SENSORS[kind])[int(column.removeprefix(kind))]

    def _heard(self, index: int) -> Packets:
        links, packets = self.simulation.air.links, self.simulation.air.packets
        if links is None:
            return []
        rows = links.of(index)
        sent = [packets[sender] for sender in links.senders[rows]]
        readings = zip(links.distance_m[rows], links.azimuth_rad[rows], links.elevation_rad[rows], strict=True)
        return [
            (packet.robot_id, float(distance) * 100.0, float(azimuth), float(elevation), _hex(packet.data))
            for packet, (distance, azimuth, elevation) in zip(sent, readings, strict=True)
        ]


def cells(
    case: str, *, exact: bool, single_precision: bool = False, columns: Sequence[str] | None = None
) -> Iterator[Cell]:
    """Every cell of the case that applies, in the order of the file; only some columns, if they are given."""
    run = Run(case, exact=exact, single_precision=single_precision)
    tick, moving = 0, run.moving
    with (CASES / case / "expected.csv").open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            assert row["id"] == moving[number % len(moving)], "ARGoS has other bodies, or in another order"
            while tick < int(row["tick"]):
                run.step()
                tick += 1
            for column, text in row.items():
                if column in ("tick", "id") or (columns is not None and column not in columns):
                    continue
                if text == "" and (column != "rab" or row["rab_count"] == ""):
                    continue
                yield Cell(tick, row["id"], column, run.value(row["id"], column), _expected(column, text))


def _expected(column: str, text: str) -> Any:
    if column == "rab":
        return [_packet(part) for part in text.split(";")] if text else []
    if column.startswith("led") or text in ("nil", "table") or text.startswith('"'):
        return text
    return int(text) if column.startswith("lidar") else float(text)


def _packet(text: str) -> tuple[int, float, float, float, str]:
    sender, distance, bearing, elevation, data = text.split(":")
    return int(sender), float(distance), float(bearing), float(elevation), _hex(bytes.fromhex(data))


def _hex(data: bytes) -> str:
    return data.rstrip(b"\0").hex()
