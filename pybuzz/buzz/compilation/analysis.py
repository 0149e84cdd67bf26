"""The passes over a program, in order, and the facts that come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pybuzz.buzz.compilation.callers import callers, named_functions
from pybuzz.buzz.compilation.columns import with_lists
from pybuzz.buzz.compilation.counters import counters
from pybuzz.buzz.compilation.facts import HOST_ARGUMENTS, Facts
from pybuzz.buzz.compilation.inference import infer_types
from pybuzz.buzz.compilation.library import RESULTS, WALKING_NAMES
from pybuzz.buzz.compilation.neighbors import NEIGHBORS, data_apart, knows_neighbors
from pybuzz.buzz.compilation.paths import path_functions
from pybuzz.buzz.compilation.recursion import recursive_functions
from pybuzz.buzz.compilation.repeats import repeats
from pybuzz.buzz.compilation.usage import Usage, usage_of
from pybuzz.buzz.tree import Script

__all__ = ["analyse", "without_assumptions"]


def analyse(
    script: Script,
    facts: Facts,
    host_names: frozenset[str],
    columns: Mapping[str, Collection[str]],
    rows: Mapping[str, Sequence[str]],
) -> Facts:
    """What can be known about a program.

    host_names: globals that the host may set to anything. columns, rows: what it can give as lists, see
    compile_program.
    """
    usage = usage_of(script, facts.scopes)
    longest = max((len(call.arguments) for calls in usage.calls.values() for call in calls), default=0)
    facts = replace(
        facts,
        host_names=host_names,
        assigned=frozenset(usage.global_values),
        relied_on=frozenset(name.split(".")[0] for name in RESULTS) & facts.scopes.globals,
        walks_tables=bool(facts.scopes.globals & WALKING_NAMES),
        longest_call=max(longest, HOST_ARGUMENTS),
    )
    facts = replace(facts, tampered=_tampered(facts, usage))
    facts = with_lists(script, facts, columns, rows)
    paths = path_functions(script, facts, usage)
    roots = {path.split(".")[0] for path in paths}
    facts = replace(facts, named={**named_functions(facts), **paths}, relied_on=facts.relied_on | roots)
    if knows_neighbors(facts, usage):
        facts = replace(facts, knows_neighbors=True, relied_on=facts.relied_on | {NEIGHBORS})
    facts = replace(facts, callers=callers(facts, usage))
    facts = infer_types(script, facts, usage)
    apart = data_apart(script, facts, usage)
    if apart:
        facts = infer_types(script, replace(facts, apart=apart), usage)
    facts = replace(facts, counters=counters(facts.scopes, usage))
    facts = replace(facts, counted=recursive_functions(facts, usage))
    return replace(facts, repeats=repeats(facts))


def without_assumptions(facts: Facts) -> Facts:
    """What holds of a program whatever the host does."""
    facts = facts.without_assumptions()
    return replace(facts, repeats=repeats(facts))


def _tampered(facts: Facts, usage: Usage) -> frozenset[str]:
    """Built-ins that may have another value than the library's: "size" or "math.sin", or all of "math"."""
    changed = facts.assigned | facts.host_names
    return frozenset(changed | (usage.read.keys() & {"math", "string"}))
