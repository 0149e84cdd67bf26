"""What is known of the built-in functions: the types of their results, and whether they call closures.

It holds for a program in which nobody gives the built-in's name, or its field of `math` or `string`, another value.
"""

from __future__ import annotations

from collections.abc import Mapping

from pybuzz.buzz.compilation.types import ANY, FLOAT, INTEGER, NIL, NUMBER, STRING, TABLE, Types
from pybuzz.buzz.scopes import Scopes
from pybuzz.buzz.tree import Call, Expression, Field, Name, Node

__all__ = ["CALLING", "LIBRARY_NAMES", "RESULTS", "WALKING_NAMES", "callback_of", "neighbors_method"]

RESULTS: Mapping[str, Types] = {
    "type": STRING, "int": INTEGER, "float": FLOAT, "size": INTEGER, "clone": ANY, "isnil": INTEGER, "isint": INTEGER,
    "isfloat": INTEGER, "isstring": INTEGER, "istable": INTEGER, "isclosure": INTEGER, "isuserdata": INTEGER,
    "foreach": NIL, "map": TABLE, "filter": TABLE, "reduce": ANY, "log": NIL,
    "math.abs": NUMBER, "math.floor": INTEGER, "math.ceil": INTEGER, "math.round": INTEGER, "math.log": FLOAT,
    "math.log2": FLOAT, "math.log10": FLOAT, "math.exp": FLOAT, "math.sqrt": FLOAT, "math.sin": FLOAT,
    "math.cos": FLOAT, "math.tan": FLOAT, "math.asin": FLOAT, "math.acos": FLOAT, "math.atan": FLOAT,
    "math.min": ANY, "math.max": ANY, "math.pi": FLOAT,
    "string.length": INTEGER, "string.sub": STRING | NIL, "string.concat": STRING, "string.tostring": STRING | NIL,
    "string.toint": INTEGER | NIL, "string.tofloat": FLOAT | NIL,
}  # fmt: skip
"""Types of the results; a name with a dot is a field of a built-in table."""

_KEY, _ENTRY = NUMBER | STRING, ANY & ~NIL

CALLING: Mapping[str, tuple[Types, ...]] = {
    "foreach": (_KEY, _ENTRY), "map": (_KEY, _ENTRY), "filter": (_KEY, _ENTRY), "reduce": (_KEY, _ENTRY, ANY),
}  # fmt: skip
"""Built-ins that call the closure they are given, and the types of what they give it."""

_CALLBACK = 1
"""Position of the closure among the arguments of these."""

_CALLBACKS_OF_NEIGHBORS: Mapping[str, int] = {"foreach": 0, "map": 0, "filter": 0, "reduce": 0, "listen": 1}
"""Methods of `neighbors` that take a closure, and its position."""

_GIVING_NEIGHBORS = frozenset(("map", "filter", "kin", "nonkin"))
"""Methods that give a table with the same methods."""

LIBRARY_NAMES = frozenset(
    [name for name in RESULTS if "." not in name] + ["math", "string", "io", "id", "neighbors", "swarm", "stigmergy"]
)
"""Globals that are installed after the script's named functions, which lose against them."""

WALKING_NAMES = frozenset(("foreach", "map", "filter", "reduce", "clone", "neighbors", "stigmergy", "swarm"))
"""Globals without whose help no table is ever walked or sent."""


def callback_of(call: Call, scopes: Scopes) -> Expression | None:
    """The argument that a built-in calls, if it is one and the library's."""
    target = call.function
    if isinstance(target, Name):
        position = _CALLBACK if target.name in CALLING and target not in scopes.variables else None
    else:
        position = _CALLBACKS_OF_NEIGHBORS.get(neighbors_method(target, scopes) or "")
    return None if position is None or position >= len(call.arguments) else call.arguments[position]


def neighbors_method(node: Node, scopes: Scopes) -> str | None:
    """The name of the method of `neighbors`, or of what its methods give in the same expression, that a node is."""
    if not isinstance(node, Field):
        return None
    table = node.table
    if isinstance(table, Call):
        return node.name if neighbors_method(table.function, scopes) in _GIVING_NEIGHBORS else None
    is_neighbors = isinstance(table, Name) and table.name == "neighbors" and table not in scopes.variables
    return node.name if is_neighbors else None
