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
from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.runtime import MISSING
from pybuzz.buzz.values import Value

__all__ = ["Generalised"]


class Generalised:
    """The second compilation of a program, made when it is first needed."""

    def __init__(self, compiled: CompiledScript, compile_general: Callable[[], CompiledScript], facts: Facts) -> None:
        self._compiled = compiled
        self._compile_general = compile_general
        self._named = frozenset(function.name for function in facts.known_calls if function.parameters)

    def assumes_arguments(self, closure: Callable[..., Value]) -> bool:
        """Whether a closure's code relies on the arguments that the script calls it with."""
        return isinstance(closure, FunctionType) and closure.__code__ in self._codes_of_known_calls

    def exchange(self, script_globals: dict[str, Any]) -> None:
        """Give every function of the machine that has these globals its general code."""
        for function in gc.get_referrers(script_globals):
            if isinstance(function, FunctionType) and function.__globals__ is script_globals:
                general = self._exchanged.get(function.__code__)
                if general is not None:
                    function.__code__ = general
                    function.__defaults__ = _defaults(general)

    @cached_property
    def modules(self) -> tuple[CodeType, ...]:
        """What defines the functions with their general code, file by file."""
        return self._compile_general().modules

    @cached_property
    def _codes_of_known_calls(self) -> frozenset[CodeType]:
        codes = (code for module in self._compiled.modules for code in _codes(module))
        return frozenset(code for code in codes if code.co_name in self._named and not code.co_freevars)

    @cached_property
    def _exchanged(self) -> dict[CodeType, CodeType]:
        return {
            code: other
            for module, general_module in zip(self._compiled.modules, self.modules, strict=True)
            for code, other in zip(_codes(module), _codes(general_module), strict=True)
        }


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
