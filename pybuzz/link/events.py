"""What happens to a robot that a person should know."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DriverEvent"]


@dataclass(frozen=True, slots=True)
class DriverEvent:
    """kind: a word for the recording. fails: the run ends with 3, later. ends_run: all robots stop now."""

    robot: int
    kind: str
    text: str
    fails: bool = False
    ends_run: bool = False
