"""Saving what was recorded, which a second Ctrl-C must not cut short."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

__all__ = ["saving"]


@contextmanager
def saving() -> Iterator[None]:
    """Within the block signals that would raise KeyboardInterrupt are ignored; DuckDB makes errors of its own of them.

    Nothing changes outside the main thread, where signals raise nothing.
    """
    if current_thread() is not main_thread():
        yield
        return
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    caught = {
        number: handler
        for number in (getattr(signal, name) for name in names if hasattr(signal, name))
        if callable(handler := signal.getsignal(number))
    }
    for number in caught:
        signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in caught.items():
            signal.signal(number, handler)
