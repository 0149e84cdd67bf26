"""A finished run, to be read: arrays over ticks and robots, the log, and what the run was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.description import RunDescription
from pybuzz.recording.folder import read_run_file
from pybuzz.recording.messages import Messages
from pybuzz.recording.notes import NOTE_EVENT, Note, note_from
from pybuzz.recording.rows import NOBODY, sensor_table
from pybuzz.recording.sources import FolderSource, Source
from pybuzz.recording.views import Picture

__all__ = ["Event", "LightStay", "LogLine", "ObjectWays", "Recording"]

Content = TypeVar("Content")


class LogLine(NamedTuple):
    """What the script of a robot logged in a tick."""

    tick: int
    robot: str
    text: str


class Event(NamedTuple):
    """What happened in a tick. `robot` is empty if it did not happen to a robot."""

    tick: int
    robot: str
    kind: str
    text: str


class ObjectWays(NamedTuple):
    """Where the obstacles were that can be pushed, or that were moved, added or taken out.

    obstacles   int64[n]: which ones, as indices in description.obstacles
    names       their names
    poses       float64[ticks + 1, n, 3]: x, y in m, yaw in rad; nan where one was not there
    """

    obstacles: npt.NDArray[np.int64]
    names: list[str]
    poses: npt.NDArray[np.float64]


class LightStay(NamedTuple):
    """A light at x, y (m), from tick `since` on, no longer in tick `until` (None: until the end)."""

    x: float
    y: float
    since: int = 0
    until: int | None = None


class Recording:
    """What is kept of a run. Row 0 of every array is before the first tick, row t the end of tick t.

    Arrays are read when first asked for. Where a robot did not exist they hold nan (leds 0, globals None).
    """

    def __init__(self, description: RunDescription, status: str, ticks: int, source: Source) -> None:
        self.description = description
        self.status = status
        """How the run ended: completed, interrupted, failed; running: it was killed, or still runs."""
        self.ticks = max(ticks, 0)
        """Number of ticks that were run."""
        self._rows = ticks + 1
        self._source = source

    @classmethod
    def open(cls, folder: Path | str) -> Recording:
        """The recording in a folder. Raises InputError if it is none, is damaged, or is of a newer format."""
        folder = Path(folder)
        data = read_run_file(folder)
        try:
            description = RunDescription.from_json(data["run"])
            told = int(data["ticks"])  # while it runs -1; of ticks without any robot no table tells
        except (KeyError, TypeError, ValueError) as error:
            raise InputError.at(str(folder / "run.json"), f"the recording is damaged: {error!r}") from error
        source = FolderSource(folder, description)
        return cls(description, str(data["status"]), max(source.last_tick(), told), source)

    @property
    def robots(self) -> list[str]:
        """The robots' names, in order of creation."""
        return [robot.name for robot in self.description.robots]

    @cached_property
    def poses(self) -> npt.NDArray[np.float64]:
        """float64[ticks + 1, robots, 3]: x, y in m, yaw in rad."""
        return self._dense("poses", np.nan, np.float64, 3)

    @cached_property
    def leds(self) -> npt.NDArray[np.uint8]:
        """uint8[ticks + 1, robots, 3]: red, green, blue."""
        return self._dense("leds", 0, np.uint8, 3)

    @cached_property
    def objects(self) -> ObjectWays:
        """Where the boxes and cylinders were that did not stand still for sure."""
        marks = self.description.obstacles
        rows = self._source.arrays("objects")
        ticks, which, values = rows or (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros((0, 3)))
        obstacles, columns = np.unique(which.astype(np.int64), return_inverse=True)
        poses = np.full((self._rows, len(obstacles), 3), np.nan)
        latest = np.full((self._rows, len(obstacles)), -1)
        for column, index in enumerate(obstacles.tolist()):
            mark = marks[index]
            if mark.since < self._rows:
                poses[mark.since, column] = (*mark.position, mark.yaw)
                latest[mark.since, column] = mark.since
        inside = ticks < self._rows
        ticks, columns = ticks[inside], columns[inside]
        poses[ticks, columns] = values[inside]
        latest[ticks, columns] = ticks
        latest = np.maximum.accumulate(latest, axis=0)
        return ObjectWays(
            obstacles,
            [marks[index].name for index in obstacles.tolist()],
            np.where(latest[..., None] < 0, np.nan, np.take_along_axis(poses, latest.clip(0)[..., None], axis=0)),
        )

    @cached_property
    def lights(self) -> list[LightStay]:
        """All lights that there ever were."""
        stays = [LightStay(x, y) for x, y in self.description.lights]
        for event in self.events:
            if event.kind == "light added":
                x, y = json.loads(event.text)
                stays.append(LightStay(x, y, event.tick))
            elif event.kind == "light removed":
                place = tuple(json.loads(event.text))
                index = next(number for number, stay in enumerate(stays) if (stay[:2], stay.until) == (place, None))
                stays[index] = stays[index]._replace(until=event.tick)
        return stays

    @cached_property
    def views(self) -> Mapping[str, Picture]:
        """By name (floor, map): what does not move, seen from above before the first tick."""
        marks = self.description.views
        return _Shelf(list(marks), lambda name: self._source.view(name, marks[name]))

    @cached_property
    def sensors(self) -> Mapping[str, npt.NDArray[np.float64]]:
        """By name, float64[ticks + 1, robots, values] in SI units, as docs/sensors.md lists them."""
        prefix = sensor_table("")
        names = [table.removeprefix(prefix) for table in self._source.tables() if table.startswith(prefix)]
        return _Shelf(names, lambda name: self._dense(sensor_table(name), np.nan, np.float64, 0))

    @cached_property
    def globals(self) -> Mapping[str, npt.NDArray[np.object_]]:
        """By name, object[ticks + 1, robots]: the scripts' variables as None, int, float, str or dict."""
        return _Shelf(self._source.variable_names(), self._variable)

    @cached_property
    def messages(self) -> Messages | None:
        """What became of every packet; None unless the run was recorded with its messages (or none was sent)."""
        found = self._source.messages()
        return None if found is None else found.of(found.ticks < self._rows)

    @cached_property
    def notes(self) -> list[Note]:
        """What scripts drew with `debug`, in order."""
        return [note_from(event.tick, event.robot, event.text) for event in self.events if event.kind == NOTE_EVENT]

    @cached_property
    def log(self) -> list[LogLine]:
        """All lines that scripts logged, in order."""
        robots = self.robots
        return [LogLine(tick, robots[robot], text) for tick, robot, text in self._source.texts("log")]

    @cached_property
    def events(self) -> list[Event]:
        """What happened (a script failed; a robot, an object or a light came or went), in order."""
        robots = [*self.robots, NOBODY]
        return [Event(tick, robots[robot], *texts) for tick, robot, *texts in self._source.texts("events")]

    def __repr__(self) -> str:
        return f"<Recording of {self.description.experiment}: {len(self.robots)} robots, {self.ticks} ticks>"

    def _repr_png_(self) -> bytes:
        """A notebook's picture: the last tick, with all ways."""
        from pybuzz.recording.notebook import picture

        return picture(self)

    def _repr_html_(self) -> str:
        """A notebook's picture and a table of what was recorded."""
        from pybuzz.recording.notebook import page

        return page(self)

    def _dense(self, table: str, fill: float, kind: type, width: int) -> npt.NDArray[Any]:
        rows = self._source.arrays(table)
        width = rows[2].shape[1] if rows else width
        array: npt.NDArray[Any] = np.full((self._rows, len(self.robots), width), fill, dtype=kind)
        if rows:
            ticks, robots, values = rows
            inside = ticks < self._rows
            array[ticks[inside], robots[inside]] = values[inside]
        return array

    def _variable(self, name: str) -> npt.NDArray[np.object_]:
        array = np.full((self._rows, len(self.robots)), None, dtype=object)
        for tick, robot, value in self._source.variable(name):
            if tick < self._rows:
                array[tick, robot] = value
        return array


class _Shelf(Mapping[str, Content], Generic[Content]):
    """A mapping whose values are read when first asked for."""

    def __init__(self, names: list[str], read: Callable[[str], Content]) -> None:
        self._names = names
        self._read = read
        self._known: dict[str, Content] = {}

    def __getitem__(self, name: str) -> Content:
        if name not in self._names:
            raise KeyError(f"'{name}' was not recorded; recorded are: {', '.join(self._names) or 'none'}")
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
