"""Locals that count: integers that stay small whatever a script does, so that sums with them cannot overflow.

Such a local only ever gets small constants, and itself plus or minus a small constant. Each of these steps happens at
most once in a turn of a loop, and a call from the host has a limited number of turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pybuzz.buzz.compilation.ranges import Range
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.scopes import Scopes, Variable
from pybuzz.buzz.tree import Binary, Expression, Integer, Name

__all__ = ["MOST_TURNS", "counters"]

MOST_TURNS: Final = 100_000_000
"""The largest budget of turns for which this holds."""

_LARGEST_START: Final = 2**20
_LARGEST_SUM_OF_STEPS: Final = 8
_LARGEST: Final = 2**30 - 1
"""Beyond the largest start with the most turns of the largest steps."""


def counters(scopes: Scopes, usage: Usage) -> Mapping[Variable, Range]:
    """The range of each local that counts."""
    found: dict[Variable, Range] = {}
    for function in scopes.functions:
        for variable in function.locals:
            limits = _range(usage.local_values.get(variable, ()), variable, scopes)
            if limits is not None:
                found[variable] = limits
    return found


def _range(values: Iterable[Expression | None], variable: Variable, scopes: Scopes) -> Range | None:
    starts, steps = [0], [0]
    for value in values:
        step = _step(value, variable, scopes)
        if step is not None:
            steps.append(step)
        elif isinstance(value, Integer):
            starts.append(value.value)
        else:
            return None
    if max(map(abs, starts)) > _LARGEST_START or sum(map(abs, steps)) > _LARGEST_SUM_OF_STEPS:
        return None
    return 0 if min(*starts, *steps) == 0 else -_LARGEST, _LARGEST


def _step(value: Expression | None, variable: Variable, scopes: Scopes) -> int | None:
    """What is added in `variable = variable + 1`; None if it is something else."""
    if not isinstance(value, Binary) or value.operator not in ("+", "-") or not isinstance(value.right, Integer):
        return None
    if not isinstance(value.left, Name) or scopes.variables.get(value.left) is not variable:
        return None
    return value.right.value if value.operator == "+" else -value.right.value
