"""Height-map lidar against the same rule in plain PyTorch operations, in one run on the CPU: by hand, needs PyTorch.

    python benchmarks/heightmap.py

B = 32 cities of 200 x 200 m, N = 200 robots, K = 32 beams, S = 60 samples. The plain rule is written twice, with all
samples at once and in a loop over the samples; the faster of the two counts. Exits with 1 if results differ or the
kernel is less than ten times as fast.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from pybuzz.sim.heightmap import VectorizedUrbanMap
from pybuzz.sim.heightmap_lidar import VectorizedLiDAR

B, N, K, S, RANGE, SIDE = 32, 200, 32, 60, 60.0, 200
ROUNDS = 5


def plain_at_once(positions: torch.Tensor, heights: torch.Tensor) -> torch.Tensor:
    """(B, N, K): s / S of the least s with z <= H[b, floor x, floor y]."""
    kind = positions.dtype
    samples = torch.arange(1, S + 1, dtype=torch.float64) / S
    angles = 2 * math.pi * torch.arange(K, dtype=torch.float64) / K
    reaches, dx, dy = (one.to(kind) for one in (RANGE * samples, torch.cos(angles), torch.sin(angles)))
    x = positions[:, :, 0, None, None] + dx[:, None] * reaches
    y = positions[:, :, 1, None, None] + dy[:, None] * reaches
    i, j = torch.floor(x + SIDE / 2).long(), torch.floor(y + SIDE / 2).long()
    inside = (i >= 0) & (i < SIDE) & (j >= 0) & (j < SIDE)
    batch = torch.arange(B)[:, None, None, None]
    ground = heights[batch, i.clamp(0, SIDE - 1), j.clamp(0, SIDE - 1)]
    hit = inside & (positions[:, :, 2, None, None] <= ground)
    return torch.where(hit, samples.to(kind), torch.ones((), dtype=kind)).amin(dim=-1)


def plain_in_a_loop(positions: torch.Tensor, heights: torch.Tensor) -> torch.Tensor:
    """The same, sample by sample: less memory."""
    kind = positions.dtype
    angles = 2 * math.pi * torch.arange(K, dtype=torch.float64) / K
    dx, dy = torch.cos(angles).to(kind), torch.sin(angles).to(kind)
    x, y, z = (positions[:, :, axis, None] for axis in range(3))
    batch = torch.arange(B)[:, None, None]
    found = torch.ones((B, N, K), dtype=kind)
    for s in range(S, 0, -1):
        reach = torch.tensor(RANGE * (s / S), dtype=torch.float64).to(kind)
        i, j = torch.floor(x + dx * reach + SIDE / 2).long(), torch.floor(y + dy * reach + SIDE / 2).long()
        inside = (i >= 0) & (i < SIDE) & (j >= 0) & (j < SIDE)
        hit = inside & (z <= heights[batch, i.clamp(0, SIDE - 1), j.clamp(0, SIDE - 1)])
        found = torch.where(hit, torch.tensor(s / S, dtype=torch.float64).to(kind), found)
    return found


def best(call: Callable[[], Any]) -> tuple[float, Any]:
    """Least seconds of some rounds, and the last result."""
    result, seconds = call(), []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def compare(places: torch.Tensor, cities: VectorizedUrbanMap, kind: torch.dtype) -> bool:
    """One line of the report; whether all is as it should be."""
    positions, heights = places.to(kind), torch.from_numpy(cities.height_maps).to(kind)
    city, lidar = VectorizedUrbanMap.of(heights), VectorizedLiDAR(K, RANGE, S)
    at_once, first = best(lambda: plain_at_once(positions, heights))
    looped, second = best(lambda: plain_in_a_loop(positions, heights))
    ours, found = best(lambda: lidar.scan(positions, city))
    same = bool((found == first).all() and (found == second).all()) and found.dtype == kind
    times = min(at_once, looped) / ours
    print(
        f"{kind}: plain at once {at_once * 1e3:.1f} ms, in a loop {looped * 1e3:.1f} ms, kernel {ours * 1e3:.1f} ms: "
        f"{times:.1f} times as fast, identical: {same}"
    )
    return same and times >= 10.0


def main() -> int:
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads; B={B} N={N} K={K} S={S}")
    cities = VectorizedUrbanMap(B, (SIDE, SIDE, 100), seed=3)
    random = torch.Generator().manual_seed(1)
    low, high = torch.tensor([-100.0, -100.0, 1.0]), torch.tensor([100.0, 100.0, 40.0])
    places = low + (high - low) * torch.rand((B, N, 3), generator=random, dtype=torch.float64)
    good = [compare(places, cities, kind) for kind in (torch.float32, torch.float64)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
