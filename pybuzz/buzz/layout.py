"""Dictionaries of globals that are laid out alike, so that the machines of a program run one and the same code.

Python remembers in the code where in a dictionary it found a global, and recognises dictionaries by a version of their
keys. A copy of a dictionary has its version until a key is added. So the machines of a program get copies of one
template that has all their keys: then what one robot's run leaves in the shared code serves all the others. With
dictionaries of their own, robots that take turns on shared code would miss at every global.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import CodeType, FunctionType
from typing import Any, Final

__all__ = ["Layout"]

_RUNS_UNTIL_REMEMBERED: Final = 100
"""Of a function, until Python has given the keys that it looks up a version; it takes about ten."""


class Layout:
    """The keys of a program's machines, as far as they are known. `start`: what every machine begins with."""

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._start = dict(start)
        self._template = dict(start)
        self._is_versioned = False

    def new_globals(self) -> dict[str, Any]:
        """A dictionary for one more machine: what it begins with, and None under all other keys."""
        if not self._is_versioned:
            self._give_version()
        return self._template.copy()

    def widen(self, keys: Iterable[str]) -> None:
        """Further machines will have these keys too."""
        missing = [key for key in keys if key not in self._template]
        if missing:
            self._template = {**self._template, **dict.fromkeys(missing)}
            self._is_versioned = False

    def _give_version(self) -> None:
        look = FunctionType(_look_up(next(iter(self._start))), self._template)
        for _ in range(_RUNS_UNTIL_REMEMBERED):
            look()
        self._is_versioned = True


def _look_up(name: str) -> CodeType:
    """The code of a function that looks a global up."""
    (code,) = (one for one in compile(f"lambda: {name}", "", "eval").co_consts if isinstance(one, CodeType))
    return code
