"""What a picture of a recording shows, in m: which robots, which times, and the part of the plane they need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.description import ObstacleMark
from pybuzz.recording.recording import ObjectWays, Recording
from pybuzz.spelling import did_you_mean

__all__ = [
    "MovingObject", "chosen_robots", "corners", "extent", "lights_at", "moving_objects", "obstacles_at", "placed",
    "round_length", "seen_poses", "still_lights", "still_obstacles", "tick_at", "title_of",
]  # fmt: skip

Points = npt.NDArray[np.float64]

MovingObject = tuple[ObstacleMark, Points]
"""An obstacle and its way: float64[ticks + 1, 3], x, y in m, yaw in rad; nan where it is not there."""

_SMALLEST_VIEW_M = 0.1


def chosen_robots(recording: Recording, robots: Sequence[str] | None) -> list[int]:
    """Indices of the robots named; None: all. Raises InputError for a name that the recording does not have."""
    names = recording.robots
    if robots is None:
        return list(range(len(names)))
    for name in robots:
        if name not in names:
            text = f"the recording has no robot '{name}'"
            raise InputError.at(recording.description.experiment, text, hint=did_you_mean(name, names) or "")
    return [names.index(name) for name in robots]


def seen_poses(recording: Recording, robots: Sequence[int]) -> Points:
    """float64[ticks + 1, robots, 3] of these robots. Raises InputError if none of them was ever anywhere."""
    poses = recording.poses[:, robots]
    if not np.isfinite(poses).any():
        raise InputError.at(recording.description.experiment, "the recording holds no poses to draw")
    return poses


def tick_at(recording: Recording, seconds: float | None, option: str) -> int:
    """The tick at this time; None: the last. Raises InputError, naming the option, for a time outside of the run."""
    per_second = recording.description.ticks_per_second
    if seconds is None:
        return recording.ticks
    tick = round(seconds * per_second) if math.isfinite(seconds) else -1
    if not 0 <= tick <= recording.ticks:
        length = recording.ticks / per_second
        raise InputError.at(option, f"{seconds:g} s is not in the recording, which is from 0 to {length:g} s")
    return tick


def title_of(recording: Recording, robots: int) -> str:
    """The experiment, how many robots are drawn, its length and its seed."""
    description = recording.description
    seconds = recording.ticks / description.ticks_per_second
    counted = "1 robot" if robots == 1 else f"{robots} robots"
    return f"{Path(description.experiment).name}: {counted}, {seconds:g} s, seed {description.seed}"


def extent(recording: Recording, poses: Points, margin: float) -> tuple[Points, Points]:
    """The lower left and upper right corner of all there is to see, with a rim: float64[2] each.

    poses    float64[ticks, robots, 3], some of them finite
    margin   m around every pose: the size of a robot
    """
    points = [np.nanmin(poses, axis=(0, 1))[:2] - margin, np.nanmax(poses, axis=(0, 1))[:2] + margin]
    arena = recording.description.arena
    if arena is not None:
        center, half = np.array(arena.center), np.array(arena.size) / 2
        points += [center - half, center + half]
    for view in recording.views.values():
        points += [np.array(view.corner), np.array(view.upper_right)]
    for obstacle in still_obstacles(recording):
        points += list(corners(obstacle))
    for mark, ways in moving_objects(recording):
        reach = math.hypot(*mark.size) / 2
        points += [np.nanmin(ways, axis=0)[:2] - reach, np.nanmax(ways, axis=0)[:2] + reach]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    rim = max(0.02 * max(high - low), (_SMALLEST_VIEW_M - min(high - low)) / 2)
    return low - rim, high + rim


def still_obstacles(recording: Recording) -> list[ObstacleMark]:
    """The obstacles that stood at one place from the first tick to the last, as they stood."""
    ways = recording.objects
    still = dict(zip(ways.obstacles.tolist(), ~_moves(ways), strict=True))
    marks = enumerate(recording.description.obstacles)
    return [mark for index, mark in marks if still.get(index, mark.since == 0)]


def moving_objects(recording: Recording) -> list[MovingObject]:
    """The other obstacles that were ever anywhere, with their ways."""
    ways, marks = recording.objects, recording.description.obstacles
    moving = np.flatnonzero(_moves(ways) & np.isfinite(ways.poses[:, :, 0]).any(axis=0))
    return [(marks[ways.obstacles[column]], ways.poses[:, column]) for column in moving.tolist()]


def _moves(ways: ObjectWays) -> npt.NDArray[np.bool_]:
    """bool[n]: whether each was ever elsewhere than in the first row, or not there."""
    moves: npt.NDArray[np.bool_] = (ways.poses != ways.poses[:1]).any(axis=(0, 2))
    return moves


def obstacles_at(recording: Recording, tick: int) -> list[ObstacleMark]:
    """All obstacles that are there at the end of a tick, as they stand then."""
    moving = [placed(mark, ways[tick]) for mark, ways in moving_objects(recording) if math.isfinite(ways[tick, 0])]
    return still_obstacles(recording) + moving


def placed(mark: ObstacleMark, pose: Points) -> ObstacleMark:
    """The obstacle as it stands at x, y, yaw."""
    x, y, yaw = pose.tolist()
    return replace(mark, position=(x, y), yaw=yaw)


def still_lights(recording: Recording) -> list[tuple[float, float]]:
    """(x, y) of the lights that were there from the first tick to the last."""
    return [(stay.x, stay.y) for stay in recording.lights if stay.since == 0 and stay.until is None]


def lights_at(recording: Recording, tick: int) -> list[tuple[float, float]]:
    """(x, y) of the lights that are there at the end of a tick."""
    return [
        (stay.x, stay.y)
        for stay in recording.lights
        if stay.since <= tick and (stay.until is None or tick < stay.until)
    ]


def corners(obstacle: ObstacleMark) -> Points:
    """The corners of a box, or of the square around a cylinder: float64[4, 2]."""
    half_x, half_y = obstacle.size[0] / 2, obstacle.size[1] / 2
    outline = np.array([[half_x, half_y], [-half_x, half_y], [-half_x, -half_y], [half_x, -half_y]])
    cosine, sine = math.cos(obstacle.yaw), math.sin(obstacle.yaw)
    turned: Points = outline @ np.array([[cosine, sine], [-sine, cosine]])
    turned += np.array(obstacle.position)
    return turned


def round_length(most: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not above `most` (> 0)."""
    power = 10.0 ** math.floor(math.log10(most))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= most)
