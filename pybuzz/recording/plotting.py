"""Draws a recording with matplotlib: where the robots went, to scale.

Up to ten robots have a colour and a name each. Of more robots the colour shows the time, because no one tells apart
hundreds of colours. All colours can be told apart by colour-blind readers and in print (Okabe and Ito 2008; cividis).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.description import RobotMark
from pybuzz.recording.folder import writing
from pybuzz.recording.palette import FADED, FEW_ROBOTS, GROUND, INK, MOVABLE, ROBOT_COLORS, SOLID, SOLID_EDGE
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import chosen_robots, corners, extent, seen_poses, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PLOT_SUFFIXES", "new_figure", "plot_trajectories", "save_figure", "trajectory_figure"]

PLOT_SUFFIXES = (".png", ".svg", ".pdf")

_UNDATED: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_SEGMENTS = 60_000
"""Line pieces in a whole picture; longer runs are thinned evenly."""
_LONG_SIDE_INCHES = 8.0
_LEAST_MARK_POINTS = 3.0

Poses = npt.NDArray[np.float64]


def plot_trajectories(
    recording: Recording, path: Path | str, *, robots: Sequence[str] | None = None, title: str | None = None
) -> Path:
    """Draw the robots' ways over the arena into `path` (.png, .svg or .pdf); returns the path.

    Equal recordings give equal pictures. Raises InputError as `trajectory_figure`, and for any other suffix.
    """
    return save_figure(lambda: trajectory_figure(recording, robots=robots, title=title), path)


def save_figure(draw: Callable[[], Figure], path: Path | str, *, dpi: int = 150) -> Path:
    """Write what `draw` gives to `path`; returns the path. Raises InputError for a suffix that cannot be drawn."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in PLOT_SUFFIXES:
        raise InputError.at(str(path), f"cannot draw a '{suffix}' file", hint=f"use {', '.join(PLOT_SUFFIXES)}")
    figure = draw()
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "pybuzz"}), writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=dpi, bbox_inches="tight", metadata=_UNDATED[suffix])
    return path


def new_figure(size_inches: tuple[float, float]) -> Figure:
    """An empty figure. Raises InputError if matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        hint = "pip install 'pybuzz[plot]'"
        raise InputError.at("plot", "drawing needs matplotlib, which is not installed", hint=hint) from error
    return Figure(figsize=size_inches)


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
    figure, axes = _canvas(recording, poses, max(mark.radius for mark in marks))
    _draw_surroundings(axes, recording)
    if len(chosen) <= FEW_ROBOTS:
        _draw_few(axes, poses, marks)
    else:
        _draw_many(figure, axes, poses, marks, recording.description.ticks_per_second)
    axes.set_title(title or title_of(recording, len(chosen)), fontsize=10, color=INK, loc="left")
    axes.annotate(
        "ring: start    disc: end and heading", (0.5, 0.0), xytext=(0, -38), xycoords="axes fraction",
        textcoords="offset points", ha="center", va="top", fontsize=8, color=FADED,
    )  # fmt: skip
    return figure


def _canvas(recording: Recording, poses: Poses, margin: float) -> tuple[Figure, Axes]:
    """A figure whose axes show the arena and all poses, in m, to scale."""
    low, high = extent(recording, poses, margin)
    size = high - low
    width, height = np.clip(size / size.max(), 0.35, 1.0) * _LONG_SIDE_INCHES
    figure = new_figure((float(width), float(height)))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_aspect("equal")
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_xlabel("x (m)", color=INK)
    axes.set_ylabel("y (m)", color=INK)
    axes.tick_params(colors=INK, labelsize=8)
    axes.set_axisbelow(True)
    axes.grid(color="#EDEDED", linewidth=0.6)
    for spine in axes.spines.values():
        spine.set_color("#D0D0D0")
    return figure, axes


def _draw_surroundings(axes: Axes, recording: Recording) -> None:
    from matplotlib.patches import Circle, Polygon, Rectangle

    arena = recording.description.arena
    if arena is not None:
        corner = (arena.center[0] - arena.size[0] / 2, arena.center[1] - arena.size[1] / 2)
        axes.add_patch(Rectangle(corner, *arena.size, fill=False, edgecolor=FADED, linewidth=0.8, zorder=1))
    for obstacle in recording.description.obstacles:
        style: dict[str, Any] = {"facecolor": SOLID, "edgecolor": SOLID_EDGE, "linewidth": 0.6, "zorder": 2}
        if obstacle.movable:
            style |= {"facecolor": MOVABLE, "linestyle": "--"}
        if obstacle.shape == "cylinder":
            axes.add_patch(Circle(obstacle.position, obstacle.size[0] / 2, **style))
        else:
            axes.add_patch(Polygon(corners(obstacle), **style))
    for light in recording.description.lights:
        axes.plot(
            *light, marker="*", markersize=11, color="#F0C800", markeredgecolor=INK, markeredgewidth=0.5, zorder=6
        )


def _draw_few(axes: Axes, poses: Poses, marks: Sequence[RobotMark]) -> None:
    """One colour and name per robot."""
    ways = _thinned(poses)
    for index, mark in enumerate(marks):
        color = ROBOT_COLORS[index % len(ROBOT_COLORS)]
        axes.plot(ways[:, index, 0], ways[:, index, 1], color=color, linewidth=1.3, alpha=0.9, zorder=3)
        _draw_ends(axes, poses[:, index : index + 1], [mark], color, face=color, nose=GROUND)
        end = _ends(poses[:, index : index + 1])[1][0]
        if np.isfinite(end[0]):
            _draw_name(axes, mark.name, end, color)


def _draw_name(axes: Axes, name: str, end: Poses, color: str) -> None:
    """The robot's name beside its last pose, readable over anything."""
    from matplotlib.patheffects import withStroke

    label = axes.annotate(
        name, (end[0], end[1]), xytext=(8, 7), textcoords="offset points", fontsize=8, color=color, zorder=8
    )
    label.set_path_effects([withStroke(linewidth=2.5, foreground=GROUND)])


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
    """Rings at the starts; discs to scale (but never too small to see) with a line of heading at the ends."""
    from matplotlib.collections import EllipseCollection, LineCollection

    start, end = _ends(poses)
    radii = np.array([max(mark.radius, _LEAST_MARK_POINTS * _meters_per_point(axes)) for mark in marks])
    noses = end[:, :2] + radii[:, None] * np.stack([np.cos(end[:, 2]), np.sin(end[:, 2])], axis=1)
    shared: dict[str, Any] = {"units": "xy", "transOffset": axes.transData, "linewidths": 0.9}
    rings = EllipseCollection(
        *_diameters(radii * 0.6),
        offsets=start[:, :2],
        facecolors="none",
        edgecolors=color,
        zorder=4,
        alpha=0.8,
        **shared,
    )
    discs = EllipseCollection(
        *_diameters(radii), offsets=end[:, :2], facecolors=face, edgecolors=color, zorder=5, **shared
    )
    heading = LineCollection(list(np.stack([end[:, :2], noses], axis=1)), colors=nose, linewidths=1.3, zorder=6)
    for collection in (rings, discs, heading):
        axes.add_collection(collection)


def _diameters(radii: npt.NDArray[np.float64]) -> tuple[Any, Any, Any]:
    return 2 * radii, 2 * radii, np.zeros_like(radii)


def _meters_per_point(axes: Axes) -> float:
    (left, right), figure = axes.get_xlim(), axes.get_figure(root=True)
    assert figure is not None
    return float((right - left) / (figure.get_size_inches()[0] * 72.0))
