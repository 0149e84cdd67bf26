"""Worlds of one robot and readings of one sensor, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.plan import Device
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA


def lonely_robot(angle: float = 0.0) -> World:
    """A Khepera IV at the origin, nothing else; ticks of 0.1 s."""
    world = World(0.1)
    world.add_robot("kh0", 0.0, 0.0, angle, **KHEPERA)
    return world


def sense(
    world: World,
    name: str,
    *,
    exact: bool = False,
    noise: Mapping[str, float] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    num_readings: int = 682,
    seed: int | None = None,
    ticks: int = 1,
    read_every: int = 1,
    **options: Any,
) -> NDArray[np.float64]:
    """The readings of that sensor, carried by all robots, in the last of some ticks in which nothing moves."""
    device = Device(name, noise or {}, ranges or {}, num_readings)
    sensors = Sensors(world, [[Mount(device, seed)] for _ in world.robots], exact=exact, **options)
    for tick in range(ticks):
        sensors.new_tick()
        if (tick + 1) % read_every == 0:
            sensors.read(name)
    return sensors.read(name)
