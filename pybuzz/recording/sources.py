"""Where a Recording reads from: the memory of the Recorder, or a folder's Parquet files. Both answer alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from pybuzz.recording.description import RunDescription, ViewMark
from pybuzz.recording.folder import connect, damaged_table, rows_of, table_files
from pybuzz.recording.messages import STATUSES, Messages
from pybuzz.recording.rows import NO_ROBOT, NOBODY, decode_variable
from pybuzz.recording.views import Picture, read_view

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["ArrayRows", "FolderSource", "MemorySource", "Source", "VariableRow"]

ArrayRows = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[Any]]
"""ticks int32[n], indices int32[n] of robots (or of obstacles, in the table objects), values [n, columns]"""

VariableRow = tuple[int, int, Any]
"""tick, robot, value"""


class Source(Protocol):
    """What a Recording asks for. Robots are indices in order of creation."""

    def tables(self) -> list[str]: ...
    def arrays(self, table: str) -> ArrayRows | None: ...
    def variable_names(self) -> list[str]: ...
    def variable(self, name: str) -> Iterable[VariableRow]: ...
    def texts(self, table: str) -> list[tuple[Any, ...]]: ...
    def view(self, name: str, mark: ViewMark) -> Picture: ...
    def messages(self) -> Messages | None: ...


class MemorySource:
    """What a Recorder holds that wrote nothing."""

    def __init__(
        self,
        arrays: dict[str, ArrayRows],
        variables: list[tuple[int, npt.NDArray[np.int32], str, list[Any]]],
        log: list[tuple[Any, ...]],
        events: list[tuple[Any, ...]],
        views: Mapping[str, Picture],
        messages: Messages,
    ) -> None:
        self._arrays = arrays
        self._variables = variables
        self._texts = {"log": log, "events": events}
        self._views = views
        self._messages = messages

    def tables(self) -> list[str]:
        return sorted(self._arrays)

    def arrays(self, table: str) -> ArrayRows | None:
        return self._arrays.get(table)

    def variable_names(self) -> list[str]:
        return list(dict.fromkeys(name for _, _, name, _ in self._variables))

    def variable(self, name: str) -> Iterable[VariableRow]:
        for tick, robots, stored, values in self._variables:
            if stored == name:
                yield from ((tick, robot, value) for robot, value in zip(robots.tolist(), values, strict=True))

    def texts(self, table: str) -> list[tuple[Any, ...]]:
        return self._texts[table]

    def view(self, name: str, mark: ViewMark) -> Picture:
        return self._views[name]

    def messages(self) -> Messages | None:
        return self._messages if len(self._messages.ticks) else None


class FolderSource:
    """The Parquet files of a folder. `keep` is held as long as this source lives (a temporary folder)."""

    def __init__(self, folder: Path, description: RunDescription, *, keep: object = None) -> None:
        self._folder = folder
        self._files = table_files(folder)
        self._keep = keep
        self._robots = {robot.name: index for index, robot in enumerate(description.robots)} | {NOBODY: NO_ROBOT}
        self._objects = {obstacle.name: index for index, obstacle in enumerate(description.obstacles)}

    def tables(self) -> list[str]:
        return sorted(self._files)

    def last_tick(self) -> int:
        """The last tick that has poses, -1 if none has."""
        if "poses" not in self._files:
            return -1
        found = self._ask("SELECT max(tick) FROM {poses}", "poses").fetchone()
        return -1 if found is None or found[0] is None else int(found[0])

    def arrays(self, table: str) -> ArrayRows | None:
        if table not in self._files:
            return None
        columns = self._ask(f"SELECT * FROM {{{table}}}", table).fetchnumpy()
        whose, indices = ("object", self._objects) if table == "objects" else ("robot", self._robots)
        if not {"tick", whose} < columns.keys():
            raise damaged_table(self._folder, table, f"it lacks the columns tick and {whose}, or values")
        ticks, names = columns.pop("tick"), columns.pop(whose)
        if np.ma.is_masked(ticks) or (len(ticks) and ticks.min() < 0):
            raise damaged_table(self._folder, table, "a tick is negative or missing")
        # DuckDB takes a nan for no value and hands it back masked
        values = [column.filled(np.nan) if np.ma.isMaskedArray(column) else column for column in columns.values()]
        try:
            numbers = np.fromiter(map(indices.__getitem__, names), dtype=np.int32, count=len(names))
        except KeyError as error:
            raise damaged_table(self._folder, table, f"run.json has no {whose} {error}") from error
        return ticks, numbers, np.column_stack(values)

    def variable_names(self) -> list[str]:
        if "globals" not in self._files:
            return []
        found = self._ask("SELECT DISTINCT name FROM {globals} ORDER BY name", "globals").fetchall()
        return [name for (name,) in found]

    def variable(self, name: str) -> Iterable[VariableRow]:
        query = "SELECT tick, robot, kind, number, text FROM {globals} WHERE name = ?"
        for tick, robot, kind, number, text in self._ask(query, "globals", [name]).fetchall():
            yield tick, self._robot(robot, "globals"), decode_variable(kind, number, text)

    def texts(self, table: str) -> list[tuple[Any, ...]]:
        if table not in self._files:
            return []
        rows = self._ask(f"SELECT * FROM {{{table}}}", table).fetchall()
        return [(tick, self._robot(robot, table), *texts) for tick, robot, *texts in rows]

    def _robot(self, name: str, table: str) -> int:
        if name not in self._robots:
            raise damaged_table(self._folder, table, f"run.json has no robot {name!r}")
        return self._robots[name]

    def view(self, name: str, mark: ViewMark) -> Picture:
        return read_view(self._folder, name, mark)

    def messages(self) -> Messages | None:
        if "messages" not in self._files:
            return None
        # Numbered by the database: a swarm's run has millions of rows.
        robots, statuses = _enumeration(list(self._robots)), _enumeration(STATUSES)
        numbered = (
            f"SELECT tick, enum_code(sender::{robots}) AS sender, enum_code(receiver::{robots}) AS receiver, bytes, "
            f"enum_code(status::{statuses}) AS status FROM {{messages}}"
        )
        columns = self._ask(numbered, "messages").fetchnumpy()
        ticks, senders, receivers, sizes = (
            columns[name].astype(np.int32) for name in ("tick", "sender", "receiver", "bytes")
        )
        return Messages(ticks, senders, receivers, sizes, columns["status"].astype(np.uint8))

    def _ask(self, query: str, table: str, values: Sequence[Any] = ()) -> DuckDBPyConnection:
        import duckdb

        try:
            return connect().execute(query.format(**{table: rows_of(self._files[table])}), list(values))
        except duckdb.Error as error:
            raise damaged_table(self._folder, table, error) from error


def _enumeration(names: Iterable[str]) -> str:
    """An SQL type with these values; a brace is none of a format's."""
    values = ", ".join("'" + name.replace("'", "''").replace("{", "{{").replace("}", "}}") + "'" for name in names)
    return f"ENUM({values})"
