"""Ctrl-C that waits for the end of what is being done, and signals while robots move."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

__all__ = ["delayed_interrupt", "ended_by_signals", "signals_as_interrupts", "signals_ignored"]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP do what Ctrl-C does, if they would end the process otherwise."""
    if current_thread() is not main_thread():
        yield
        return
    taken = [number for number in _ending_signals() if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def delayed_interrupt() -> Iterator[Event]:
    """Within the block Ctrl-C only sets the event, so that no tick is left half way; a second one interrupts as usual.

    So do other signals that would interrupt as Ctrl-C does. Compiled kernels and DuckDB turn an interrupt that meets
    them into errors of their own. Nothing changes where Ctrl-C is ignored or caught already, and outside the main
    thread.
    """
    pressed = Event()
    main = current_thread() is main_thread()
    noted = [n for n in _ending_signals() if main and signal.getsignal(n) is signal.default_int_handler]

    def note(number: int, frame: FrameType | None) -> None:
        pressed.set()
        interrupt_as_usual()

    def interrupt_as_usual() -> None:
        for number in noted:
            signal.signal(number, signal.default_int_handler)

    for number in noted:
        signal.signal(number, note)
    try:
        yield pressed
    finally:
        interrupt_as_usual()


def _ending_signals() -> list[signal.Signals]:
    return [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


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
