"""Takes a run tick by tick and keeps it: in a folder, or in memory for as long as that is small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from pybuzz.recording.description import ObstacleMark, RobotMark, RunDescription, ViewMark
from pybuzz.recording.folder import ChunkFolder, prepare, write_run_file
from pybuzz.recording.folder_lock import FolderLock
from pybuzz.recording.messages import MessageBuffer, MessageRows
from pybuzz.recording.recording import Recording
from pybuzz.recording.rows import NOBODY, ArrayBuffer, TextBuffer, VariableBuffer, sensor_table
from pybuzz.recording.saving import saving
from pybuzz.recording.sources import FolderSource, MemorySource
from pybuzz.recording.views import Picture, write_views

__all__ = ["Recorder"]

_FLUSH_SECONDS = 1.0
_FLUSH_BYTES = 64 * 2**20
_MEMORY_BYTES = 512 * 2**20

Buffer = ArrayBuffer | MessageBuffer | TextBuffer | VariableBuffer


class Recorder:
    """Records one run.

    folder     where to write the recording; None keeps it in memory, beyond 512 MB in a temporary folder
    sensors    names of the sensors that every `record_tick` brings
    globals_   names of the scripts' variables that every `record_tick` brings
    views      by name (floor, map): what does not move, seen from above

    Raises InputError if the folder holds something else than a recording of the same experiment, or if another run
    is recording into it.
    """

    def __init__(
        self,
        description: RunDescription,
        folder: Path | None = None,
        *,
        sensors: Sequence[str] = (),
        globals_: Sequence[str] = (),
        views: Mapping[str, Picture] | None = None,
        memory_bytes: int = _MEMORY_BYTES,
    ) -> None:
        self._views = views or {}
        marks = {name: ViewMark(view.corner, view.size) for name, view in self._views.items()}
        self._description = description = replace(description, views=marks)
        self._robots = list(description.robots)
        self._obstacles = list(description.obstacles)
        self._written_marks = (len(self._robots), len(self._obstacles))
        self._sensors = tuple(sensors)
        self._globals = tuple(globals_)
        self._memory_bytes = memory_bytes
        self._last_tick = -1
        self._last_flush = monotonic()
        self._temporary: TemporaryDirectory[str] | None = None
        self._chunks: ChunkFolder | None = None
        self._log = TextBuffer("text")
        self._events = TextBuffer("kind", "text")
        self._variables = VariableBuffer()
        self._leds = ArrayBuffer(("red", "green", "blue"))
        self._poses = ArrayBuffer(("x", "y", "yaw"))
        self._messages = MessageBuffer()
        self._objects = ArrayBuffer(("x", "y", "yaw"), whose="object")
        self._sensor_buffers = {sensor: ArrayBuffer() for sensor in self._sensors}
        self._folder = folder
        self.replaced = ""
        """What stood in the folder before, in words."""
        self._lock: FolderLock | None = None
        if folder is not None:
            self._open(folder)

    def _open(self, folder: Path) -> None:
        self._lock = FolderLock(folder)
        try:
            self.replaced = prepare(folder, self._description.experiment, self._description.digest)
            self._chunks = ChunkFolder(folder)
            write_views(folder, self._views)
            self._write_run_file("running")
        except BaseException:
            self._lock.release()
            raise

    def record_tick(
        self,
        tick: int,
        poses: npt.NDArray[np.float64],
        leds: npt.NDArray[np.uint8] | None = None,
        sensors: Mapping[str, npt.NDArray[np.float64]] | None = None,
        globals_: Mapping[str, Sequence[Any]] | None = None,
        *,
        robots: npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Keep the end of `tick` (0: before the first). Everything is copied.

        poses      float64[n, 3]   x, y in m, yaw in rad
        leds       uint8[n, 3]     red, green, blue
        sensors    by name, float64[n, m]; one that no robot carries now is left out
        globals_   by name, n values: None, int, float, str, or a dict of these
        robots     int32[n]        which robots these rows are; None: all, in order of creation
        """
        rows = np.arange(len(poses), dtype=np.int32) if robots is None else robots
        self._last_tick = tick
        self._poses.add(tick, rows, poses)
        if leds is not None:
            self._leds.add(tick, rows, leds)
        for sensor, readings in (sensors or {}).items():
            self._sensor_buffers[sensor].add(tick, rows, readings)
        if globals_:
            self._variables.add(tick, rows, globals_)
        self._keep_memory_flat()

    def add_robot(self, robot: RobotMark) -> int:
        """A robot that comes into the running simulation, or comes back. Returns its index for all later rows."""
        for index, known in enumerate(self._robots):
            if known.name == robot.name:
                return index
        self._robots.append(robot)
        return len(self._robots) - 1

    def record_objects(self, tick: int, objects: npt.NDArray[np.int32], poses: npt.NDArray[np.float64]) -> None:
        """Keep where objects are at the end of `tick`, of those only that are not where they were before.

        To be called before `record_tick`. objects: int32[n], indices of obstacles in order of creation; poses:
        float64[n, 3], x, y in m, yaw in rad, nan for one that was taken out.
        """
        if len(objects):
            self._objects.add(tick, objects, poses)

    def add_object(self, mark: ObstacleMark) -> int:
        """An obstacle that comes into the running simulation, or comes back. Returns its index for all later rows."""
        for index, known in enumerate(self._obstacles):
            if known.name == mark.name:
                return index
        self._obstacles.append(mark)
        return len(self._obstacles) - 1

    def record_messages(self, tick: int, rows: MessageRows) -> None:
        """Keep what became of the packets of `tick`; to be called before `record_tick`."""
        self._messages.add(tick, rows)

    def log(self, tick: int, robot: int, text: str) -> None:
        """One line that the script of the robot with this index logged in `tick`."""
        self._log.add(tick, robot, text)

    def event(self, tick: int, robot: int, kind: str, text: str) -> None:
        """Something that happened to a robot: its script failed, it was added, it was removed.

        robot: NO_ROBOT if it did not happen to a robot.
        """
        self._events.add(tick, robot, kind, text)

    def close(self, status: str = "completed") -> Recording:
        """End the recording and open it. `status`: how the run ended (completed, interrupted, failed).

        Ctrl-C is ignored until it is saved.
        """
        if self._chunks is None:
            return Recording(self._described(), status, self._last_tick, self._memory_source())
        try:
            with saving():
                self._flush()
                if self._folder is None:
                    self._chunks.close()
                else:
                    self._chunks.pack()
                    self._write_run_file(status)
        finally:
            if self._lock is not None:
                self._lock.release()
        described = self._described()
        source = FolderSource(self._chunks.path, described, keep=self._temporary)
        return Recording(described, status, self._last_tick, source)

    def _described(self) -> RunDescription:
        return replace(self._description, robots=tuple(self._robots), obstacles=tuple(self._obstacles))

    def _tables(self) -> dict[str, Buffer]:
        """All buffers by table. The poses come last: what a killed run has of them, it has of all."""
        sensors = {sensor_table(name): buffer for name, buffer in self._sensor_buffers.items()}
        return {
            "log": self._log,
            "events": self._events,
            "messages": self._messages,
            "globals": self._variables,
            "leds": self._leds,
            "objects": self._objects,
            **sensors,
            "poses": self._poses,
        }

    def _keep_memory_flat(self) -> None:
        if self._chunks is None:
            if self._held_bytes() > self._memory_bytes:
                self._temporary = TemporaryDirectory(prefix="pybuzz-")
                prepare(Path(self._temporary.name), "")
                self._chunks = ChunkFolder(Path(self._temporary.name))
                write_views(self._chunks.path, self._views)
                self._flush()
        elif monotonic() - self._last_flush >= _FLUSH_SECONDS or self._held_bytes() > _FLUSH_BYTES:
            self._flush()

    def _held_bytes(self) -> int:
        sensors = sum(buffer.bytes for buffer in self._sensor_buffers.values())
        texts = self._log.bytes + self._events.bytes + self._variables.bytes
        arrays = self._poses.bytes + self._leds.bytes + self._objects.bytes + self._messages.bytes
        return arrays + sensors + texts

    def _flush(self) -> None:
        assert self._chunks is not None
        robots = np.array([*(robot.name for robot in self._robots), NOBODY], dtype=object)
        objects = np.array([obstacle.name for obstacle in self._obstacles], dtype=object)
        marks = (len(self._robots), len(self._obstacles))
        if self._folder is not None and marks != self._written_marks:
            self._write_run_file("running")
            self._written_marks = marks
        for table, buffer in self._tables().items():
            columns = buffer.columns(objects if buffer is self._objects else robots)
            if columns is not None:
                self._chunks.write(table, columns)
        self._last_flush = monotonic()

    def _write_run_file(self, status: str) -> None:
        assert self._folder is not None
        write_run_file(self._folder, self._described().to_json(), status, self._last_tick)

    def _memory_source(self) -> MemorySource:
        arrays = {"poses": self._poses, "leds": self._leds, "objects": self._objects}
        arrays |= {sensor_table(name): buffer for name, buffer in self._sensor_buffers.items()}
        return MemorySource(
            {table: taken for table, buffer in arrays.items() if (taken := buffer.take()) is not None},
            self._variables.take(),
            self._log.take(),
            self._events.take(),
            self._views,
            self._messages.take(),
        )
