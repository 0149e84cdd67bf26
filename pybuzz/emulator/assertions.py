"""What a good bridge never does, as checks of an emulator's log, and when robots stood still.

Each check gives the faults it found in words, none if all is well, so a test says `assert not faults(...)`. Times are
those of the log: seconds of the system's monotonic clock, which other processes of the machine share.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pybuzz.emulator.journal import Entry
from pybuzz.link.protocol import MAX_ORDER

__all__ = [
    "Bounds", "carelessness", "excessive_orders", "faults", "longest_gap", "overlapping_requests", "stands_since",
    "unstopped_disconnects", "zero_since",
]  # fmt: skip

_MOTION = frozenset("DFLA")
_STOP = "D,0,0"
_ROUNDING_S = 0.01


@dataclass(frozen=True, slots=True)
class Bounds:
    """limit: largest order in units; change: largest change from one order to the next; timeout_s: how long a client
    waits for a reply before it may ask again."""

    limit: int = MAX_ORDER
    change: int = 2 * MAX_ORDER
    timeout_s: float = 0.3


def faults(entries: Sequence[Entry], bounds: Bounds | None = None, *, loses_links: bool = False) -> list[str]:
    """Everything that a bridge did wrong. loses_links: robots whose link fails cannot be stopped over it."""
    bounds = bounds or Bounds()
    unstopped = [] if loses_links else unstopped_disconnects(entries)
    return [
        *unstopped,
        *excessive_orders(entries, bounds),
        *overlapping_requests(entries, bounds.timeout_s),
        *carelessness(entries),
    ]


def unstopped_disconnects(entries: Iterable[Entry]) -> list[str]:
    """Disconnects before which the last motion command was not an acknowledged zero order."""
    found = []
    for robot, own in _by_robot(entries):
        last, is_acknowledged = "", True
        for entry in own:
            if entry.kind == "received" and entry.letter in _MOTION:
                last, is_acknowledged = entry.line, False
            elif entry.kind == "sent" and last[:1].lower() in entry.line.splitlines():
                is_acknowledged = True
            elif entry.kind == "disconnected" and last and not (last == _STOP and is_acknowledged):
                told = "" if is_acknowledged else ", not acknowledged"
                found.append(f"robot {robot}: disconnected at {entry.t:.3f} after {last}{told}")
    return found


def excessive_orders(entries: Iterable[Entry], bounds: Bounds) -> list[str]:
    """Orders beyond the limit, or too far from the one before. An order to stop is not bound by the ramp."""
    found = []
    for robot, own in _by_robot(entries):
        before = (0, 0)
        for entry in own:
            orders = _orders(entry)
            if orders is None:
                continue
            if max(map(abs, orders)) > bounds.limit:
                found.append(f"robot {robot}: {entry.line} at {entry.t:.3f} is beyond {bounds.limit}")
            change = max(abs(new - old) for new, old in zip(orders, before, strict=True))
            if orders != (0, 0) and change > bounds.change:
                found.append(f"robot {robot}: {entry.line} at {entry.t:.3f} follows {before}, {change} away")
            before = orders
    return found


def overlapping_requests(entries: Iterable[Entry], timeout_s: float = 0.3) -> list[str]:
    """Requests that came before the last one was answered or its time-out had passed, and input thrown away by it."""
    found = []
    for robot, own in _by_robot(entries):
        waiting: Entry | None = None
        for entry in own:
            if entry.kind in ("sent", "connected"):
                waiting = None
            elif entry.kind == "flushed":
                found.append(f"robot {robot}: {entry.line!r} thrown away at {entry.t:.3f}")
            elif entry.kind == "received":
                if waiting is not None and entry.t - waiting.t < timeout_s - _ROUNDING_S:
                    pause = 1000.0 * (entry.t - waiting.t)
                    found.append(f"robot {robot}: {entry.line} at {entry.t:.3f}, {pause:.0f} ms after {waiting.line}")
                waiting = entry
    return found


def carelessness(entries: Iterable[Entry]) -> list[str]:
    """What a careful client never sends: short commands, numbers that do not fit, unknown letters."""
    return [f"robot {entry.robot}: {entry.details['text']}" for entry in entries if entry.kind == "oddity"]


def longest_gap(entries: Iterable[Entry], robot: int, after: float, before: float) -> float:
    """The longest time in s without a motion command to a robot, between two times."""
    times = [after, *(one.t for one in _motions(entries, robot) if after < one.t < before), before]
    return max(later - earlier for earlier, later in itertools.pairwise(times))


def zero_since(entries: Iterable[Entry], robot: int, after: float) -> float | None:
    """When, after a time, a robot was ordered to stop and not told otherwise any more; None: never."""
    since: float | None = None
    for entry in _motions(entries, robot):
        if entry.line != _STOP:
            since = None
        elif since is None:
            since = max(entry.t, after)
    return since


def stands_since(entries: Iterable[Entry], robot: int, after: float) -> float | None:
    """Since when, after a time, the wheels of a robot are at zero; None: they turn at the end of the log."""
    since: float | None = after
    for entry in entries:
        if entry.robot == robot and entry.kind in ("moving", "still"):
            since = max(entry.t, after) if entry.kind == "still" else None
    return since


def _motions(entries: Iterable[Entry], robot: int) -> Iterator[Entry]:
    return (one for one in entries if one.robot == robot and one.kind == "received" and one.letter in _MOTION)


def _orders(entry: Entry) -> tuple[int, int] | None:
    """The orders of a received `D`; zero after the motors were set up anew or reset."""
    if entry.kind != "received" or entry.letter not in ("D", "M", "Z"):
        return None
    parts = entry.line.split(",")[1:3]
    try:
        return (int(parts[0]), int(parts[1])) if len(parts) == 2 else (0, 0)
    except ValueError:
        return 0, 0


def _by_robot(entries: Iterable[Entry]) -> list[tuple[int, list[Entry]]]:
    robots: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.robot:
            robots.setdefault(entry.robot, []).append(entry)
    return sorted(robots.items())
