"""Files that are not where a public experiment says, found in its repository.

A file is looked for in the folders above the one that names it, up to the repository's root, and then by its name
anywhere below that root. Nothing outside of the repository is looked at.
"""

from __future__ import annotations

import filecmp
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Search", "files_below", "repository_of", "search"]

_MOST_ENTRIES = 20_000
"""Files and folders that are looked at; in a larger repository files far from its root are not found."""
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
_HIGHEST = 3
"""Folders above the experiment's that may be the root of a tree without a `.git`, as it is downloaded."""
_MARKS = ("README*", "LICENSE*", "CMakeLists.txt", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found. `path` is None if nothing was found, or several files that are not alike: `candidates`."""

    path: Path | None
    candidates: tuple[Path, ...]
    root: Path


def search(written: str, folder: Path) -> Search:
    """The file that `written`, any path, means in the repository of `folder`."""
    root = repository_of(folder)
    name = written.replace("\\", "/").lstrip("/")
    end = root.resolve()
    for above in _up_to(root, folder):
        # os.path.isfile, as Path.is_file raises OSError for names that are too long.
        if os.path.isfile(above / name) and (above / name).resolve().is_relative_to(end):
            return Search(above / name, (above / name,), root)
    alike = _nearest(name, list(files_below(root, Path(name).name.__eq__)))
    return Search(alike[0] if alike and _are_copies(alike) else None, tuple(alike), root)


def repository_of(folder: Path) -> Path:
    """The root of the tree of files that `folder` belongs to, as seen from the working directory if that is possible.

    It has a `.git`; or else it is the highest of the next folders above that have a README, a LICENSE or the like. If
    there is no such sign, it is the working directory, or `folder` itself if that lies elsewhere.
    """
    start = folder.resolve()
    above = [path for path in (start, *start.parents) if not _holds_everything(path)]
    for path in above:
        if (path / ".git").exists():
            return _as_seen(path, folder)
    marked = [path for path in above[: _HIGHEST + 1] if any(next(path.glob(mark), None) for mark in _MARKS)]
    if marked:
        return _as_seen(marked[-1], folder)
    return _as_seen(Path.cwd(), folder) if Path.cwd() in above else folder


def files_below(root: Path, wanted: Callable[[str], bool]) -> Iterator[Path]:
    """The files below `root` whose name is wanted, those of outer folders first, by name."""
    folders, looked_at = [root], 0
    while folders:
        inner = []
        for folder in folders:
            for entry in _entries(folder):
                looked_at += 1
                if looked_at > _MOST_ENTRIES:
                    return
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in _LEFT_OUT:
                        inner.append(folder / entry.name)
                elif wanted(entry.name) and entry.is_file():
                    yield folder / entry.name
        folders = inner


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def _holds_everything(path: Path) -> bool:
    """Whether a folder (the root, the home, that of temporary files) holds unrelated things and is no repository."""
    return path == path.parent or path in (
        Path(os.path.expanduser("~")).resolve(), Path(tempfile.gettempdir()).resolve(),
    )  # fmt: skip


def _up_to(root: Path, folder: Path) -> Iterator[Path]:
    """`folder` and those above it, up to the root."""
    end = root.resolve()
    for path in (folder.resolve(), *folder.resolve().parents):
        yield _as_seen(path, folder)
        if path == end:
            return


def _as_seen(path: Path, folder: Path) -> Path:
    """A folder, resolved, as a person who named `folder` would write it."""
    return path if folder.is_absolute() else Path(os.path.relpath(path))


def _are_copies(paths: list[Path]) -> bool:
    return all(filecmp.cmp(paths[0], other, shallow=False) for other in paths[1:])


def _nearest(name: str, found: list[Path]) -> list[Path]:
    """Of files with one name those whose folders agree most with the path that was written."""
    agreement = [_common_end(Path(name), path) for path in found]
    return [path for path, common in zip(found, agreement, strict=True) if common == max(agreement)]


def _common_end(one: Path, other: Path) -> int:
    common = 0
    for mine, theirs in zip(reversed(one.parts), reversed(other.parts), strict=False):
        if mine != theirs:
            break
        common += 1
    return common
