"""What is measured of a run: expressions over built-in measures, or Python functions.

An expression is Python over numbers and arrays: `mean(final("state"))`, `distance_travelled / time`. It sees the
names below and nothing else. A function, FILE.py:NAME, takes the RunView and returns a number or a list of numbers.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.experiment.expressions import CONSTANTS, FUNCTIONS, fault_in, names_in, texts_given_to, value_of
from pybuzz.spelling import did_you_mean

if TYPE_CHECKING:
    from pybuzz.recording import Recording
    from pybuzz.sweep.messages import MessageCount

__all__ = ["NAMES", "RunView", "check_expression", "evaluate", "is_function", "mentions", "variables_of"]

CELL_M = 0.25
TOUCHING_M = 0.001

Array = NDArray[np.float64]


class RunView:
    """A finished run, as measures see it. Poses: float64[ticks + 1, robots, 3]; a robot that is not there is nan."""

    def __init__(self, recording: Recording, ended_early: bool, failed: int, messages: MessageCount | None) -> None:
        self.recording = recording
        self.failed = failed
        """How many scripts failed."""
        self._ended_early = ended_early
        self._messages = messages

    @property
    def ticks(self) -> int:
        return self.recording.ticks

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return self.ticks / self.recording.description.ticks_per_second

    @property
    def robots(self) -> int:
        return len(self.recording.robots)

    @property
    def stop_time(self) -> float:
        """Seconds until the hooks ended the run; nan if they did not."""
        return self.time if self._ended_early else math.nan

    @cached_property
    def distance_travelled(self) -> float:
        """Length of the way, m, mean over robots."""
        steps = np.diff(self.recording.poses[:, :, :2], axis=0)
        return float(np.nansum(np.hypot(steps[..., 0], steps[..., 1])) / max(self.robots, 1))

    @cached_property
    def order_parameter(self) -> float:
        """How much the headings agree at the end: |mean(exp(i yaw))|, 0 to 1."""
        return float(abs(np.nanmean(np.exp(1j * self.recording.poses[-1, :, 2]))))

    @cached_property
    def dispersion(self) -> float:
        """Mean distance of the robots from their centre at the end, m."""
        places = self.recording.poses[-1, :, :2]
        return float(np.nanmean(np.linalg.norm(places - np.nanmean(places, axis=0), axis=1)))

    def aggregation(self, distance: float = 0.3) -> float:
        """Share of the robots in the largest group at the end; robots nearer than `distance` (m) are one group."""
        places = self.recording.poses[-1, :, :2]
        near = np.linalg.norm(places[:, None] - places[None], axis=2) < distance
        return max(_group_sizes(near)) / max(self.robots, 1)

    def coverage(self, cell: float = CELL_M) -> float:
        """Share of the arena's cells (`cell` m wide) in which a robot has been."""
        arena = self.recording.description.arena
        if arena is None:
            return math.nan
        cells = np.maximum(np.ceil(np.array(arena.size) / cell).astype(int), 1)
        origin = np.array(arena.center) - np.array(arena.size) / 2
        places = self.recording.poses[:, :, :2].reshape(-1, 2)
        visited = np.floor((places[~np.isnan(places[:, 0])] - origin) / cell).astype(int)
        inside = ((visited >= 0) & (visited < cells)).all(axis=1)
        return len(np.unique(visited[inside], axis=0)) / int(cells.prod())

    @cached_property
    def collisions(self) -> int:
        """How often two robots began to touch."""
        radii = np.array([robot.radius for robot in self.recording.description.robots])
        reach = radii[:, None] + radii[None] + TOUCHING_M
        before = np.zeros_like(reach, dtype=bool)
        count = 0
        for places in self.recording.poses[:, :, :2]:
            touching = np.linalg.norm(places[:, None] - places[None], axis=2) < reach
            count += int(np.triu(touching & ~before, 1).sum())
            before = touching
        return count

    @property
    def messages_sent(self) -> int:
        """Messages that robots put on the air."""
        return self._messages.sent if self._messages else 0

    @property
    def messages_lost(self) -> int:
        """Messages that a robot within the sender's range did not receive, each counted once per such robot."""
        return self._messages.lost if self._messages else 0

    def final(self, name: str) -> Array:
        """A Buzz global at the end, float64[robots]; nan where it is no number."""
        last: Array = self.series(name)[-1]
        return last

    def series(self, name: str) -> Array:
        """A Buzz global over time, float64[ticks + 1, robots]."""
        values = self.recording.globals[name]
        numbers = [[value if isinstance(value, int | float) else math.nan for value in row] for row in values]
        return np.array(numbers, dtype=np.float64).reshape(values.shape)


def _group_sizes(near: NDArray[np.bool_]) -> list[int]:
    left, sizes = set(range(len(near))), [0]
    while left:
        group, edge = set[int](), {left.pop()}
        while edge:
            robot = edge.pop()
            group.add(robot)
            edge |= {int(other) for other in np.nonzero(near[robot])[0]} - group
        left -= group
        sizes.append(len(group))
    return sizes


PROPERTIES = (
    "collisions", "dispersion", "distance_travelled", "failed", "messages_lost", "messages_sent", "order_parameter",
    "robots", "stop_time", "ticks", "time",
)  # fmt: skip
VARIABLE_METHODS = ("final", "series")
METHODS = ("aggregation", "coverage", *VARIABLE_METHODS)
NAMES = (*PROPERTIES, *METHODS, *FUNCTIONS, *CONSTANTS)


def is_function(text: str) -> bool:
    """Whether a measure is FILE.py:NAME rather than an expression."""
    return ".py:" in text


def check_expression(text: str) -> tuple[str, str] | None:
    """What is wrong with an expression and what to do, or None."""
    return fault_in(
        text, (*PROPERTIES, *METHODS), noun="measure", example='mean(final("state"))',
        otherwise="write a Python function: FILE.py:NAME",
    )  # fmt: skip


def mentions(expressions: Iterable[str], names: Iterable[str]) -> bool:
    """Whether any of these expressions uses one of the names; a Python function may use all."""
    wanted = set(names)
    return any(is_function(text) or wanted & set(names_in(text)) for text in expressions)


def variables_of(expressions: Iterable[str]) -> list[str]:
    """The Buzz globals that expressions read by final("NAME") and series("NAME")."""
    found: dict[str, None] = {}
    for text in expressions:
        if not is_function(text):
            found.update(dict.fromkeys(texts_given_to(VARIABLE_METHODS, text)))
    return list(found)


def evaluate(text: str, view: RunView) -> float | list[float]:
    """One measure of a run. Raises InputError if the expression or function fails or gives something else."""
    try:
        value = _function(text)(view) if is_function(text) else _value_of(text, view)
        number = np.asarray(value, dtype=float)
    except InputError:
        raise
    except Exception as error:
        raise InputError.at(text, f"the measure failed: {type(error).__name__}: {error}") from error
    return float(number) if number.ndim == 0 else [float(item) for item in number.ravel()]


def _value_of(text: str, view: RunView) -> Any:
    """Only names that are used are computed."""
    used = set(names_in(text)) & {*PROPERTIES, *METHODS}
    return value_of(text, {name: getattr(view, name) for name in used})


def _function(text: str) -> Callable[[RunView], Any]:
    file, _, name = text.rpartition(":")
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    if spec is None or spec.loader is None:
        raise InputError.at(file, "this is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, name, None)):
        hint = did_you_mean(name, vars(module)) or ""
        raise InputError.at(file, f"there is no function '{name}' in it", hint=hint)
    found: Callable[[RunView], Any] = getattr(module, name)
    return found
