"""What `neighbors` gives to functions that it is handed, and which of them take a neighbour's data apart (apart.py).

All of it holds for scripts that use `neighbors` in no other way than by `neighbors.NAME`, and never name `poses`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from pybuzz.buzz.apart import DATA_FIELDS, DATA_POSITION
from pybuzz.buzz.compilation.facts import Arguments, Facts
from pybuzz.buzz.compilation.inference import may_end
from pybuzz.buzz.compilation.library import neighbors_method
from pybuzz.buzz.compilation.types import ANY, INTEGER, NIL, STRING, TABLE, Types
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import Function, Variable
from pybuzz.buzz.tree import Assignment, Call, Expression, Field, Index, Name, Node, Script, walk

__all__ = ["NEIGHBORS", "data_apart", "given_by_neighbors", "knows_neighbors", "reduced_map"]

NEIGHBORS = "neighbors"
_POSES = "poses"
_WALKING: Mapping[str, int] = {"foreach": 2, "map": 2, "filter": 2, "reduce": 3}
"""Methods that call a function for each robot, and with how many arguments: the second is data."""

_SHOWING_NO_DATA = frozenset(("foreach", "map", "reduce", "count", "broadcast", "listen", "ignore"))
"""Methods that give a script no table of data, but perhaps to the function that they are handed."""


def knows_neighbors(facts: Facts, usage: Usage) -> bool:
    """Whether `neighbors` surely is, and stays, what the swarm makes it. Needs `assigned` and `host_names`."""
    changed = {path.split(".")[0] for path in facts.assigned} | facts.host_names
    is_kept = NEIGHBORS not in changed and not usage.read[NEIGHBORS]
    return is_kept and NEIGHBORS in facts.scopes.globals and _POSES not in facts.scopes.strings


def given_by_neighbors(call: Call, function: Function, facts: Facts, usage: Usage) -> list[Arguments]:
    """What a method of `neighbors`, or of what its methods give, gives to the function that it is handed."""
    assert isinstance(call.function, Field)
    if call.function.name == "listen":
        return [(STRING, ANY, INTEGER)]
    values = list(_values(call.function.table, facts, usage))
    if call.function.name != "reduce":
        return [(INTEGER, value) for value in values]
    results = [*call.arguments[1:2], *_results(function, usage)]
    return [(INTEGER, value or values[0], result or results[0]) for value, result in zip_longest(values, results)]


def _values(node: Expression, facts: Facts, usage: Usage) -> Iterator[Expression | Types]:
    """What `neighbors`, or what its methods give, holds for each robot."""
    if isinstance(node, Name):
        yield TABLE
        return
    assert isinstance(node, Call)
    assert isinstance(node.function, Field)
    if node.function.name != "map":
        yield from _values(node.function.table, facts, usage)
        return
    function = facts.called_by(node)
    yield from [ANY] if function is None else _results(function, usage)


def _results(function: Function, usage: Usage) -> Iterator[Expression | Types]:
    yield from (NIL if value is None else value for value in usage.returns[function])
    if may_end(function):
        yield NIL


def reduced_map(node: Call, facts: Facts) -> Call | None:
    """The call of `neighbors.map` whose results a call does nothing with but to reduce them."""
    if not facts.knows_neighbors or neighbors_method(node.function, facts.scopes) != "reduce":
        return None
    assert isinstance(node.function, Field)
    mapped = node.function.table
    if not isinstance(mapped, Call) or neighbors_method(mapped.function, facts.scopes) != "map":
        return None
    assert isinstance(mapped.function, Field)
    is_of_neighbors = isinstance(mapped.function.table, Name)
    return mapped if is_of_neighbors and (len(mapped.arguments), len(node.arguments)) == (1, 2) else None


# Data that come apart


def data_apart(script: Script, facts: Facts, usage: Usage) -> Mapping[Variable, int]:
    """The parameters for data that functions take apart, and how many arguments come before azimuth and elevation.

    Needs `callers` and types.
    """
    if not facts.knows_neighbors:
        return {}
    nodes = list(walk(script))
    unfit = set(_used_otherwise(nodes, facts))
    found: dict[Variable, int] = {}
    for function, counts in _argument_counts(facts, usage).items():
        if len(function.parameters) > DATA_POSITION and len(counts) == 1:
            data = function.parameters[DATA_POSITION]
            if data not in unfit and not data.captured:
                found[data] = counts.pop()
    fits = _shows_no_data(found, facts, usage) or not any(_may_store_data(node, facts) for node in nodes)
    return found if fits else {}


def _argument_counts(facts: Facts, usage: Usage) -> Mapping[Function, set[int]]:
    """With how many arguments `neighbors` itself calls functions that nobody else calls."""
    found: dict[Function, list[int]] = {}
    for name, count in _WALKING.items():
        for call in usage.called[f"{NEIGHBORS}.{name}"]:
            function = facts.called_by(call)
            if function is not None and function in facts.callers:
                found.setdefault(function, []).append(count)
    uses = {function: len(usage.called[path] + usage.callbacks[path]) for path, function in facts.named.items()}
    return {function: set(counts) for function, counts in found.items() if len(counts) == uses.get(function, 1)}


def _used_otherwise(nodes: list[Node], facts: Facts) -> Iterator[Variable]:
    """The locals of which anything is done but reading the fields of data."""
    variables = facts.scopes.variables
    targets = [node.target for node in nodes if isinstance(node, Assignment)]
    fields = {node for node in nodes if isinstance(node, Field) and node.name in DATA_FIELDS}.difference(targets)
    opened = {field.table for field in fields}
    return (variables[node] for node in nodes if isinstance(node, Name) and node in variables and node not in opened)


def _shows_no_data(found: Mapping[Variable, int], facts: Facts, usage: Usage) -> bool:
    """Whether no table of data gets into the hands of the script, if these parameters are taken apart."""
    if any(path.startswith(f"{NEIGHBORS}.") for path in usage.read):
        return False
    for path, calls in usage.called.items():
        table, _, name = path.partition(".")
        if table == NEIGHBORS and calls:
            functions = [facts.called_by(call) for call in calls if name in _WALKING]
            takes_apart = all(function and found.keys() & {*function.parameters} for function in functions)
            if name not in _SHOWING_NO_DATA or not takes_apart:
                return False
    return True


def _may_store_data(node: Node, facts: Facts) -> bool:
    """Whether an assignment may change one of the fields, if the table is one of data."""
    target = node.target if isinstance(node, Assignment) else None
    if isinstance(target, Index):
        return bool(facts.types_of(target.key) & STRING)
    return isinstance(target, Field) and target.name in DATA_FIELDS
