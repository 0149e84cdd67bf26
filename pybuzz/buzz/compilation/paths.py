"""Functions that are reached by a path of names, such as `math.vec2.add`, and are always the same.

Such a function is stored once, at file level, before anything could read it, into a table that nothing but its path
leads to. Then the table need not be asked: the path means the function, as the name of a named function does.
"""

from __future__ import annotations

from collections.abc import Mapping

from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.first_assignment import never_nil
from pybuzz.buzz.compilation.library import LIBRARY_NAMES
from pybuzz.buzz.compilation.types import CLOSURE
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import SELF, Function
from pybuzz.buzz.tree import Expression, Lambda, Script, TableConstructor

__all__ = ["path_functions"]

_LIBRARY_TABLES = frozenset(("math", "string"))
"""Tables of the library that the host leaves alone; scripts add functions to them."""


def path_functions(script: Script, facts: Facts, usage: Usage) -> Mapping[str, Function]:
    """The functions that capture nothing and are all that their path ever means, by path. Needs `tampered`."""
    return _Paths(script, facts, usage).functions()


class _Paths:
    def __init__(self, script: Script, facts: Facts, usage: Usage) -> None:
        self._facts = facts
        self._usage = usage
        self._values = dict(usage.global_values)
        self._stored_first = never_nil(script, facts, usage)

    def functions(self) -> Mapping[str, Function]:
        found = {}
        for path in self._stored_first:
            value = self._only_value(path)
            if isinstance(value, Lambda) and "." in path and self._is_unshared(_table(path)):
                function = self._facts.scopes.function_of[value]
                if not function.captures:
                    found[path] = function
        return found

    def _only_value(self, path: str) -> Expression | None:
        values = self._values[path]
        return values[0] if len(values) == 1 else None

    def _is_unshared(self, path: str) -> bool:
        """Whether a table is reached by its path alone, and always the same."""
        if self._usage.read[path] or path in self._facts.host_names or not self._gives_no_self_away(path):
            return False
        if path in LIBRARY_NAMES:
            return path in _LIBRARY_TABLES and path not in self._values
        is_made_once = path in self._stored_first and isinstance(self._only_value(path), TableConstructor)
        return is_made_once and ("." not in path or self._is_unshared(_table(path)))

    def _gives_no_self_away(self, path: str) -> bool:
        """Whether no function that is stored in a table uses its self, which is the table."""
        stored = [values for other, values in self._values.items() if _table(other) == path]
        return not any(self._may_use_self(value) for values in stored for value in values)

    def _may_use_self(self, value: Expression | None) -> bool:
        if isinstance(value, Lambda):
            return any(variable.name == SELF for variable in self._facts.scopes.function_of[value].captures)
        return value is not None and bool(self._facts.types_of(value) & CLOSURE)


def _table(path: str) -> str:
    return path.rpartition(".")[0]
