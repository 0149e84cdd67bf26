"""What a person sees of a deployment: a live table of the robots on a terminal, plain lines elsewhere; the stop key."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table

if TYPE_CHECKING:
    from pybuzz.link.fleet import Fleet, FleetRobot

__all__ = ["DeployView", "table_of_states"]

_REDRAW_S: Final = 0.5
_STOP_KEYS: Final = b"sSqQ \r\n"
_COLUMNS: Final = ("robot", "state", "battery", "loop ms", "overruns", "lost", "rejected", "reconnected")
_LINK_FROM_WIDTH: Final = 120
"""Columns of a terminal that has room for the links too; one of 80 shows all the rest."""


class DeployView:
    """Use as a context. Log lines go to stdout, all else to stderr."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._console = Console(stderr=True, highlight=False)
        self._live: Live | None = None
        self._stop = threading.Event()
        self._drawn = 0.0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(_stop_key(self._stop))
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def logged(self, robot: FleetRobot, text: str) -> None:
        """A line of a script's log. Who ends the reader of the log ends the run."""
        try:
            print(f"[{robot.name}] {text}", flush=True)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.say("nobody reads the log any more: the robots are stopped")
            self._stop.set()

    def happened(self, robot: FleetRobot | None, kind: str, text: str) -> None:
        """Something that a person should know at once."""
        if kind != "script":
            self.say(f"robot {robot.id} {robot}: {text}" if robot else text)

    def warn(self, text: str) -> None:
        self.say(f"warning: {text}")

    def say(self, text: str) -> None:
        """One line, above the table if there is one."""
        self._console.print(text, markup=False, soft_wrap=True)

    def ticked(self, tick: int, states: dict[int, dict[str, Any]]) -> bool:
        """Draw the table now and then; whether a stop key was pressed."""
        now = monotonic()
        if self._console.is_terminal and now - self._drawn >= _REDRAW_S:
            self._drawn = now
            if self._live is None:
                self._live = self._stack.enter_context(
                    Live(console=self._console, auto_refresh=False, transient=True, redirect_stderr=False)
                )
            self._live.update(table_of_states(self._fleet, tick, states, self._console.width), refresh=True)
        return self._stop.is_set()


def table_of_states(fleet: Fleet, tick: int, states: dict[int, dict[str, Any]], width: int) -> Table:
    """The robots as lines that fit in a terminal of `width` columns, if that is at least 80."""
    table = Table(title=f"tick {tick}: s, Enter or Ctrl-C stops all robots", title_justify="left", box=box.SIMPLE_HEAD)
    table.padding = (0, 1, 0, 0)
    with_links = width >= _LINK_FROM_WIDTH
    for column in (*_COLUMNS, "link") if with_links else _COLUMNS:
        table.add_column(column, no_wrap=True)
    for robot in fleet.robots:
        state = states.get(robot.id)
        if state is not None:
            table.add_row(*_row(robot, state), *([str(robot.link)] if with_links else []))
    return table


def _row(robot: FleetRobot, state: dict[str, Any]) -> tuple[str, ...]:
    percent, volts, counters = state["percent"], state["volts"], state["counters"]
    battery = "?" if percent is None else f"{percent:g} %"
    if volts is not None:
        battery += f" {volts:.2f} V"
    numbers = (
        state["loop_ms"],
        state["overruns"],
        counters["timeouts"],
        counters["rejected"],
        counters["reconnections"],
    )
    return (robot.name, state["state"], battery, *map(str, numbers))


@contextmanager
def _stop_key(stop: threading.Event) -> Iterator[None]:
    """Sets `stop` at a stop key, or at the end of stdin where somebody could have ended it."""
    try:
        descriptor = sys.stdin.fileno()
        is_terminal, mode = os.isatty(descriptor), os.fstat(descriptor).st_mode
    except (AttributeError, OSError, ValueError):
        yield
        return
    can_end = _is_in_foreground(descriptor) if is_terminal else stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    if not can_end:
        yield
        return
    threading.Thread(target=_wait_for_key, args=(descriptor, stop), daemon=True).start()
    with _single_keys(descriptor) if is_terminal else ExitStack():
        yield


def _is_in_foreground(terminal: int) -> bool:
    """A job in the background is suspended when it touches the terminal."""
    if not hasattr(os, "tcgetpgrp"):
        return True
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False


def _wait_for_key(descriptor: int, stop: threading.Event) -> None:
    with suppress(OSError):
        while (key := os.read(descriptor, 1)) and key not in _STOP_KEYS:
            pass
    stop.set()


@contextmanager
def _single_keys(descriptor: int) -> Iterator[None]:
    """Keys arrive at once and unseen; Ctrl-C stays Ctrl-C."""
    try:
        import termios
        import tty
    except ImportError:
        yield
        return
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
