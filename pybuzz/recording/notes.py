"""What scripts drew for the viewer (`debug`): text, rays and a trail, kept as events."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["NOTE_EVENT", "Note", "NoteRay", "note_from", "note_text"]

NOTE_EVENT = "debug"
"""The kind of these events."""

Color = tuple[int, int, int]
Point = tuple[float, float, float]


class NoteRay(NamedTuple):
    """From start to end in the robot's frame, in m; red, green, blue in 0..255."""

    color: Color
    start: Point
    end: Point


class Note(NamedTuple):
    """What the script of a robot drew in a tick.

    text, color   written beside the robot
    trail         so many of its latest places are drawn, in trail_color; 0: none
    """

    tick: int
    robot: str
    text: str
    color: Color
    rays: tuple[NoteRay, ...]
    trail: int
    trail_color: Color


def note_text(text: str, color: Color, rays: Iterable[NoteRay], trail: int, trail_color: Color) -> str:
    """An event's text that holds all of it."""
    content: dict[str, Any] = {"text": text, "color": color, "rays": list(rays)}
    if trail:
        content |= {"trail": trail, "trail_color": trail_color}
    return json.dumps(content, ensure_ascii=False)


def note_from(tick: int, robot: str, text: str) -> Note:
    """The note that `note_text` wrote as this text."""
    content = json.loads(text)
    rays = tuple(NoteRay(_color(color), _point(start), _point(end)) for color, start, end in content["rays"])
    trail_color = _color(content.get("trail_color", (0, 0, 0)))
    return Note(tick, robot, content["text"], _color(content["color"]), rays, content.get("trail", 0), trail_color)


def _color(values: Iterable[int]) -> Color:
    red, green, blue = values
    return red, green, blue


def _point(values: Iterable[float]) -> Point:
    x, y, z = values
    return x, y, z
