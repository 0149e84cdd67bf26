"""A folder that is being recorded into belongs to one run until that run is over."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from pybuzz.errors import InputError

__all__ = ["FolderLock"]


class FolderLock:
    """Makes a folder if it is missing, and holds it until it is released, or until its process ends, however that ends.

    The lock is on the folder itself, so it leaves no file. Systems and file systems without such locks have none.
    Raises InputError if another run holds the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor: int | None = None
        if sys.platform == "win32":
            return
        import fcntl

        with suppress(OSError):  # who writes into the folder tells why it cannot be made or opened
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(folder, os.O_RDONLY)
        if self._descriptor is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise InputError.at(
                str(folder),
                "another run is recording here",
                hint="wait for its end, or choose another folder; in Python, an experiment ends with close()",
            ) from error
        except OSError:  # such as NFS, where only a file open for writing can be locked
            self.release()

    def release(self) -> None:
        """Give the folder back. Without effect the second time."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        self.release()
