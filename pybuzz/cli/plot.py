"""`pybuzz plot RUN`: the trajectories over the arena, or the readings of a sensor, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    sensor: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What this sensor of one robot read, over time, instead of the ways."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Instead of the experiment's name.")] = None,
) -> None:
    """Draw where the robots drove: trajectories over the arena with its obstacles. Or what a sensor read.

    Example:  pybuzz run hexagon.bzz --record runs/one  &&  pybuzz plot runs/one -o one.png
    """
    from pybuzz.recording import Recording
    from pybuzz.recording.plotting import plot_trajectories
    from pybuzz.recording.sensor_plots import plot_sensor

    recording = Recording.open(run)
    if sensor is not None:
        target = output or Path(f"{run.resolve().name}.{sensor}.png")
        print(f"wrote {plot_sensor(recording, sensor, target, robot=robots[0] if robots else None, title=title)}")
        return
    target = output or Path(f"{run.resolve().name}.png")
    print(f"wrote {plot_trajectories(recording, target, robots=robots or None, title=title)}")
