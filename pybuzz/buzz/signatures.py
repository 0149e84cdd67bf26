"""What functions take and give: the language's own, and those that a host tells the checker about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

__all__ = ["BUILT_INS", "Entries", "HostNames", "Range", "Signature", "fits"]


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
class Entries:
    """What a host's table holds under 0, 1, 2, ...

    count: how many; None: it is not known. fields: those of each entry; without any, an entry is a number; None: it is
    not known whether it is one.
    """

    count: int | None
    fields: frozenset[str] | None = frozenset()

    @property
    def described(self) -> str:
        """As part of a sentence: "entries 0 to 7"."""
        return "numbered entries" if self.count is None else f"entries 0 to {self.count - 1}"


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that make sense as arguments of a function. beyond: what happens to others, for people.

    arguments: so many of them, from the first. of_length: two arguments are a vector, and its length is meant.
    """

    least: float
    most: float
    beyond: str
    arguments: int = 3
    of_length: bool = False


@dataclass(frozen=True, slots=True)
class HostNames:
    """functions: signatures by name, with a dot for fields ("debug.print"). tables: globals the host fills.

    values: fields of the host's tables that are no functions ("math.pi"). entries: of those tables that have numbered
    ones. ranges: of numbers that functions take. absent: what hosts of this kind can give but this one does not, and
    what to do about it. unset: says what to do about another global that nothing sets, by its name; None: nothing is
    known. settings: globals that an experiment sets.
    """

    functions: Mapping[str, Signature] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    entries: Mapping[str, Entries] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    unset: Callable[[str], str] | None = None
    settings: frozenset[str] = frozenset()

    @property
    def globals(self) -> frozenset[str]:
        """Every global that the host defines."""
        return self.tables | self.settings | {name.partition(".")[0] for name in self.functions}

    def joined(self, other: HostNames) -> HostNames:
        """The names of both; the other's signatures count where both know a function."""
        absent = {**self.absent, **other.absent}
        given = self.globals | other.globals
        return HostNames(
            {**self.functions, **other.functions},
            self.tables | other.tables,
            self.values | other.values,
            {**self.entries, **other.entries},
            {**self.ranges, **other.ranges},
            {name: hint for name, hint in absent.items() if name not in given},
            other.unset or self.unset,
            self.settings | other.settings,
        )


_NUMBERS = frozenset({"number", "integer", "float"})


def fits(kind: str, wanted: str) -> bool:
    """Whether a value of a kind may be what a Signature wants; a "number" may be an integer or a float."""
    if wanted == "any":
        return True
    return kind in _NUMBERS if wanted == "number" else kind == wanted or (kind == "number" and wanted in _NUMBERS)


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
    ranges={
        **{f"math.{name}": Range(-1, 1, "the result is nan") for name in ("asin", "acos")},
        **{f"math.{name}": Range(0, inf, "the result is nan") for name in ("sqrt", "log", "log2", "log10")},
    },
)
"""What every script finds, whatever the host; `log` is among it."""
