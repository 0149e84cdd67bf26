"""What pages may say: one JSON object a message, each kind with its fields."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from pybuzz.spelling import did_you_mean

__all__ = ["VERSION", "RequestError", "read_request"]

VERSION = 1

_MOST_ITEMS = 10_000


class RequestError(ValueError):
    """Why a message is not understood; `request` is its type, if it has one."""

    def __init__(self, request: str, text: str) -> None:
        super().__init__(text)
        self.request = request
        self.text = text


def read_request(text: str | bytes) -> dict[str, Any]:
    """The message of a page: a dictionary whose `type` is known and whose fields are what the protocol says.

    Raises RequestError.
    """
    try:
        message: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestError("", "this is no JSON") from None
    if not isinstance(message, dict) or not isinstance(kind := message.get("type"), str):
        raise RequestError("", 'a message is an object with a "type"')
    if kind not in _FIELDS:
        name = kind[:40]
        raise RequestError(name, did_you_mean(name, _FIELDS) or f"there is no message '{name}'")
    for field, fits in _FIELDS[kind].items():
        if not fits(message.get(field)):
            raise RequestError(kind, f"'{field}' of '{kind}' is missing or not what it should be")
    return message


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_value(value: Any) -> bool:
    return _is_text(value) or _is_number(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**32


def _or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= _MOST_ITEMS and all(map(fits, value))


def _one_of(*known: str) -> Callable[[Any], bool]:
    return lambda value: value in known if isinstance(value, str) else False


def _is_factor(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_line(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("file")) and _is_count(value.get("line"))


def _is_item(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_text(value.get("kind")):
        return False
    size = value.get("size")
    return (
        all(_is_number(value.get(name)) for name in ("x", "y"))
        and all(_or_none(_is_number)(value.get(name)) for name in ("yaw", "radius"))
        and (size is None or (_list_of(_is_number)(size) and len(size) == 2))
        and _or_none(_is_text)(value.get("script"))
    )


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "hello": {"version": _is_count},
    "play": {},
    "pause": {},
    "step": {"ticks": _or_none(_is_count)},
    "speed": {"factor": _or_none(_is_factor)},
    "reset": {},
    "continue_from": {"tick": _is_count},
    "show": {"tick": _or_none(_is_count)},
    "select": {"robot": _or_none(_is_text)},
    "layers": {"names": _list_of(_one_of("rays", "links", "messages", "notes", "commands"))},
    "move": {"name": _is_text, "x": _is_number, "y": _is_number, "yaw": _is_number},
    "add": {"item": _is_item},
    "remove": {"name": _is_text},
    "set": {"robot": _is_text, "name": _is_text, "value": _or_none(_is_value), "value_kind": _or_none(_is_text)},
    "breakpoints": {"lines": _list_of(_is_line)},
    "debug": {"action": _one_of("continue", "into", "over", "out")},
    "check": {"file": _is_text, "text": _is_text},
}
