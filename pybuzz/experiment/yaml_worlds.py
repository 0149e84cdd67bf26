"""In a YAML experiment: `map`, `lidar`, `interaction`, and Python controllers in place of scripts."""

from __future__ import annotations

import os
from pathlib import Path

import yaml

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Device, Map
from pybuzz.yaml_nodes import Section
from pybuzz.yaml_tree import Entry

__all__ = ["is_free_lidar", "read_controller", "read_interaction", "read_lidar", "read_lidar_default", "read_map"]

_LIDAR_KEYS = ("enabled", "num_rays", "range", "fov_deg", "endpoint", "offset", "height")
_POLICIES = ("none", "robots")


def read_map(top: Section, folder: Path) -> Map | None:
    """`map: {image: maze.png, resolution: 0.05, origin: [0, 0], threshold: 0.5, height: 0.5}`, or `ros: map.yaml`, or
    `rows: ["###", "#.#"]` in place of the image. The files are read, so that their faults are those of the experiment.
    """
    if not top.has("map"):
        return None
    with top.section("map") as section:
        found = _map(section, folder)
        if found is None:
            return None
        try:
            found.load()
        except InputError as error:
            if found.path is None:
                section.fault(error.diagnostics[0].text, hint=error.diagnostics[0].hint)
            else:
                section.reader.faults.include(error.diagnostics)
        return found


def _map(section: Section, folder: Path) -> Map | None:
    kinds = [kind for kind in ("image", "ros", "rows") if section.has(kind)]
    if len(kinds) != 1:
        section.fault("map needs 'image', 'ros' or 'rows', one of them", kind="missing key")
        for key in ("resolution", "origin", "threshold", "height"):
            section.get(key)
        return None
    height = section.number("height", 0.5, above=0)
    if kinds == ["ros"]:
        return Map(_file(section, "ros", folder), ros=True, height=height)
    before = len(section.reader.faults.errors)
    resolution, origin = section.number("resolution", above=0), (0.0, 0.0)
    entry = section.get("origin")
    if entry is not None:
        x, y = section.reader.vector(entry, "origin", 2)
        origin = (x, y)
    if kinds == ["rows"]:
        rows = section.reader.words(section.need("rows") or section.entry, "rows")
        found = Map(None, resolution, origin, height=height, rows=rows)
    else:
        threshold = section.number("threshold", 0.5, above=0)
        found = Map(_file(section, "image", folder), resolution, origin, threshold, height)
    return found if len(section.reader.faults.errors) == before and section.has("resolution") else None


def _file(section: Section, key: str, folder: Path) -> Path:
    return Path(os.path.abspath(folder / section.word(key)))


def read_lidar_default(top: Section) -> Device | None:
    """The laser scanner of robots that say nothing about theirs: `lidar` of the whole file, or the Khepera IV's."""
    if not top.has("lidar"):
        return Device("lidar")
    with top.section("lidar") as options:
        return read_lidar(options)


def read_lidar(options: Section) -> Device | None:
    """A laser scanner of a layout of its own; None if it is not `enabled`."""
    from pybuzz.sim.lidar import Lidar

    usual, before = Lidar(), len(options.reader.faults.errors)
    wanted = options.boolean("enabled", True)
    noise = options.number("noise", 0.0, least=0)
    values: dict[str, float] = {
        "num_rays": options.whole("num_rays", usual.num_rays, least=1, most=100_000),
        "range": options.number("range", usual.range, above=0),
        "fov_deg": options.number("fov_deg", usual.fov_deg, above=0),
        "endpoint": float(options.boolean("endpoint", usual.endpoint)),
        "offset": options.number("offset", usual.offset),
        "height": options.number("height", usual.height, least=0),
    }
    entry = options.get("fov_deg")
    if entry is not None and values["fov_deg"] > 360:
        options.reader.fault(entry, f"fov_deg: {values['fov_deg']:g} is more than a full turn, 360")
    if not wanted or len(options.reader.faults.errors) > before:
        return None
    return Device(
        "lidar", {"noise_level": noise} if noise else {}, num_readings=int(values["num_rays"]), options=values
    )


def is_free_lidar(entry: Entry) -> bool:
    """Whether a robot's `lidar` is a scanner of a layout of its own, and not the Khepera IV's with its `readings`."""
    return any(key in _LIDAR_KEYS for key in entry.keys or {})


def read_controller(section: Section, folder: Path) -> tuple[Path | None, tuple[float, ...] | None, dict[str, object]]:
    """`controller: FILE.py:NAME` in place of a script, with its `goal: [x, y]` and `config: {...}`."""
    goal, config = section.get("goal"), section.get("config")
    entry = section.get("controller")
    for other, name in ((goal, "goal"), (config, "config")) if entry is None else ():
        if other is not None:
            section.reader.fault(other, f"{name} is for a Python controller, and there is none")
    if entry is None:
        return None, None, {}
    script = section.get("script")
    if script is not None and script.tag != "null":
        section.reader.fault(entry, "'controller' and 'script' exclude each other")
    target = section.reader.word(entry, "controller")
    file = target.rpartition(":")[0] or target
    if target and not (folder / file).is_file():
        section.reader.fault(entry, f"there is no Python file '{file}'", kind="missing file",
                             hint="a controller is given as FILE.py:NAME")  # fmt: skip
    place = None
    if goal is not None:
        place = tuple(section.reader.number(one, "goal") for one in section.reader.items(goal, "goal"))
    told: dict[str, object] = {}
    if config is not None:
        keys = section.reader.section(config, "config").entry.keys or {}
        told = {name: _plain(value) for name, value in keys.items()}
    return Path(os.path.abspath(folder / target)), place, told


def _plain(entry: Entry) -> object:
    """Any value of a YAML file as Python data."""
    if entry.keys is not None:
        return {name: _plain(value) for name, value in entry.keys.items()}
    if entry.items is not None:
        return [_plain(item) for item in entry.items]
    return entry.text if entry.quoted else yaml.safe_load(entry.text or "")


def read_interaction(top: Section) -> bool:
    """Whether robots collide: `interaction: {robot_collision: false}`, or `collision_policy: none` there or beside."""
    with top.section("interaction") as section:
        holder = section if section.has("collision_policy") else top
        policy, entry = holder.choice("collision_policy", _POLICIES, "robots"), holder.get("collision_policy")
        if not section.has("robot_collision"):
            return policy != "none"
        collide = section.boolean("robot_collision")
        if entry is not None and policy and collide != (policy != "none"):
            top.reader.fault(entry, "collision_policy says otherwise than interaction: robot_collision")
        return collide
