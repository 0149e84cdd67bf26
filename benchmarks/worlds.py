"""Laser scans of 20 robots, 101 rays each, in maps of 200 x 200 cells with 16 circles: microseconds per ray.

    python benchmarks/worlds.py

Rays meet map, circles and the other robots. All of `Lidar.cast_fleet` counts: looking up robots, the grid of bodies,
the rays and their end points. Figures are CPU time, the best of many, also as they would be on the machine on which a
Python loop of a million additions takes 0.066 s.
"""

from __future__ import annotations

import time

import numpy as np

from pybuzz.khepera.model import load_model
from pybuzz.sim.lidar import Lidar
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.world import World

ROBOTS, CELLS, CIRCLES = 20, 200, 16
CALIBRATION_S = 0.066


def scene(resolution: float, share: float) -> World:
    """A walled square; `share` of its cells are occupied at random."""
    random, hull = np.random.default_rng(7), load_model().body
    cells = random.random((CELLS, CELLS)) < share
    cells[[0, -1]] = cells[:, [0, -1]] = True
    world, half = World(0.1), 0.5 * CELLS * resolution
    world.set_map(OccupancyGrid(cells, resolution, (-half, -half)))
    for k in range(CIRCLES):
        world.add_cylinder(f"circle{k}", 0.2, 0.5, *random.uniform(-0.95 * half, 0.95 * half, 2))
    for k in range(ROBOTS):
        x, y = random.uniform(-0.9 * half, 0.9 * half, 2)
        world.add_robot(
            f"kh{k}", x, y, random.uniform(-3, 3), radius=hull.radius, mass=hull.mass, axle=hull.axle, top=hull.top
        )
    return world


def us_per_ray(world: World, lidar: Lidar, times: int = 100) -> float:
    """CPU time of the best of some fleet scans, over its rays."""
    robots = world.robots
    lidar.cast_fleet(robots, world, robots)
    best = np.inf
    for _ in range(times):
        start = time.process_time()
        lidar.cast_fleet(robots, world, robots)
        best = min(best, time.process_time() - start)
    return 1e6 * best / (len(robots) * lidar.num_rays)


def calibration() -> float:
    """Seconds of CPU for a million additions in Python."""
    best = np.inf
    for _ in range(5):
        total, k, start = 0, 0, time.process_time()
        while k < 1_000_000:
            total += k
            k += 1
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    lidar = Lidar(num_rays=101, range=12.0)
    print(f"a million additions: {calibration():.3f} s")
    for resolution in (0.05, 1.0):
        for share in (0.0, 0.002, 0.02, 0.1):
            found = us_per_ray(scene(resolution, share), lidar)
            calibrated = found * CALIBRATION_S / calibration()
            print(
                f"{resolution:4} m a cell, {share:5.1%} occupied: {found:.3f} us per ray, calibrated {calibrated:.3f}"
            )


if __name__ == "__main__":
    main()
