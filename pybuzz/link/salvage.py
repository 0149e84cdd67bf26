"""The robots that can be read out of a fleet file whatever is wrong with it: a stop needs no correct file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pybuzz.errors import InputError
from pybuzz.link.addresses import Address, host_and_port, parse_address
from pybuzz.link.fleet import FleetRobot
from pybuzz.link.fleet_file import read_fleet
from pybuzz.spelling import nearest
from pybuzz.yaml_tree import parse

__all__ = ["NO_LINK", "Salvaged", "read_for_stop"]

NO_LINK: Final = Address("", "tcp", "")
"""Of a robot whose relay could be read, but not its link."""

_KEYS: Final = (
    "id",
    "name",
    "link",
    "relay",
    "laser",
    "script",
    "calibration",
    "start",
    "marker",
    "period",
    "firmware",
)
_PIECE: Final = re.compile(
    r"""(?P<comment>(?:^|(?<=\s))\#[^\n]*)
    | (?P<begin>^[ \t]*-(?=\s) | \{)
    | (?P<key>[A-Za-z_]+)["']?[ \t]*:[ \t]*(?P<value>"[^"\n]*" | '[^'\n]*' | [^\s"',{}\[\]\#][^\s,}\]]*)""",
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """is_whole: these are surely all robots of the file. error: what is wrong with it, whatever that is."""

    robots: tuple[FleetRobot, ...]
    is_whole: bool
    error: InputError | None = None


def read_for_stop(path: Path) -> Salvaged:
    """All robots with a link or a relay that can be read. Raises nothing."""
    try:
        return Salvaged(read_fleet(path).robots, is_whole=True)
    except InputError as error:
        fault = error
    try:
        text = path.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError:
        return Salvaged((), is_whole=False, error=fault)
    found = [robot for keys in _mappings(text) if (robot := _robot(keys)) is not None]
    links = {robot.link.text for robot in found} - {""}
    is_whole = len(found) == len(links) == _count(text)
    return Salvaged(tuple(dict.fromkeys(found)), is_whole, fault)


def _count(text: str) -> int | None:
    """How many robots the file has, if its syntax lets it be known."""
    try:
        root = parse(text, "")
    except InputError:
        return None
    robots = (root.keys or {}).get("robots")
    return len(robots.items) if robots is not None and robots.items else None


def _mappings(text: str) -> Iterator[dict[str, str]]:
    """What may be the keys of robots: a mapping begins at a dash, at a brace, and where a key comes again."""
    keys: dict[str, str] = {}
    for piece in _PIECE.finditer(text):
        if piece["begin"]:
            yield keys
            keys = {}
        elif piece["key"]:
            key = nearest(piece["key"], _KEYS)
            if key in keys:
                yield keys
                keys = {}
            if key is not None:
                keys[key] = piece["value"].strip("\"'")
    yield keys


def _robot(keys: dict[str, str]) -> FleetRobot | None:
    link, relay = NO_LINK, None
    with suppress(ValueError):
        link = parse_address(keys.get("link", ""))
    with suppress(ValueError):
        relay = host_and_port(keys.get("relay", ""))
    if link is NO_LINK and relay is None:
        return None
    number = int(keys["id"]) if keys.get("id", "").isdecimal() else 0
    return FleetRobot(number, keys.get("name", f"kh{number}" if number else "unnamed"), link, relay=relay)
