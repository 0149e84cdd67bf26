"""The jobs of an experiment, from its YAML file under `jobs:` or from a file of their own (`--with`).

set:
  - {globals: {SPEED: 10}}                                  # all robots; with ids: 3, or ids: [1, 5] from 1 to 5
write:
  - {globals: [state], file: states.csv, every: 1}          # or at_end: true; poses: true for x, y, yaw
floor:
  color: 255                                                # or image: floor.png, over the arena
  shapes:
    - {rectangle: [[-1, -1], [0, 1]], color: 0}
    - {circle: {center: [1, 0], radius: 0.3}, color: [255, 0, 0]}
changes:
  - {tick: 50, move: door, to: [0, 2], yaw: 90}
  - {tick: 60, add: {name: rock, cylinder: {radius: 0.1, height: 0.3}, at: [1, 1]}}
  - {tick: 70, remove: rock}
stop: all(buzz("done") == 1)
"""

from __future__ import annotations

import os
from math import radians
from pathlib import Path

from pybuzz.errors import InputError
from pybuzz.experiment.expressions import fault_in
from pybuzz.experiment.jobs import Change, Color, Jobs, Painting, Shape, Stop, ValuesSet, Writing
from pybuzz.experiment.plan import Box, Cylinder
from pybuzz.faults import Faults
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import Entry, parse

__all__ = ["read_jobs", "read_jobs_file"]

STOP_NAMES = ("tick", "time", "robots", "x", "y", "yaw", "buzz")
BLACK = (0.0, 0.0, 0.0)


def read_jobs_file(path: str | os.PathLike[str]) -> Jobs:
    """The jobs of a YAML file of their own. Raises InputError with every fault of the file."""
    file = os.fspath(path)
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError.at(file, f"cannot be read: {error.strerror}", kind="missing file") from None
    except UnicodeDecodeError:
        raise InputError.at(file, "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8") from None
    faults = Faults(file, text)
    reader = YamlReader(faults)
    root = parse(text, file)
    if root.keys is None:
        what = "the file is empty" if root.tag == "null" else f"{root.what} are no jobs"
        reader.fault(root, what, kind="no jobs", hint="it has keys such as write: and stop:")
        faults.settle()
    jobs = _Jobs(reader.section(root, "the file of jobs"), Path(file).parent).read()
    faults.settle(strict=True)
    return jobs


def read_jobs(top: Section, folder: Path) -> Jobs:
    """The jobs under the key `jobs` of an experiment; `folder` is where its images are."""
    return _Jobs(top.section("jobs"), folder).read()


class _Jobs:
    def __init__(self, top: Section, folder: Path) -> None:
        self._top = top
        self._reader = top.reader
        self._folder = folder

    def read(self) -> Jobs:
        with self._top as top:
            jobs = Jobs(
                tuple(map(self._values_set, self._sections("set"))),
                tuple(map(self._writing, self._sections("write"))),
                self._painting() if top.has("floor") else None,
                tuple(filter(None, map(self._change, self._sections("changes")))),
                self._stops(),
            )
        self._check_files(jobs)
        return jobs

    def _sections(self, key: str) -> list[Section]:
        entries = self._top.entries(key)
        return [self._reader.section(entry, f"{key}[{index}]") for index, entry in enumerate(entries, start=1)]

    def _place(self, entry: Entry) -> tuple[str, int]:
        return self._reader.faults.file, entry.line

    def _values_set(self, section: Section) -> ValuesSet:
        with section:
            section.need("globals")
            named = section.section("globals")
            values = {name: self._reader.buzz_value(entry, name) for name, entry in (named.entry.keys or {}).items()}
            ids = section.get("ids")
            return ValuesSet(values, None if ids is None else self._ids(ids), self._place(section.entry))

    def _ids(self, entry: Entry) -> tuple[int, int]:
        """One id, or the first and the last of a range."""
        if entry.items is None:
            only = self._reader.whole(entry, "ids")
            return only, only
        if len(entry.items) != 2:
            self._reader.fault(entry, "ids: one id, or [first, last], is needed")
            return 0, 2**32
        first, last = (self._reader.whole(item, "ids") for item in entry.items)
        if first > last:
            self._reader.fault(entry, f"ids: the first, {first}, is above the last, {last}")
        return first, last

    def _writing(self, section: Section) -> Writing:
        with section:
            file = section.word("file")
            names = section.need("globals")
            every, at_end = section.whole("every", 1, least=1), section.boolean("at_end", False)
            if at_end and section.has("every"):
                section.fault("'every' and 'at_end' exclude each other")
            words = self._reader.words(names, "globals") if names is not None else ()
            return Writing(Path(file), words, None if at_end else every, section.boolean("poses", False))

    def _check_files(self, jobs: Jobs) -> None:
        files = [one.file for one in jobs.writings]
        for index, section in enumerate(self._sections("write")):
            if files[index].name and files[index] in files[:index]:
                section.fault(f"'{files[index]}' is written by an entry above already", hint="give it another file")

    def _painting(self) -> Painting:
        with self._top.section("floor") as floor:
            image = self._image(floor)
            color = self._color(floor) if floor.has("color") else None
            if image is not None and color is not None:
                floor.fault("'image' and 'color' exclude each other")
            shapes = floor.entries("shapes")
            sections = [self._reader.section(entry, f"shapes[{index}]") for index, entry in enumerate(shapes, start=1)]
            return Painting(image, color, tuple(map(self._shape, sections)))

    def _image(self, floor: Section) -> Path | None:
        entry = floor.get("image")
        if entry is None:
            return None
        name = self._reader.word(entry, "image")
        path = self._folder / name
        if name and not path.is_file():
            self._reader.fault(entry, f"there is no image '{name}'", kind="missing file", hint=f"looked for {path}")
        return path

    def _color(self, section: Section) -> Color:
        """A grey or [red, green, blue], 0..255."""
        entry = section.need("color")
        if entry is None:
            return BLACK
        if entry.items is None:
            grey = float(self._reader.whole(entry, "color", most=255))
            return grey, grey, grey
        if len(entry.items) != 3:
            self._reader.fault(entry, "color: a grey from 0 to 255, or [red, green, blue], is needed")
            return BLACK
        red, green, blue = (float(self._reader.whole(item, "color", most=255)) for item in entry.items)
        return red, green, blue

    def _shape(self, section: Section) -> Shape:
        with section:
            rectangle, circle = section.get("rectangle"), section.get("circle")
            color = self._color(section)
            if (rectangle is None) == (circle is None):
                section.fault(f"{section.name} needs 'rectangle' or 'circle', one of them", kind="missing key")
                return Shape((0.0, 0.0, 0.0), color)
            if rectangle is not None:
                return Shape(self._corners(rectangle), color)
            with section.section("circle") as round_:
                center = round_.need("center")
                x, y = self._reader.vector(center, "center", 2) if center is not None else (0.0, 0.0)
                return Shape((x, y, round_.number("radius", above=0)), color)

    def _corners(self, entry: Entry) -> tuple[float, ...]:
        if entry.items is None or len(entry.items) != 2:
            self._reader.fault(entry, "rectangle: two corners are needed: [[x, y], [x, y]]")
            return 0.0, 0.0, 0.0, 0.0
        first, second = (self._reader.vector(item, "rectangle", 2) for item in entry.items)
        return *first, *second

    def _change(self, section: Section) -> Change | None:
        with section:
            tick, place = section.whole("tick", least=1), self._place(section.entry)
            found = [key for key in ("move", "add", "remove") if section.has(key)]
            if len(found) != 1:
                section.fault(f"{section.name} needs 'move', 'add' or 'remove', one of them", kind="missing key")
                return None
            if found == ["remove"]:
                return Change(tick, section.word("remove"), place=place)
            if found == ["add"]:
                thing = self._thing(section.section("add"))
                return None if thing is None else Change(tick, thing.name, added=thing, place=place)
            to = section.need("to")
            x, y = self._reader.vector(to, "to", 2) if to is not None else (0.0, 0.0)
            yaw = radians(section.number("yaw", 0.0)) if section.has("yaw") else None
            return Change(tick, section.word("move"), pose=(x, y, yaw), place=place)

    def _thing(self, section: Section) -> Box | Cylinder | None:
        with section:
            name, at = section.word("name"), section.need("at")
            x, y = self._reader.vector(at, "at", 2) if at is not None else (0.0, 0.0)
            position, orientation = (x, y, 0.0), (radians(section.number("yaw", 0.0)), 0.0, 0.0)
            movable = section.boolean("movable", False)
            mass = section.number("mass", above=0) if movable else section.number("mass", 1.0, above=0)
            box, cylinder = section.get("box"), section.get("cylinder")
            if (box is None) == (cylinder is None):
                section.fault(f"{section.name} needs 'box' or 'cylinder', one of them", kind="missing key")
                return None
            if box is not None:
                length, width, height = self._reader.vector(box, "box", 3, above=0)
                return Box(name, (length, width, height), position, orientation, movable, mass)
            with section.section("cylinder") as round_:
                radius, height = round_.number("radius", above=0), round_.number("height", above=0)
            return Cylinder(name, radius, height, position, orientation, movable, mass)

    def _stops(self) -> tuple[Stop, ...]:
        entry = self._top.get("stop")
        if entry is None:
            return ()
        text = self._reader.word(entry, "stop")
        wrong = fault_in(
            text, STOP_NAMES, noun="name", example='all(buzz("done") == 1)',
            otherwise='a Buzz global is buzz("NAME"); for more write is_finished in Python: --hooks FILE.py:NAME',
        ) if text else None  # fmt: skip
        if wrong is not None:
            self._reader.fault(entry, f"stop: {wrong[0]}", kind="wrong expression", hint=wrong[1])
            return ()
        return (Stop(text, self._place(entry)),) if text else ()
