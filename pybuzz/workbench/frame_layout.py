"""The bytes of frames, as docs/workbench-protocol.md has them: for those who make frames and those who read them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["FAILED", "STOPPED", "build_frame", "look_up_robot", "revision_of", "tick_of"]

FAILED: Final = 1
STOPPED: Final = 2
_HEADER: Final = struct.Struct("<4I")
_PLACE: Final = struct.Struct("<3f")


def build_frame(
    tick: int,
    revision: int,
    robots: npt.NDArray[np.floating[Any]],
    objects: npt.NDArray[np.floating[Any]],
    lights: npt.NDArray[np.uint8],
) -> bytes:
    """robots, objects: float[n, 3] and float[m, 3], x, y in m, yaw in rad. lights: uint8[n, 4], LEDs and flags."""
    header = _HEADER.pack(tick, revision, len(robots), len(objects))
    return b"".join((header, _place_bytes(robots), _place_bytes(objects), lights.tobytes()))


def tick_of(frame: bytes) -> int:
    return int.from_bytes(frame[:4], "little")


def revision_of(frame: bytes) -> int:
    """The scene that a frame belongs to."""
    return int.from_bytes(frame[4:8], "little")


def look_up_robot(frame: bytes, index: int) -> tuple[Sequence[float], int]:
    """The place (x, y in m, yaw in rad) and the flags of the robot with this index in the frame's scene."""
    _, _, robots, objects = _HEADER.unpack_from(frame)
    place = _PLACE.unpack_from(frame, _HEADER.size + _PLACE.size * index)
    return place, frame[_HEADER.size + _PLACE.size * (robots + objects) + 4 * index + 3]


def _place_bytes(places: npt.NDArray[np.floating[Any]]) -> bytes:
    return places.astype("<f4", copy=False).tobytes()
