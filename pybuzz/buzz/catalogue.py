"""The functions of a program by number, so that robots which run the same program can name them to each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

__all__ = ["Catalogue"]

_SELF = "_self"


class Catalogue:
    """Numbers for the functions that need nothing of the call that made them: those that capture at most `self`.

    modules: what defines a program's functions. Numbers follow the order of definition, so that the same program
    has the same numbers, whatever its code assumes about the host.
    """

    def __init__(self, modules: Iterable[CodeType], helpers: Mapping[str, Any]) -> None:
        namespace: dict[str, Any] = {"__builtins__": helpers}
        for module in modules:
            exec(module, namespace)
        self._functions = list(_distinct(_made(namespace.values())))
        self._numbers = {function.__code__: number for number, function in enumerate(self._functions)}

    def number_of(self, closure: FunctionType) -> int | None:
        """The number of a function, or None if it is not the program's, or captured something."""
        number = self._numbers.get(closure.__code__)
        return None if number is None or not _travels(self._functions[number]) else number

    def function(self, number: int, script_globals: dict[str, Any]) -> FunctionType | None:
        """The function with a number, over the globals of a machine and with nil for `self`; None if there is none."""
        if not 0 <= number < len(self._functions) or not _travels(self._functions[number]):
            return None
        model = self._functions[number]
        cells = tuple(CellType(None) for _ in model.__code__.co_freevars)
        made = FunctionType(model.__code__, script_globals, model.__name__, model.__defaults__, cells)
        made.__qualname__ = model.__qualname__
        return made


def _made(values: Iterable[Any]) -> Iterator[FunctionType]:
    """The functions of a script among a module's globals; a factory stands for what it makes."""
    for value in values:
        if isinstance(value, FunctionType):
            code = value.__code__
            is_factory = any(isinstance(constant, CodeType) for constant in code.co_consts)
            yield value(*(None for _ in range(code.co_argcount))) if is_factory else value


def _distinct(functions: Iterable[FunctionType]) -> Iterator[FunctionType]:
    """A named function that captures stands in a module twice: by its name, and by its factory."""
    return iter({function.__code__: function for function in functions}.values())


def _travels(function: FunctionType) -> bool:
    # What is only ever called by name has no defaults: it cannot be a value, and not every caller may call it.
    return bool(function.__defaults__) and set(function.__code__.co_freevars) <= {_SELF}
