"""Draws what one robot's sensor read in a recording: values over time, as lines, or as a picture if there are many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.canvas import check_plot_file, new_figure, save_figure
from pybuzz.recording.palette import INK, ROBOT_COLORS
from pybuzz.recording.recording import Recording
from pybuzz.spelling import did_you_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SENSOR_PLOT_DPI", "plot_sensor", "sensor_figure"]

_MOST_LINES = len(ROBOT_COLORS)
SENSOR_PLOT_DPI = 75
"""Small enough to stand beside text."""

_SIZE_INCHES = (7.0, 2.8)


def plot_sensor(
    recording: Recording, sensor: str, path: Path | str, *, robot: str | None = None, title: str | None = None
) -> Path:
    """Draw a sensor's readings into `path` (.png, .svg or .pdf); returns the path. Faults: `sensor_figure`."""
    check_plot_file(Path(path))
    return save_figure(sensor_figure(recording, sensor, robot=robot, title=title), Path(path), dpi=SENSOR_PLOT_DPI)


def sensor_figure(recording: Recording, sensor: str, *, robot: str | None = None, title: str | None = None) -> Figure:
    """The readings of one robot (None: the first) over time as a matplotlib figure.

    Up to ten columns are lines, named by their number; of more the colour shows the value. Columns and units are those
    of docs/sensors.md. Raises InputError if the sensor was not recorded, or there is no such robot.
    """
    values = _readings(recording, sensor, robot)
    seconds = np.arange(len(values)) / recording.description.ticks_per_second
    figure = new_figure(_SIZE_INCHES)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    (_draw_lines if values.shape[1] <= _MOST_LINES else _draw_picture)(axes, seconds, values)
    axes.set_xlabel("time (s)", color=INK)
    axes.tick_params(colors=INK, labelsize=8)
    for spine in axes.spines.values():
        spine.set_color("#D0D0D0")
    name = robot or recording.robots[0]
    axes.set_title(f"{sensor} of {name}" if title is None else title, fontsize=10, color=INK, loc="left")
    return figure


def _readings(recording: Recording, sensor: str, robot: str | None) -> npt.NDArray[np.float64]:
    """float64[ticks, m] of one robot; what is not finite is left out of the picture."""
    experiment = recording.description.experiment
    known = list(recording.sensors)
    if sensor not in known:
        hint = did_you_mean(sensor, known) or f"run it again with --record-sensors {sensor}"
        raise InputError.at(experiment, f"the recording has no sensor '{sensor}'", hint=hint)
    if robot is not None and robot not in recording.robots:
        hint = did_you_mean(robot, recording.robots) or ""
        raise InputError.at(experiment, f"the recording has no robot '{robot}'", hint=hint)
    values = np.asarray(recording.sensors[sensor], dtype=np.float64)
    values = values[:, recording.robots.index(robot) if robot else 0]
    return np.where(np.isfinite(values), values, np.nan)


def _draw_lines(axes: Axes, seconds: npt.NDArray[np.float64], values: npt.NDArray[np.float64]) -> None:
    for column, color in zip(range(values.shape[1]), ROBOT_COLORS, strict=False):
        axes.plot(seconds, values[:, column], color=color, linewidth=1.2, label=str(column))
    axes.set_ylabel("reading", color=INK)
    axes.grid(color="#EDEDED", linewidth=0.6)
    if values.shape[1] > 1:
        axes.legend(
            title="column", loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7, title_fontsize=7, frameon=False
        )


def _draw_picture(axes: Axes, seconds: npt.NDArray[np.float64], values: npt.NDArray[np.float64]) -> None:
    end = seconds[-1] if len(seconds) > 1 else 1.0
    edges = (0.0, float(end), -0.5, values.shape[1] - 0.5)
    image = axes.imshow(values.T, aspect="auto", origin="lower", extent=edges, cmap="cividis", interpolation="nearest")
    axes.set_ylabel("column", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    bar = figure.colorbar(image, cax=axes.inset_axes((1.015, 0.0, 0.02, 1.0)))
    bar.set_label("reading", color=INK)
    bar.ax.tick_params(colors=INK, labelsize=8)
