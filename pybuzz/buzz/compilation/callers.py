"""Who calls a function with what, where that is known: calls by name, and being handed to `foreach`, `neighbors.map`
and their like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pybuzz.buzz.compilation.facts import Arguments, Facts
from pybuzz.buzz.compilation.library import CALLING, LIBRARY_NAMES
from pybuzz.buzz.compilation.neighbors import given_by_neighbors
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import Function
from pybuzz.buzz.tree import Call, FunctionDefinition, Name

__all__ = ["callers", "named_functions"]

_CALLED_BY_HOST = frozenset(("init", "step", "reset", "destroy"))


def named_functions(facts: Facts) -> Mapping[str, Function]:
    """The named functions whose globals never get another value, by name."""
    return {
        function.name: function
        for function in facts.scopes.functions
        if isinstance(function.node, FunctionDefinition) and _keeps_name(function.name, facts)
    }


def callers(facts: Facts, usage: Usage) -> Mapping[Function, tuple[Arguments, ...]]:
    """The arguments of every call of a function, for the functions that cannot be called otherwise.

    Functions that some call gives too few arguments are left out. Needs `named`, `tampered` and `knows_neighbors`.
    """
    found: dict[Function, tuple[Arguments, ...]] = {}
    path_of = {function: path for path, function in facts.named.items()}
    for function in facts.scopes.functions[1:]:
        if function in path_of:
            calls = _named_calls(function, path_of[function], facts, usage)
        else:
            calls = _handed_calls(function, facts, usage)
        if calls is not None and all(len(arguments) >= len(function.parameters) for arguments in calls):
            found[function] = tuple(calls)
    return found


def _keeps_name(name: str, facts: Facts) -> bool:
    return name not in facts.assigned and name not in LIBRARY_NAMES and name not in facts.host_names


def _named_calls(function: Function, name: str, facts: Facts, usage: Usage) -> list[Arguments] | None:
    callbacks = [call for call in usage.callbacks[name] if facts.callback(call)]
    is_value_elsewhere = usage.read[name] > len(callbacks)
    if function.captures or is_value_elsewhere:
        return None
    calls: list[Arguments] = [tuple(call.arguments) for call in usage.called[name]]
    calls += _given_by(callbacks, function, facts, usage)
    if name in _CALLED_BY_HOST:
        calls.append(())
    return calls


def _handed_calls(function: Function, facts: Facts, usage: Usage) -> list[Arguments] | None:
    call = usage.handed.get(function.node)
    return _given_by([call], function, facts, usage) if call is not None and facts.callback(call) else None


def _given_by(calls: Iterable[Call], function: Function, facts: Facts, usage: Usage) -> list[Arguments]:
    """What a function gets that is handed on by these calls."""
    found: list[Arguments] = []
    for call in calls:
        if isinstance(call.function, Name):
            found.append(CALLING[call.function.name])
        else:
            found += given_by_neighbors(call, function, facts, usage)
    return found
