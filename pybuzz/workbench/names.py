"""The names that scripts of an experiment find, for checking and for completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from pybuzz.buzz.signatures import BUILT_INS, HostNames, Signature
from pybuzz.khepera import signatures
from pybuzz.workbench.descriptions import DESCRIPTIONS, Name

__all__ = ["ScriptNames"]


class ScriptNames:
    """Of one experiment. own: what it adds to the language and the robot, as a stage tells it (own_names)."""

    def __init__(self, own: Mapping[str, Any] | None = None) -> None:
        self.signatures = signatures() if own is None else signatures().joined(_host_names(own))

    @cached_property
    def completions(self) -> list[dict[str, str]]:
        """The `names` of `welcome`: of the language and of these."""
        known = BUILT_INS.joined(self.signatures)
        found = dict(DESCRIPTIONS)
        for name, signature in known.functions.items():
            found.setdefault(name, Name(name, "function", _arguments_of(signature)))
        for name in known.tables | known.values:
            found.setdefault(name, Name(name, "value"))
        return [asdict(found[name]) for name in sorted(found)]


def _host_names(own: Mapping[str, Any]) -> HostNames:
    functions = {name: _signature(fields) for name, fields in own["functions"].items()}
    return HostNames(functions, frozenset(own["tables"]), frozenset(own["values"]))


def _signature(fields: Mapping[str, Any]) -> Signature:
    kinds, portable = tuple(fields["kinds"]), tuple(fields["portable"])
    return Signature(fields["least"], fields["most"], kinds, portable, fields["result"])


def _arguments_of(signature: Signature) -> str:
    """The kinds of what a function takes and gives: (integer, table[, any]): number"""
    most = signature.least if signature.most is None else signature.most
    kinds = [signature.kinds[min(index, len(signature.kinds) - 1)] for index in range(most)]
    text = ", ".join(kinds[: signature.least])
    for kind in kinds[signature.least :]:
        text += f"[, {kind}]" if text else f"[{kind}]"
    if signature.most is None:
        text += ", ..." if text else "..."
    return f"({text})" + (f": {signature.result}" if signature.result != "any" else "")
