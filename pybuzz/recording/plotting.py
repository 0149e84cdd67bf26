"""Draws a recording with matplotlib: where the robots went, to scale.

Up to ten robots have a colour and a name each. Of more robots the colour shows the time, because no one tells apart
hundreds of colours. All colours can be told apart by colour-blind readers and in print (Okabe and Ito 2008; cividis).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pybuzz.recording.canvas import (
    arena_axes,
    check_plot_file,
    draw_name,
    draw_note,
    draw_robots,
    draw_surroundings,
    drawn_radii,
    save_figure,
)  # fmt: skip
from pybuzz.recording.description import RobotMark
from pybuzz.recording.palette import FADED, FEW_ROBOTS, GROUND, INK, ROBOT_COLORS
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import chosen_robots, moving_objects, seen_poses, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_trajectories", "trajectory_figure"]

_SEGMENTS = 60_000
"""Line pieces in a whole picture; longer runs are thinned evenly."""

Poses = npt.NDArray[np.float64]


def plot_trajectories(
    recording: Recording, path: Path | str, *, robots: Sequence[str] | None = None, title: str | None = None
) -> Path:
    """Draw the robots' ways over the arena into `path` (.png, .svg or .pdf); returns the path.

    Equal recordings give equal pictures. Raises InputError as `trajectory_figure`, and for any other suffix.
    """
    check_plot_file(Path(path))
    return save_figure(trajectory_figure(recording, robots=robots, title=title), Path(path))


def trajectory_figure(recording: Recording, *, robots: Sequence[str] | None = None, title: str | None = None) -> Figure:
    """The robots' ways over the arena as a matplotlib figure.

    robots   names of those to draw; None: all
    title    None: the experiment, its size and its seed

    A ring marks where a robot started, a disc with a line where it ended and what it faced. Raises InputError if
    matplotlib is missing, a robot is unknown, or no poses were recorded.
    """
    chosen = chosen_robots(recording, robots)
    poses = seen_poses(recording, chosen)
    marks = [recording.description.robots[index] for index in chosen]
    figure, axes = arena_axes(recording, poses, max(mark.radius for mark in marks))
    draw_surroundings(axes, recording, recording.ticks)
    _draw_pushed(axes, recording)
    if len(chosen) <= FEW_ROBOTS:
        _draw_few(axes, poses, marks)
    else:
        _draw_many(figure, axes, poses, marks, recording.description.ticks_per_second)
    axes.set_title(title_of(recording, len(chosen)) if title is None else title, fontsize=10, color=INK, loc="left")
    draw_note(axes, "ring: start    disc: end and heading")
    return figure


def _draw_pushed(axes: Axes, recording: Recording) -> None:
    """The ways of what was pushed or moved, and where it stood at first."""
    for _, way in moving_objects(recording):
        axes.plot(way[:, 0], way[:, 1], color=FADED, linewidth=1.0, linestyle=":", zorder=2)
        first = way[np.isfinite(way[:, 0]).argmax()]
        axes.plot(first[0], first[1], marker="o", markersize=3, markerfacecolor="none", color=FADED, zorder=2)


def _draw_few(axes: Axes, poses: Poses, marks: Sequence[RobotMark]) -> None:
    """One colour and name per robot."""
    ways = _thinned(poses)
    for index, mark in enumerate(marks):
        color = ROBOT_COLORS[index % len(ROBOT_COLORS)]
        axes.plot(ways[:, index, 0], ways[:, index, 1], color=color, linewidth=1.3, alpha=0.9, zorder=3)
        _draw_ends(axes, poses[:, index : index + 1], [mark], color, face=color, nose=GROUND)
        end = _ends(poses[:, index : index + 1])[1][0]
        if np.isfinite(end[0]):
            draw_name(axes, mark.name, end, color)


def _draw_many(figure: Figure, axes: Axes, poses: Poses, marks: Sequence[RobotMark], ticks_per_second: int) -> None:
    """The colour shows the time."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection
    from matplotlib.colors import ListedColormap

    # without the lightest yellows, which are lost on white paper
    shades = ListedColormap(colormaps["cividis_r"](np.linspace(0.12, 1.0, 256)))
    ways = _thinned(poses)
    times = np.linspace(0, (len(poses) - 1) / ticks_per_second, len(ways))
    pieces = np.stack([ways[:-1, :, :2], ways[1:, :, :2]], axis=2).reshape(-1, 2, 2)
    moments = np.repeat(times[:-1], poses.shape[1])
    width = 1.0 if len(marks) <= 60 else 0.7
    lines = LineCollection(list(pieces), cmap=shades, linewidths=width, alpha=0.7, zorder=3, capstyle="round")
    lines.set_array(moments)
    lines.set_clim(0, times[-1] or 1)
    axes.add_collection(lines)
    _draw_ends(axes, poses, marks, INK, face=GROUND, nose=INK)
    bar = figure.colorbar(lines, cax=axes.inset_axes((1.015, 0.0, 0.02, 1.0)))
    bar.set_label("time (s)", color=INK)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=INK, labelsize=8)


def _thinned(poses: Poses) -> Poses:
    """At most _SEGMENTS pieces of way for all robots together; first and last pose are kept."""
    keep = max(2, min(len(poses), _SEGMENTS // poses.shape[1]))
    rows = np.linspace(0, len(poses) - 1, keep).round().astype(int)
    return np.take(poses, rows, axis=0)


def _ends(poses: Poses) -> tuple[Poses, Poses]:
    """Each robot's first and last pose: float64[robots, 3]; robots may come late and leave early."""
    there = np.isfinite(poses[:, :, 0])
    robots = np.arange(poses.shape[1])
    first = there.argmax(axis=0)
    last = len(poses) - 1 - there[::-1].argmax(axis=0)
    return poses[first, robots], poses[last, robots]


def _draw_ends(axes: Axes, poses: Poses, marks: Sequence[RobotMark], color: str, *, face: str, nose: str) -> None:
    """Rings at the starts; the robots at the ends."""
    from matplotlib.collections import EllipseCollection

    start, end = _ends(poses)
    sizes = drawn_radii(axes, marks) * 1.2
    rings = EllipseCollection(
        sizes, sizes, np.zeros_like(sizes), units="xy", offsets=start[:, :2], transOffset=axes.transData,
        facecolors="none", edgecolors=color, linewidths=0.9, zorder=4, alpha=0.8,
    )  # fmt: skip
    axes.add_collection(rings)
    draw_robots(axes, end, marks, edge=color, face=face, nose=nose)
