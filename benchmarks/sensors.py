"""What one reading of each sensor costs one robot: 1,000 robots in the scene of benchmarks/rays.py, processor time.

    python benchmarks/sensors.py [robots]

The best of several ticks. The grid of bodies is built by the first sensor that casts rays; it is timed apart.
"""

from __future__ import annotations

import sys
import time

from rays import scene

from pybuzz.experiment.plan import Device
from pybuzz.sim.floors import ImageFloor
from pybuzz.sim.heightmap import VectorizedUrbanMap
from pybuzz.sim.own_sensors import sensor
from pybuzz.sim.sensors import Mount, Sensors

ROUNDS = 15
LINE = {"num_sensors": 5, "sensor_offset": 0.08, "sensor_span": 0.06, "sensor_aperture": 0.0025, "line_threshold": 0.5}
CLEARANCE = {"num_beams": 8, "max_range": 60.0, "n_steps": 15, "exact": 0}
OPTIONS = {"line": LINE, "clearance": CLEARANCE}
NAMES = ("proximity", "light", "ultrasound", "lidar", "ground", "battery", "pose", "line", "clearance", "nearest")


@sensor("nearest")
class Nearest:
    """The example of docs/sensors.md, for all robots at once."""

    def read_all(self, world):  # type: ignore[no-untyped-def]
        return world.distances_to_nearest_obstacles(world.poses[:, :2])


def microseconds(robots: int) -> dict[str, float]:
    """Per robot and tick, by sensor."""
    import numpy as np

    world = scene(robots)
    world.set_floor(ImageFloor(np.random.default_rng(1).integers(0, 255, (800, 800, 3), dtype=np.uint8), (24.0, 24.0)))
    world.set_terrain(VectorizedUrbanMap(1, (200, 200, 100), seed=1))
    best = dict.fromkeys(NAMES, float("inf"))
    for name in NAMES:
        sensors = Sensors(world, [[Mount(Device(name, options=OPTIONS.get(name, {})))] for _ in range(robots)])
        for _ in range(ROUNDS):
            start = time.process_time()
            sensors.new_tick()
            advanced = time.process_time() - start
            _ = sensors._around.scene
            start = time.process_time()
            sensors.read(name)
            best[name] = min(best[name], (time.process_time() - start + advanced) / robots * 1e6)
    return best


if __name__ == "__main__":
    for name, cost in microseconds(int(sys.argv[1]) if len(sys.argv) > 1 else 1000).items():
        print(f"{name:12} {cost:8.2f} microseconds a robot")
