"""Checks of what the robot has: devices that it lacks, entries and fields of its tables, ranges of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pybuzz.buzz.absence import hint_of_entry, hint_of_entry_field
from pybuzz.buzz.checks.constants import Constants
from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.signatures import Entries, Range
from pybuzz.buzz.tree import Call, Field, Index, Name

__all__ = ["argument_ranges", "entries", "missing_devices"]


def missing_devices(study: Study) -> Iterator[Finding]:
    """A name that robots of this kind can have and this robot lacks; once for each."""
    tested = {study.path(node) for node in study.nodes if isinstance(node, Name | Field) and study.is_tested(node)}
    seen: set[str] = set()
    for node in study.nodes:
        if not isinstance(node, Name | Field) or study.is_target(node):
            continue
        path = study.path(node)
        is_own = study.overwritten(path) or path in study.global_values
        if path not in study.known.absent or path in seen | tested or is_own:
            continue
        seen.add(path)
        span = node.name_span if isinstance(node, Field) else node.span
        yield Finding(
            "missing-device", span, f"this robot has no '{path}': it is nil", study.known.absent[path], severity="error"
        )


def entries(study: Study) -> Iterator[Finding]:
    """An entry of the robot's tables that is not there, or a field that entries do not have."""
    constants = Constants(study)
    for node in study.nodes:
        table = study.path(node.table) if isinstance(node, Index) else ""
        if not isinstance(node, Index) or table not in study.known.entries or study.overwritten(table):
            continue
        held = study.known.entries[table]
        key = constants.value(node.key)
        if key is not None and not _is_held(key, held):
            text = f"'{table}' has no entry {key:g}: it is nil"
            yield Finding("entry-range", node.key.span, text, hint_of_entry(table, study.known))
        parent = study.parents.get(node)
        if (
            held.fields is not None
            and isinstance(parent, Field)
            and parent.table is node
            and parent.name not in held.fields
        ):
            text = f"entries of '{table}' have no field '{parent.name}': it is nil"
            yield Finding(
                "undefined-field", parent.name_span, text, hint_of_entry_field(parent.name, table, study.known)
            )


def _is_held(key: float, held: Entries) -> bool:
    return key >= 0 and key == int(key) and (held.count is None or key < held.count)


def argument_ranges(study: Study) -> Iterator[Finding]:
    """A constant beyond what a function of the language or the robot does with it."""
    constants = Constants(study)
    for node in study.calls:
        path = study.known_function(node.function)
        limits = study.known.ranges.get(path)
        if limits is None:
            continue
        values = [constants.value(argument) for argument in node.arguments[: limits.arguments]]
        if limits.of_length:
            yield from _vector(path, node, values, limits)
            continue
        for number, value in enumerate(values):
            if value is not None and not limits.least <= value <= limits.most:
                text = f"argument {number + 1} of {path}() is {value:g}, beyond {limits.least:g} to {limits.most:g}"
                yield Finding("argument-range", node.arguments[number].span, text, limits.beyond)


def _vector(path: str, node: Call, values: list[float | None], limits: Range) -> Iterator[Finding]:
    """A vector that its known parts alone make too long."""
    length = math.hypot(*(value for value in values if value is not None))
    if length > limits.most:
        text = f"the vector of {path}() is at least {length:g} long, beyond {limits.most:g}"
        if None not in values:
            text = f"the vector of {path}() is {length:g} long, beyond {limits.most:g}"
        yield Finding("argument-range", node.span, text, limits.beyond)
