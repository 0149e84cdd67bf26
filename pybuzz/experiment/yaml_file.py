"""Experiments in YAML: the whole file is checked, and every fault comes with its line, column and nearest name.

experiment: {ticks_per_second: 10, length: 60, seed: 1}        # length in s, 0 or none is endless
arena: {size: [4, 4], walls: true}                             # m; the walls stand outside the size
obstacles:
  - {box: [0.3, 0.3, 0.5], at: [1, 0], yaw: 30, movable: false}
  - {cylinder: {radius: 0.15, height: 0.5}, count: 5, place: {uniform: [[-1.5, -1.5], [1.5, 1.5]]}}
lights: [{at: [0, 0, 1], intensity: 1.0}]
robots:
  - {kind: kheperaiv, count: 10, script: hexagon.bzz, place: {uniform: [[-1.5, -1.5], [1.5, 1.5]]}}
radio: {range: 1.5, data_size: 100, loss: 0.0}
record: {globals: [state], sensors: [proximity]}
io: files                                                      # where scripts may read and write files
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.jobs_file import read_jobs
from pybuzz.experiment.plan import (
    Arena,
    Box,
    Cylinder,
    Distribution,
    Floor,
    Item,
    Light,
    Physics,
    Plan,
    Point,
    Radio,
    Record,
    Terrain,
)
from pybuzz.experiment.yaml_overrides import override, resize
from pybuzz.experiment.yaml_placing import Names, Spot, read_spot, walls
from pybuzz.experiment.yaml_robots import EXTRA_SENSORS, SENSORS, RadioDefaults, RobotReader
from pybuzz.experiment.yaml_worlds import read_interaction, read_lidar_default, read_map
from pybuzz.faults import Faults
from pybuzz.invocation import command_with
from pybuzz.settings import ReadSettings, buzz_globals
from pybuzz.sim.own_sensors import own_names
from pybuzz.user_code import load_module
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import Entry, parse

__all__ = ["read", "read_text"]

_COLORS = ("black", "white", "red", "green", "blue", "magenta", "cyan", "yellow", "orange", "brown", "purple")
_FRICTIONS = ("box_linear_friction", "box_angular_friction", "cylinder_linear_friction", "cylinder_angular_friction")


def read(path: str | os.PathLike[str], settings: ReadSettings | None = None) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The experiment of a YAML file, and the warnings about it. Raises InputError with every fault of the file."""
    file = os.fspath(path)
    settings = settings or ReadSettings()
    if settings.text is not None:
        return read_text(settings.text, file, Path(file).parent, settings)
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError.at(file, f"cannot be read: {error.strerror}", kind="missing file") from None
    except UnicodeDecodeError:
        raise InputError.at(file, "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8") from None
    return read_text(text, file, Path(file).parent, settings)


def read_text(text: str, file: str, folder: Path, settings: ReadSettings) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The same from the text itself; `folder` is where its scripts and images are."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    faults = Faults(file, text)
    reader = YamlReader(faults)
    root = parse(text, file)
    if root.keys is None:
        what = "the file is empty" if root.tag == "null" else f"{root.what} is no experiment"
        reader.fault(root, what, kind="no experiment", hint="it starts with keys such as experiment: and arena:")
        faults.settle()
    elif "measures" in root.keys and "arena" not in root.keys:
        raise InputError.at(file, "this is a sweep, of many runs", kind="no experiment", hint=f"pybuzz sweep {file}")
    override(root, settings.sets, faults)
    if settings.robots is not None:
        resize(root, settings.robots, faults)
    with reader.section(root, "the experiment") as top:
        plan = _File(top, folder, settings).plan(file)
    return plan, faults.settle(strict=settings.strict)


class _File:
    """The sections of one file, each read once."""

    def __init__(self, top: Section, folder: Path, settings: ReadSettings) -> None:
        self._top = top
        self._folder = folder
        self._settings = settings
        self._names = Names()
        self._counts = {"box": 0, "cylinder": 0, "light": 0}

    def plan(self, source: str) -> Plan:
        rate, ticks, seed = self._experiment()
        arena, surroundings = self._arena()
        radio, defaults = self._radio()
        python = self._run_python()
        items: list[Item] = [*surroundings, *self._obstacles(), *self._lights()]
        lidar = read_lidar_default(self._top)
        robots = RobotReader(self._folder, self._names, defaults, buzz_globals(self._settings.sets), lidar)
        items += robots.read(self._sections("robots"))
        items.sort(key=lambda item: isinstance(item, Distribution))
        terrain = self._terrain(arena)
        return Plan(
            source, arena, tuple(items), robots.controllers, rate, ticks,
            seed if self._settings.seed is None else self._settings.seed, self._physics(), radio, self._record(),
            map=read_map(self._top, self._folder), robot_collision=read_interaction(self._top), terrain=terrain,
            hooks=self._hooks(), jobs=read_jobs(self._top, self._folder) if self._top.has("jobs") else None,
            python=python, io=self._io(),
        )  # fmt: skip

    def _io(self) -> Path | None:
        """The folder for scripts' files: no file that somebody gives away opens more than what lies beside it."""
        entry = self._top.get("io")
        if entry is None:
            return None
        reader = self._top.reader
        name = reader.word(entry, "io")
        if os.path.isabs(name) or os.path.normpath(name).split(os.sep)[0] == "..":
            reader.fault(entry, f"io: '{name}' lies outside of the experiment's folder",
                         hint=command_with("--allow-io", name, file=reader.faults.file))  # fmt: skip
        return self._folder / name

    def _hooks(self) -> str | None:
        """FILE.py:NAME of the Python code that runs along."""
        entry = self._top.get("hooks")
        if entry is None:
            return None
        file, _, name = self._top.reader.word(entry, "hooks").partition(".py")
        path = self._file(replace(entry, text=f"{file}.py"), "hooks", "Python file") if file else None
        return f"{path}{name}" if path is not None else None

    def _run_python(self) -> tuple[Path, ...]:
        """Run the person's files, which register sensors that the robots may carry; returns them."""
        found = []
        for entry in self._top.entries("python"):
            path = self._file(entry, "python", "Python file")
            if path is None:
                continue
            found.append(path)
            try:
                load_module(str(path))
            except InputError as error:
                self._top.reader.faults.include(list(error.diagnostics))
        return tuple(found)

    def _sections(self, key: str) -> list[Section]:
        entries = self._top.entries(key)
        return [self._top.reader.section(entry, f"{key}[{index}]") for index, entry in enumerate(entries, start=1)]

    def _experiment(self) -> tuple[int, int | None, int | None]:
        with self._top.section("experiment") as experiment:
            rate = experiment.whole("ticks_per_second", 10, least=1)
            ticks = int(experiment.number("length", 0.0, least=0) * rate)
            seed = experiment.whole("seed") if experiment.has("seed") else None
        return rate, ticks or None, seed

    def _arena(self) -> tuple[Arena, list[Item]]:
        self._top.need("arena")
        with self._top.section("arena") as arena:
            size = _flat(arena, "size", above=0)
            center = _flat(arena, "center") if arena.has("center") else (0.0, 0.0, 0.0)
            items: list[Item] = [*walls(size, center)] if arena.boolean("walls", False) else []
            # One picture, two names: what ground sensors see is what a bar of line sensors follows.
            key = "line_map_image" if arena.has("line_map_image") else "floor"
            if arena.has("floor") and arena.has("line_map_image"):
                arena.fault("floor and line_map_image are the same picture", hint="give one of them")
            if arena.has(key):
                resolution = arena.number("resolution", above=0) if arena.has("resolution") else None
                items.append(Floor("floor", self._image(arena, key), resolution))
            elif arena.has("resolution"):
                arena.fault("resolution: the arena has no floor whose pixels it could be", hint="name an image: floor")
            for item in items:
                self._names.taken[_name_of(item)] = arena.entry.line
        return Arena((size[0], size[1], 2.0), center), items

    def _image(self, arena: Section, key: str) -> Path | None:
        entry = arena.get(key)
        return None if entry is None else self._file(entry, key, "image")

    def _file(self, entry: Entry, key: str, what: str) -> Path | None:
        """The file of that name; a fault if there is none."""
        reader = self._top.reader
        name = reader.word(entry, key)
        path = self._folder / name
        try:
            found = bool(name) and path.is_file()
        except (OSError, ValueError):
            found = False
        if name and not found:
            hint = f"looked for {path}"
            reader.fault(entry, f"there is no {what} '{name}'", kind="missing file", hint=hint)
        return path if found else None

    def _terrain(self, arena: Arena) -> Terrain | None:
        if not self._top.has("terrain"):
            return None
        with self._top.section("terrain") as terrain:
            cell = terrain.number("cell_size", 1.0, above=0)
            alpha = terrain.number("alpha", 0.3, above=0)
            entry = terrain.get("alpha")
            if entry is not None and alpha >= 1:
                terrain.reader.fault(entry, f"alpha: {alpha:g} is no share of the ground between 0 and 1")
            file = terrain.get("heights")
            whole = all(abs(round(side / cell) * cell - side) <= 1e-6 * side for side in arena.size[:2])
            if file is None and not whole:
                terrain.fault(f"the arena is no whole number of cells of {cell:g} m", hint="say another cell_size")
            return Terrain(
                cell, alpha, terrain.number("beta", 500.0, above=0), terrain.number("gamma", 15.0, least=0),
                terrain.number("highest", 100.0, above=0), terrain.whole("seed") if terrain.has("seed") else None,
                self._file(file, "heights", "file of heights") if file is not None else None,
            )  # fmt: skip

    def _radio(self) -> tuple[Radio, RadioDefaults]:
        with self._top.section("radio") as radio:
            loss = radio.number("loss", 0.0, least=0)
            entry = radio.get("loss")
            if entry is not None and loss > 1:
                radio.reader.fault(entry, f"loss: {loss:g} is not a share between 0 and 1")
            defaults = RadioDefaults(
                radio.number("range", 1.5, least=0), radio.whole("data_size", 100, least=4),
                radio.number("noise", 0.0, least=0), loss,
            )  # fmt: skip
            return Radio(radio.boolean("occlusion", True)), defaults

    def _record(self) -> Record:
        with self._top.section("record") as record:
            names, sensors = record.get("globals"), record.get("sensors")
            return Record(
                record.reader.words(names, "globals") if names else (),
                record.reader.words(
                    sensors,
                    "sensors",
                    [name for name in (*SENSORS, *EXTRA_SENSORS, "clearance", *own_names()) if name != "radio"],
                )
                if sensors
                else (),
                record.boolean("messages", False),
                record.boolean("contacts", False),
            )

    def _physics(self) -> Physics:
        with self._top.section("physics") as physics:
            iterations = physics.whole("iterations", 10, least=1, most=1000)
            return Physics(iterations, *(physics.number(name, 1.49, least=0) for name in _FRICTIONS))

    # -- obstacles and lights ------------------------------------------------------------------------------------

    def _obstacles(self) -> list[Item]:
        return [item for section in self._sections("obstacles") if (item := self._obstacle(section)) is not None]

    def _obstacle(self, section: Section) -> Item | None:
        with section:
            box, cylinder = section.get("box"), section.get("cylinder")
            spot = read_spot(section)
            movable = section.boolean("movable", False)
            mass = section.number("mass", above=0) if movable else section.number("mass", 1.0, above=0)
            section.get("name")
            if (box is None) == (cylinder is None):
                section.fault(f"{section.name} needs 'box' or 'cylinder', one of them", kind="missing key")
                return None
            if box is not None:
                x, y, z = section.reader.vector(box, "box", 3, above=0)
                name, base = self._named(section, spot, "box")
                template: Box | Cylinder = Box(name, (x, y, z), spot.position, spot.orientation, movable, mass)
            else:
                with section.section("cylinder") as round_:
                    radius, height = round_.number("radius", above=0), round_.number("height", above=0)
                name, base = self._named(section, spot, "cylinder")
                template = Cylinder(name, radius, height, spot.position, spot.orientation, movable, mass)
            return _item(template, spot, base, section)

    def _lights(self) -> list[Item]:
        found: list[Item] = []
        for section in self._sections("lights"):
            with section:
                spot = read_spot(section, dimensions=3)
                intensity = section.number("intensity", 1.0, least=0)
                color = section.choice("color", _COLORS, "yellow") or "yellow"
                name, base = self._named(section, spot, "light")
                found.append(_item(Light(name, spot.position, intensity, color), spot, base, section))
        return found

    def _named(self, section: Section, spot: Spot, kind: str) -> tuple[str, int]:
        """The name of a single thing; for a group its stem and the first number."""
        name = section.word("name", kind)
        own = section.has("name")
        if own and spot.draws is None:
            self._names.take(section, name)
            return name, 0
        first = section.whole("first", 1 if own else self._counts[kind] + 1)
        if not own:
            self._counts[kind] += spot.count
        for number in range(first, first + spot.count):
            self._names.take(section, f"{name}{number}")
        return (name, first) if spot.draws else (f"{name}{first}", 0)


def _item(template: Box | Cylinder | Light, spot: Spot, base: int, section: Section) -> Item:
    if spot.draws is None:
        return template
    return Distribution(*spot.draws, template, spot.count, spot.max_trials, base, section.entry.line)


def _name_of(item: Item) -> str:
    return item.template.name if isinstance(item, Distribution) else item.name


def _flat(section: Section, key: str, *, above: float | None = None) -> Point:
    entry = section.need(key)
    if entry is None:
        return (1.0, 1.0, 0.0) if above is not None else (0.0, 0.0, 0.0)
    x, y = section.reader.vector(entry, key, 2, above=above)
    return x, y, 0.0
