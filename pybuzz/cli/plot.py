"""`pybuzz plot RUN`: trajectories over the arena, values or a sensor over time, or who is near whom, as a picture."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pybuzz.recording import Recording

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("plot")(plot)


def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A recording: the folder given to `run --record`.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="PNG, PDF or SVG. Default: RUN.png.")
    ] = None,
    robots: Annotated[
        list[str] | None, typer.Option("--robot", metavar="NAME", help="Only this robot (may be given repeatedly).")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Instead of the experiment's name; '' for none.")] = None,
    sensor: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="All that this sensor of one robot read, over time."),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--value",
            metavar="NAME",
            help="Over time: x, y, yaw, speed, distance, nearest, received, lost, a recorded variable, or a sensor as "
            "battery[0] or proximity.max (may be given repeatedly).",
        ),
    ] = None,
    each: Annotated[
        bool | None,
        typer.Option("--each/--mean", help="With --value: a line per robot, or the mean with a band. [up to 10: each]"),
    ] = None,
    neighbors: Annotated[
        float | None,
        typer.Option("--neighbors", min=0.0, metavar="METERS", help="Who is closer than this to whom, in one moment."),
    ] = None,
    links: Annotated[
        bool, typer.Option("--links", help="Who received whose packet, in one moment; of `run --record-messages`.")
    ] = False,
    at: Annotated[
        float | None,
        typer.Option("--at", metavar="SECONDS", help="With --neighbors and --links: the moment. [default: the end]"),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Open a window; without -o, write no file.")] = False,
) -> None:
    """Draw a recording: trajectories over the arena; values over time with --value; neighbours with --neighbors.

    Examples:  pybuzz plot runs/one -o one.png;  pybuzz plot runs/one --value speed --value proximity.max -o speed.svg
    """
    from pybuzz.recording import Recording
    from pybuzz.recording.canvas import check_plot_file, save_figure, show_figure

    _check(sensor, values, each, neighbors, links, at)
    target = output or Path(f"{run.resolve().name}.{sensor}.png" if sensor else f"{run.resolve().name}.png")
    check_plot_file(target)
    recording = Recording.open(run)
    if sensor is not None:
        from pybuzz.recording.sensor_plots import SENSOR_PLOT_DPI, sensor_figure

        figure, dpi = (
            sensor_figure(recording, sensor, robot=robots[0] if robots else None, title=title),
            SENSOR_PLOT_DPI,
        )
    else:
        figure, dpi = _figure(recording, values, robots, title, each, neighbors, links, at), 150
    if output is not None or not show:
        print(f"wrote {save_figure(figure, target, dpi=dpi)}")
    if show:
        show_figure(figure)


def _check(
    sensor: str | None,
    values: list[str] | None,
    each: bool | None,
    neighbors: float | None,
    links: bool,
    at: float | None,
) -> None:
    """Options that would say nothing are refused."""
    pictures = {
        "--sensor": sensor is not None,
        "--value": bool(values),
        "--neighbors": neighbors is not None,
        "--links": links,
    }
    asked = [option for option, given in pictures.items() if given]
    if len(asked) > 1:
        raise InputError.at(
            "plot", f"{' and '.join(asked)} are {len(asked)} pictures", hint="draw them one after the other"
        )
    if each is not None and not values:
        raise InputError.at("plot", "--each and --mean go with --value", hint="for instance: --value speed --mean")
    if neighbors is not None and not math.isfinite(neighbors):
        raise InputError.at("--neighbors", f"{neighbors} is no distance", hint="say m, such as --neighbors 1.5")
    if at is not None and neighbors is None and not links:
        raise InputError.at("plot", "--at goes with --neighbors or --links", hint="for instance: --neighbors 1 --at 30")


def _figure(
    recording: Recording,
    values: list[str] | None,
    robots: list[str] | None,
    title: str | None,
    each: bool | None,
    neighbors: float | None,
    links: bool,
    at: float | None,
) -> Figure:
    if values:
        from pybuzz.recording.curves import curves_figure

        return curves_figure(recording, values, robots=robots, each=each, title=title)
    if neighbors is not None or links:
        from pybuzz.recording.graphs import links_figure, neighbors_figure
        from pybuzz.recording.scene import tick_at

        tick = tick_at(recording, at, "--at")
        if neighbors is None:
            return links_figure(recording, tick, robots=robots, title=title)
        return neighbors_figure(recording, tick, neighbors, robots=robots, title=title)
    from pybuzz.recording.plotting import trajectory_figure

    return trajectory_figure(recording, robots=robots, title=title)
