"""External poses: datagrams of a tracker, their transform, and how they join with the wheels' odometry."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Final

from pybuzz.link.odometry import Motion, Pose, advance, wrapped

__all__ = ["PoseEstimate", "Sample", "SampleStream", "Transform", "parse_datagram"]

_NEW_SESSION_S: Final = 1.0
_FASTEST_M_S: Final = 2.0
_SLACK_M: Final = 0.05
_JUMPS_BELIEVED: Final = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """One robot as a tracker saw it: x, y in m, yaw in rad, in the tracker's frame."""

    robot: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Transform:
    """From the tracker's frame to the arena's: scale, mirror (the tracker's y points right), turn, then move."""

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    scale: float = 1.0
    mirror: bool = False

    def apply(self, pose: Pose) -> Pose:
        x, y, yaw = pose[0] * self.scale, pose[1] * self.scale, pose[2]
        if self.mirror:
            y, yaw = -y, -yaw
        return placed((self.x, self.y, self.yaw), (x, y, yaw))


def placed(frame: Pose, pose: Pose) -> Pose:
    """A pose given in `frame`, in the frame in which `frame` itself is given."""
    sin, cos = math.sin(frame[2]), math.cos(frame[2])
    x, y, yaw = pose
    return frame[0] + cos * x - sin * y, frame[1] + sin * x + cos * y, wrapped(frame[2] + yaw)


def body_of(marker: Pose, offset: Pose) -> Pose:
    """The body's pose, from that of a marker which sits at `offset` in the body's frame."""
    yaw = wrapped(marker[2] - offset[2])
    sin, cos = math.sin(yaw), math.cos(yaw)
    return marker[0] - cos * offset[0] + sin * offset[1], marker[1] - sin * offset[0] - cos * offset[1], yaw


def parse_datagram(data: bytes) -> tuple[float, tuple[Sample, ...]]:
    """Time of the sender and samples of {"t": s, "robots": [{"id", "x", "y", "yaw"}]}. Raises ValueError.

    A robot without a position (no x, y, yaw, or null or NaN in them) was not seen: it has no sample.
    """
    try:
        message = json.loads(data)
        seen = (_sample(robot) for robot in message["robots"])
        return _finite(message["t"]), tuple(sample for sample in seen if sample is not None)
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError, UnicodeDecodeError) as error:
        raise ValueError(f"no pose datagram: {type(error).__name__} {error}") from None


def _sample(robot: Any) -> Sample | None:
    if type(robot["id"]) is not int:
        raise ValueError("an id is a whole number")
    values = [robot.get(key) for key in ("x", "y", "yaw")]
    if any(value is None or (type(value) is float and math.isnan(value)) for value in values):
        return None
    x, y, yaw = map(_finite, values)
    return Sample(robot["id"], (x, y, yaw))


def _finite(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return float(value)


@dataclass(slots=True)
class SampleStream:
    """Order of datagrams by their senders' clocks: the newest wins, a jump back by more than 1 s is a new session."""

    rejected: int = 0
    malformed: str = ""
    """What is wrong with the first datagram that is no pose datagram."""
    _newest: dict[object, float] = field(default_factory=dict)

    def take(self, sender: object, data: bytes) -> tuple[Sample, ...]:
        """The samples of a datagram, or none if it is malformed or late."""
        try:
            t, samples = parse_datagram(data)
        except ValueError as error:
            self.rejected += 1
            self.malformed = self.malformed or str(error)
            return ()
        newest = self._newest.get(sender, -math.inf)
        if newest - _NEW_SESSION_S <= t <= newest:
            self.rejected += 1
            return ()
        self._newest[sender] = t
        return samples


class PoseEstimate:
    """One robot's pose: the newest external one that is believed, continued by odometry. Times in s, steady clock."""

    def __init__(self, start: Pose, offset: Pose = (0.0, 0.0, 0.0)) -> None:
        self.pose = start
        self.seen_at = -math.inf
        """When an external pose was last believed."""
        self.rejected = 0
        self._offset = offset
        self._external: Pose | None = None
        self._jumps = 0

    def move(self, motion: Motion) -> None:
        """The wheels turned."""
        self.pose = advance(self.pose, motion.distance_m, motion.turn_rad)

    def see(self, marker: Pose, now: float) -> bool:
        """The robot's marker was seen; whether that is believed: not a jump, or one that stays."""
        body = body_of(marker, self._offset)
        if self._external is not None:
            limit = _FASTEST_M_S * max(0.0, now - self.seen_at) + _SLACK_M
            if math.dist(body[:2], self._external[:2]) > limit:
                self._jumps += 1
                if self._jumps < _JUMPS_BELIEVED:
                    self.rejected += 1
                    return False
        self._jumps = 0
        self._external = self.pose = body
        self.seen_at = now
        return True

    def age_s(self, now: float) -> float:
        """Since the last external pose that was believed."""
        return now - self.seen_at
