"""A fleet as plain data: which robots, on which lines, within which limits. m, s, rad."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pybuzz.link.addresses import Address
from pybuzz.link.odometry import Pose
from pybuzz.link.positions import Transform

__all__ = ["Fleet", "FleetRobot", "PoseSource", "RadioSettings", "SafetySettings"]

ORIGIN: Pose = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FleetRobot:
    """One robot.

    start: its pose before the run. calibration: a file; None takes the values of an uncalibrated robot. script: its
    own one. relay: host and port of the stop port of the relay on it. laser: the line of its laser scanner.
    marker: where the tracker's marker sits on the body. firmware: what `B` must answer. period_s:
    control period; what the line can keep unless the file says otherwise.
    """

    id: int
    name: str
    link: Address
    start: Pose = ORIGIN
    calibration: Path | None = None
    script: Path | None = None
    relay: tuple[str, int] | None = None
    laser: Address | None = None
    marker: Pose = ORIGIN
    period_s: float = 0.1
    firmware: str = "B 5"

    def __str__(self) -> str:
        return f"{self.name} ({self.link})"


@dataclass(frozen=True, slots=True)
class PoseSource:
    """Where poses come from. stale_s: older external poses are continued by odometry; stop_after_s: older ones stop
    a robot whose script reads its pose or its neighbours; 0 never does."""

    source: Literal["odometry", "udp"] = "odometry"
    address: str = "127.0.0.1"
    port: int = 7777
    stale_s: float = 0.3
    stop_after_s: float = 2.0
    transform: Transform = field(default_factory=Transform)


@dataclass(frozen=True, slots=True)
class RadioSettings:
    """Of the packets between robots: range in m, bytes of a packet, share of packets lost, whether robots block."""

    range_m: float = 1.0
    data_size: int = 100
    loss: float = 0.0
    occlusion: bool = True
    seed: int = 1


@dataclass(frozen=True, slots=True)
class SafetySettings:
    """link_lost: what a broken link means for the run: try to `reconnect` that robot, or `end` it for all. resume:
    whether a robot that came back drives on. on_error: what a failed script stops."""

    link_lost: Literal["reconnect", "end"] = "reconnect"
    resume: bool = False
    on_error: Literal["stop-robot", "stop-run"] = "stop-run"


@dataclass(frozen=True, slots=True)
class Fleet:
    """All of a fleet file. wheel_speed: the limit of each wheel in m/s."""

    file: str
    robots: tuple[FleetRobot, ...]
    wheel_speed: float = 0.2
    pose: PoseSource = PoseSource()
    radio: RadioSettings = RadioSettings()
    safety: SafetySettings = SafetySettings()

    @property
    def period_s(self) -> float:
        """The shortest control period: that of the run's ticks."""
        return min(robot.period_s for robot in self.robots)
