"""Terrain as a map of heights, many worlds at once: `VectorizedUrbanMap`, made by the statistics of ITU-R P.1410.

Frame: the origin is the centre of the map, x counts along the second axis of `height_maps`, y along the third. Cell
(i, j) covers x from i cell - X / 2 to (i + 1) cell - X / 2, and y likewise; its lower borders belong to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.sim.heightmap_arrays import Array, device_of, from_numpy, is_torch, namespace_of, torch_device

__all__ = ["VectorizedUrbanMap", "load_heights", "urban_heights"]

_MOST_CELLS = 1 << 30


class VectorizedUrbanMap:
    """B cities over the same ground: `height_maps` (B, X, Y) in m, `ids` (B, X, Y) the building of each cell, -1: none.

    volume_size   (X, Y, Z) of the air over each city in m; no building is higher than Z
    device        "cpu": NumPy arrays; any other is one of PyTorch, whose tensors the maps are then
    cell_size     m; X and Y are whole multiples of it
    alpha         share of the ground that is built up, above 0 and below 1
    beta          buildings per square kilometre
    gamma         scale of the Rayleigh distribution of their heights, in m
    seed          equal seeds give equal cities; city b of a batch does not depend on how many follow it

    Raises InputError for numbers that no city can have.
    """

    def __init__(
        self,
        batch_size: int,
        volume_size: Sequence[float],
        device: str = "cpu",
        *,
        cell_size: float = 1.0,
        alpha: float = 0.3,
        beta: float = 500.0,
        gamma: float = 15.0,
        seed: int = 0,
    ) -> None:
        shape = _shape(batch_size, volume_size, cell_size)
        _check_statistics(alpha, beta, gamma)
        heights, ids = np.zeros((batch_size, *shape)), np.full((batch_size, *shape), -1, dtype=np.int64)
        for one in range(batch_size):
            random = np.random.Generator(np.random.PCG64([seed, one]))
            heights[one], ids[one] = urban_heights(random, shape, cell_size, alpha, beta, gamma, volume_size[2])
        self._take(heights, ids, cell_size)
        if device != "cpu":
            place = torch_device(device)
            import torch

            self._take(torch.from_numpy(heights).to(place), torch.from_numpy(ids).to(place), cell_size)

    @classmethod
    def of(cls, height_maps: Array, *, cell_size: float = 1.0, ids: Array | None = None) -> Self:
        """A map of given heights (B, X, Y) in m, of whatever array library, used as they are: change them in place.

        ids: whole numbers of the same shape; by default each cell's own number, x Y + y.
        Raises InputError for another shape, a height that is no number, or a cell size that is not above 0.
        """
        xp = namespace_of(height_maps)
        shape = tuple(height_maps.shape)
        if len(shape) != 3 or 0 in shape:
            raise InputError.at("height_maps", f"the shape must be (B, X, Y), not {shape}")
        if bool(xp.any(xp.isnan(height_maps))):
            raise InputError.at("height_maps", "there is a height that is no number (NaN)")
        if not 0.0 < cell_size < math.inf:
            raise InputError.at("cell_size", f"a cell must be larger than 0 m, not {cell_size:g}")
        if ids is None:
            numbers = np.arange(shape[1] * shape[2]).reshape(1, *shape[1:])
            ids = from_numpy(np.repeat(numbers, shape[0], axis=0), height_maps)
        if tuple(ids.shape) != shape:
            raise InputError.at("ids", f"the shape must be that of the heights, {shape}, not {tuple(ids.shape)}")
        made = cls.__new__(cls)
        made._take(height_maps, ids, cell_size)
        return made

    @property
    def batch_size(self) -> int:
        return int(self.height_maps.shape[0])

    @property
    def size(self) -> tuple[float, float]:
        """X and Y in m."""
        _, columns, rows = self.height_maps.shape
        return columns * self.cell_size, rows * self.cell_size

    def arrays_like(self, positions: Array) -> tuple[Array, Array]:
        """Heights and ids of the kind of `positions` and where they are: the maps themselves if they agree."""
        same = type(positions) is type(self.height_maps) and device_of(positions) == device_of(self.height_maps)
        if same:
            return self.height_maps, self.ids
        heights, ids = (found.cpu().numpy() if is_torch(found) else np.asarray(found) for found in self._arrays)
        return from_numpy(heights, positions), from_numpy(ids, positions)

    def height_at(self, x: float, y: float, city: int = 0) -> float:
        """m, at one place; 0 off the map."""
        _, columns, rows = self.height_maps.shape
        scale = 1.0 / self.cell_size
        i, j = (math.floor((at + size / 2) * scale) for at, size in zip((x, y), self.size, strict=True))
        return float(self.height_maps[city, i, j]) if 0 <= i < columns and 0 <= j < rows else 0.0

    @property
    def _arrays(self) -> tuple[Array, Array]:
        return self.height_maps, self.ids

    def _take(self, heights: Array, ids: Array, cell_size: float) -> None:
        self.height_maps: Any = heights
        self.ids: Any = ids
        self.cell_size = float(cell_size)


def load_heights(path: Path, cell_size: float) -> VectorizedUrbanMap:
    """One map from a NumPy file (.npy) of heights (X, Y) in m. Raises InputError if it is none."""
    try:
        heights = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as fault:
        hint = "numpy.save('heights.npy', heights) writes one"
        raise InputError.at(str(path), f"cannot read the heights: {fault}", hint=hint) from fault
    if not isinstance(heights, np.ndarray) or heights.ndim != 2 or heights.dtype.kind not in "fiu":
        raise InputError.at(str(path), "the heights must be one array of numbers with the shape (X, Y)")
    return VectorizedUrbanMap.of(heights[None].astype(np.float64), cell_size=cell_size)


def urban_heights(
    random: np.random.Generator,
    shape: tuple[int, int],
    cell_size: float,
    alpha: float,
    beta: float,
    gamma: float,
    most: float,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Heights in m and numbers of buildings of one city, both of this shape.

    ITU-R P.1410: buildings of equal square ground, sqrt(alpha / beta) wide, stand in a grid of one per area 1 / beta;
    heights are Rayleigh distributed, gamma sqrt(-2 ln u). The grid's corner is drawn too, so that cell borders do not
    favour any share. A cell is built up if its centre is.
    """
    pitch, width = 1000.0 / math.sqrt(beta), 1000.0 * math.sqrt(alpha / beta)
    corner = random.random(2) * pitch
    across, inside_x = _plots(shape[0], cell_size, corner[0], pitch, width)
    along, inside_y = _plots(shape[1], cell_size, corner[1], pitch, width)
    drawn = 1.0 - random.random((int(across[-1]) + 1, int(along[-1]) + 1))
    tall = np.minimum(gamma * np.sqrt(-2.0 * np.log(drawn)), most)
    plots = np.ix_(across, along)
    built = inside_x[:, None] & inside_y[None, :]
    numbers = np.arange(tall.size).reshape(tall.shape)
    return np.where(built, tall[plots], 0.0), np.where(built, numbers[plots], -1)


def _plots(
    cells: int, cell_size: float, corner: float, pitch: float, width: float
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Along one axis, of each cell's centre: the number of its plot, and whether the plot's building covers it."""
    centres = (np.arange(cells) + 0.5) * cell_size + corner
    plots = np.floor(centres / pitch)
    return plots.astype(np.int64), centres - plots * pitch < width


def _shape(batch_size: int, volume_size: Sequence[float], cell_size: float) -> tuple[int, int]:
    if batch_size < 1:
        raise InputError.at("batch_size", f"there must be at least one map, not {batch_size}")
    if len(volume_size) != 3 or not all(0.0 < side < math.inf for side in volume_size):
        raise InputError.at("volume_size", f"three lengths above 0 m are needed, (X, Y, Z), not {tuple(volume_size)}")
    if not 0.0 < cell_size < math.inf:
        raise InputError.at("cell_size", f"a cell must be larger than 0 m, not {cell_size:g}")
    columns, rows = (round(side / cell_size) for side in volume_size[:2])
    if any(abs(n * cell_size - side) > 1e-6 * side for n, side in zip((columns, rows), volume_size[:2], strict=True)):
        text = f"{volume_size[0]:g} x {volume_size[1]:g} m is no whole number of cells of {cell_size:g} m"
        raise InputError.at("cell_size", text)
    if batch_size * columns * rows > _MOST_CELLS:
        raise InputError.at("volume_size", f"{batch_size} x {columns} x {rows} cells are more than {_MOST_CELLS}")
    return columns, rows


def _check_statistics(alpha: float, beta: float, gamma: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise InputError.at("alpha", f"the share of built-up ground lies between 0 and 1, not {alpha:g}")
    if not 0.0 < beta < math.inf:
        raise InputError.at("beta", f"there must be more than 0 buildings per square kilometre, not {beta:g}")
    if not 0.0 <= gamma < math.inf:
        raise InputError.at("gamma", f"the scale of heights must be at least 0 m, not {gamma:g}")
