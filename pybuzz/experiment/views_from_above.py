"""What does not move in a world, seen from above: the floor and the cells of a map, as pictures of bounded size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pybuzz.recording import ArenaMark, Picture
from pybuzz.sim.floors import Floor, ImageFloor
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.world import World

__all__ = ["LONG_SIDE", "views_from_above"]

LONG_SIDE = 1024
"""Pixels of a picture's longer side, at most."""

_COARSE, _FINER = 128, 4
"""A painted floor is asked for its colour at so many places along the longer side, and so many times more densely where
it changes: a function of a hook takes microseconds for each place."""
_CHANGE = 24
"""Neighbouring places that differ by more (of 255) have an edge between them."""
_WALL = (0xB8, 0xB8, 0xB8, 0xFF)

Colors = NDArray[np.uint8]


def views_from_above(world: World, arena: ArenaMark) -> dict[str, Picture]:
    """By name: `floor` (RGB) if it is not plain white, `map` (RGBA, free cells transparent) if there is one."""
    views = {}
    if world.floor is not None:
        views["floor"] = _floor(world.floor, arena)
    if world.map is not None:
        views["map"] = _map(world.map)
    return views


def _floor(floor: Floor, arena: ArenaMark) -> Picture:
    if isinstance(floor, ImageFloor):
        return Picture(_reduced(floor.pixels), floor.corner, floor.size)
    (x, y), (width, depth) = arena.center, arena.size
    corner = (x - width / 2, y - depth / 2)
    return Picture(_painted(_color_function(floor), corner, arena.size), corner, arena.size)


def _reduced(pixels: Colors) -> Colors:
    longest = max(pixels.shape[:2])
    if longest <= LONG_SIDE:
        return pixels
    rows, columns = (max(1, round(side * LONG_SIDE / longest)) for side in pixels.shape[:2])
    return np.asarray(Image.fromarray(pixels).resize((columns, rows), Image.Resampling.BOX))


def _color_function(floor: Floor) -> Callable[[NDArray[np.float64], NDArray[np.float64]], Colors]:
    """uint8[n, 3] at places x, y (m), float64[n]."""
    color = getattr(floor, "color", None)

    def colors(x: NDArray[np.float64], y: NDArray[np.float64]) -> Colors:
        if color is None:
            found = np.repeat(floor.brightness(x, y)[:, None] * 255.0, 3, axis=1)
        else:
            found = np.array([color(*place) for place in zip(x.tolist(), y.tolist(), strict=True)], dtype=np.float64)
        return np.nan_to_num(found.reshape(-1, 3)).clip(0, 255).astype(np.uint8)

    return colors


def _painted(
    colors: Callable[[NDArray[np.float64], NDArray[np.float64]], Colors],
    corner: tuple[float, float],
    size: tuple[float, float],
) -> Colors:
    """uint8[rows, columns, 3], top row first: coarse first, then finer where the coarse one has edges."""
    columns, rows = (max(1, round(side / max(size) * _COARSE)) for side in size)
    row, column = np.indices((rows, columns))

    def at(row: NDArray[np.floating[Any]], column: NDArray[np.floating]) -> Colors:
        """At places counted in coarse pixels from the top left."""
        x, y = corner[0] + column / columns * size[0], corner[1] + (1 - row / rows) * size[1]
        return colors(x.astype(np.float64), y.astype(np.float64))

    coarse = at(row.ravel() + 0.5, column.ravel() + 0.5).reshape(rows, columns, 3)
    pixels = coarse.repeat(_FINER, axis=0).repeat(_FINER, axis=1)
    edges = _edges(coarse).repeat(_FINER, axis=0).repeat(_FINER, axis=1)
    row, column = np.nonzero(edges)
    pixels[edges] = at((row + 0.5) / _FINER, (column + 0.5) / _FINER)
    return pixels


def _edges(pixels: Colors) -> NDArray[np.bool_]:
    """bool[rows, columns]: whether a pixel differs from one of its eight neighbours."""
    rows, columns = pixels.shape[:2]
    padded = np.pad(pixels.astype(np.int16), ((1, 1), (1, 1), (0, 0)), mode="edge")
    around = [padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    difference = np.max(around, axis=0) - np.min(around, axis=0)
    return np.asarray(difference.max(axis=2) > _CHANGE)


def _map(grid: OccupancyGrid) -> Picture:
    """A pixel is a cell, or a square of cells of which one is occupied."""
    merged = -(-max(grid.cells.shape) // LONG_SIDE)
    rows, columns = (-(-side // merged) for side in grid.cells.shape)
    cells = np.zeros((rows * merged, columns * merged), dtype=bool)
    cells[: grid.cells.shape[0], : grid.cells.shape[1]] = grid.cells
    occupied: NDArray[np.bool_] = np.any(cells.reshape(rows, merged, columns, merged), axis=(1, 3))
    pixels = np.zeros((rows, columns, 4), dtype=np.uint8)
    pixels[occupied[::-1]] = _WALL
    pixel_m = merged * grid.resolution
    return Picture(pixels, (float(grid.origin[0]), float(grid.origin[1])), (columns * pixel_m, rows * pixel_m))
