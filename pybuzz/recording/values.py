"""What of a recording can be drawn over time: poses, speeds, distances, sensors, the scripts' variables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pybuzz.errors import InputError
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import seen_poses
from pybuzz.spelling import did_you_mean

__all__ = ["MOTION", "PACKETS", "Numbers", "Values", "values_of"]

Numbers = npt.NDArray[np.float64]

MOTION = {"x": "m", "y": "m", "yaw": "rad", "speed": "m/s", "distance": "m", "nearest": "m"}
"""What every recording with poses has, with its unit. distance: of each pair; nearest: to the nearest other robot."""

PACKETS = {"received": "packets", "lost": "packets"}
"""What recordings with messages have: of those sent to a robot, how many arrived in a tick, and how many did not."""

_REDUCERS: dict[str, Callable[..., Numbers]] = {"max": np.nanmax, "min": np.nanmin, "mean": np.nanmean}
_MOST_DISTANCES = 20_000_000
"""Numbers held at once; of larger swarms the distances are taken at fewer ticks."""


@dataclass(frozen=True, slots=True)
class Values:
    """One quantity over time.

    times        float64[n]   s
    lines        what each column is: a robot, or a pair
    numbers      float64[n, columns]; nan where there is no value
    categories   if the values are texts: the texts, by number
    """

    name: str
    unit: str
    times: Numbers
    lines: list[str]
    numbers: Numbers
    categories: tuple[str, ...] = ()


def values_of(recording: Recording, name: str, robots: Sequence[int]) -> Values:
    """The values of `name` for these robots (indices).

    name    a recorded variable, else one of MOTION or PACKETS, or a recorded sensor: NAME if it has one value,
            NAME[2] for its third, or NAME.max, NAME.min, NAME.mean over all its values

    Raises InputError if nothing of that name was recorded, or it holds nothing that can be drawn.
    """
    per_second = recording.description.ticks_per_second
    times = np.arange(recording.ticks + 1) / per_second
    lines = [recording.robots[index] for index in robots]
    if name in recording.globals:
        return _variable(recording, name, robots, times, lines)
    if name in ("distance", "nearest"):
        return _distances(recording, name, robots, times)
    if name in MOTION:
        return Values(name, MOTION[name], times, lines, _motion(seen_poses(recording, robots), name, per_second))
    if name in PACKETS and name not in recording.sensors:
        return Values(name, PACKETS[name], times, lines, _packets(recording, name)[:, robots])
    return Values(name, "", times, lines, _sensor(recording, name)[:, robots])


def _motion(poses: Numbers, name: str, per_second: int) -> Numbers:
    if name != "speed":
        return poses[:, :, ("x", "y", "yaw").index(name)]
    steps = np.linalg.norm(np.diff(poses[:, :, :2], axis=0), axis=2) * per_second
    return np.concatenate([np.full((1, poses.shape[1]), np.nan), steps])


def _distances(recording: Recording, name: str, robots: Sequence[int], times: Numbers) -> Values:
    names = recording.robots
    if len(robots) < 2:
        text = f"'{name}' needs two robots or more"
        raise InputError.at(recording.description.experiment, text)
    places = seen_poses(recording, robots)[:, :, :2]
    first, second = np.triu_indices(len(robots), 1)
    rows = np.linspace(0, len(times) - 1, max(2, min(len(times), _MOST_DISTANCES // len(first)))).round().astype(int)
    apart = np.stack([np.linalg.norm(places[row, first] - places[row, second], axis=1) for row in rows])
    if name == "distance":
        pairs = [
            f"{names[robots[a]]} - {names[robots[b]]}" for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ]
        return Values(name, "m", times[rows], pairs, apart)
    nearest = np.full((len(rows), len(robots)), np.inf)
    for ends in (first, second):
        for index in range(len(robots)):
            of_it = apart[:, ends == index]
            if of_it.shape[1]:
                nearest[:, index] = np.fmin(nearest[:, index], np.fmin.reduce(of_it, axis=1))
    nearest[~np.isfinite(nearest)] = np.nan
    return Values(name, "m", times[rows], [names[index] for index in robots], nearest)


def _variable(recording: Recording, name: str, robots: Sequence[int], times: Numbers, lines: list[str]) -> Values:
    """Numbers as they are; texts by number, in order of the alphabet."""
    found = recording.globals[name][:, robots]
    texts = sorted({value for value in found.ravel() if isinstance(value, str)})
    numbers = np.vectorize(_number, otypes=[np.float64])(found, {text: index for index, text in enumerate(texts)})
    if not np.isfinite(numbers).any():
        text = f"the variable '{name}' never holds a number or a text"
        raise InputError.at(recording.description.experiment, text, hint="tables are in: pybuzz query")
    return Values(name, "", times, lines, numbers, tuple(texts))


def _number(value: Any, texts: dict[str, int]) -> float:
    if isinstance(value, str):
        return float(texts[value])
    return float(value) if isinstance(value, int | float) else math.nan


def _packets(recording: Recording, name: str) -> Numbers:
    """float64[ticks + 1, robots]: packets received or lost; nan before the first tick and where a robot was not."""
    messages = recording.messages
    if messages is None:
        text = f"'{name}' needs a recording with messages"
        raise InputError.at(recording.description.experiment, text, hint="record with: pybuzz run --record-messages")
    rows = messages.of(messages.received == (name == "received"))
    counts = np.where(np.isfinite(recording.poses[:, :, 0]), 0.0, np.nan)
    counts[0] = np.nan
    np.add.at(counts, (rows.ticks, rows.receivers), 1.0)
    return counts


def _sensor(recording: Recording, name: str) -> Numbers:
    """One value per tick and robot of what `name` says about a sensor."""
    match = re.fullmatch(r"(.+?)(?:\[(\d+)\]|\.(max|min|mean))?", name)
    sensor = match[1] if match else name
    if match is None or sensor not in recording.sensors:
        raise InputError.at(
            recording.description.experiment, f"'{name}' was not recorded", hint=_offer(recording, name)
        )
    values = recording.sensors[sensor]
    width = values.shape[2]
    if match[3]:
        reduced: Numbers = np.full(values.shape[:2], np.nan)
        there = np.isfinite(values).any(axis=2)
        reduced[there] = _REDUCERS[match[3]](values[there], axis=1)
        return reduced
    if (match[2] is None and width > 1) or int(match[2] or 0) >= width:
        text = f"the sensor '{sensor}' has {width} values; which?"
        hint = f"say {sensor}[0] to {sensor}[{width - 1}], {sensor}.max, {sensor}.min or {sensor}.mean"
        raise InputError.at(recording.description.experiment, text, hint=hint)
    return values[:, :, int(match[2] or 0)]


def _offer(recording: Recording, name: str) -> str:
    packets = PACKETS if recording.messages is not None else {}
    known = [*MOTION, *packets, *recording.globals, *recording.sensors]
    more = "record more with: pybuzz run --record-globals NAME --record-sensors NAME"
    return did_you_mean(name, known) or f"there are: {', '.join(known)}; {more}"
