"""Where the files that come with the package are: robots/ and scripts/.

A wheel carries them inside the package; in a checkout they stand beside it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["example_folders", "robots_folder", "scripts_folder", "starter_folder"]


def robots_folder() -> Path:
    """The folder of the robots' descriptions (kheperaiv.yaml)."""
    return _shipped("robots")


def scripts_folder() -> Path:
    """The folder of the standard Buzz includes and of the examples."""
    return _shipped("scripts")


def example_folders() -> dict[str, Path]:
    """The folders of the examples, by name."""
    folder = scripts_folder() / "examples"
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith("_")}


def starter_folder() -> Path:
    """The folder of a small experiment to begin one's own with."""
    return scripts_folder() / "starter"


def _shipped(name: str) -> Path:
    package = Path(str(files("pybuzz")))
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
