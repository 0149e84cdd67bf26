"""Draws who is near whom in one moment of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.canvas import arena_axes, draw_name, draw_note, draw_robots, draw_surroundings
from pybuzz.recording.palette import FEW_ROBOTS, GROUND, INK, ROBOT_COLORS
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import chosen_robots, seen_poses, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["groups_of", "links_within", "neighbors_figure"]

_MOST_NAMES = 60
_MOST_ROBOTS = 3000


def neighbors_figure(
    recording: Recording, tick: int, range_m: float, *, robots: Sequence[str] | None = None, title: str | None = None
) -> Figure:
    """The robots at the end of `tick`, a line between any two that are closer than `range_m`, each group in a colour.

    Raises InputError if a robot is unknown, none was there in that tick, or matplotlib is missing.
    """
    chosen = chosen_robots(recording, robots)
    poses = seen_poses(recording, chosen)
    there = np.flatnonzero(np.isfinite(poses[tick, :, 0]))
    when = f"{tick / recording.description.ticks_per_second:g} s"
    if not 1 <= len(there) <= _MOST_ROBOTS:
        text = f"{len(there)} robots are there at {when}; 1 to {_MOST_ROBOTS} can be drawn"
        raise InputError.at(recording.description.experiment, text)
    marks = [recording.description.robots[chosen[index]] for index in there]
    now = poses[tick, there]
    links = links_within(now[:, :2], range_m)
    groups = groups_of(len(now), links)
    figure, axes = arena_axes(recording, poses, max(mark.radius for mark in marks))
    draw_surroundings(axes, recording, tick)
    colors = [ROBOT_COLORS[group] if group < FEW_ROBOTS else INK for group in groups]
    _draw_links(axes, now, links, colors)
    draw_robots(axes, now, marks, edge=INK, face=colors, nose=GROUND)
    if len(now) <= _MOST_NAMES:
        for mark, pose in zip(marks, now, strict=True):
            draw_name(axes, mark.name, pose, INK)
    axes.set_title(title or f"{title_of(recording, len(now))}, at {when}", fontsize=10, color=INK, loc="left")
    draw_note(axes, _counted(len(links), range_m, len(set(groups))))
    return figure


def links_within(places: npt.NDArray[np.float64], range_m: float) -> npt.NDArray[np.int64]:
    """int64[links, 2]: the pairs of robots closer than `range_m`. places: float64[n, 2] in m."""
    first, second = np.triu_indices(len(places), 1)
    near = np.linalg.norm(places[first] - places[second], axis=1) < range_m
    return np.stack([first[near], second[near]], axis=1)


def groups_of(robots: int, links: npt.NDArray[np.int64]) -> list[int]:
    """Each robot's group of those that links connect; groups are numbered from the largest on."""
    group = np.arange(robots)
    while len(links):
        least = group.copy()
        np.minimum.at(least, links[:, 0], group[links[:, 1]])
        np.minimum.at(least, links[:, 1], group[links[:, 0]])
        if (least == group).all():
            break
        group = least[least]
    names, sizes = np.unique(group, return_counts=True)
    order = {int(name): number for number, name in enumerate(names[np.argsort(-sizes, kind="stable")])}
    return [order[int(name)] for name in group]


def _counted(links: int, range_m: float, groups: int) -> str:
    linked = "1 link" if links == 1 else f"{links} links"
    grouped = "1 group" if groups == 1 else f"{groups} groups (by colour)"
    return f"{linked} shorter than {range_m:g} m, {grouped}; walls are not looked at"


def _draw_links(
    axes: Axes, poses: npt.NDArray[np.float64], links: npt.NDArray[np.int64], colors: Sequence[str]
) -> None:
    from matplotlib.collections import LineCollection

    if len(links):
        pieces = list(np.stack([poses[links[:, 0], :2], poses[links[:, 1], :2]], axis=1))
        shades = [colors[index] for index in links[:, 0]]
        width = 1.2 if len(links) <= 300 else 0.6
        axes.add_collection(LineCollection(pieces, colors=shades, linewidths=width, alpha=0.45, zorder=3))
