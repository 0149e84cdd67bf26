"""Files that people ask for: there as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pybuzz.recording.folder import writing

__all__ = ["drafted"]


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Gives the path to write to; the file gets its name at the end of the block, and is removed if that fails.

    A full disk leaves what stood there before. Raises InputError if the file cannot be written.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():  # such as /dev/stdout, or a folder, which is told by the writer
        with writing(path):
            yield target
        return
    draft = target.with_name(f".{target.stem}.new{target.suffix}")
    try:
        with writing(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            yield draft
            draft.replace(target)
    finally:
        with suppress(OSError):  # where it could not be made, `writing` has told why
            draft.unlink(missing_ok=True)
