"""What is known of the built-in functions: the types of their results, and whether they call closures.

It holds for a program in which nobody gives the built-in's name, or its field of `math` or `string`, another value.
"""

from __future__ import annotations

from collections.abc import Mapping

from pybuzz.buzz.compilation.types import ANY, FLOAT, INTEGER, NIL, NUMBER, STRING, TABLE, Types

__all__ = ["CALLING", "LIBRARY_NAMES", "RESULTS", "WALKING_NAMES"]

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

LIBRARY_NAMES = frozenset(
    [name for name in RESULTS if "." not in name] + ["math", "string", "io", "id", "neighbors", "swarm", "stigmergy"]
)
"""Globals that are installed after the script's named functions, which lose against them."""

WALKING_NAMES = frozenset(("foreach", "map", "filter", "reduce", "clone", "neighbors", "stigmergy", "swarm"))
"""Globals without whose help no table is ever walked or sent."""
