"""`pybuzz render RUN -o FILE`: a recording as a film."""

from __future__ import annotations

import math
import re
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.errors import InputError

__all__ = ["register"]

_PROGRESS_INTERVAL_S = 5.0
_LEAST_PX, _MOST_PX = 64, 7680
_LONG_SIDE = {".gif": 480}
"""A GIF keeps every frame whole, so it starts smaller."""


def register(app: typer.Typer) -> None:
    app.command("render")(render)


def render(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A recording: the folder given to `run --record`.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE", help=".mp4, .gif, .png (the last moment), or %04d.png (each)."),
    ],
    start: Annotated[float, typer.Option("--from", metavar="SECONDS", help="Begin at this time.")] = 0.0,
    end: Annotated[
        float | None, typer.Option("--to", metavar="SECONDS", help="End at this time. [default: the end]")
    ] = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="A frame for every N-th tick.")] = 1,
    fps: Annotated[
        float | None,
        typer.Option(min=0.1, help="Frames per second. [default: so many that it runs as fast as the robots did]"),
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="In pixels, such as 1280x720. [default: as the arena asks]")
    ] = None,
    trails: Annotated[
        str | None, typer.Option(metavar="SECONDS", help="Draw the way of so many seconds behind each robot, or: all.")
    ] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Write each robot's name beside it.")] = False,
    log: Annotated[int, typer.Option(min=0, max=40, metavar="LINES", help="Show so many of the latest log lines.")] = 0,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show what scripts drew with `debug`: text, rays, trails.")
    ] = False,
    neighbors: Annotated[
        float | None,
        typer.Option("--neighbors", min=0.0, metavar="METERS", help="Join robots that are closer than this by a line."),
    ] = None,
    robots: Annotated[
        list[str] | None, typer.Option("--robot", metavar="NAME", help="Only this robot (may be given repeatedly).")
    ] = None,
) -> None:
    """Make a video (or picture) of a recording. No display is needed.

    Example:  pybuzz render runs/one -o one.mp4 --trails 10 --ids --log 6
    """
    from pybuzz.recording import Recording
    from pybuzz.recording.frames import FrameLook
    from pybuzz.recording.video import Span
    from pybuzz.recording.video import render as render_file

    reach = _distance(neighbors)
    look = FrameLook(_size(size), _LONG_SIDE.get(output.suffix.lower(), 960), _trails(trails), ids, log, debug, reach)
    recording = Recording.open(run)
    span = Span(start, end, every)
    print(f"wrote {render_file(recording, output, span=span, look=look, fps=fps, robots=robots, progress=_Told())}")


class _Told:
    """One line on stderr every few seconds."""

    def __init__(self) -> None:
        self._last = monotonic()

    def __call__(self, frames: int, total: int) -> None:
        now = monotonic()
        if now - self._last >= _PROGRESS_INTERVAL_S:
            self._last = now
            reporting.print_note(f"frame {frames} of {total}")


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text.lower())
    if match is None or not all(_LEAST_PX <= int(side) <= _MOST_PX for side in match.groups()):
        reason = f"'{text}' is no size of {_LEAST_PX} to {_MOST_PX} pixels a side"
        raise InputError.at("--size", reason, hint="say width and height, such as 1280x720")
    return int(match[1]), int(match[2])


def _distance(meters: float | None) -> float:
    if meters is not None and not math.isfinite(meters):
        raise InputError.at("--neighbors", f"{meters} is no distance", hint="say m, such as --neighbors 0.5")
    return meters or 0.0


def _trails(text: str | None) -> float:
    if text is None:
        return 0.0
    if text == "all":
        return math.inf
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise InputError.at("--trails", f"'{text}' is no number of seconds", hint="say seconds, such as 10, or: all")
    return seconds
