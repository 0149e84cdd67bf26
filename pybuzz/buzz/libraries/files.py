"""The `io` table: files in the one folder that a script may use, and none without such a folder.

Every call sets `io.errno` and `io.error_message` to its outcome, in the words of the C library. A path that leads out
of the folder, or to a folder in it that is not there, means the file of its name in the folder, with a warning.
Without a folder, using files is an error that stops the script.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypeVar, cast

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import (
    BuzzFailure,
    Userdata,
    Value,
    expect_closure,
    expect_string,
    expect_table,
    format_value,
    host_function,
    mismatch,
)
from pybuzz.invocation import command_with

__all__ = ["io_table"]

Result = TypeVar("Result")

_MODES = frozenset(start + rest for start in "rwa" for rest in ("", "b", "+", "b+", "+b"))
_INVALID_ARGUMENT = 22
_BAD_FILE = 9


def io_table(
    ids: StringIds,
    folder: Path | None,
    spend: Callable[[int], None],
    spend_bytes: Callable[[int], None],
    tell: Callable[[str], object] = lambda text: None,
) -> Table:
    """A new `io` table whose files lie in `folder`.

    ids          gives the strings that are read their ids
    spend        takes each line that is walked from the machine's budget
    spend_bytes  takes the bytes that are written from the same budget
    tell         is told when a path means another file than it says
    """
    files = _Files(ids, folder.resolve() if folder else None, spend, spend_bytes, tell)
    for name, arity, call in (
        ("fopen", 2, files.open),
        ("fclose", 1, files.close),
        ("fsize", 1, files.size),
        ("fforeach", 2, files.for_each_line),
        ("fwrite", (2, None), files.write),
    ):
        files.table.store(name, host_function(name, arity, call))
    return files.table


class _Files:
    """The functions of one machine's `io` table, which they report their outcome to."""

    def __init__(
        self,
        ids: StringIds,
        folder: Path | None,
        spend: Callable[[int], None],
        spend_bytes: Callable[[int], None],
        tell: Callable[[str], object],
    ) -> None:
        self.table = Table()
        self._ids = ids
        self._spend = spend
        self._spend_bytes = spend_bytes
        self._tell = tell
        self._folder = folder
        self._report(0)

    def open(self, name: Value, mode: Value) -> Table | None:
        path = self._path(expect_string(name))
        if expect_string(mode) not in _MODES:
            self._report(_INVALID_ARGUMENT)
            return None
        opened: IO[bytes] | None = self._try(lambda: _opened(path, mode))
        if opened is None:
            return None
        file = Table()
        file.store("handle", Userdata(opened))
        file.store("name", name)
        return file

    def close(self, file: Value) -> None:
        handle = _handle(file)
        self._try(handle.close)

    def size(self, file: Value) -> int | None:
        handle = _handle(file)
        return self._try(lambda: _size(handle))

    def for_each_line(self, file: Value, function: Value) -> None:
        handle = _handle(file)
        expect_closure(function)
        while line := self._try(handle.readline):
            self._spend(1)
            text = line.decode("latin-1").removesuffix("\n")
            self._ids.register(text)
            function(text)

    def write(self, file: Value, *values: Value) -> None:
        handle = _handle(file)
        line = "".join(map(format_value, values)) + "\n"
        self._spend_bytes(len(line))
        self._try(lambda: handle.write(line.encode("latin-1")))

    def _path(self, name: str) -> Path:
        folder = self._folder
        if folder is None:
            hint = f"give them a folder: {command_with('--allow-io', '.')}"
            raise BuzzFailure("no file access", "scripts may not use files", hint=hint)
        written = os.fsdecode(name.encode("latin-1"))
        path = (folder / written).resolve()
        if path.is_relative_to(folder) and path.parent.is_dir():
            return path
        path = (folder / os.path.basename(written)).resolve()
        if not path.is_relative_to(folder):
            raise BuzzFailure("no file access", f"'{name}' lies outside of the script's folder {folder}")
        self._tell(f"'{name}' is taken as {path}: scripts use the files of that folder")
        return path

    def _try(self, action: Callable[[], Result]) -> Result | None:
        """The action's result, or None if it fails; reports which."""
        try:
            result = action()
        except OSError as error:
            self._report(error.errno or _BAD_FILE)
            return None
        except ValueError:  # Python's word for a file that is closed
            self._report(_BAD_FILE)
            return None
        self._report(0)
        return result

    def _report(self, number: int) -> None:
        self.table.store("errno", number)
        message = os.strerror(number) if number else "No error"
        self._ids.register(message)
        self.table.store("error_message", message)


def _opened(path: Path, mode: Value) -> IO[bytes]:
    """The file. What is only written goes out at once, so that a run that is cut short keeps it."""
    kind = expect_string(mode).replace("b", "") + "b"
    return cast(IO[bytes], open(path, kind, buffering=0 if kind in ("wb", "ab") else -1))


def _handle(file: Value) -> IO[bytes]:
    held = expect_table(file)["handle"]
    if not isinstance(held, Userdata):
        raise mismatch("userdata", held)
    return cast(IO[bytes], held.payload)


def _size(handle: IO[bytes]) -> int:
    position = handle.tell()
    size = handle.seek(0, os.SEEK_END)
    handle.seek(position)
    return size
