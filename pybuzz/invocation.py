"""The command line that is running, so that a message can say it again with the option that it lacks."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["command_with", "running"]

_TAKEN_BY = {
    "--allow-io": ("run", "view", "sweep", "exec", "deploy"),
    "--script": ("run", "view", "check", "convert", "sweep"),
    "--substitute": ("run", "view", "check", "convert"),
    "--set": ("run", "view", "emulate"),
    "--robots": ("run", "view", "emulate"),
    "-I": ("run", "view", "check", "sweep", "exec", "deploy"),
}
"""Which commands take an option."""

_typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


@contextmanager
def running(arguments: Sequence[str]) -> Iterator[None]:
    """While this lasts, messages are those of the command `pybuzz ARGUMENTS`."""
    before = _typed.set(tuple(arguments))
    try:
        yield
    finally:
        _typed.reset(before)


def command_with(option: str, *values: str, file: str = "") -> str:
    """The running command with an option more, once for each value, to be pasted into a shell.

    file: an experiment, for `pybuzz run` where no command runs that takes the option; without it the option alone.
    """
    words = _typed.get()
    if not words or words[0] not in _TAKEN_BY[option]:
        words = ("run", file) if file else ()
    given = [word for value in values for word in (option, value)]
    return shlex.join(["pybuzz", *words, *given] if words else given)
