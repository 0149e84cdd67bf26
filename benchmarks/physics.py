"""Time of the physics alone: `python benchmarks/physics.py [robots ...]` prints ms per tick for each number of robots.

N Khepera IVs and N / 10 boxes, random in a walled square, 1.7 robots per square metre, each with its own wheel speeds,
drawn anew every second. Calibrated: divided by the time of a Python loop against 0.066 s, to compare machines.
"""

from __future__ import annotations

import sys
import time
from statistics import median

import numpy as np

from pybuzz.sim.bodies import box_body, robot_body
from pybuzz.sim.world import World

REFERENCE_LOOP_S = 0.066
KHEPERA = {"radius": 0.0704, "mass": float(np.float32(0.4)), "axle": 0.1054, "top": 0.0577}


def crowded_world(robots: int, rng: np.random.Generator, *, per_square_metre: float = 1.7) -> World:
    """Robots and boxes where they do not overlap, between four walls."""
    world = World(0.1)
    half = (robots / per_square_metre) ** 0.5 / 2 + 0.5
    for name, x, y in (("n", 0, half), ("s", 0, -half)):
        world.add_box(name, (2 * half, 0.1, 0.5), x, y, 0.0)
    for name, x, y in (("e", half, 0), ("w", -half, 0)):
        world.add_box(name, (0.1, 2 * half, 0.5), x, y, 0.0)
    for index in range(robots // 10 + robots):
        while True:
            x, y = rng.uniform(-half, half, 2)
            if index < robots // 10:
                spec = box_body(f"b{index}", (0.3, 0.3, 0.5), x, y, rng.uniform(-3, 3))
            else:
                spec = robot_body(f"k{index}", x, y, rng.uniform(-3, 3), **KHEPERA)
            if world.trial(spec):
                world.add(spec)
                break
    return world


def python_loop_s() -> float:
    """The calibration loop: its best time of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        i = s = 0
        while i < 1000000:
            s += i
            i += 1
        best = min(best, time.process_time() - start)
    return best


def ms_per_tick(world: World, rng: np.random.Generator, ticks: int) -> float:
    """Median over five rounds of `ticks` ticks each."""
    rounds = []
    for _ in range(5):
        spent = 0.0
        for tick in range(ticks):
            if tick % 10 == 0:
                wheels = rng.uniform(-0.1, 0.2, (len(world.robots), 2))
            start = time.process_time()
            world.step(wheels)
            spent += time.process_time() - start
        rounds.append(spent / ticks * 1e3)
    return median(rounds)


def main(counts: list[int]) -> None:
    world = crowded_world(2, np.random.default_rng(0))
    world.step(np.zeros((2, 2)))
    print("robots  placing s  ms/tick  calibrated ms/tick")
    for count in counts:
        rng = np.random.default_rng(count)
        start = time.process_time()
        world = crowded_world(count, rng)
        placing = time.process_time() - start
        spent = ms_per_tick(world, rng, 200 if count <= 10 else 20)
        print(f"{count:6d}  {placing:9.3f}  {spent:7.3f}  {spent * REFERENCE_LOOP_S / python_loop_s():7.3f}")


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [10, 30, 100, 300, 1000, 3000])
