"""A file that is not there: what may have been meant, and the command for it."""

from __future__ import annotations

from pathlib import Path

from pybuzz.errors import InputError
from pybuzz.shipped import example_folders
from pybuzz.spelling import nearest

__all__ = ["EXPERIMENT_SUFFIXES", "missing_file"]

EXPERIMENT_SUFFIXES = (".bzz", ".yaml", ".yml", ".argos")


def missing_file(path: Path) -> InputError:
    """The error about a script or an experiment that is not there."""
    return InputError.at(str(path), "there is no such file", kind="missing file", hint=_hint(path))


def _hint(path: Path) -> str:
    meant = _near(path)
    if meant is not None:
        return f"did you mean '{meant}'?"
    example = nearest(path.stem, example_folders()) if path.suffix in ("", *EXPERIMENT_SUFFIXES) else None
    if example is not None:
        return f"there is an example of that name; to copy it to here: pybuzz examples {example}"
    return "check the path and the current folder"


def _near(path: Path) -> Path | None:
    """An experiment in the same folder, or a folder there, whose name is nearly that."""
    folder = path.parent
    if not folder.is_dir():
        return None
    there = sorted(item.name for item in folder.iterdir() if item.suffix in EXPERIMENT_SUFFIXES)
    by_stem = {Path(name).stem: name for name in reversed(there)}
    found = nearest(path.name, there) if path.suffix else by_stem.get(nearest(path.name, by_stem) or "")
    return folder / found if found else None
