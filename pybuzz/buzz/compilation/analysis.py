"""The passes over a program, in order, and the facts that come out."""

from __future__ import annotations

from dataclasses import replace

from pybuzz.buzz.compilation.facts import HOST_ARGUMENTS, Facts
from pybuzz.buzz.tree import Call, Script, walk

__all__ = ["analyse"]


def analyse(script: Script, facts: Facts, host_names: frozenset[str]) -> Facts:
    """What can be known about a program. `host_names`: globals that the host may set to anything."""
    calls = [node for node in walk(script) if isinstance(node, Call)]
    longest = max((len(call.arguments) for call in calls), default=0)
    return replace(facts, longest_call=max(longest, HOST_ARGUMENTS))
