"""Draws values of a recording over time: a line per robot, or the mean of all with a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pybuzz.errors import InputError
from pybuzz.recording.canvas import new_figure
from pybuzz.recording.palette import FADED, FEW_ROBOTS, INK, ROBOT_COLORS
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import chosen_robots, title_of
from pybuzz.recording.values import Numbers, Values, values_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["curves_figure"]

_WIDTH_INCHES, _PANEL_INCHES = 8.0, 2.3
_MOST_PANELS = 12
_MEAN = ROBOT_COLORS[0]
_STYLES = ("-", "--", "-.", ":")
_MOST_CATEGORIES = 20
_MOST_NAMED = 3 * FEW_ROBOTS


def curves_figure(
    recording: Recording,
    names: Sequence[str],
    *,
    robots: Sequence[str] | None = None,
    each: bool | None = None,
    title: str | None = None,
) -> Figure:
    """One panel per name (see `values_of`), under each other over the same time.

    each    True: a line per robot. False: the mean, with a band for the middle half and one from least to greatest.
            None: a line per robot while there are no more than ten

    Raises InputError as `values_of`, for no or too many names, or if matplotlib is missing.
    """
    if not 1 <= len(names) <= _MOST_PANELS:
        raise InputError.at("plot", f"{len(names)} values do not go in one picture; 1 to {_MOST_PANELS} do")
    chosen = chosen_robots(recording, robots)
    found = [values_of(recording, name, chosen) for name in names]
    figure = new_figure((_WIDTH_INCHES, _PANEL_INCHES * len(found) + 0.6))
    panels = figure.subplots(len(found), 1, sharex=True, squeeze=False)[:, 0]
    for axes, values in zip(panels, found, strict=True):
        _prepare(axes, values)
        if each if each is not None else len(values.lines) <= FEW_ROBOTS:
            _draw_each(axes, values)
        else:
            _draw_mean(axes, values)
    _add_legends(list(panels))
    heading = title_of(recording, len(chosen)) if title is None else title
    panels[0].set_title(heading, fontsize=10, color=INK, loc="left")
    panels[-1].set_xlabel("time (s)", color=INK)
    panels[-1].set_xlim(0, max(values.times[-1] for values in found) or 1)
    figure.align_ylabels(list(panels))
    return figure


def _prepare(axes: Axes, values: Values) -> None:
    axes.set_ylabel(f"{values.name} ({values.unit})" if values.unit else values.name, color=INK)
    axes.tick_params(colors=INK, labelsize=8)
    axes.grid(color="#EDEDED", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#D0D0D0")
    if values.categories:
        shown = values.categories[:_MOST_CATEGORIES]
        axes.set_yticks(range(len(shown)), [text if len(text) <= 24 else text[:21] + "..." for text in shown])
        axes.set_ylim(-0.5, len(shown) - 0.5)


def _draw_each(axes: Axes, values: Values) -> None:
    stepped = "steps-post" if values.categories else "default"
    for index, line in enumerate(values.lines):
        style = _STYLES[index // len(ROBOT_COLORS) % len(_STYLES)]
        color = ROBOT_COLORS[index % len(ROBOT_COLORS)]
        # texts of several robots would hide each other on exactly the same height
        lift = (index - (len(values.lines) - 1) / 2) * 0.5 / len(values.lines) if values.categories else 0.0
        times, numbers = _gapped(values, index) if values.unit == "rad" else (values.times, values.numbers[:, index])
        axes.plot(
            times, numbers + lift, style, drawstyle=stepped, color=color, linewidth=1.1,
            label=line,
        )  # fmt: skip


def _gapped(values: Values, index: int) -> tuple[Numbers, Numbers]:
    """An angle's line, with a gap where it goes on at the other side of -pi and pi."""
    angles = values.numbers[:, index]
    wraps = np.flatnonzero(np.abs(np.diff(angles)) > np.pi) + 1
    return np.insert(values.times, wraps, values.times[wraps]), np.insert(angles, wraps, np.nan)


def _draw_mean(axes: Axes, values: Values) -> None:
    """Of texts, which have no mean, how many robots are at each."""
    if values.categories:
        _draw_shares(axes, values)
        return
    there = np.isfinite(values.numbers).any(axis=1)
    times, numbers = values.times[there], values.numbers[there]
    least, low, high, most = np.nanpercentile(numbers, [0, 25, 75, 100], axis=1)
    axes.fill_between(times, least, most, color=_MEAN, alpha=0.14, linewidth=0, label="least to greatest")
    axes.fill_between(times, low, high, color=_MEAN, alpha=0.30, linewidth=0, label="middle half")
    axes.plot(times, np.nanmean(numbers, axis=1), color=_MEAN, linewidth=1.6, label="mean")


def _draw_shares(axes: Axes, values: Values) -> None:
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    # The counts of robots take the place of the texts that `_prepare` put on this axis.
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.set_ylim(0, len(values.lines) * 1.04)
    axes.set_ylabel(f"robots by {values.name}", color=INK)
    for number, text in enumerate(values.categories[: len(ROBOT_COLORS)]):
        count = (values.numbers == number).sum(axis=1)
        axes.plot(values.times, count, drawstyle="steps-post", color=ROBOT_COLORS[number], linewidth=1.4, label=text)


def _add_legends(panels: Sequence[Axes]) -> None:
    """A legend beside each panel whose lines differ from those of the panel above."""
    above: list[str] = []
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        if labels != above and len(labels) > 1:
            shown = min(len(labels), _MOST_NAMED)
            left_out = f"{shown} of {len(labels)}" if shown < len(labels) else None
            axes.legend(
                handles[:shown], labels[:shown], loc="upper left", bbox_to_anchor=(1.005, 1.02), fontsize=7,
                frameon=False, labelcolor=INK, borderaxespad=0.0, ncols=-(-shown // FEW_ROBOTS),
                title=left_out, title_fontsize=7,
            )  # fmt: skip
        elif len(labels) == 1:
            axes.annotate(
                labels[0], (1.005, 1.0), xycoords="axes fraction", fontsize=7, color=FADED, va="top", ha="left"
            )
        above = labels
