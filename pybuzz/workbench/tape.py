"""A temporary file that grows at its end, is read anywhere, and may be cut; its end waits in memory to be written."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import IO

__all__ = ["Tape"]

_MOST_WAITING = 1 << 17


class Tape:
    """Bytes by their offset. Raises OSError when the disk is full."""

    def __init__(self) -> None:
        self._file: IO[bytes] = TemporaryFile(prefix="pybuzz-view-", buffering=0)  # noqa: SIM115 - as long as the tape
        self._written = 0
        self._waiting = bytearray()

    def __len__(self) -> int:
        return self._written + len(self._waiting)

    def append(self, data: bytes) -> int:
        """Its offset."""
        offset = len(self)
        self._waiting += data
        if len(self._waiting) > _MOST_WAITING:
            self._write_out()
        return offset

    def overwrite(self, offset: int, data: bytes) -> None:
        """Put other bytes where as many are."""
        if offset >= self._written:
            start = offset - self._written
            self._waiting[start : start + len(data)] = data
        else:
            self._write_out()
            self._write_at(offset, data)

    def read(self, offset: int, size: int) -> bytes:
        if offset >= self._written:
            start = offset - self._written
            return bytes(self._waiting[start : start + size])
        if offset + size > self._written:
            self._write_out()
        self._file.seek(offset)
        return self._file.read(size)

    def truncate(self, size: int) -> None:
        """Forget what is behind."""
        if size >= self._written:
            del self._waiting[size - self._written :]
        else:
            self._waiting.clear()
            self._file.truncate(size)
            self._written = size

    def close(self) -> None:
        self._file.close()

    def _write_out(self) -> None:
        self._write_at(self._written, self._waiting)
        self._written += len(self._waiting)
        self._waiting = bytearray()

    def _write_at(self, offset: int, data: bytes | bytearray) -> None:
        self._file.seek(offset)
        done = 0
        while done < len(data):
            done += self._file.write(memoryview(data)[done:])
