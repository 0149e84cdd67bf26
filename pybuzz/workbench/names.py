"""The names that scripts of an experiment find, for checking and for completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from pybuzz.buzz.signatures import BUILT_INS, HostNames, Signature
from pybuzz.errors import PybuzzError
from pybuzz.khepera import signatures
from pybuzz.workbench.descriptions import DESCRIPTIONS, Name

__all__ = ["ScriptNames"]


@dataclass(frozen=True)
class ScriptNames:
    """Of one experiment as it was loaded.

    hooks: FILE.py:NAME, whose names scripts find too. sensors: those that robots carry, people's own among them.
    globals: those that the experiment sets.
    """

    hooks: str | None = None
    sensors: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()

    @classmethod
    def of(cls, loaded: Mapping[str, Any], hooks: str | None) -> ScriptNames:
        """From the `welcome` of a stage. hooks: of the command line."""
        return cls(hooks or loaded.get("hooks"), tuple(loaded.get("sensors", ())), tuple(loaded.get("globals", ())))

    @cached_property
    def signatures(self) -> HostNames:
        """What the checker knows beside the language. Hooks that cannot be read give nothing."""
        known = signatures().joined(HostNames(tables=frozenset((*self.sensors, *self.globals))))
        if self.hooks is None:
            return known
        from pybuzz.experiment.hook_names import host_names

        try:
            return known.joined(host_names(self.hooks))
        except PybuzzError:
            return known

    @cached_property
    def completions(self) -> list[dict[str, str]]:
        """The `names` of `welcome`: of the language and of these."""
        known = BUILT_INS.joined(self.signatures)
        found = dict(DESCRIPTIONS)
        for name, signature in known.functions.items():
            found.setdefault(name, Name(name, "function", arguments_of(signature)))
        for name in known.tables | known.values:
            found.setdefault(name, Name(name, "value"))
        return [asdict(found[name]) for name in sorted(found)]


def arguments_of(signature: Signature) -> str:
    """The kinds of what a function takes and gives: (integer, table[, any]): number"""
    most = signature.least if signature.most is None else signature.most
    kinds = [signature.kinds[min(index, len(signature.kinds) - 1)] for index in range(most)]
    text = ", ".join(kinds[: signature.least])
    for kind in kinds[signature.least :]:
        text += f"[, {kind}]" if text else f"[{kind}]"
    if signature.most is None:
        text += ", ..." if text else "..."
    return f"({text})" + (f": {signature.result}" if signature.result != "any" else "")
