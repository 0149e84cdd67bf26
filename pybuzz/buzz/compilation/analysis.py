"""The passes over a program, in order, and the facts that come out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pybuzz.buzz.compilation.facts import HOST_ARGUMENTS, Facts
from pybuzz.buzz.compilation.inference import infer_types
from pybuzz.buzz.compilation.library import LIBRARY_NAMES, RESULTS, WALKING_NAMES
from pybuzz.buzz.compilation.recursion import recursive_functions
from pybuzz.buzz.compilation.usage import Usage, usage_of
from pybuzz.buzz.scopes import Function
from pybuzz.buzz.tree import FunctionDefinition, Script

__all__ = ["analyse"]

_CALLED_BY_HOST = frozenset(("init", "step", "reset", "destroy"))


def analyse(script: Script, facts: Facts, host_names: frozenset[str]) -> Facts:
    """What can be known about a program. `host_names`: globals that the host may set to anything."""
    usage = usage_of(script, facts.scopes)
    facts = replace(facts, host_names=host_names, assigned=frozenset(usage.global_values))
    facts = _calls(facts, usage)
    facts = replace(
        facts,
        tampered=_tampered(facts, usage),
        relied_on=frozenset(name.split(".")[0] for name in RESULTS) & facts.scopes.globals,
        walks_tables=bool(facts.scopes.globals & WALKING_NAMES),
    )
    facts = infer_types(script, facts, usage)
    return replace(facts, counted=recursive_functions(facts, usage))


def _calls(facts: Facts, usage: Usage) -> Facts:
    """Which functions are reached by name, and which of those in no other way."""
    named = {
        function.name: function
        for function in facts.scopes.functions
        if isinstance(function.node, FunctionDefinition) and _keeps_name(function.name, facts)
    }
    known = frozenset(function for function in named.values() if _only_called(function, usage))
    spares = {function: _spare_arguments(function, usage) for function in known}
    longest = max((len(call.arguments) for calls in usage.calls.values() for call in calls), default=0)
    return replace(facts, named=named, known_calls=known, spares=spares, longest_call=max(longest, HOST_ARGUMENTS))


def _keeps_name(name: str, facts: Facts) -> bool:
    return name not in facts.assigned and name not in LIBRARY_NAMES and name not in facts.host_names


def _only_called(function: Function, usage: Usage) -> bool:
    if function.captures or function.name in usage.read:
        return False
    count = len(function.parameters)
    from_host = function.name in _CALLED_BY_HOST and count > 0
    return not from_host and all(len(call.arguments) >= count for call in usage.called[function.name])


def _spare_arguments(function: Function, usage: Usage) -> int:
    given: Iterable[int] = (len(call.arguments) for call in usage.called[function.name])
    return max(given, default=0) - len(function.parameters) if usage.called[function.name] else 0


def _tampered(facts: Facts, usage: Usage) -> frozenset[str]:
    """Built-ins that may have another value than the library's: "size" or "math.sin", or all of "math"."""
    changed = facts.assigned | facts.host_names
    fields = {f"{table}.{name}" for table, names in usage.stored.items() for name in names}
    return frozenset(changed | fields | (usage.read & {"math", "string"}))
