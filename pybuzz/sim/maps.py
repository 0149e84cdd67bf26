"""Occupancy grids: worlds from an image, an array or a ROS map, one geometry for physics and for rays.

Rays walk the cells themselves. Physics takes the same cells as rectangles, none of which overlap.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part
from pybuzz.errors import InputError
from pybuzz.sim.bodies import BOX, BodySpec

__all__ = ["MAP_NAME", "Frame", "OccupancyGrid", "grey_image"]

Frame = NDArray[np.float64]
"""What rays need beside the cells: left and bottom of the map, size of a cell, its columns, rows, its height (m)."""

MAP_NAME = "map"
_MOST_CELLS = 1 << 26
_FINEST_M = 1e-6


@dataclass(frozen=True)
class OccupancyGrid:
    """Square cells of `resolution` m, occupied or free; outside everything is free.

    cells: bool[rows, columns], the lowest row first: cells[j, i] covers x from origin[0] + i resolution, and y from
    origin[1] + j resolution, one cell far. height: of all occupied cells over the floor (m). Raises InputError for
    cells that are not a table, and for numbers that make no sense.
    """

    cells: NDArray[np.bool_]
    resolution: float
    origin: tuple[float, float] = (0.0, 0.0)
    height: float = 0.5
    source: str = field(default=MAP_NAME, compare=False)

    def __post_init__(self) -> None:
        cells = np.asarray(self.cells)
        if cells.ndim != 2 or not cells.size:
            raise self._fault(f"cells of shape {cells.shape} are no map", "give a table of rows and columns")
        if cells.size > _MOST_CELLS:
            raise self._fault(f"{cells.size} cells are too many", f"at most {_MOST_CELLS}; use larger cells")
        if not 0.0 < self.resolution < inf:
            raise self._fault(f"the resolution {self.resolution:g} must be above 0", "m per cell")
        if self.resolution < _FINEST_M:
            raise self._fault(f"the resolution {self.resolution:g} is too fine", f"at least {_FINEST_M:g} m per cell")
        if not 0.0 < self.height < inf:
            raise self._fault(f"the height {self.height:g} must be above 0", "m")
        if len(self.origin) != 2 or not all(map(isfinite, self.origin)):
            raise self._fault(f"the origin {self.origin} is no point", "x, y of the bottom left corner in m")
        object.__setattr__(self, "cells", np.ascontiguousarray(cells.astype(bool)))

    def _fault(self, text: str, hint: str) -> InputError:
        return InputError.at(self.source, text, kind="wrong map", hint=hint)

    @classmethod
    def from_image(
        cls,
        path: str | os.PathLike[str],
        *,
        resolution: float,
        origin: tuple[float, float] = (0.0, 0.0),
        threshold: float = 0.5,
        height: float = 0.5,
    ) -> OccupancyGrid:
        """Pixels darker than `threshold` (0 black to 1 white) are occupied; one pixel is `resolution` m wide.

        origin: where the bottom left corner of the image lies. Raises InputError if the file is no image.
        """
        if not 0.0 < threshold <= 1.0:
            hint = f"as a share of white, {threshold / 255:.3g}" if 1.0 < threshold <= 255.0 else "0.5 is the usual one"
            raise InputError.at(
                str(path), f"the threshold {threshold:g} is not between 0 and 1", kind="wrong map", hint=hint
            )
        return cls(grey_image(path)[::-1] < threshold, resolution, origin, height, str(path))

    @classmethod
    def from_text(
        cls, rows: Sequence[str], *, resolution: float, origin: tuple[float, float] = (0.0, 0.0), height: float = 0.5
    ) -> OccupancyGrid:
        """Rows of text, the top one first: # is occupied, a dot or a space is free."""
        if not rows or len(set(map(len, rows))) != 1:
            raise InputError.at(MAP_NAME, "its rows are not equally long", kind="wrong map")
        strange = sorted(set("".join(rows)) - set("#. "))
        if strange:
            raise InputError.at(
                MAP_NAME, f"'{strange[0]}' is no cell", kind="wrong map", hint="# is occupied, . is free"
            )
        cells = np.array([[letter == "#" for letter in row] for row in reversed(rows)])
        return cls(cells, resolution, origin, height)

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth in m."""
        rows, columns = self.cells.shape
        return columns * self.resolution, rows * self.resolution

    def occupied(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether places (m) lie in occupied cells; false outside. A cell owns its left and bottom border."""
        columns = np.floor((np.asarray(x, dtype=np.float64) - self.origin[0]) / self.resolution)
        rows = np.floor((np.asarray(y, dtype=np.float64) - self.origin[1]) / self.resolution)
        inside = (columns >= 0) & (columns < self.cells.shape[1]) & (rows >= 0) & (rows < self.cells.shape[0])
        found = self.cells[np.where(inside, rows, 0).astype(np.int64), np.where(inside, columns, 0).astype(np.int64)]
        return np.asarray(found & inside)

    @cached_property
    def frame(self) -> Frame:
        rows, columns = self.cells.shape
        return np.array([*self.origin, self.resolution, columns, rows, self.height], dtype=np.float64)

    @cached_property
    def clearance(self) -> NDArray[np.uint8]:
        """uint8[(rows + 2) * (columns + 2)], row by row within a ring of free cells: how many cells away, king's moves,
        the nearest occupied one is, at most 255; 0 for occupied ones. What rays walk.
        """
        return _clearance(np.pad(self.cells, 1)).ravel()

    def rectangles(self) -> NDArray[np.int64]:
        """int64[k, 5]: first column, first row, columns, rows of rectangles that make up the occupied cells, and which
        of the corners are smooth: bit i for corner i of a box.
        """
        return _rectangles(np.pad(self.cells, 1))

    def bodies(self) -> list[BodySpec]:
        """The static boxes that physics takes for the map."""
        x, y, size = *self.origin, self.resolution
        return [
            BodySpec(
                f"{MAP_NAME} {number}", BOX, x + (column + 0.5 * wide) * size, y + (row + 0.5 * deep) * size, 0.0,
                0.0, self.height, half_x=0.5 * wide * size, half_y=0.5 * deep * size, mapped=True, smooth=smooth,
            )
            for number, (column, row, wide, deep, smooth) in enumerate(self.rectangles().tolist(), start=1)
        ]  # fmt: skip


def grey_image(path: str | os.PathLike[str]) -> NDArray[np.float64]:
    """An image as float64[rows, columns], top row first: 0 black to 1 white; what is transparent shows white.

    Raises InputError if there is no such file, or if it is no image.
    """
    from PIL import Image, UnidentifiedImageError

    if not Path(path).is_file():
        raise InputError.at(str(path), "there is no such image", kind="missing file")
    try:
        with Image.open(path) as image:
            if image.mode.startswith("I"):
                return np.asarray(image, dtype=np.float64) / 65535.0
            seen = image.convert("RGBA")
            white = Image.new("RGBA", seen.size, "white")
            return np.asarray(Image.alpha_composite(white, seen).convert("L"), dtype=np.float64) / 255.0
    except (OSError, ValueError, Image.DecompressionBombError) as fault:
        reason = "this is not an image" if isinstance(fault, UnidentifiedImageError) else str(fault)
        raise InputError.at(str(path), reason, kind="wrong image", hint="give a PNG, PGM or JPEG file") from fault


@kernel
def _clearance(cells: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """See OccupancyGrid.clearance; one pass from the bottom left, one back."""
    rows, columns = cells.shape
    found = np.where(cells, 0, 255).astype(np.uint8)
    for turn in (1, -1):
        for j in range(rows):
            row = j if turn == 1 else rows - 1 - j
            for i in range(columns):
                column = i if turn == 1 else columns - 1 - i
                nearest = int(found[row, column])
                if 0 <= column - turn < columns:
                    nearest = min(nearest, found[row, column - turn] + 1)
                if 0 <= row - turn < rows:
                    for other in range(max(column - 1, 0), min(column + 2, columns)):
                        nearest = min(nearest, found[row - turn, other] + 1)
                found[row, column] = nearest
    return found


@kernel_part
def _is_smooth(cells: NDArray[np.bool_], column: int, row: int) -> bool:
    """Whether the outline of the occupied cells has no outward corner at this crossing of the padded map."""
    a, b = cells[row - 1, column - 1], cells[row - 1, column]
    c, d = cells[row, column - 1], cells[row, column]
    count = int(a) + int(b) + int(c) + int(d)
    return not (count == 1 or (count == 2 and a == d))


@kernel
def _rectangles(cells: NDArray[np.bool_]) -> NDArray[np.int64]:
    """See OccupancyGrid.rectangles; of the padded cells. Each starts at the lowest cell left, as wide as it can be."""
    rows, columns = cells.shape
    free = ~cells
    found = np.empty((np.count_nonzero(cells), 5), np.int64)
    count = 0
    for row in range(rows):
        for column in range(columns):
            if free[row, column]:
                continue
            right, top = column, row
            while not free[row, right]:
                right += 1
            while not free[top, column:right].any():
                top += 1
            free[row:top, column:right] = True
            smooth = 0
            corners = ((column, row), (column, top), (right, top), (right, row))
            for i in range(4):
                smooth |= int(_is_smooth(cells, corners[i][0], corners[i][1])) << i
            found[count] = column - 1, row - 1, right - column, top - row, smooth
            count += 1
    return found[:count].copy()
