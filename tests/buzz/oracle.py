"""Running a program twice: as it is compiled, and with a plain helper call for every operation.

Both must print the same, leave the same globals and fail in the same way at the same place.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from definite_assignment import names_read_too_early

from pybuzz.buzz import Program, Table, Userdata, Value, format_value, parse
from pybuzz.buzz.compilation import Facts, compile_script
from pybuzz.buzz.compilation.templates import HelperTemplates
from pybuzz.errors import ScriptError

BUDGET = 3_000


def as_oracle(program: Program) -> Program:
    """The same program, compiled to helper calls and relying on nothing."""
    oracle = copy(program)
    for kept in ("catalogue", "general_catalogue", "generalised"):
        oracle.__dict__.pop(kept, None)
    plain = Facts(oracle.scopes, single_precision=program.single_precision, longest_call=oracle.facts.longest_call)
    oracle.facts = plain
    oracle.compiled = compile_script(oracle.script, plain, HelperTemplates())
    return oracle


def outcome(program: Program, budget: int = BUDGET) -> list[Any]:
    """What running the global part and then `step` prints, leaves behind, and how it fails."""
    seen: list[Any] = []
    machine = program.new_machine(1, log=lambda values: seen.append("".join(map(shown, values))), budget=budget)
    try:
        machine.run_global_part()
        if machine.get_global("step") is not None:
            machine.call_named("step")
    except ScriptError as failure:
        found = failure.diagnostics[0]
        seen.append((found.kind, found.place.line, found.place.column))
    seen += [(name, shown(machine.get_global(name))) for name in sorted(program.mentioned_globals)]
    return seen


def agree(text: str, *, single_precision: bool = False) -> None:
    """Assert that compiled code does what the oracle does, or that the script does not compile.

    Also that it reads no name of its own before it has set it.
    """
    try:
        program = Program(parse("random.bzz", text), single_precision=single_precision)
    except ScriptError:
        return
    assert not names_read_too_early(program, program.facts)
    expected = outcome(as_oracle(program))
    if any(part[0] == "budget exceeded" for part in expected if isinstance(part, tuple)):
        # Where calls are counted differs, so only that both end is certain.
        outcome(program)
        return
    assert outcome(program) == expected


def shown(value: Value, depth: int = 2) -> str:
    """A value with its type; tables with their entries.

    Whether a key is 2 or 2.0 shows where the script walks its table, and only matters there.
    """
    if isinstance(value, Table):
        entries = [f"{_key(key)!r}: {shown(item, depth - 1)}" for key, item in value.items()] if depth else ["..."]
        return "{" + ", ".join(sorted(entries)) + "}"
    if callable(value):
        return "closure"
    if isinstance(value, Userdata):
        return "userdata"
    return f"{type(value).__name__} {format_value(value)}" if isinstance(value, float) else repr(value)


def _key(key: Value) -> Value:
    return key if isinstance(key, str) else float(key)
