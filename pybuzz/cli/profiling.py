"""The table of `pybuzz run --profile`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pybuzz.cli import reporting
from pybuzz.experiment.profiling import Profile, memory_mb

__all__ = ["print_profile", "profile_as_json"]

_MOST_FUNCTIONS = 15


def print_profile(profile: Profile) -> None:
    """Phases, script functions and memory on stderr."""
    note = reporting.print_note
    note(f"\n{'phase of a tick':<24}{'ms per tick':>12}{'share':>8}")
    for phase in profile.phases:
        note(f"{phase.name:<24}{phase.ms:>12.3f}{phase.share:>8.1%}")
    if profile.functions:
        note(f"\n{'script function':<24}{'calls per tick':>15}{'ms in itself':>14}{'with calls':>12}  where")
    for one in profile.functions[:_MOST_FUNCTIONS]:
        note(f"{one.name:<24}{one.calls:>15.1f}{one.own_ms:>14.3f}{one.total_ms:>12.3f}  {one.place}")
    memory = memory_mb()
    if memory is not None:
        note(f"\nmemory: {memory:.0f} MB at most")


def profile_as_json(profile: Profile) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "phases": [asdict(phase) for phase in profile.phases],
        "functions": [asdict(function) for function in profile.functions],
        "memory_mb": memory_mb(),
    }
