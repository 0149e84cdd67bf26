"""What is known of one robot at a tick of the past: its place from the frame, its scalar globals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pybuzz.workbench.frame_layout import FAILED, look_up_robot
from pybuzz.workbench.trees import plain_node
from pybuzz.workbench.viewers import as_text

__all__ = ["Known", "inspection_of"]


@dataclass(frozen=True, slots=True)
class Known:
    """What was kept of a robot at a tick, beside its place.

    variables: its globals. sensors: readings by name. messages_in, messages_out: as in `inspection`. error: what to say
    if its script had failed.
    """

    variables: Mapping[str, Any]
    sensors: Mapping[str, list[float]] = field(default_factory=dict)
    messages_in: list[dict[str, Any]] = field(default_factory=list)
    messages_out: list[dict[str, Any]] = field(default_factory=list)
    error: str = "its script failed"


def inspection_of(robot: str, tick: int, frame: bytes, scene: Mapping[str, Any], known: Known) -> str | None:
    """The `inspection` of a robot at a tick; None if it was not there."""
    names = [mark["name"] for mark in scene["robots"]]
    if robot not in names:
        return None
    pose, flags = look_up_robot(frame, names.index(robot))
    return as_text(
        "inspection",
        robot=robot,
        tick=tick,
        live=False,
        pose=[round(value, 6) for value in pose],
        wheels=None,
        error=known.error if flags & FAILED else None,
        variables=[plain_node(name, known.variables[name]) for name in sorted(known.variables)],
        sensors=known.sensors,
        messages_in=known.messages_in,
        messages_out=known.messages_out,
    )
