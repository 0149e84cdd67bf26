"""Pictures of what does not move, seen from above: a PNG each, beside the tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.description import ViewMark
from pybuzz.recording.folder import writing

__all__ = ["Picture", "read_view", "write_views"]


class Picture(NamedTuple):
    """A picture that lies in the arena.

    pixels   uint8[rows, columns, 3 or 4]: RGB or RGBA, the top row first
    corner   x, y of its bottom left corner (m)
    size     its width and depth (m)
    """

    pixels: npt.NDArray[np.uint8]
    corner: tuple[float, float]
    size: tuple[float, float]

    @property
    def upper_right(self) -> tuple[float, float]:
        return self.corner[0] + self.size[0], self.corner[1] + self.size[1]


def write_views(folder: Path, views: Mapping[str, Picture]) -> None:
    """One NAME.png for each. Raises InputError if it cannot be written."""
    for name, view in views.items():
        from PIL import Image  # here, because most runs have nothing to see below the robots

        with writing(folder):
            Image.fromarray(view.pixels).save(folder / f"{name}.png")


def read_view(folder: Path, name: str, mark: ViewMark) -> Picture:
    """What `write_views` wrote. Raises InputError if it is missing or damaged."""
    from PIL import Image

    path = folder / f"{name}.png"
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGBA" if image.mode == "RGBA" else "RGB"))
    except (OSError, ValueError, SyntaxError) as error:
        raise InputError.at(str(path), f"the picture of the {name} is missing or damaged: {error}") from error
    return Picture(pixels, mark.corner, mark.size)
