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

__all__ = ["groups_of", "links_figure", "links_within", "neighbors_figure"]

_MOST_NAMES = 60
_MOST_ROBOTS = 3000


def neighbors_figure(
    recording: Recording, tick: int, range_m: float, *, robots: Sequence[str] | None = None, title: str | None = None
) -> Figure:
    """The robots at the end of `tick`, a line between any two that are closer than `range_m`, each group in a colour.

    Raises InputError if a robot is unknown, none was there in that tick, or matplotlib is missing.
    """
    there = _robots_at(recording, tick, robots)
    links = links_within(recording.poses[tick, there, :2], range_m)
    counted = f"{_counted(len(links), 'link')} shorter than {range_m:g} m, {_groups(len(there), links)}"
    return _graph_figure(recording, tick, there, links, f"{counted}; walls are not looked at", title)


def links_figure(
    recording: Recording, tick: int, *, robots: Sequence[str] | None = None, title: str | None = None
) -> Figure:
    """The same with a line between any two of which one received the other's packet in this tick.

    Raises InputError also if the run was recorded without its messages.
    """
    messages = recording.messages
    if messages is None:
        text = "the recording has no messages: they were not recorded, or no two robots came into range"
        raise InputError.at(recording.description.experiment, text, hint="record with: pybuzz run --record-messages")
    there = _robots_at(recording, tick, robots)
    now = messages.of((messages.ticks == tick) & np.isin(messages.senders, there) & np.isin(messages.receivers, there))
    heard = now.of(now.received)
    ends = np.sort(np.searchsorted(there, np.stack([heard.senders, heard.receivers], axis=1)), axis=1)
    links = np.unique(ends, axis=0).astype(np.int64)
    received = f"{_counted(len(heard.ticks), 'packet')} received, {len(now.ticks) - len(heard.ticks)} lost"
    counted = f"{_counted(len(links), 'link')}, {_groups(len(there), links)}"
    return _graph_figure(recording, tick, there, links, f"{received}: {counted}", title)


def _robots_at(recording: Recording, tick: int, robots: Sequence[str] | None) -> npt.NDArray[np.int64]:
    """int64[n], ascending: those of the robots that are there at the end of `tick`."""
    chosen = np.array(sorted(chosen_robots(recording, robots)), dtype=np.int64)
    poses = seen_poses(recording, chosen.tolist())
    there = chosen[np.isfinite(poses[tick, :, 0])]
    if not 1 <= len(there) <= _MOST_ROBOTS:
        text = f"{len(there)} robots are there at {_time(recording, tick)}; 1 to {_MOST_ROBOTS} can be drawn"
        raise InputError.at(recording.description.experiment, text)
    return there


def _graph_figure(
    recording: Recording,
    tick: int,
    there: npt.NDArray[np.int64],
    links: npt.NDArray[np.int64],
    note: str,
    title: str | None,
) -> Figure:
    """links: int64[m, 2], places in `there`."""
    marks = [recording.description.robots[index] for index in there]
    now = recording.poses[tick, there]
    figure, axes = arena_axes(recording, recording.poses[:, there], max(mark.radius for mark in marks))
    draw_surroundings(axes, recording, tick)
    colors = [ROBOT_COLORS[group] if group < FEW_ROBOTS else INK for group in groups_of(len(now), links)]
    _draw_links(axes, now, links, colors)
    draw_robots(axes, now, marks, edge=INK, face=colors, nose=GROUND)
    if len(now) <= _MOST_NAMES:
        for mark, pose in zip(marks, now, strict=True):
            draw_name(axes, mark.name, pose, INK)
    when = f"{title_of(recording, len(now))}, at {_time(recording, tick)}"
    axes.set_title(when if title is None else title, fontsize=10, color=INK, loc="left")
    draw_note(axes, note)
    return figure


def _time(recording: Recording, tick: int) -> str:
    return f"{tick / recording.description.ticks_per_second:g} s"


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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _groups(robots: int, links: npt.NDArray[np.int64]) -> str:
    groups = len(set(groups_of(robots, links)))
    return _counted(groups, "group") + (" (by colour)" if groups > 1 else "")


def _draw_links(
    axes: Axes, poses: npt.NDArray[np.float64], links: npt.NDArray[np.int64], colors: Sequence[str]
) -> None:
    from matplotlib.collections import LineCollection

    if len(links):
        pieces = list(np.stack([poses[links[:, 0], :2], poses[links[:, 1], :2]], axis=1))
        shades = [colors[index] for index in links[:, 0]]
        width = 1.2 if len(links) <= 300 else 0.6
        axes.add_collection(LineCollection(pieces, colors=shades, linewidths=width, alpha=0.45, zorder=3))
