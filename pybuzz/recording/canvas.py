"""What all plots share: figures, the arena to scale with its robots, files and windows.

Matplotlib is imported when a figure is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.extras import require
from pybuzz.recording.description import RobotMark
from pybuzz.recording.drafts import drafted
from pybuzz.recording.palette import FADED, GROUND, INK, MOVABLE, SOLID, SOLID_EDGE
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import corners, extent, lights_at, obstacles_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "PLOT_SUFFIXES", "arena_axes", "check_plot_file", "draw_name", "draw_note", "draw_robots", "draw_surroundings",
    "drawn_radii", "new_figure", "save_figure", "show_figure",
]  # fmt: skip

PLOT_SUFFIXES = (".png", ".svg", ".pdf")

_UNDATED: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_FILES: dict[Any, Any] = {"svg.hashsalt": "pybuzz", "svg.fonttype": "none", "pdf.fonttype": 42}
"""Text stays text: publishers refuse the Type 3 fonts that PDF files have otherwise."""
_WINDOWLESS = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
_NO_WINDOW = "write a file instead: -o plot.png"
_LONG_SIDE_INCHES = 8.0
_LEAST_MARK_POINTS = 3.0

Poses = npt.NDArray[np.float64]


def check_plot_file(path: Path) -> None:
    """Raises InputError for a suffix that no plot can have."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        text = f"cannot draw a '{path.suffix.lower()}' file"
        raise InputError.at(str(path), text, hint=f"use {', '.join(PLOT_SUFFIXES)}")


def save_figure(figure: Figure, path: Path, *, dpi: int = 150) -> Path:
    """Write a figure (.png, .svg, .pdf); returns the path. Equal figures give equal files.

    Raises InputError for another suffix, or if the file cannot be written.
    """
    check_plot_file(path)
    from matplotlib import rc_context

    with rc_context(_FILES), drafted(path) as draft:
        figure.savefig(draft, dpi=dpi, bbox_inches="tight", metadata=_UNDATED[path.suffix.lower()])
    return path


def show_figure(figure: Figure) -> None:
    """Open a window with the figure and wait until it is closed. Raises InputError where no window can be opened."""
    try:
        from matplotlib import get_backend, pyplot

        backend = get_backend().lower()
    except (ImportError, ValueError) as error:  # a backend that this machine lacks, or of a wrong name
        raise InputError.at("--show", f"no window can be opened here: {error}", hint=_NO_WINDOW) from error
    if backend in _WINDOWLESS:
        text = f"no window can be opened here (matplotlib draws with '{backend}')"
        raise InputError.at("--show", text, hint=_NO_WINDOW)
    try:
        window = pyplot.figure(figsize=figure.get_size_inches())
    except (ImportError, RuntimeError) as error:
        raise InputError.at("--show", f"no window can be opened here: {error}", hint=_NO_WINDOW) from error
    manager = window.canvas.manager
    assert manager is not None
    manager.canvas.figure = figure
    figure.set_canvas(manager.canvas)
    pyplot.show()


def new_figure(size_inches: Sequence[float] | npt.NDArray[np.float64]) -> Figure:
    """An empty figure. Raises InputError if matplotlib is missing."""
    require("plot", "matplotlib", place="plot", purpose="drawing")
    from pybuzz.recording.shown_figure import ShownFigure

    return ShownFigure(figsize=(float(size_inches[0]), float(size_inches[1])))


def arena_axes(recording: Recording, poses: Poses, margin: float) -> tuple[Figure, Axes]:
    """A figure whose axes show the arena and all poses, in m, to scale."""
    low, high = extent(recording, poses, margin)
    size = high - low
    figure = new_figure(np.clip(size / size.max(), 0.35, 1.0) * _LONG_SIDE_INCHES)
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


def draw_surroundings(axes: Axes, recording: Recording, tick: int) -> None:
    """The floor, the arena's outline, what stands in it at the end of `tick`, and the lights."""
    from matplotlib.patches import Circle, Polygon, Rectangle

    for view in recording.views.values():
        (left, bottom), (right, top) = view.corner, view.upper_right
        axes.imshow(view.pixels, extent=(left, right, bottom, top), interpolation="nearest", zorder=0.6)
    arena = recording.description.arena
    if arena is not None:
        corner = (arena.center[0] - arena.size[0] / 2, arena.center[1] - arena.size[1] / 2)
        axes.add_patch(Rectangle(corner, *arena.size, fill=False, edgecolor=FADED, linewidth=0.8, zorder=1))
    for obstacle in obstacles_at(recording, tick):
        style: dict[str, Any] = {"facecolor": SOLID, "edgecolor": SOLID_EDGE, "linewidth": 0.6, "zorder": 2}
        if obstacle.movable:
            style |= {"facecolor": MOVABLE, "linestyle": "--"}
        if obstacle.shape == "cylinder":
            axes.add_patch(Circle(obstacle.position, obstacle.size[0] / 2, **style))
        else:
            axes.add_patch(Polygon(corners(obstacle), **style))
    for light in lights_at(recording, tick):
        axes.plot(
            *light, marker="*", markersize=11, color="#F0C800", markeredgecolor=INK, markeredgewidth=0.5, zorder=6
        )


def draw_name(axes: Axes, name: str, end: Poses, color: str) -> None:
    """The robot's name beside its last pose, readable over anything."""
    from matplotlib.patheffects import withStroke

    label = axes.annotate(
        name, (end[0], end[1]), xytext=(8, 7), textcoords="offset points", fontsize=8, color=color, zorder=8
    )
    label.set_path_effects([withStroke(linewidth=2.5, foreground=GROUND)])


def draw_note(axes: Axes, text: str) -> None:
    """A line below the arena that explains the picture."""
    axes.annotate(
        text, (0.5, 0.0), xytext=(0, -38), xycoords="axes fraction", textcoords="offset points", ha="center", va="top",
        fontsize=8, color=FADED,
    )  # fmt: skip


def drawn_radii(axes: Axes, marks: Sequence[RobotMark]) -> Poses:
    """float64[robots] in m: to scale, but never too small to see."""
    return np.array([max(mark.radius, _LEAST_MARK_POINTS * _meters_per_point(axes)) for mark in marks])


def draw_robots(
    axes: Axes, poses: Poses, marks: Sequence[RobotMark], *, edge: str, face: str | Sequence[str], nose: str
) -> None:
    """Discs with a line of heading. poses: float64[robots, 3]"""
    from matplotlib.collections import EllipseCollection, LineCollection

    radii = drawn_radii(axes, marks)
    noses = poses[:, :2] + radii[:, None] * np.stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])], axis=1)
    discs = EllipseCollection(
        2 * radii, 2 * radii, np.zeros_like(radii), units="xy", offsets=poses[:, :2], transOffset=axes.transData,
        facecolors=face, edgecolors=edge, linewidths=0.9, zorder=5,
    )  # fmt: skip
    axes.add_collection(discs)
    lines = list(np.stack([poses[:, :2], noses], axis=1))
    axes.add_collection(LineCollection(lines, colors=nose, linewidths=1.3, zorder=6))


def _meters_per_point(axes: Axes) -> float:
    (left, right), figure = axes.get_xlim(), axes.get_figure(root=True)
    assert figure is not None
    return float((right - left) / (figure.get_size_inches()[0] * 72.0))
