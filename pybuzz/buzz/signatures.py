"""What functions take and give: the language's own, and those that a host tells the checker about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["BUILT_INS", "HostNames", "Signature"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A function of the host: least and most arguments (None: any number).

    kinds: what each argument may be, "number" (integer or float), "float", "integer", "string", "table", "closure" or
    "any"; the last one counts for all further arguments.
    portable: the narrower kinds that other hosts of the same function (ARGoS) insist on; empty if there are none.
    result: the kind of what it returns.
    """

    least: int
    most: int | None
    kinds: tuple[str, ...] = ("any",)
    portable: tuple[str, ...] = ()
    result: str = "any"


@dataclass(frozen=True, slots=True)
class HostNames:
    """functions: signatures by name, with a dot for fields ("debug.print"). tables: globals the host fills.

    values: fields of the host's tables that are no functions ("math.pi").
    """

    functions: Mapping[str, Signature] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()

    @property
    def globals(self) -> frozenset[str]:
        """Every global that the host defines."""
        return self.tables | {name.partition(".")[0] for name in self.functions}

    def joined(self, other: HostNames) -> HostNames:
        """The names of both; the other's signatures count where both know a function."""
        return HostNames({**self.functions, **other.functions}, self.tables | other.tables, self.values | other.values)


_NUMBER = ("number",)
_INTEGER = ("integer",)
_CLOSURE = ("closure",)
_STRING = ("string",)

_PREDICATES = ("isnil", "isint", "isfloat", "isstring", "istable", "isclosure", "isuserdata")
_REAL_FUNCTIONS = ("log", "log2", "log10", "exp", "sqrt", "sin", "cos", "tan", "asin", "acos")

_FUNCTIONS = {
    "log": Signature(0, None),
    "type": Signature(1, 1, result="string"),
    "int": Signature(1, 1, _NUMBER, result="integer"),
    "float": Signature(1, 1, _NUMBER, result="float"),
    "clone": Signature(1, 1),
    "size": Signature(1, 1, ("table",), result="integer"),
    "foreach": Signature(2, 2, ("table", "closure")),
    "map": Signature(2, 2, ("table", "closure"), result="table"),
    "filter": Signature(2, 2, ("table", "closure"), result="table"),
    "reduce": Signature(3, 3, ("table", "closure", "any")),
    **{name: Signature(1, 1, result="integer") for name in _PREDICATES},
    **{f"math.{name}": Signature(1, 1, _NUMBER, result="float") for name in _REAL_FUNCTIONS},
    "math.abs": Signature(1, 1, _NUMBER, result="number"),
    **{f"math.{name}": Signature(1, 1, _NUMBER, result="integer") for name in ("floor", "ceil", "round")},
    "math.atan": Signature(2, 2, _NUMBER, result="float"),
    "math.min": Signature(2, 2),
    "math.max": Signature(2, 2),
    "math.rng.setseed": Signature(1, 1, _INTEGER),
    "math.rng.uniform": Signature(0, 2, _NUMBER, result="number"),
    "math.rng.gaussian": Signature(0, 2, _NUMBER, result="float"),
    "math.rng.exponential": Signature(1, 1, _NUMBER, result="float"),
    "string.length": Signature(1, 1, _STRING, result="integer"),
    "string.sub": Signature(2, 3, ("string", "integer")),
    "string.concat": Signature(2, None, _STRING, result="string"),
    "string.tostring": Signature(1, 1, portable=_NUMBER),
    "string.toint": Signature(1, 1, _STRING),
    "string.tofloat": Signature(1, 1, _STRING),
    "io.fopen": Signature(2, 2, _STRING),
    "io.fclose": Signature(1, 1, ("table",)),
    "io.fsize": Signature(1, 1, ("table",), result="integer"),
    "io.fforeach": Signature(2, 2, ("table", "closure")),
    "io.fwrite": Signature(2, None, ("table", "any")),
    "neighbors.count": Signature(0, 0, result="integer"),
    "neighbors.get": Signature(1, 1),
    "neighbors.foreach": Signature(1, 1, _CLOSURE),
    "neighbors.map": Signature(1, 1, _CLOSURE, result="table"),
    "neighbors.filter": Signature(1, 1, _CLOSURE, result="table"),
    "neighbors.reduce": Signature(2, 2, ("closure", "any")),
    "neighbors.kin": Signature(0, 0, result="table"),
    "neighbors.nonkin": Signature(0, 0, result="table"),
    "neighbors.broadcast": Signature(2, 2, ("string", "any")),
    "neighbors.listen": Signature(2, 2, ("string", "closure")),
    "neighbors.ignore": Signature(1, 1, _STRING),
    "swarm.create": Signature(1, 1, _INTEGER, result="table"),
    "swarm.id": Signature(0, None),
    **{
        f"swarm.{name}": Signature(3, 3, ("integer", "table", "table"), result="table")
        for name in ("union", "intersection", "difference")
    },
    "stigmergy.create": Signature(1, 1, _INTEGER, result="table"),
}

BUILT_INS = HostNames(
    _FUNCTIONS,
    frozenset({"id"}),
    frozenset({"math.pi", "io.errno", "io.error_message", "neighbors.poses"}),
)
"""What every script finds, whatever the host; `log` is among it."""
