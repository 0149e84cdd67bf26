"""When the host does what a program's code relies on not being done.

Code relies on types of globals, on built-ins being the library's, and on who calls a function with what. A host that
gives a global a value of a type never assigned in the script, or calls a function with arguments of its own, breaks
that. Then every function of that machine gets the code of a second compilation, which relies on nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from pybuzz.buzz.compilation.assembly import CompiledScript
from pybuzz.buzz.compilation.runtime import MISSING
from pybuzz.buzz.values import Value

__all__ = ["Generalised", "relies_on_its_calls"]


class Generalised:
    """The second compilation of a program, made when it is first needed."""

    def __init__(self, compiled: CompiledScript, compile_general: Callable[[], CompiledScript]) -> None:
        self._compiled = compiled
        self._compile_general = compile_general

    def exchange(self, script_globals: dict[str, Any]) -> None:
        """Give every function of the machine that has these globals its general code."""
        for function in gc.get_referrers(script_globals):
            if isinstance(function, FunctionType) and function.__globals__ is script_globals:
                general = self._exchanged.get(function.__code__)
                if general is not None:
                    function.__code__ = general
                    function.__defaults__ = _defaults(general)
                    function.__doc__ = None

    @cached_property
    def modules(self) -> tuple[CodeType, ...]:
        """What defines the functions with their general code, file by file."""
        return self._compile_general().modules

    @cached_property
    def _exchanged(self) -> dict[CodeType, CodeType]:
        return {
            code: other
            for module, general_module in zip(self._compiled.modules, self.modules, strict=True)
            for code, other in zip(_codes(module), _codes(general_module), strict=True)
        }


def relies_on_its_calls(closure: FunctionType, arguments: int) -> bool:
    """Whether a script's function cannot be called with this many arguments of the host.

    General code has a default for every parameter, and takes at least as many arguments as hosts give.
    """
    return len(closure.__defaults__ or ()) < max(closure.__code__.co_argcount, arguments)


def _codes(module: CodeType) -> Iterator[CodeType]:
    """The code of all functions in a module, in source order."""
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _defaults(code: CodeType) -> tuple[Value, ...] | None:
    """Defaults of a function's parameters: none for factories and parts, whose parameters are always given."""
    if code.co_name.startswith("__part_") or any(isinstance(constant, CodeType) for constant in code.co_consts):
        return None
    names = code.co_varnames[: code.co_argcount]
    return tuple(None if name.startswith("__spare") else MISSING for name in names)
