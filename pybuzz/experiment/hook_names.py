"""What a person's Python file gives to scripts, as the checker knows names: functions with their arguments, tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_type_hints

from pybuzz.buzz.signatures import HostNames, Signature
from pybuzz.experiment.hooks import HookRunner, Hooks, arity, load_hooks, split_target
from pybuzz.sim.own_sensors import names_made_in
from pybuzz.user_code import load_module

__all__ = ["host_names"]

_KINDS = {int: "integer", bool: "integer", float: "number", str: "string", dict: "table", list: "table", tuple: "table"}
_ANY = "any"


class _SomeRobot:
    """Stands for each robot while `Hooks.names` is asked what it gives: nothing is simulated."""

    name = "kh1"
    number = 1


def host_names(target: str) -> HostNames:
    """The names that `--hooks FILE.py:NAME` adds to scripts, sensors that the file registers among them.

    Kinds of arguments and results come from the functions' type hints. Raises InputError.
    """
    file, name = split_target(target)
    module = load_module(file)
    sensors = names_made_in(module)
    has_hooks = any(
        inspect.isclass(one) and issubclass(one, Hooks) and one is not Hooks for one in vars(module).values()
    )
    given = HookRunner(load_hooks(target)).names(_SomeRobot()) if name or has_hooks or not sensors else {}
    found = dict(_walk("", given))
    functions = {path: _signature(value) for path, value in found.items() if callable(value)}
    values = {path for path in found if "." in path and path not in functions}
    return HostNames(functions, frozenset({*given, *sensors}), frozenset(values))


def _walk(path: str, names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Everything in nested mappings by its dotted path."""
    for name, value in names.items():
        if isinstance(name, str):
            yield f"{path}{name}", value
            if isinstance(value, Mapping):
                yield from _walk(f"{path}{name}.", value)


def _signature(function: Callable[..., Any]) -> Signature:
    least, most = arity(function)
    hints = _hints(function)
    parameters = inspect.signature(function).parameters if most != 0 and hints else {}
    kinds = tuple(_kind(hints.get(name)) for name in parameters) or (_ANY,)
    return Signature(least, most, kinds, result=_kind(hints.get("return")))


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function)
    except (TypeError, NameError):
        return {}


def _kind(hint: Any) -> str:
    return _KINDS.get(getattr(hint, "__origin__", hint), _ANY)
