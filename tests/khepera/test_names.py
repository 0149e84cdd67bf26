"""What the checker is told agrees with what scripts find."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.values import is_host_function
from pybuzz.khepera import ACTUATORS, SENSORS, Bindings, load_model, signatures


def _functions(name: str, value: Any) -> dict[str, str]:
    if isinstance(value, dict):
        return {found: kind for key in value for found, kind in _functions(f"{name}.{key}", value[key]).items()}
    return {name: value.__qualname__} if callable(value) and is_host_function(value) else {}


def test_every_function_of_the_bindings_is_described_with_its_number_of_arguments() -> None:
    names: dict[str, Any] = {}
    program = SimpleNamespace(mentioned_globals=frozenset(), single_precision=False, strings=())
    machine = SimpleNamespace(
        program=program,
        strings=StringIds(),
        columns={},
        register=names.__setitem__,
        set_global=names.__setitem__,
        get_global=names.get,
    )
    body = SimpleNamespace(sensors=frozenset(SENSORS), actuators=frozenset(ACTUATORS), read=lambda sensor: [])
    Bindings(machine, body, load_model(), exact=False)
    found = {name: kind for top, value in names.items() for name, kind in _functions(top, value).items()}
    described = dict(signatures().functions)
    del described["log"]  # the machine's own
    assert found.keys() == described.keys()
    for name, one in described.items():
        bounds = f"<{one.least}>" if one.least == one.most else f"<{one.least}-{one.most or ''}>"
        assert found[name].endswith(bounds)
