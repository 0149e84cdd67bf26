"""A published ARGoS case with its sensors and radio, from its scene, without the product's own readers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.plan import Battery, Device
from pybuzz.radio import Links, Radio, ranks_in_table
from pybuzz.sim.floors import load_floor
from pybuzz.sim.random_numbers import Seeder
from pybuzz.sim.sensors import Mount, Sensors, needs_generator
from pybuzz.sim.world import World
from tests.oracles.argos_scene import CASES, ArgosCase, read_case

NAMES = {"range_and_bearing": "radio", "positioning": "pose", "differential_steering": "wheel_sensor"}
COLUMNS = {
    "proximity": "prox#", "ultrasound": "us#", "light": "light#", "ground": "ground#", "lidar": "lidar#",
    "battery": "bat_charge bat_time_left", "pose": "pos_x pos_y pos_z pos_yaw",
}  # fmt: skip
COMPONENTS = {"box": 3, "cylinder": 3, "light": 1, "floor": 1, "kheperaiv": 15}
ANTENNA = 12


@dataclass(frozen=True)
class SensingCase:
    """rows: expected.csv of the robots, by tick and robot. numbers: robots' names by their numeric ids."""

    case: ArgosCase
    scene: ElementTree.Element
    world: World
    sensors: Sensors
    radio: Radio
    check_occlusions: bool
    numbers: dict[str, str]
    rows: list[list[dict[str, str]]]

    def ticks(self) -> Iterator[tuple[int, Links]]:
        """Drive the world as recorded; the tick and who hears whom in it."""
        for tick, wheels in enumerate(self.case.wheels[1:], start=1):
            self.world.step(wheels)
            self.sensors.new_tick()
            yield tick, self.sensors.listen(self.radio, check_occlusions=self.check_occlusions)

    def expected(self, name: str, tick: int) -> NDArray[np.float64]:
        """What ARGoS read; the columns of that sensor."""
        prefix = COLUMNS[name]
        columns = prefix.split()
        if prefix.endswith("#"):
            columns = [
                key for key in self.rows[0][0] if key.startswith(prefix[:-1]) and key[len(prefix) - 1 :].isdigit()
            ]
        return np.array([[float(row[column] or "nan") for column in columns] for row in self.rows[tick]])

    def heard(self, tick: int) -> list[list[tuple[Any, ...]]]:
        """What ARGoS heard: for each robot (sender, range in cm, bearing, elevation)."""
        return [
            [
                (self.numbers[part[0]], *map(float, part[1:4]))
                for part in map(_split, filter(None, row["rab"].split(";")))
            ]
            for row in self.rows[tick]
        ]


def _split(packet: str) -> list[str]:
    return packet.split(":")


def read_sensing_case(name: str) -> SensingCase:
    case = read_case(name)
    scene = ElementTree.parse(CASES / name / "scene.argos").getroot()
    world = case.world()
    floor, arena, medium = scene.find("arena/floor"), scene.find("arena"), scene.find("media/range_and_bearing")
    assert arena is not None
    assert medium is not None
    if floor is not None:
        width, depth = (float(part) for part in arena.attrib["size"].split(",")[:2])
        world.set_floor(load_floor(CASES / name / floor.attrib["path"], (width, depth)))
    robots = [(element, row) for element, row in case.entities if element.tag == "kheperaiv"]
    mounts = _mounts(scene, [element for element, _ in robots])
    batteries = [_battery(element.find("battery")) for element, _ in robots]
    sensors = Sensors(world, mounts, batteries=batteries, exact=True)
    with (CASES / name / "expected.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["wheel_left"]]
    by_tick = [rows[start : start + len(robots)] for start in range(0, len(rows), len(robots))]
    occlusions = medium.get("check_occlusions", "true") == "true"
    numbers = {row["buzz_id"]: row["id"] for _, row in robots}
    return SensingCase(case, scene, world, sensors, _radio(case, floor), occlusions, numbers, by_tick)


def _radio(case: ArgosCase, floor: ElementTree.Element | None) -> Radio:
    place, antennas, ranges, sizes = int(floor is not None), [], [], []
    for element, _ in case.entities:
        if element.tag == "kheperaiv":
            antennas.append(place + ANTENNA)
            ranges.append(float(element.get("rab_range", "3")))
            sizes.append(int(element.get("rab_data_size", "10")))
        place += COMPONENTS[element.tag]
    return Radio(ranges, sizes, ranks=ranks_in_table(antennas))


def _mounts(scene: ElementTree.Element, robots: list[ElementTree.Element]) -> list[list[Mount]]:
    """The sensors of each robot, with the seeds that ARGoS would give if all robots stand in the file singly."""
    experiment = scene.find("framework/experiment")
    assert experiment is not None
    seeder = Seeder(int(experiment.attrib["random_seed"]))
    seeder.next_seed()
    result = []
    for robot in robots:
        used = robot.find("controller")
        assert used is not None
        controller = next(one for one in scene.findall("controllers/*") if one.get("id") == used.get("config"))
        wheels = controller.find("actuators/differential_steering")
        if wheels is not None and any("bias" in key or "factor" in key for key in wheels.keys()):  # noqa: SIM118
            seeder.next_seed()
        devices = [_device(node) for node in controller.findall("sensors/*")]
        result.append([Mount(one, seeder.next_seed() if needs_generator(one) else None) for one in devices])
        seeder.next_seed()
    return result


def _device(node: ElementTree.Element) -> Device:
    name = NAMES.get(node.tag, node.tag.removeprefix("kheperaiv_"))
    noise = {
        key: float(value) for key, value in node.items() if key in ("noise_level", "noise_std_dev", "packet_drop_prob")
    }
    pairs = {key: value.split(":") for key, value in node.items() if key.endswith("noise_range")}
    ranges = {key: (float(low), float(high)) for key, (low, high) in pairs.items()}
    return Device(name, noise, ranges, int(node.get("num_readings", "682")))


def _battery(node: ElementTree.Element | None) -> Battery | None:
    if node is None:
        return None
    numbers = {key: float(value) for key, value in node.items() if key != "discharge_model"}
    model: Any = node.get("discharge_model", "time")
    return Battery(model, numbers.pop("start_charge", 1.0), numbers.pop("full_charge", 1.0), numbers)
