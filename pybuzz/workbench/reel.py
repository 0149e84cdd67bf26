"""The time line: every tick's frame, scalar globals and log lines, in temporary files, found by the tick's number.

Memory does not grow with the number of ticks. A tick's globals are kept as what changed since the tick before; now and
then all of them are written, so that finding those of one tick reads a bounded part of the file.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pybuzz.workbench.tape import Tape

__all__ = ["Reel"]

Globals = dict[str, dict[str, Any]]
"""Robot -> name -> int, float or str."""

_SMALLEST_SPACING = 1 << 18
"""Bytes of changes after which all globals are written, at least."""
_MOST_CHANGED = 64
"""Ticks with changes after which they are written at the latest."""


class Reel:
    """Ticks 0 to `newest` of one run (-1: none yet). What is written to a tick that is there takes its place."""

    def __init__(self) -> None:
        self._data = Tape()
        self._ticks = _Rows(_Tick, "<QQIIII")
        self._log = _LogReel()
        self._globals: Globals = {}
        self._changes = self._changed_ticks = self._spacing = 0

    @property
    def newest(self) -> int:
        return len(self._ticks) - 1

    def clear(self) -> None:
        """Forget the run."""
        self._ticks.truncate(0)
        self._data.truncate(0)
        self._log.truncate(-1)
        self._globals, self._changes, self._changed_ticks, self._spacing = {}, 0, 0, 0

    def close(self) -> None:
        for file in (self._data, self._ticks, self._log):
            file.close()

    # -- writing -------------------------------------------------------------------------------------------------

    def add_frame(self, tick: int, frame: bytes) -> bool:
        """The frame at the end of a tick. Later ticks are forgotten: true if there were any.

        A tick that is there keeps its globals and log lines. Ticks that were left out look like the one before.
        """
        went_back = tick < self.newest
        if went_back:
            self._go_back(tick)
        if tick == self.newest:
            self._replace_frame(tick, frame)
            return went_back
        while self.newest < tick - 1:
            last = self._ticks[self.newest] if self.newest >= 0 else _Tick()
            self._ticks.append(last._replace(globals_size=0))
        before = self._ticks[self.newest] if self.newest >= 0 else _Tick()
        self._ticks.append(
            before._replace(
                frame_offset=self._data.append(frame), frame_size=len(frame), globals_offset=0, globals_size=0
            )
        )
        return went_back

    def add_globals(self, message: dict[str, Any], text: bytes = b"") -> None:
        """A stage's `globals` of the newest tick: what is not what it was the tick before; None: it is gone.

        text: the message as JSON, if it is at hand.
        """
        tick = message["tick"]
        if tick != self.newest:
            return
        self._apply(message["changed"])
        row = self._ticks[tick]
        is_first = row.key_tick == tick or row.globals_size > 0
        is_key = is_first or self._changes > self._spacing or self._changed_ticks >= _MOST_CHANGED
        if is_key or not text:
            text = json.dumps({"changed": self._globals if is_key else message["changed"]}).encode()
        self._changes += len(text)
        self._changed_ticks += 1
        if is_key:
            self._changes, self._changed_ticks, self._spacing = 0, 0, max(_SMALLEST_SPACING, 2 * len(text))
        self._ticks[tick] = row._replace(
            globals_offset=self._data.append(text),
            globals_size=len(text),
            key_tick=tick if is_key else row.key_tick,
            changed_tick=tick,
        )

    def _apply(self, changed: Mapping[str, Mapping[str, Any]]) -> None:
        for robot, values in changed.items():
            known = self._globals.setdefault(robot, {})
            known.update(values)
            for name in [name for name, value in values.items() if value is None]:
                del known[name]

    def add_lines(self, lines: list[dict[str, Any]]) -> None:
        """Log lines, each with its `tick`; not earlier than those before."""
        self._log.append(lines)

    def _go_back(self, tick: int) -> None:
        row = self._ticks[tick]
        self._globals = self.all_globals(tick)
        # A frame that replaced another one stands behind what came after it.
        self._data.truncate(max(row.frame_offset + row.frame_size, row.globals_offset + row.globals_size))
        self._ticks.truncate(tick + 1)
        self._log.truncate(tick)

    def _replace_frame(self, tick: int, frame: bytes) -> None:
        row = self._ticks[tick]
        if len(frame) == row.frame_size:
            self._data.overwrite(row.frame_offset, frame)
        else:
            self._ticks[tick] = row._replace(frame_offset=self._data.append(frame), frame_size=len(frame))

    # -- reading -------------------------------------------------------------------------------------------------

    def frame(self, tick: int) -> bytes | None:
        """The frame of a tick; None if it is not (or no longer) there."""
        if not 0 <= tick <= self.newest:
            return None
        row = self._ticks[tick]
        return self._data.read(row.frame_offset, row.frame_size)

    def all_globals(self, tick: int) -> Globals:
        """The globals of all robots at the end of a tick that is there."""
        found: Globals = {}
        row = self._ticks[tick]
        changed = [row.changed_tick]
        while changed[-1] > row.key_tick:
            changed.append(self._ticks[changed[-1] - 1].changed_tick)
        for number in reversed(changed):
            for robot, values in self._changed_in(number).items():
                found.setdefault(robot, {}).update(values)
        return {robot: {name: value for name, value in values.items() if value is not None}
                for robot, values in found.items()}  # fmt: skip

    def last_lines(self, most: int) -> list[dict[str, Any]]:
        """The last log lines, at most so many."""
        return self._log.last(most)

    def _changed_in(self, tick: int) -> Globals:
        row = self._ticks[tick]
        if not row.globals_size:
            return {}
        found: Globals = json.loads(self._data.read(row.globals_offset, row.globals_size))["changed"]
        return found


class _Tick(NamedTuple):
    """Where a tick's parts are.

    changed_tick: the last one, up to this, with globals. key_tick: the last one whose globals are all of them.
    """

    frame_offset: int = 0
    globals_offset: int = 0
    frame_size: int = 0
    globals_size: int = 0
    key_tick: int = 0
    changed_tick: int = 0


class _Batch(NamedTuple):
    """Where log lines are that came together; `tick` is that of the last one."""

    offset: int = 0
    size: int = 0
    tick: int = 0


class _LogReel:
    """Log lines in batches, in order of their ticks."""

    def __init__(self) -> None:
        self._data = Tape()
        self._batches = _Rows(_Batch, "<QII")

    def append(self, lines: list[dict[str, Any]]) -> None:
        if lines:
            text = json.dumps(lines, separators=(",", ":")).encode()
            self._batches.append(_Batch(self._data.append(text), len(text), int(lines[-1]["tick"])))

    def truncate(self, tick: int) -> None:
        """Forget the lines of later ticks."""
        kept: list[dict[str, Any]] = []
        number = len(self._batches)
        while number and self._batches[number - 1].tick > tick:
            number -= 1
            kept = [line for line in self._lines(number) if line["tick"] <= tick] + kept
        end = self._batches[number].offset if number < len(self._batches) else None
        self._batches.truncate(number)
        if end is not None:
            self._data.truncate(end)
        self.append(kept)

    def last(self, most: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        number = len(self._batches)
        while number and len(found) < most:
            number -= 1
            found = self._lines(number)[-(most - len(found)) :] + found
        return found

    def close(self) -> None:
        self._data.close()
        self._batches.close()

    def _lines(self, number: int) -> list[dict[str, Any]]:
        batch = self._batches[number]
        lines: list[dict[str, Any]] = json.loads(self._data.read(batch.offset, batch.size))
        return lines


Row = TypeVar("Row", bound=tuple[int, ...])


class _Rows(Generic[Row]):
    """Rows of whole numbers in a file, found by their number."""

    def __init__(self, make: Callable[..., Row], layout: str) -> None:
        self._make = make
        self._layout = struct.Struct(layout)
        self._tape = Tape()

    def __len__(self) -> int:
        return len(self._tape) // self._layout.size

    def __getitem__(self, number: int) -> Row:
        size = self._layout.size
        return self._make(*self._layout.unpack(self._tape.read(number * size, size)))

    def __setitem__(self, number: int, row: Row) -> None:
        self._tape.overwrite(number * self._layout.size, self._layout.pack(*row))

    def append(self, row: Row) -> None:
        self._tape.append(self._layout.pack(*row))

    def truncate(self, count: int) -> None:
        self._tape.truncate(count * self._layout.size)

    def close(self) -> None:
        self._tape.close()
