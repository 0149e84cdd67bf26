"""The emulator's log: everything that was said on every line, and what the robots did, with monotonic times."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

__all__ = ["Entry", "Journal", "LogReader", "read_log"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One event. t: s of the system's monotonic clock; robot: its number, 0 for the emulator itself.

    kind: ready, connected, waiting, disconnected, received, sent, flushed, oddity, fault, moving, still, late. A
    disconnected has the motor state that was left behind: mode, left, right (orders), speeds; received and sent have
    `line`, without its end.
    """

    t: float
    robot: int
    kind: str
    details: dict[str, Any]

    @property
    def line(self) -> str:
        """What was received or sent, without its end."""
        return str(self.details.get("line", ""))

    @property
    def letter(self) -> str:
        return self.line[:1]


class Journal:
    """Writes entries to a file, one JSON object each; None keeps nothing. clock: s, steady."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._file: TextIO | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
        self._clock = clock

    def write(self, robot: int, kind: str, **details: Any) -> None:
        """What happened just now."""
        if self._file is not None:
            entry = {"t": round(self._clock(), 6), "robot": robot, "kind": kind, **details}
            self._file.write(json.dumps(entry, separators=(",", ":")) + "\n")

    def flush(self) -> None:
        """Let readers of the file see all of it."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class LogReader:
    """Reads a log while another process writes it."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._position = 0
        self._entries: list[Entry] = []

    def read(self) -> list[Entry]:
        """All entries so far that are complete."""
        with self._path.open("rb") as file:
            file.seek(self._position)
            for text in file:
                if text.endswith(b"\n"):
                    self._position += len(text)
                    data = json.loads(text)
                    self._entries.append(Entry(data.pop("t"), data.pop("robot"), data.pop("kind"), data))
        return list(self._entries)


def read_log(path: Path | str) -> list[Entry]:
    """All entries of a log; of one that is being written those that are complete."""
    return LogReader(path).read()
