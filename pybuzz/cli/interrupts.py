"""Ctrl-C that waits for the end of what is being done, and signals while robots move."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

__all__ = ["delayed_interrupt", "signals_as_interrupts", "signals_ignored"]


@contextmanager
def delayed_interrupt() -> Iterator[Event]:
    """Within the block Ctrl-C only sets the event, so that no tick is left half way; a second one interrupts as usual.

    Compiled kernels and DuckDB turn an interrupt that meets them into errors of their own. Nothing changes where
    Ctrl-C is ignored or caught already, and outside the main thread.
    """
    pressed = Event()

    def note(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or current_thread() is not main_thread():
        yield pressed
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Every signal that ends a run raises KeyboardInterrupt, as Ctrl-C does: so robots are stopped on the way out."""

    def interrupt(number: int, _frame: object) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    with _handlers(interrupt):
        yield


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Ignore signals that end a run, such as a second Ctrl-C, while robots are being stopped."""
    with _handlers(signal.SIG_IGN):
        yield


@contextmanager
def _handlers(handler: signal._HANDLER) -> Iterator[None]:
    from pybuzz.link.messages import STOP_SIGNALS

    before = {number: signal.signal(number, handler) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
