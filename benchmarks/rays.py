"""Sensors and radio of 1,000 robots: microseconds per ray, milliseconds per tick.

    python benchmarks/rays.py [robots]

The scene of the published measurements: a walled square, a tenth as many boxes and cylinders as robots, uniformly
placed. Every figure is the best of several ticks: processor time, for two threads the time on the clock, which
means something on an idle machine only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from pybuzz.experiment.plan import Device
from pybuzz.khepera.model import load_model
from pybuzz.radio import Radio
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World

SENSORS = ("proximity", "light", "ultrasound", "lidar", "ground", "pose")


def scene(robots: int) -> World:
    """A square of 0.576 m^2 per robot: 24 m for 1,000."""
    world, random, hull = World(0.1), np.random.default_rng(42), load_model().body
    side = (0.576 * robots) ** 0.5
    for name, x, y in (("n", 0, 1), ("s", 0, -1), ("e", 1, 0), ("w", -1, 0)):
        world.add_box(name, (0.1, side, 0.5) if x else (side, 0.1, 0.5), x * side / 2, y * side / 2, 0.0)
    for k in range(robots // 10):
        x, y, angle = random.uniform([-side / 2, -side / 2, -3], [side / 2, side / 2, 3])
        if k % 2:
            world.add_box(f"box{k}", (0.3, 0.3, 0.5), x, y, angle)
        else:
            world.add_cylinder(f"cylinder{k}", 0.15, 0.5, x, y)
    for k in range(robots):
        x, y, angle = random.uniform([-side / 2, -side / 2, -3], [side / 2, side / 2, 3])
        world.add_robot(f"kh{k}", x, y, angle, radius=hull.radius, mass=hull.mass, axle=hull.axle, top=hull.top)
    world.add_light("lamp", (1.0, 1.0, 1.0), 2.0)
    return world


def best_ms(
    work: Callable[[], object],
    before: Callable[[], object],
    times: int = 9,
    clock: Callable[[], float] = time.process_time,
) -> float:
    found = []
    for _ in range(times):
        before()
        start = clock()
        work()
        found.append(clock() - start)
    return 1000 * min(found)


def lidar_ms(sensors: Sensors, clock: Callable[[], float]) -> float:
    """ms for all scans of a tick; the grid is there already."""

    def moved() -> None:
        sensors.new_tick()
        sensors.read("proximity")

    return best_ms(lambda: sensors.read("lidar"), moved, clock=clock)


def report_lidar(world: World, mounts: list[list[Mount]], threads: int) -> None:
    sensors = Sensors(world, mounts, threads=threads)
    ms = lidar_ms(sensors, time.process_time if threads == 1 else time.perf_counter)
    print(f"lidar, {threads} thread(s): {ms:8.2f} ms, {1000 * ms / (682 * len(mounts)):.3f} us per ray")


def main() -> None:
    robots = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    world = scene(robots)
    mounts = [[Mount(Device(name)) for name in SENSORS]] * robots
    for threads in (1, 2):
        report_lidar(world, mounts, threads)
    sensors = Sensors(world, mounts)
    for name in ("proximity", "light", "ultrasound", "ground", "pose"):
        ms = best_ms(partial(sensors.read, name), sensors.new_tick)
        print(f"{name + ' with the grid:':24} {ms:8.2f} ms")
    radio = Radio([1.5] * robots, [100] * robots)
    sensors.new_tick()
    links = len(sensors.listen(radio))
    print(f"radio, {links} links: {best_ms(partial(sensors.listen, radio), sensors.new_tick):8.2f} ms")


if __name__ == "__main__":
    main()
