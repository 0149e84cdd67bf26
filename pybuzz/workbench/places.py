"""Names of files as the page knows them: relative to the experiment's folder."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FileNames"]


class FileNames:
    """Files within `folder` are named relative to it, with slashes; others by their whole path."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder).resolve()

    def name_of(self, path: str | os.PathLike[str]) -> str:
        """The name of a file."""
        whole = Path(path).resolve()
        return whole.relative_to(self._folder).as_posix() if whole.is_relative_to(self._folder) else str(path)
