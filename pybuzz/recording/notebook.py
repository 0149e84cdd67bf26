"""How a recording shows itself in a notebook: a picture of its last moment, and a table."""

from __future__ import annotations

import html
import io
import math
from base64 import b64encode
from collections.abc import Mapping

import numpy as np
from PIL import Image

from pybuzz.recording.frames import FrameLook, FramePainter
from pybuzz.recording.palette import FEW_ROBOTS
from pybuzz.recording.recording import Recording

__all__ = ["page", "picture"]

_LONG_SIDE_PX = 480


def picture(recording: Recording) -> bytes:
    """The last tick with all ways, as PNG. A recording without poses gives an empty picture."""
    file = io.BytesIO()
    if np.isfinite(recording.poses).any():
        look = FrameLook(long_side=_LONG_SIDE_PX, trail_s=math.inf, ids=len(recording.robots) <= FEW_ROBOTS)
        FramePainter(recording, look).paint(recording.ticks).save(file, "PNG", optimize=True)
    else:
        Image.new("RGB", (1, 1), "white").save(file, "PNG")
    return file.getvalue()


def page(recording: Recording, rows: Mapping[str, str] | None = None) -> str:
    """HTML: the picture, and beside it a table. rows: what the table says about a run instead of its length and end."""
    description = recording.description
    table = {
        "experiment": description.experiment,
        "seed": str(description.seed),
        "robots": _listed(recording.robots),
        **(_run(recording) if rows is None else rows),
    }
    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(value)}</td></tr>'
        for name, value in table.items()
    )
    image = b64encode(picture(recording)).decode()
    alternative = html.escape(f"the robots of {description.experiment}", quote=True)
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f'<img alt="{alternative}" src="data:image/png;base64,{image}"><table>{cells}</table></div>'
    )


def _run(recording: Recording) -> dict[str, str]:
    seconds = recording.ticks / recording.description.ticks_per_second
    return {
        "ticks": f"{recording.ticks} ({seconds:g} s)",
        "status": recording.status,
        "sensors": ", ".join(recording.sensors) or "none recorded",
        "globals": ", ".join(recording.globals) or "none recorded",
        "log": f"{len(recording.log)} lines",
        "failed": str(sum(event.kind == "failed" for event in recording.events)),
    }


def _listed(names: list[str]) -> str:
    if len(names) <= FEW_ROBOTS:
        return f"{len(names)}: {', '.join(names)}" if names else "0"
    return f"{len(names)}: {names[0]}, {names[1]}, ... {names[-1]}"
