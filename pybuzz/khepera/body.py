"""What a robot's body offers to the mind that drives it, simulated or real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

__all__ = ["ACTUATORS", "SENSORS", "Body", "Command", "RawBody"]

SENSORS = ("pose", "battery", "ground", "proximity", "light", "ultrasound", "lidar", "line", "clearance")
"""Names of the tables, in the order in which ARGoS's controller refreshes them, then those that it does not have."""

ACTUATORS = ("wheels", "flight", "leds")


@dataclass(slots=True)
class Command:
    """What a script last asked of its body. SI: wheel rim speeds in m/s; leds: red, green, blue 0..255.

    Of a flying robot the two speeds are those ahead and to the left.
    """

    left_m_s: float = 0.0
    right_m_s: float = 0.0
    leds: tuple[int, int, int] = (0, 0, 0)


class Body(Protocol):
    """Sense and act. One instance per robot."""

    @property
    def sensors(self) -> frozenset[str]:
        """Names of the tables this body can fill: of SENSORS, and people's own."""

    @property
    def actuators(self) -> frozenset[str]:
        """What this body can do, of ACTUATORS."""

    def read(self, sensor: str) -> Sequence[float]:
        """The sensor's latest values; see docs/architecture.md for each sensor's shape and units."""


@runtime_checkable
class RawBody(Body, Protocol):
    """A body that also knows what its hardware said: scripts find it as `raw` beside `value`."""

    def read_raw(self, sensor: str) -> Sequence[float]:
        """proximity, light: 8; ground: 4; ultrasound: 5. Entry i belongs to entry i of `read`."""
