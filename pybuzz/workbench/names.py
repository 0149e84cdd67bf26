"""The names that scripts of an experiment find, for checking and for completion."""

from __future__ import annotations

from pybuzz.buzz.signatures import BUILT_INS, HostNames, Signature
from pybuzz.khepera import signatures

__all__ = ["completions", "script_names"]


def script_names(hooks: str | None) -> HostNames:
    """Of a robot with every device, and what hooks (FILE.py:NAME) give besides. Raises InputError."""
    if hooks is None:
        return signatures()
    from pybuzz.experiment.hook_names import host_names

    return signatures().joined(host_names(hooks))


def completions(names: HostNames) -> list[dict[str, str]]:
    """The `names` of `welcome`: of the language and of these."""
    known = BUILT_INS.joined(names)
    found = {name: _function(name, signature) for name, signature in known.functions.items()}
    for name in sorted(known.tables | known.values):
        found.setdefault(name, {"name": name, "kind": "variable", "detail": "", "info": ""})
    return [found[name] for name in sorted(found)]


def _function(name: str, signature: Signature) -> dict[str, str]:
    return {"name": name, "kind": "function", "detail": _arguments(signature), "info": ""}


def _arguments(signature: Signature) -> str:
    """The kinds of arguments: (integer, table[, any])"""
    most = signature.least if signature.most is None else signature.most
    kinds = [signature.kinds[min(index, len(signature.kinds) - 1)] for index in range(most)]
    text = ", ".join(kinds[: signature.least])
    for kind in kinds[signature.least :]:
        text += f"[, {kind}]" if text else f"[{kind}]"
    if signature.most is None:
        text += ", ..." if text else "..."
    return f"({text})" + (f": {signature.result}" if signature.result != "any" else "")
