"""Figures of a sweep's measures: mean and interval over a parameter, a line for each combination of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pybuzz.recording.canvas import new_figure, save_figure
from pybuzz.recording.palette import INK, ROBOT_COLORS
from pybuzz.sweep.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["axis_of", "draw_measures", "shown"]

_WIDTH_INCHES, _PANEL_INCHES = 6.0, 3.8
_STYLES = ("-", "--", "-.", ":")


def shown(value: object) -> str:
    """A parameter's value as people write it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def axis_of(found: Sequence[Estimate], keys: Sequence[str]) -> str | None:
    """The first parameter of numbers that varies."""
    return next((key for key in keys if len({one.parameters[key] for one in found}) > 1 and _numeric(found, key)), None)


def draw_measures(
    found: Sequence[Estimate], keys: Sequence[str], measures: Sequence[str], labels: Mapping[str, str], path: Path
) -> Path:
    """A panel for each measure, below each other, in one file (.png, .svg, .pdf). `axis_of` must find a parameter.

    Raises InputError for another suffix, if matplotlib is missing or the file cannot be written.
    """
    figure = new_figure((_WIDTH_INCHES, _PANEL_INCHES * len(measures)))
    panels = figure.subplots(len(measures), 1, squeeze=False)[:, 0]
    for axes, measure in zip(panels, measures, strict=True):
        _draw(axes, [one for one in found if one.measure == measure], keys, measure, labels)
    figure.tight_layout()
    return save_figure(figure, path)


def _draw(axes: Axes, found: Sequence[Estimate], keys: Sequence[str], measure: str, labels: Mapping[str, str]) -> None:
    axis = axis_of(found, keys)
    assert axis is not None
    others = [key for key in keys if key != axis]
    lines: dict[str, list[Estimate]] = {}
    for one in found:
        label = ", ".join(f"{labels.get(key, key)} = {shown(one.parameters[key])}" for key in others)
        lines.setdefault(label, []).append(one)
    for index, (label, points) in enumerate(lines.items()):
        points = sorted(points, key=lambda one: float(one.parameters[axis]))
        x = [one.parameters[axis] for one in points]
        color = ROBOT_COLORS[index % len(ROBOT_COLORS)]
        style = _STYLES[index // len(ROBOT_COLORS) % len(_STYLES)]
        axes.plot(x, [one.mean for one in points], style, marker="o", color=color, label=label or None)
        axes.fill_between(x, [one.low for one in points], [one.high for one in points], alpha=0.2, color=color)
    axes.set_xlabel(labels.get(axis, axis), color=INK)
    axes.set_ylabel(f"{labels.get(measure, measure)}\nmean, 95 % interval", color=INK)
    axes.grid(alpha=0.3)
    if others:
        axes.legend(fontsize="small", frameon=False)


def _numeric(found: Sequence[Estimate], key: str) -> bool:
    return all(isinstance(one.parameters[key], int | float) for one in found)
