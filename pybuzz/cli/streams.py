"""Output whose reader may go away before a run is over."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

__all__ = ["output_outlives_reader", "send_nowhere"]


def send_nowhere(descriptor: int) -> None:
    """What is written to this descriptor from now on is dropped."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@contextmanager
def output_outlives_reader() -> Iterator[None]:
    """Within the block a reader of stdout or stderr that goes away (`| head`) ends nothing: the rest is dropped.

    For commands that do more than print, whoever prints within them: pybuzz, or hooks.
    """
    with _outlet_as("stdout"), _outlet_as("stderr"):
        yield


@contextmanager
def _outlet_as(name: str) -> Iterator[None]:
    stream = getattr(sys, name)
    descriptor = _descriptor(stream)
    if descriptor is None or not isinstance(stream, TextIOWrapper):
        yield
        return
    stream.flush()
    outlet = TextIOWrapper(
        BufferedWriter(_Outlet(descriptor, "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    setattr(sys, name, outlet)
    try:
        yield
    finally:
        setattr(sys, name, stream)
        outlet.flush()


class _Outlet(FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            send_nowhere(self.fileno())
            return super().write(data)


def _descriptor(stream: Any) -> int | None:
    """None for what is no pipe or file: a terminal, or a stream in memory."""
    try:
        return None if stream.isatty() else stream.fileno()
    except (OSError, ValueError):
        return None
