"""The text files of an experiment's folder: which there are, reading and writing them; nothing outside is touched."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Lock

__all__ = ["LARGEST", "ExperimentFiles", "FileError", "TextFile"]

LARGEST = 1_000_000
"""Bytes of a file that is shown or taken."""

_KINDS = (".bzz", ".yaml", ".yml", ".argos", ".py")
_MOST_LISTED = 300
_MOST_VISITED = 5_000
_DEEPEST = 4
_SKIPPED = frozenset({"__pycache__", "node_modules", "venv"})


@dataclass(frozen=True, slots=True)
class TextFile:
    """What a file holds, and a mark that changes with it."""

    text: bytes
    mark: str


class FileError(Exception):
    """Why a file is not read or written; `status` as of HTTP. `current`: what is there instead of what was expected."""

    def __init__(self, status: int, text: str, current: TextFile | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.current = current


class ExperimentFiles:
    """The scripts, experiments and Python files below one folder, by names relative to it with `/`.

    Hidden files, files of other kinds and whatever lies outside (also by a link) do not exist here.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._writing = Lock()

    def names(self) -> list[str]:
        """Of all files, scripts first, then the others by kind."""
        found = sorted(self._walk(), key=lambda name: (_KINDS.index(PurePosixPath(name).suffix), name.count("/"), name))
        return found[:_MOST_LISTED]

    def path_of(self, name: str) -> Path:
        """Where the file of this name is, or would be. Raises FileError (404) if the name leads nowhere here."""
        parts = PurePosixPath(name).parts
        foreign = "\0" in name or "\\" in name or name.startswith("/") or not parts
        if foreign or any(part.startswith(".") or ":" in part for part in parts) or Path(name).suffix not in _KINDS:
            raise FileError(404, "there is no such file in the experiment's folder")
        try:
            path = (self._folder / name).resolve()
        except (OSError, RuntimeError, ValueError):
            raise FileError(404, "there is no such file in the experiment's folder") from None
        if not path.is_relative_to(self._folder):
            raise FileError(404, "this leads out of the experiment's folder")
        return path

    def read(self, name: str) -> TextFile:
        """Raises FileError: 404 no such file, 403 not readable, 413 too large, 415 no text."""
        return _read(self.path_of(name), name)

    def write(self, name: str, text: bytes, *, expected: str | None = None, new: bool = False) -> TextFile:
        """Replace the file's text at once, or make the file.

        expected: the mark that the file must still have. new: there must be none yet.
        Raises FileError: 409 if that is not so, with what is there; 403 not writable; 413, 415 as `read`.
        """
        path = self.path_of(name)
        _check_text(text, name)
        with self._writing:
            return self._write(path, name, text, expected, new)

    def _write(self, path: Path, name: str, text: bytes, expected: str | None, new: bool) -> TextFile:
        current = _current(path, name)
        if current is not None and (new or (expected is not None and expected != current.mark)):
            raise FileError(409, f"{name} was changed on disk meanwhile", current)
        if current is None and expected is not None:
            raise FileError(409, f"{name} was removed meanwhile")
        try:
            _replace(path, text)
        except OSError as fault:
            raise FileError(403, f"{name} cannot be written: {fault.strerror}") from fault
        return TextFile(text, _mark(text))

    def _walk(self) -> Iterator[str]:
        """Names of files, folder by folder; of a huge folder only what a person could have meant."""
        visited = 0
        pending = [(self._folder, 0)]
        while pending and visited < _MOST_VISITED:
            folder, depth = pending.pop(0)
            with suppress(OSError), os.scandir(folder) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    visited += 1
                    if entry.name.startswith(".") or entry.name in _SKIPPED:
                        continue
                    name = Path(entry.path).relative_to(self._folder).as_posix()
                    if entry.is_dir(follow_symlinks=False):
                        if depth < _DEEPEST:
                            pending.append((Path(entry.path), depth + 1))
                    elif self._is_here(name):
                        yield name

    def _is_here(self, name: str) -> bool:
        try:
            return self.path_of(name).is_file()
        except (FileError, OSError):
            return False


def _read(path: Path, name: str) -> TextFile:
    try:
        # Not opened before it is known to be a file: a named pipe would wait for a writer.
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise FileError(404, f"{name} is no file")
        if found.st_size > LARGEST:
            raise FileError(413, f"{name} is over {LARGEST} bytes")
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise FileError(404, f"there is no file {name}") from None
    except OSError as fault:
        raise FileError(403, f"{name} cannot be read: {fault.strerror}") from fault
    _check_text(text, name)
    return TextFile(text, _mark(text))


def _current(path: Path, name: str) -> TextFile | None:
    try:
        return _read(path, name)
    except FileError as fault:
        if fault.status == 404 and not path.exists():
            return None
        raise


def _check_text(text: bytes, name: str) -> None:
    if len(text) > LARGEST:
        raise FileError(413, f"{name} is over {LARGEST} bytes")
    try:
        readable = "\0" not in text.decode("utf-8")
    except UnicodeDecodeError:
        readable = False
    if not readable:
        raise FileError(415, f"{name} is no text in UTF-8")


def _mark(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]


def _replace(path: Path, text: bytes) -> None:
    """Write beside the file and put it in its place: a reader sees the old text or the new one."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        os.chmod(draft, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
