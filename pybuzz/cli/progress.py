"""Progress of a run: a bar with ticks per second on a terminal, a plain line now and then otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

__all__ = ["Progress", "progress"]

PLAIN_INTERVAL_S = 5.0


class Progress(Protocol):
    def advance(self) -> None:
        """One tick is done."""

    def write(self, text: str) -> None:
        """A line on stdout, above the bar if there is one."""


class _Silent:
    def advance(self) -> None:
        pass

    def write(self, text: str) -> None:
        print(text)


class _Plain:
    """One line on stderr every few seconds."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._start = self._last = monotonic()

    def advance(self) -> None:
        self._done += 1
        now = monotonic()
        if now - self._last >= PLAIN_INTERVAL_S:
            self._last = now
            of_total = f" of {self._total}" if self._total else ""
            rate = self._done / (now - self._start)
            print(f"tick {self._done}{of_total}, {rate:.0f} ticks/s", file=sys.stderr)

    def write(self, text: str) -> None:
        print(text)


@contextmanager
def progress(total: int | None, *, quiet: bool) -> Iterator[Progress]:
    """How far a run of `total` ticks (None: endless) has come, until the block ends."""
    if quiet:
        yield _Silent()
    elif sys.stderr.isatty():
        with _bar(total) as bar:
            yield bar
    else:
        yield _Plain(total)


@contextmanager
def _bar(total: int | None) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    console = Console(stderr=True)
    columns = (
        TextColumn("tick"),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[rate]:.0f} ticks/s"),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=console, transient=True) as shown:
        yield _Bar(shown, total)


class _Bar:
    def __init__(self, shown: RichProgress, total: int | None) -> None:
        self._shown = shown
        self._task = shown.add_task("ticks", total=total, rate=0.0)
        self._start = self._drawn = monotonic()
        self._done = 0

    def advance(self) -> None:
        self._done += 1
        now = monotonic()
        # Drawing costs more than a tick of a small swarm: ten times a second is enough for the eye.
        if now - self._drawn >= 0.1:
            self._drawn = now
            self._shown.update(self._task, completed=self._done, rate=self._done / (now - self._start))

    def write(self, text: str) -> None:
        if sys.stdout.isatty():
            self._shown.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text)
