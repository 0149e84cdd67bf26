"""JSON schemas of the messages in our MCAP files: Foxglove's (docs.foxglove.dev), and one of ours for states."""

from __future__ import annotations

from typing import Any

__all__ = ["SCHEMAS"]

Schema = dict[str, Any]

_NUMBER: Schema = {"type": "number"}
_INTEGER: Schema = {"type": "integer"}
_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_TIME = _object(sec=_INTEGER, nsec=_INTEGER)
_VECTOR = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER)
_ROTATION = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_POSE = _object(position=_VECTOR, orientation=_ROTATION)
_COLOR = _object(r=_NUMBER, g=_NUMBER, b=_NUMBER, a=_NUMBER)
_SHAPE = _object(pose=_POSE, size=_VECTOR, color=_COLOR)
_CYLINDER = _object(pose=_POSE, size=_VECTOR, bottom_scale=_NUMBER, top_scale=_NUMBER, color=_COLOR)
_LINE = _object(
    type=_INTEGER, pose=_POSE, thickness=_NUMBER, scale_invariant=_FLAG, points=_array(_VECTOR), color=_COLOR,
    colors=_array(_COLOR), indices=_array(_INTEGER),
)  # fmt: skip
_WORDS = _object(pose=_POSE, billboard=_FLAG, font_size=_NUMBER, scale_invariant=_FLAG, color=_COLOR, text=_TEXT)
_ENTITY = _object(
    timestamp=_TIME, frame_id=_TEXT, id=_TEXT, lifetime=_TIME, frame_locked=_FLAG,
    metadata=_array(_object(key=_TEXT, value=_TEXT)), arrows=_array(_object()), cubes=_array(_SHAPE),
    spheres=_array(_SHAPE), cylinders=_array(_CYLINDER), lines=_array(_LINE), triangles=_array(_object()),
    texts=_array(_WORDS), models=_array(_object()),
)  # fmt: skip
_DELETION = _object(timestamp=_TIME, type=_INTEGER, id=_TEXT)
_TRANSFORM = _object(
    timestamp=_TIME, parent_frame_id=_TEXT, child_frame_id=_TEXT, translation=_VECTOR, rotation=_ROTATION
)

SCHEMAS: dict[str, Schema] = {
    "foxglove.FrameTransforms": _object(transforms=_array(_TRANSFORM)),
    "foxglove.SceneUpdate": _object(deletions=_array(_DELETION), entities=_array(_ENTITY)),
    "foxglove.Log": _object(timestamp=_TIME, level=_INTEGER, message=_TEXT, name=_TEXT, file=_TEXT, line=_INTEGER),
    "pybuzz.RobotState": _object(x=_NUMBER, y=_NUMBER, yaw=_NUMBER, leds=_array(_INTEGER), globals=_object()),
}
"""Name -> JSON schema."""
