"""The tables of a recording and the rows that wait to be written.

Each table has one row per tick and robot (or per line of the log, event, variable). Buffers take what a tick gives,
know how many bytes they hold, and hand it over as columns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "NOBODY",
    "NO_ROBOT",
    "ArrayBuffer",
    "Columns",
    "TextBuffer",
    "VariableBuffer",
    "decode_variable",
    "objects_of",
    "sensor_table",
]

Columns = dict[str, npt.NDArray[Any]]

NOBODY = ""
"""Stands where a robot's name would, for what is not about one robot."""

NO_ROBOT = -1
"""The index of what is not about one robot."""

_BYTES_PER_VALUE = 64
"""A small Python object with its place in a list."""


def sensor_table(sensor: str) -> str:
    """The name of the table that holds a sensor."""
    return f"sensor_{sensor}"


class ArrayBuffer:
    """Rows (tick, robot, value, ...) of one array per tick. `whose` values: the second column's title."""

    def __init__(self, columns: Sequence[str] = (), *, whose: str = "robot") -> None:
        self.bytes = 0
        self._names = tuple(columns)
        self._whose = whose
        self._blocks: list[tuple[int, npt.NDArray[np.int32], npt.NDArray[Any]]] = []

    def add(self, tick: int, robots: npt.NDArray[np.int32], values: npt.NDArray[Any]) -> None:
        """values: [n, columns], copied; robots: int32[n], the index of each row's robot."""
        self._blocks.append((tick, robots, values.copy()))
        self.bytes += values.nbytes + _BYTES_PER_VALUE

    def take(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[Any]] | None:
        """(ticks, robots, values) of all rows, which leave the buffer; None if there are none."""
        blocks, self._blocks, self.bytes = self._blocks, [], 0
        if not blocks:
            return None
        ticks = np.repeat(
            np.array([tick for tick, _, _ in blocks], dtype=np.int32), [len(robots) for _, robots, _ in blocks]
        )
        robots = np.concatenate([robots for _, robots, _ in blocks])
        return ticks, robots, np.concatenate(_equally_wide([values for _, _, values in blocks]))

    def columns(self, names: npt.NDArray[np.object_]) -> Columns | None:
        """All rows as columns, with robots by name."""
        taken = self.take()
        if taken is None or not len(taken[0]):
            return None
        ticks, robots, values = taken
        titles = self._names or [f"value_{index}" for index in range(values.shape[1])]
        named = {title: values[:, index] for index, title in enumerate(titles)}
        return {"tick": ticks, self._whose: names[robots], **named}


class TextBuffer:
    """Rows (tick, robot, text, ...): the log and the events."""

    def __init__(self, *columns: str) -> None:
        self.bytes = 0
        self._names = columns
        self._rows: list[tuple[Any, ...]] = []

    def add(self, tick: int, robot: int, *texts: str) -> None:
        self._rows.append((tick, robot, *texts))
        self.bytes += sum(map(len, texts)) + _BYTES_PER_VALUE * (2 + len(texts))

    def take(self) -> list[tuple[Any, ...]]:
        """All rows, which leave the buffer."""
        rows, self._rows, self.bytes = self._rows, [], 0
        return rows

    def columns(self, names: npt.NDArray[np.object_]) -> Columns | None:
        rows = self.take()
        if not rows:
            return None
        ticks, robots, *texts = zip(*rows, strict=True)
        named = {title: objects_of(column) for title, column in zip(self._names, texts, strict=True)}
        return {"tick": np.array(ticks, dtype=np.int32), "robot": names[list(robots)], **named}


class VariableBuffer:
    """Rows (tick, robot, name, kind, number, text) of the scripts' global variables.

    Integers and floats are in `number` (a double holds both exactly), strings in `text`, tables in `text` as JSON
    pairs of key and value; `kind` says which, so that nothing is lost.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._blocks: list[tuple[int, npt.NDArray[np.int32], str, list[Any]]] = []

    def add(self, tick: int, robots: npt.NDArray[np.int32], variables: Mapping[str, Sequence[Any]]) -> None:
        """variables: by name, one value per robot (None, int, float, str, or a dict of these)."""
        for name, values in variables.items():
            self._blocks.append((tick, robots, name, list(values)))
            self.bytes += _BYTES_PER_VALUE * len(values)

    def take(self) -> list[tuple[int, npt.NDArray[np.int32], str, list[Any]]]:
        """(tick, robots, name, values) blocks, which leave the buffer."""
        blocks, self._blocks, self.bytes = self._blocks, [], 0
        return blocks

    def columns(self, names: npt.NDArray[np.object_]) -> Columns | None:
        blocks = self.take()
        sizes = [len(values) for _, _, _, values in blocks]
        if not sum(sizes):
            return None
        encoded = [_encode_variable(value) for _, _, _, values in blocks for value in values]
        kinds, numbers, texts = zip(*encoded, strict=True)
        missing = np.array([number is None for number in numbers])
        filled = np.array([0.0 if number is None else number for number in numbers], dtype=np.float64)
        return {
            "tick": np.repeat(np.array([tick for tick, _, _, _ in blocks], dtype=np.int32), sizes),
            "robot": names[np.concatenate([robots for _, robots, _, _ in blocks])],
            "name": np.repeat(objects_of([name for _, _, name, _ in blocks]), sizes),
            "kind": objects_of(kinds),
            "number": np.ma.masked_array(filled, mask=missing),
            "text": objects_of(texts),
        }


def _equally_wide(blocks: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """The blocks as they are, or filled up with nan: a robot that came may measure more values than those before."""
    widths = {block.shape[1] for block in blocks}
    if len(widths) == 1:
        return blocks
    widest = max(widths)
    return [np.pad(block, ((0, 0), (0, widest - block.shape[1])), constant_values=np.nan) for block in blocks]


def decode_variable(kind: str, number: float | None, text: str | None) -> Any:
    """The value that VariableBuffer wrote as these columns."""
    if kind == "integer" and number is not None:
        return int(number)
    if kind == "table" and text is not None:
        return _decode_pairs(json.loads(text))
    if kind == "float":
        return math.nan if number is None else number  # DuckDB takes a nan for no value
    return text if kind == "string" else None


def _encode_variable(value: Any) -> tuple[str, float | None, str | None]:
    if value is None:
        return "nil", None, None
    if isinstance(value, str):
        return "string", None, value
    if isinstance(value, dict):
        return "table", None, json.dumps(_encode_pairs(value))
    return ("float" if isinstance(value, float) else "integer"), float(value), None


def _encode_pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return [[key, _encode_pairs(item)] for key, item in value.items()]
    return value


def _decode_pairs(data: Any) -> Any:
    if isinstance(data, list):
        return {key: _decode_pairs(item) for key, item in data}
    return data


def objects_of(values: Sequence[Any]) -> npt.NDArray[np.object_]:
    """The values as they are: object[n]."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
