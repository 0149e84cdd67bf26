"""Sensors of people's own on robots: one object for each name and set of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.own_sensors import UserSensor, make_sensor
from pybuzz.sim.sensors.mounts import Carriers
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["OwnSensor"]

Objects = dict[tuple[str, str], UserSensor]


class OwnSensor:
    """Columns: what the person's object reads; measured before the first tick too, at most once per tick.

    objects: those that exist already, which go on to be used; new ones are added.
    """

    def __init__(self, carriers: Carriers, objects: Objects) -> None:
        self.robots = carriers.robots
        self.width = 0
        places: dict[tuple[str, str], list[int]] = {}
        for place, mount in enumerate(carriers.mounts):
            key = mount.device.name, _text(mount.device.options)
            places.setdefault(key, []).append(place)
            if key not in objects:
                objects[key] = make_sensor(mount.device.name, mount.device.options)
        self._parts = [(objects[key], np.array(found, dtype=np.int64)) for key, found in places.items()]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the columns, known after the first reading; none: they go by index."""
        return self._parts[0][0].fields

    def before(self, around: Surroundings) -> NDArray[np.float64]:
        return self.measure(around)

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        found = [(places, made.read(around.world, self.robots[places])) for made, places in self._parts]
        self.width = max(rows.shape[1] for _, rows in found)
        readings = np.zeros((len(self.robots), self.width))
        for places, rows in found:
            readings[places, : rows.shape[1]] = rows
        return readings


def _text(options: Mapping[str, Any]) -> str:
    return repr(sorted(options.items()))
