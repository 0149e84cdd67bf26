"""Which functions may call themselves, directly or by way of others: their calls count against the budget.

A call whose target is not known may reach every function that is a value somewhere: lambdas, and named functions that
are mentioned otherwise than by calling them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import Function
from pybuzz.buzz.tree import Call

__all__ = ["recursive_functions"]

_Node = Function | None
"""None stands for whatever a call to an unknown target may reach."""


def recursive_functions(facts: Facts, usage: Usage) -> frozenset[Function]:
    """Functions to count so that no endless chain of calls goes uncounted."""
    functions = facts.scopes.functions[1:]
    edges: dict[_Node, list[_Node]] = {
        function: [target for call in usage.calls[function] for target in _targets(call, facts)]
        for function in functions
    }
    edges[None] = [function for function in functions if function not in facts.callers]
    found: set[Function] = set()
    for group in _groups(edges):
        members = set(group)
        for function in group:
            if function is not None and any(target in members for target in edges[function]):
                found.add(function)
    return frozenset(found)


def _targets(call: Call, facts: Facts) -> list[_Node]:
    """What a call may reach: nothing of the script, one function, or anything."""
    if facts.callback(call) is not None:
        return [facts.called_by(call)]
    return [] if facts.built_in(call.function) is not None else [facts.callee(call)]


def _groups(edges: Mapping[_Node, list[_Node]]) -> Iterable[list[_Node]]:
    """Strongly connected components (Tarjan's algorithm, without recursion)."""
    index: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    stack: list[_Node] = []
    on_stack: set[_Node] = set()
    for start in edges:
        if start in index:
            continue
        work = [(start, iter(edges[start]))]
        index[start] = lowest[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = lowest[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    lowest[node] = min(lowest[node], index[target])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == index[node]:
                    group = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        group.append(member)
                        if member is node:
                            break
                    yield group
