"""Fleet files: read whole, every mistake with its line and the nearest name.

robots:
  - {id: 1, link: "tcp://khepera1:7000", start: [0.0, 0.0, 0.0], calibration: calibration/kh1.yaml}   # m, m, degrees
  - {id: 2, link: "serial:///dev/rfcomm0?baud=115200", start: [0.5, 0.0, 90], script: other.bzz}
limits: {wheel_speed: 20}                                       # cm/s
pose: {source: udp, port: 7777, stale: 0.3}
radio: {range: 1.0, data_size: 100}
safety: {link_lost: reconnect, resume: false, on_error: stop-run}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pybuzz.errors import InputError
from pybuzz.faults import Faults
from pybuzz.khepera.model import load_model
from pybuzz.link.addresses import Address, host_and_port, parse_address
from pybuzz.link.fleet import ORIGIN, Fleet, FleetRobot, PoseSource, RadioSettings, SafetySettings
from pybuzz.link.odometry import Pose
from pybuzz.link.positions import Transform
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import Entry, parse

__all__ = ["read_fleet", "read_fleet_text"]

Value = TypeVar("Value")
_MOST_IDS = 65535


def read_fleet(path: Path) -> Fleet:
    """The fleet of a file. Raises InputError with every fault of the file."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError.at(str(path), f"cannot be read: {error.strerror}", kind="missing file") from None
    except UnicodeDecodeError:
        raise InputError.at(str(path), "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8") from None
    return read_fleet_text(text, str(path), path.parent)


def read_fleet_text(text: str, file: str, folder: Path) -> Fleet:
    """The same from the text itself; `folder` is where its scripts and calibrations are."""
    faults = Faults(file, text)
    reader = YamlReader(faults)
    root = parse(text, file)
    if root.keys is None:
        what = "the file is empty" if root.tag == "null" else f"{root.what} is no fleet"
        reader.fault(root, what, kind="no fleet", hint="it starts with the key robots:")
        faults.settle()
    with reader.section(root, "the fleet") as top:
        fleet = _fleet(top, file, folder)
    faults.settle()
    return fleet


def _fleet(top: Section, file: str, folder: Path) -> Fleet:
    ceiling = load_model().limits.wheel_speed_ceiling * 100.0
    with top.section("limits") as limits:
        speed = limits.number("wheel_speed", load_model().limits.wheel_speed * 100.0, above=0.0)
        if speed > ceiling:
            entry = limits.get("wheel_speed")
            assert entry is not None
            top.reader.fault(entry, f"wheel_speed: {speed:g} cm/s is more than the {ceiling:g} cm/s that are safe")
    top.need("robots")
    robots = _Robots(top.reader, folder).read(top.entries("robots"))
    entry = top.get("robots")
    if entry is not None and not entry.items and not entry.text:
        top.reader.fault(entry, "robots: a fleet needs at least one robot")
    return Fleet(file, robots, speed / 100.0, _pose(top), _radio(top), _safety(top))


class _Robots:
    """The robots of a file; ids, names and links are unique."""

    def __init__(self, reader: YamlReader, folder: Path) -> None:
        self._reader = reader
        self._folder = folder
        self._seen: dict[tuple[str, object], Entry] = {}
        self._endpoints: dict[tuple[str, int], Entry | None] = {}
        self._relays: list[tuple[Entry, tuple[str, int]]] = []

    def read(self, entries: list[Entry]) -> tuple[FleetRobot, ...]:
        robots = tuple(self._robot(entry, number) for number, entry in enumerate(entries, start=1))
        for entry, relay in self._relays:
            link = self._endpoints.get(_folded(relay))
            if link is not None:
                text = f"relay: {relay[0]}:{relay[1]} is the link in line {link.line}, not the relay's second port"
                self._reader.fault(entry, text, hint="by default links are on port 7000, relays on 7001")
        return robots

    def _robot(self, entry: Entry, number: int) -> FleetRobot:
        with self._reader.section(entry, f"robots[{number}]") as robot:
            robot_id = robot.whole("id", most=_MOST_IDS)
            name = robot.word("name", f"kh{robot_id}")
            link = self._checked(robot, "link", parse_address, required=True) or Address("", "tcp", "")
            relay = self._checked(robot, "relay", _relay_port)
            self._check_unique(robot, robot_id, name, link)
            self._check_relay(robot, link, relay)
            return FleetRobot(
                robot_id,
                name,
                link,
                start=_pose_of(robot, "start"),
                calibration=self._file(robot, "calibration"),
                script=self._file(robot, "script"),
                relay=relay,
                laser=self._checked(robot, "laser", parse_address),
                marker=_pose_of(robot, "marker"),
                period_s=robot.number("period", link.period_s, above=0.019),
                firmware=robot.word("firmware", "B 5"),
            )

    def _check_unique(self, robot: Section, robot_id: int, name: str, link: Address) -> None:
        """Faulty values stand for nothing: they are told already."""
        id_entry = robot.get("id")
        if id_entry is not None and id_entry.text == str(robot_id):
            self._unique(id_entry, "id", robot_id)
            self._unique(robot.get("name") or id_entry, "name", name)
        if link.text:
            self._unique(robot.get("link"), "link", link.text)

    def _check_relay(self, robot: Section, link: Address, relay: tuple[str, int] | None) -> None:
        """A relay that is another robot's would stop that one; what is meant for a relay must not go to kh4server."""
        endpoint = link.endpoint
        if endpoint is not None:
            self._endpoints.setdefault(_folded(endpoint), robot.get("link"))
        entry = robot.get("relay")
        if relay is not None and entry is not None:
            self._unique(entry, "relay", "{}:{}".format(*_folded(relay)))
            self._relays.append((entry, relay))

    def _unique(self, entry: Entry | None, key: str, value: object) -> None:
        if entry is None:
            return
        first = self._seen.setdefault((key, value), entry)
        if first is not entry:
            text = f"{key}: another robot has {value} already, in line {first.line}"
            self._reader.fault(entry, text, kind="repeated")

    def _file(self, robot: Section, key: str) -> Path | None:
        entry = robot.get(key)
        if entry is None:
            return None
        path = self._folder / self._reader.word(entry, key)
        if entry.text and not path.is_file():
            self._reader.fault(entry, f"{key}: there is no file {path}", kind="missing file")
        return path

    def _checked(
        self, robot: Section, key: str, read: Callable[[str], Value], *, required: bool = False
    ) -> Value | None:
        entry = robot.need(key) if required else robot.get(key)
        text = self._reader.word(entry, key) if entry is not None else ""
        if entry is None or not text:
            return None
        try:
            return read(text)
        except ValueError as error:
            self._reader.fault(entry, f"{key}: {error}")
            return None


def _relay_port(text: str) -> tuple[str, int]:
    return host_and_port(text, example=7001)


def _folded(address: tuple[str, int]) -> tuple[str, int]:
    """The same for all ways to write a host that need no look-up."""
    host = address[0].lower()
    return "127.0.0.1" if host == "localhost" else host, address[1]


def _pose_of(section: Section, key: str) -> Pose:
    """x, y in m and degrees."""
    entry = section.get(key)
    if entry is None:
        return ORIGIN
    x, y, degrees = section.reader.vector(entry, key, 3, example="x, y, degrees")
    return x, y, math.radians(degrees)


def _pose(top: Section) -> PoseSource:
    with top.section("pose") as pose:
        source = pose.choice("source", ("odometry", "udp"), "odometry") or "odometry"
        with pose.section("transform") as transform:
            x, y, yaw = _pose_of(transform, "move")
            scale, mirror = transform.number("scale", 1.0, above=0.0), transform.boolean("mirror", False)
        return PoseSource(
            "udp" if source == "udp" else "odometry",
            pose.word("address", "127.0.0.1"),
            pose.whole("port", 7777, least=1, most=65535),
            pose.number("stale", 0.3, above=0.0),
            pose.number("stop_after", 2.0, least=0.0),
            Transform(x, y, yaw, scale, mirror),
        )


def _radio(top: Section) -> RadioSettings:
    with top.section("radio") as radio:
        loss = radio.number("loss", 0.0, least=0.0)
        entry = radio.get("loss")
        if loss > 1.0 and entry is not None:
            top.reader.fault(entry, f"loss: {loss:g} is more than 1, the share of all packets")
        return RadioSettings(
            radio.number("range", 1.0, above=0.0),
            radio.whole("data_size", 100, least=4, most=10_000),
            loss,
            radio.boolean("occlusion", True),
            radio.whole("seed", 1),
        )


def _safety(top: Section) -> SafetySettings:
    with top.section("safety") as safety:
        ends = safety.choice("link_lost", ("reconnect", "end"), "reconnect") == "end"
        stops_robot = safety.choice("on_error", ("stop-robot", "stop-run"), "stop-run") == "stop-robot"
        return SafetySettings(
            "end" if ends else "reconnect",
            safety.boolean("resume", False),
            "stop-robot" if stops_robot else "stop-run",
        )
