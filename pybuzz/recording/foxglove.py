"""A recording as an MCAP file that Foxglove and Lichtblick open: poses, markers, log, and values to plot.

Messages are JSON of Foxglove's own schemas (docs.foxglove.dev/docs/visualization/message-schemas); its 3D panel shows
`/tf`, `/arena` and `/robots`, its Log panel `/log`, its Plot panel for instance `/state/kh1.x`. Times count from the
start of the run: nothing in the file tells when it was made.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pybuzz import __version__
from pybuzz.errors import InputError
from pybuzz.extras import require
from pybuzz.recording.description import ObstacleMark, RobotMark
from pybuzz.recording.drafts import drafted
from pybuzz.recording.foxglove_schemas import SCHEMAS
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import moving_objects, placed, still_lights, still_obstacles

__all__ = ["write_mcap"]

_FRAME = "arena"
_OBSTACLE_HEIGHT_M, _ROBOT_HEIGHT_M = 0.2, 0.06
_INFO, _ERROR = 2, 4
"""Levels of foxglove.Log."""
_SOLID, _MOVABLE, _BODY = (0.72, 0.72, 0.72, 1.0), (0.93, 0.93, 0.93, 1.0), (0.24, 0.36, 0.46, 1.0)
_LIGHT, _NOSE = (0.94, 0.78, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)

Json = dict[str, Any]


class _Message(NamedTuple):
    topic: str
    schema: str
    tick: int
    content: Json


def write_mcap(recording: Recording, path: Path) -> None:
    """Write the recording to `path`. Equal recordings give equal files.

    Raises InputError if the package mcap is missing, the recording holds no poses, or the file cannot be written.
    """
    require("mcap", "mcap", place="export", purpose="writing .mcap")
    from mcap.writer import Writer

    if not np.isfinite(recording.poses).any():
        raise InputError.at(recording.description.experiment, "the recording holds no poses to export")
    per_second = recording.description.ticks_per_second
    with drafted(path) as draft, draft.open("wb") as file:
        writer = Writer(file)
        writer.start(profile="", library=f"pybuzz {__version__}")
        schemas = {
            name: writer.register_schema(name, "jsonschema", json.dumps(SCHEMAS[name]).encode()) for name in SCHEMAS
        }
        channels: dict[str, int] = {}
        for number, message in enumerate(_messages(recording)):
            topic = message.topic
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, "json", schemas[message.schema])
            time = message.tick * 1_000_000_000 // per_second
            data = json.dumps(message.content, allow_nan=False).encode()
            writer.add_message(channels[topic], time, data, time, sequence=number)
        writer.finish()  # type: ignore[no-untyped-call]


def _messages(recording: Recording) -> Iterator[_Message]:
    """All messages in order of time."""
    yield _Message("/arena", "foxglove.SceneUpdate", 0, _arena(recording))
    log = _by_tick(_log(recording))
    markers = _by_tick(chain(_pushed(recording), _markers(recording)))
    for tick in range(recording.ticks + 1):
        yield _Message("/tf", "foxglove.FrameTransforms", tick, _transforms(recording, tick))
        yield from markers.get(tick, ())
        yield from _states(recording, tick)
        yield from log.get(tick, ())


def _by_tick(messages: Iterator[_Message]) -> dict[int, list[_Message]]:
    found: dict[int, list[_Message]] = {}
    for message in messages:
        found.setdefault(message.tick, []).append(message)
    return found


def _transforms(recording: Recording, tick: int) -> Json:
    time = _time(recording, tick)
    return {
        "transforms": [
            {
                "timestamp": time, "parent_frame_id": _FRAME, "child_frame_id": name,
                "translation": _vector(x, y, mark.altitude), "rotation": _rotation(yaw),
            }
            for mark, name, (x, y, yaw) in zip(
                recording.description.robots, recording.robots, recording.poses[tick].tolist(), strict=True
            )
            if math.isfinite(x)
        ]
    }  # fmt: skip


def _markers(recording: Recording) -> Iterator[_Message]:
    """A body for each robot, fixed to its frame: anew when its LEDs change, deleted when it leaves."""
    there = np.isfinite(recording.poses[:, :, 0])
    for index, mark in enumerate(recording.description.robots):
        leds = recording.leds[:, index].astype(int)
        previous = np.concatenate([[[-1, -1, -1]], leds[:-1]])
        arrived = there[:, index] & ~np.concatenate([[False], there[:-1, index]])
        changed = there[:, index] & (leds != previous).any(axis=1)
        left = ~there[:, index] & np.concatenate([[False], there[:-1, index]])
        for tick in np.flatnonzero(arrived | changed).tolist():
            entity = _robot(mark, leds[tick].tolist(), _time(recording, tick))
            yield _Message("/robots", "foxglove.SceneUpdate", tick, {"deletions": [], "entities": [entity]})
        for tick in np.flatnonzero(left).tolist():
            yield _Message("/robots", "foxglove.SceneUpdate", tick, _deletion(mark.name, _time(recording, tick)))


def _pushed(recording: Recording) -> Iterator[_Message]:
    """The obstacles that move, anew wherever they are at another place than before; deleted when taken out."""
    for mark, way in moving_objects(recording):
        earlier = np.concatenate([np.full((1, 3), np.nan), way[:-1]])
        there, was = np.isfinite(way[:, 0]), np.isfinite(earlier[:, 0])
        for tick in np.flatnonzero(there & (way != earlier).any(axis=1)).tolist():
            entity = _obstacle(placed(mark, way[tick]), _time(recording, tick))
            yield _Message("/arena", "foxglove.SceneUpdate", tick, {"deletions": [], "entities": [entity]})
        for tick in np.flatnonzero(was & ~there).tolist():
            yield _Message("/arena", "foxglove.SceneUpdate", tick, _deletion(mark.name, _time(recording, tick)))


def _deletion(name: str, time: Json) -> Json:
    return {"deletions": [{"timestamp": time, "type": 0, "id": name}], "entities": []}


def _robot(mark: RobotMark, leds: list[int], time: Json) -> Json:
    color = (*(value / 255 for value in leds), 1.0) if any(leds) else _BODY
    size = 2 * mark.radius
    body = {
        "pose": _pose(0.0, 0.0, _ROBOT_HEIGHT_M / 2), "size": _vector(size, size, _ROBOT_HEIGHT_M),
        "bottom_scale": 1.0, "top_scale": 1.0, "color": _color(color),
    }  # fmt: skip
    nose = {
        "pose": _pose(mark.radius / 2, 0.0, _ROBOT_HEIGHT_M), "size": _vector(mark.radius, 0.02, 0.01),
        "color": _color(_NOSE),
    }  # fmt: skip
    name = {
        "pose": _pose(0.0, 0.0, 0.2), "billboard": True, "font_size": 14.0, "scale_invariant": True,
        "color": _color((0.5, 0.5, 0.5, 1.0)), "text": mark.name,
    }  # fmt: skip
    return _entity(mark.name, mark.name, time, cylinders=[body], cubes=[nose], texts=[name], locked=True)


def _arena(recording: Recording) -> Json:
    description, time = recording.description, _time(recording, 0)
    entities = [_obstacle(obstacle, time) for obstacle in still_obstacles(recording)]
    for number, (x, y) in enumerate(still_lights(recording)):
        lamp = {"pose": _pose(x, y, 0.3), "size": _vector(0.1, 0.1, 0.1), "color": _color(_LIGHT)}
        entities.append(_entity(f"light {number}", _FRAME, time, spheres=[lamp]))
    if description.arena is not None:
        (x, y), (width, height) = description.arena.center, description.arena.size
        points = [(x + a * width / 2, y + b * height / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        outline = {
            "type": 1, "pose": _pose(0.0, 0.0, 0.0), "thickness": 2.0, "scale_invariant": True,
            "points": [_vector(*point, 0.0) for point in points], "color": _color(_SOLID), "colors": [], "indices": [],
        }  # fmt: skip
        entities.append(_entity("outline of the arena", _FRAME, time, lines=[outline]))
    return {"deletions": [], "entities": entities}


def _obstacle(obstacle: ObstacleMark, time: Json) -> Json:
    shape: Json = {
        "pose": _pose(*obstacle.position, _OBSTACLE_HEIGHT_M / 2, obstacle.yaw),
        "size": _vector(*obstacle.size, _OBSTACLE_HEIGHT_M),
        "color": _color(_MOVABLE if obstacle.movable else _SOLID),
    }
    if obstacle.shape == "cylinder":
        return _entity(obstacle.name, _FRAME, time, cylinders=[{**shape, "bottom_scale": 1.0, "top_scale": 1.0}])
    return _entity(obstacle.name, _FRAME, time, cubes=[shape])


def _entity(name: str, frame: str, time: Json, *, locked: bool = False, **shapes: list[Json]) -> Json:
    kinds = ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models")
    return {
        "timestamp": time, "frame_id": frame, "id": name, "lifetime": {"sec": 0, "nsec": 0}, "frame_locked": locked,
        "metadata": [], **{kind: shapes.get(kind, []) for kind in kinds},
    }  # fmt: skip


def _states(recording: Recording, tick: int) -> Iterator[_Message]:
    """Per robot what can be plotted: pose, LEDs, recorded sensors and variables."""
    for index, name in enumerate(recording.robots):
        x, y, yaw = recording.poses[tick, index].tolist()
        if math.isfinite(x):
            state: Json = {"x": x, "y": y, "yaw": yaw, "leds": recording.leds[tick, index].tolist()}
            state |= {sensor: _finite(values[tick, index].tolist()) for sensor, values in recording.sensors.items()}
            variables = {variable: _plain(values[tick, index]) for variable, values in recording.globals.items()}
            yield _Message(f"/state/{name}", "pybuzz.RobotState", tick, {**state, "globals": variables})


def _log(recording: Recording) -> Iterator[_Message]:
    for line in recording.log:
        yield _log_message(recording, line.tick, line.robot, line.text, _INFO)
    for event in recording.events:
        if event.kind == "failed":
            yield _log_message(recording, event.tick, event.robot, event.text, _ERROR)


def _log_message(recording: Recording, tick: int, robot: str, text: str, level: int) -> _Message:
    content = {
        "timestamp": _time(recording, tick), "level": level, "message": text, "name": robot, "file": "", "line": 0,
    }  # fmt: skip
    return _Message("/log", "foxglove.Log", tick, content)


def _time(recording: Recording, tick: int) -> Json:
    per_second = recording.description.ticks_per_second
    seconds, rest = divmod(tick, per_second)
    return {"sec": seconds, "nsec": rest * 1_000_000_000 // per_second}


def _vector(x: float, y: float, z: float) -> Json:
    return {"x": x, "y": y, "z": z}


def _rotation(yaw: float) -> Json:
    return {"x": 0.0, "y": 0.0, "z": math.sin(yaw / 2), "w": math.cos(yaw / 2)}


def _pose(x: float, y: float, z: float, yaw: float = 0.0) -> Json:
    return {"position": _vector(x, y, z), "orientation": _rotation(yaw)}


def _color(color: tuple[float, ...]) -> Json:
    return dict(zip("rgba", color, strict=True))


def _finite(values: list[float]) -> list[float | None]:
    """JSON has no nan and no inf."""
    return [value if math.isfinite(value) else None for value in values]


def _plain(value: Any) -> Any:
    """A variable as JSON."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
