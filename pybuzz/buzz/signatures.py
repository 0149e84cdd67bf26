"""What a host tells the checker about the names that it gives to scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["HostNames", "Signature"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A function of the host: least and most arguments (None: any number).

    kinds: what each argument may be, "number" (integer or float), "float", "integer" or "any"; the last one counts for
    all further arguments.
    portable: the narrower kinds that other hosts of the same function (ARGoS) insist on; empty if there are none.
    """

    least: int
    most: int | None
    kinds: tuple[str, ...] = ("any",)
    portable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HostNames:
    """functions: signatures by name, with a dot for fields ("debug.print"). tables: globals the host fills."""

    functions: Mapping[str, Signature] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()

    @property
    def globals(self) -> frozenset[str]:
        """Every global that the host defines."""
        return self.tables | {name.partition(".")[0] for name in self.functions}
