"""Lidar for batches of flying robots over height maps: `VectorizedLiDAR`.

Arrays stay what and where they are: NumPy in, NumPy out, and the same for PyTorch tensors on any device and for other
libraries of the array API standard. NumPy arrays and, without a copy, CPU tensors go through a compiled kernel.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from pybuzz.errors import InputError
from pybuzz.sim.heightmap import VectorizedUrbanMap
from pybuzz.sim.heightmap_arrays import Array, device_of, from_numpy, host_view, namespace_of, torch_device
from pybuzz.sim.heightmap_kernels import exact_beams, march_beams
from pybuzz.sim.heightmap_rules import exact, march
from pybuzz.spelling import did_you_mean

__all__ = ["VectorizedLiDAR", "observation"]

Mode = Literal["march", "exact"]
_MODES = ("march", "exact")
_MOST_STEPS = 1_000_000
_FARTHEST_M = 1e6


class VectorizedLiDAR:
    """`num_beams` horizontal beams at 2 pi k / K about each robot, from the x axis counter-clockwise.

    max_range  m, of the beams
    n_steps    samples along a beam in the mode "march"
    device     where positions are brought that are given as plain lists: "cpu" makes NumPy arrays of them
    mode       "march" samples each beam, "exact" follows it from cell to cell; see `heightmap_rules`
    noise      standard deviation in m that distances to things get; they stay in [0, range], clear beams stay 1
    seed       of the noise: equal seeds and calls give equal noise

    Raises InputError for numbers that no lidar can have.
    """

    def __init__(
        self,
        num_beams: int = 8,
        max_range: float = 60.0,
        n_steps: int = 15,
        device: str = "cpu",
        *,
        mode: Mode = "march",
        noise: float = 0.0,
        seed: int = 0,
    ) -> None:
        _check(num_beams, max_range, n_steps, mode, noise)
        self.num_beams, self.max_range, self.n_steps = num_beams, float(max_range), n_steps
        self.device, self.mode, self.noise = device, mode, noise
        self._place = torch_device(device) if device != "cpu" else None
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._angles = [2.0 * math.pi * beam / num_beams for beam in range(num_beams)]
        self._directions = np.array([(_tidy(math.cos(angle)), _tidy(math.sin(angle))) for angle in self._angles])
        samples = np.arange(n_steps + 1)
        self._shares = np.where(samples > 0, samples / n_steps, 1.0)
        self._reaches = self.max_range * self._shares

    def scan(self, uav_positions: Array, urban_map: VectorizedUrbanMap, *, headings: Array | None = None) -> Array:
        """Distances (B, N, K) as shares of the range, in [0, 1]; 1.0: clear.

        uav_positions (B, N, 3) in m: x, y, z. headings (B, N) in rad: the beams turn with the robots.
        Raises InputError for wrong shapes, positions that are no numbers, or maps of another batch.
        """
        return self._scan(uav_positions, urban_map, headings, told=False)[0]

    def scan_with_ids(
        self, uav_positions: Array, urban_map: VectorizedUrbanMap, *, headings: Array | None = None
    ) -> tuple[Array, Array]:
        """The same, and int64 (B, N, K): the entry of `urban_map.ids` in the cell that each beam met; -1: clear."""
        return self._scan(uav_positions, urban_map, headings, told=True)

    def _scan(
        self, positions: Array, urban_map: VectorizedUrbanMap, headings: Array | None, *, told: bool
    ) -> tuple[Array, Array]:
        positions = self._as_array(positions)
        _check_positions(positions, urban_map, headings)
        if self.mode == "exact" and self.max_range > _MOST_STEPS * urban_map.cell_size:
            text = f"{self.max_range:g} m are too many cells of {urban_map.cell_size:g} m"
            raise InputError.at("max_range", text, hint=f"at most {_MOST_STEPS}")
        heights, ids = urban_map.arrays_like(positions)
        on_host = host_view(positions)
        if on_host is None:
            values, cells = self._by_rules(positions, heights, urban_map, headings)
        else:
            found = self._compiled(on_host, host_view(heights), urban_map, headings, told)
            values, cells = (from_numpy(one, positions) for one in found)
        values = self._with_noise(values)
        return values, _ids_of(cells, ids) if told else cells

    def _as_array(self, positions: Any) -> Array:
        if not isinstance(positions, list | tuple):
            return positions
        array = np.asarray(positions, dtype=np.float64)
        if self._place is None:
            return array
        import torch

        return torch.from_numpy(array).to(self._place)

    def _compiled(
        self, positions: Any, heights: Any, urban_map: VectorizedUrbanMap, headings: Array | None, told: bool
    ) -> tuple[Any, Any]:
        """On NumPy arrays."""
        kind = positions.dtype
        turns = np.zeros((0, 0, 2), dtype=kind)
        if headings is not None:
            cosines, sines = _cosines_and_sines(headings)
            turns = np.stack([host_view(cosines), host_view(sines)], axis=-1).astype(kind)  # type: ignore[list-item]
        shape = (*positions.shape[:2], self.num_beams)
        values = np.empty(shape, dtype=kind)
        cells = np.empty(shape if told else (0, 0, 0), dtype=np.int64)
        rays, frame = self._directions.astype(kind), _frame(urban_map).astype(kind)
        if self.mode == "march":
            samples = self._reaches.astype(kind), self._shares.astype(kind)
            march_beams(positions, heights, rays, turns, *samples, frame, values, cells)
        else:
            exact_beams(positions, heights, rays, turns, self._most.astype(kind), frame, values, cells)
        return values, cells

    def _by_rules(
        self, positions: Array, heights: Array, urban_map: VectorizedUrbanMap, headings: Array | None
    ) -> tuple[Array, Array]:
        """By operations on whole arrays, of any library."""
        xp = namespace_of(positions)

        def alike(values: Any) -> Array:
            return from_numpy(np.ascontiguousarray(values), positions, dtype=positions.dtype)

        directions = tuple(alike(self._directions[None, None, :, axis]) for axis in (0, 1))
        if headings is not None:
            cosine, sine = (xp.reshape(one, (*one.shape, 1)) for one in _cosines_and_sines(headings))
            dx, dy = directions
            directions = dx * cosine - dy * sine, dx * sine + dy * cosine
        frame = alike(_frame(urban_map))
        if self.mode == "march":
            return march(xp, positions, heights, directions, alike(self._reaches), alike(self._shares), frame)
        return exact(xp, positions, heights, directions, alike(self._most), frame)

    @property
    def _most(self) -> Any:
        return np.array([self.max_range, 1.0, math.inf])

    def _with_noise(self, values: Array) -> Array:
        if not self.noise:
            return values
        drawn = self._random.standard_normal(tuple(values.shape)) * (self.noise / self.max_range)
        xp = namespace_of(values)
        noisy = values + from_numpy(drawn, values, dtype=values.dtype)
        noisy = xp.where(noisy < 0, noisy * 0, xp.where(noisy > 1, noisy * 0 + 1, noisy))
        return xp.where(values < 1, noisy, values)


def observation(position: Array, velocity: Array, target: Array, d: Array) -> Array:
    """(..., 9 + K): position, velocity and target, three numbers each, and the distances d (..., K), of one kind.

    Raises InputError if their shapes do not fit.
    """
    parts = (position, velocity, target, d)
    for name, part in zip(("position", "velocity", "target"), parts, strict=False):
        if tuple(part.shape) != (*d.shape[:-1], 3):
            wanted = (*d.shape[:-1], 3)
            raise InputError.at(name, f"the shape must be {wanted} beside distances of {tuple(d.shape)}")
    xp = namespace_of(d)
    return xp.concat(parts, axis=-1) if hasattr(xp, "concat") else xp.concatenate(parts, axis=-1)


def _ids_of(cells: Array, ids: Array) -> Array:
    """Entries of `ids` (B, X, Y) in these cells (B, N, K); -1 where there is none."""
    xp = namespace_of(cells)
    maps, size = ids.shape[0], ids.shape[1] * ids.shape[2]
    first = xp.reshape(xp.arange(maps, dtype=xp.int64, device=device_of(cells)) * size, (-1, 1, 1))
    flat = xp.where(cells < 0, cells * 0, cells) + first
    found = xp.reshape(xp.take(xp.reshape(ids, (-1,)), xp.reshape(flat, (-1,))), cells.shape)
    return xp.where(cells < 0, cells, found)


def _cosines_and_sines(headings: Array) -> tuple[Array, Array]:
    xp = namespace_of(headings)
    return xp.cos(headings), xp.sin(headings)


def _frame(urban_map: VectorizedUrbanMap) -> Any:
    """Half of X and of Y in m, and cells in a metre."""
    return np.array([urban_map.size[0] / 2, urban_map.size[1] / 2, 1.0 / urban_map.cell_size])


def _tidy(value: float) -> float:
    """cos(pi / 2) is 0: a beam along an axis stays in its row of cells."""
    return 0.0 if abs(value) < 1e-15 else value


def _check(num_beams: int, max_range: float, n_steps: int, mode: str, noise: float) -> None:
    for name, value in (("num_beams", num_beams), ("n_steps", n_steps)):
        if value < 1:
            raise InputError.at(name, f"there must be at least one, not {value}")
    if n_steps > _MOST_STEPS:
        raise InputError.at("n_steps", f"{n_steps} are too many", hint=f"at most {_MOST_STEPS}")
    if not 0.0 < max_range <= _FARTHEST_M:
        text = f"the range must be above 0 m and at most {_FARTHEST_M:g} m, not {max_range:g}"
        raise InputError.at("max_range", text)
    if mode not in _MODES:
        hint = did_you_mean(mode, _MODES) or "march or exact"
        raise InputError.at("mode", f"there is no mode '{mode}'", hint=hint)
    if not 0.0 <= noise < math.inf:
        raise InputError.at("noise", f"the standard deviation must be at least 0 m, not {noise:g}")


def _check_positions(positions: Array, urban_map: VectorizedUrbanMap, headings: Array | None) -> None:
    xp, shape = namespace_of(positions), tuple(positions.shape)
    if len(shape) != 3 or shape[2] != 3:
        raise InputError.at("uav_positions", f"the shape must be (B, N, 3), not {shape}")
    if shape[0] != urban_map.batch_size:
        raise InputError.at("uav_positions", f"{shape[0]} batches of robots, but {urban_map.batch_size} maps")
    if positions.dtype not in (xp.float32, xp.float64):
        raise InputError.at("uav_positions", f"float32 or float64 is needed, not {positions.dtype}")
    if bool(xp.any(xp.isnan(positions))):
        raise InputError.at("uav_positions", "there is a position that is no number (NaN)")
    if headings is not None and tuple(headings.shape) != shape[:2]:
        raise InputError.at("headings", f"the shape must be {shape[:2]}, not {tuple(headings.shape)}")
