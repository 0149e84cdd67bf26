"""Jobs at work: each is a hook like those that people write."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import Diagnostic, InputError, Place, PybuzzError
from pybuzz.experiment.expressions import names_in, value_of
from pybuzz.experiment.hooks import Color, Hooks
from pybuzz.experiment.jobs import Change, Painting, Stop, ValuesSet, Writing
from pybuzz.experiment.plan import Plan
from pybuzz.experiment.setup import floor_image
from pybuzz.sim.floors import ImageFloor, load_floor
from pybuzz.spelling import did_you_mean

if TYPE_CHECKING:
    from pybuzz.experiment.experiment import Experiment

__all__ = ["job_hooks"]

WHITE = (255.0, 255.0, 255.0)


def job_hooks(plan: Plan) -> list[Hooks]:
    """The hooks that do the jobs of a plan. Raises InputError for a floor image that cannot be read."""
    jobs = plan.jobs
    if jobs is None:
        return []
    found: list[Hooks] = [_Settings(jobs.values_set)] if jobs.values_set else []
    if jobs.painting is not None:
        found.append(_Painter(jobs.painting, plan))
    if jobs.changes:
        found.append(_Changer(jobs.changes))
    found += [_Writer(writing) for writing in jobs.writings]
    return [*found, *(_Stopper(stop) for stop in jobs.stops)]


class _Settings(Hooks):
    """Looks whether every range of ids has a robot; the values themselves are set as scripts start."""

    def __init__(self, values_set: Iterable[ValuesSet]) -> None:
        self._values_set = values_set

    def init(self, experiment: Experiment) -> None:
        numbers = [robot.number for robot in experiment.robots.values()]
        for one in self._values_set:
            if one.ids is not None and not any(map(one.counts_for, numbers)):
                first, last = one.ids
                ids = f"{first}" if first == last else f"{first} to {last}"
                listed = ", ".join(map(str, numbers[:12]))
                raise InputError.at(one.place[0], f"no robot has the id {ids}", line=one.place[1],
                                    kind="unknown robot", hint=f"there are: {listed}")  # fmt: skip


class _Painter(Hooks):
    def __init__(self, painting: Painting, plan: Plan) -> None:
        self._shapes = painting.shapes[::-1]
        self._image = None
        self._color = painting.color or WHITE
        if painting.image is not None:
            (x, y, _), (width, depth, _) = plan.arena.center, plan.arena.size
            floor = load_floor(painting.image, (width, depth))
            self._image = ImageFloor(floor.pixels, (width, depth), (x - width / 2, y - depth / 2))
        elif painting.color is None:
            below = floor_image(plan)
            self._image = below if isinstance(below, ImageFloor) else None

    def floor_color(self, x: float, y: float) -> Color:
        for shape in self._shapes:
            if shape.covers(x, y):
                return shape.color
        return self._color if self._image is None else self._image.color(x, y)


class _Changer(Hooks):
    def __init__(self, changes: Iterable[Change]) -> None:
        self._changes = sorted(changes, key=lambda change: change.tick)

    def init(self, experiment: Experiment) -> None:
        """Looks whether every name will be there when its turn comes."""
        there = {*experiment.robots, *experiment.entities}
        for change in self._changes:
            if change.added is not None:
                there.add(change.name)
            elif change.name not in there:
                hint = did_you_mean(change.name, there) or f"there are: {', '.join(sorted(there)[:12])}"
                raise InputError.at(change.place[0], f"there is no robot, box or cylinder '{change.name}'",
                                    line=change.place[1], kind="unknown name", hint=hint)  # fmt: skip
            elif change.pose is None:
                there.remove(change.name)

    def pre_step(self, experiment: Experiment) -> None:
        for change in self._changes:
            if change.tick == experiment.tick:
                try:
                    self._make(change, experiment)
                except InputError as error:
                    raise InputError(_of_change(change, fault) for fault in error.diagnostics) from error

    @staticmethod
    def _make(change: Change, experiment: Experiment) -> None:
        if change.added is not None:
            experiment.add(change.added)
        elif change.pose is None:
            experiment.remove(change.name)
        else:
            robots = experiment.robots
            one = robots[change.name] if change.name in robots else experiment.entities[change.name]
            x, y, yaw = change.pose
            one.move(x, y, one.pose[2] if yaw is None else yaw)


def _of_change(change: Change, fault: Diagnostic) -> Diagnostic:
    """The same fault, told with the tick and the line of the change."""
    text = f"in tick {change.tick}: {fault.place}: {fault.text}"
    return replace(fault, place=Place(*change.place), text=text)


class _Writer(Hooks):
    def __init__(self, writing: Writing) -> None:
        self._writing = writing
        self._written = False
        self._files = ExitStack()

    def init(self, experiment: Experiment) -> None:
        writing = self._writing
        try:
            writing.file.parent.mkdir(parents=True, exist_ok=True)
            file = self._files.enter_context(writing.file.open("w", newline="", encoding="utf-8"))
        except OSError as error:
            raise InputError.at(str(writing.file), f"cannot be written: {error.strerror}") from None
        self._rows = csv.writer(file, lineterminator="\n")
        self._rows.writerow(["tick", "robot", "id", *(("x", "y", "yaw") if writing.poses else ()), *writing.globals])

    def reset(self, experiment: Experiment) -> None:
        self._files.close()
        self.init(experiment)

    def post_step(self, experiment: Experiment) -> None:
        if self._writing.every is not None and experiment.tick % self._writing.every == 0:
            self._write(experiment)

    def post_experiment(self, experiment: Experiment) -> None:
        if self._writing.every is None:
            self._write(experiment)
            self._written = True

    def destroy(self, experiment: Experiment) -> None:
        with self._files:
            if self._writing.every is None and not self._written:
                self._write(experiment)

    def _write(self, experiment: Experiment) -> None:
        for robot in experiment.robots.values():
            pose = robot.pose if self._writing.poses else ()
            values = _globals_of(robot)
            cells = [_cell(values.get(name)) for name in self._writing.globals]
            self._rows.writerow([experiment.tick, robot.name, robot.number, *pose, *cells])


class _Stopper(Hooks):
    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._names = set(names_in(stop.expression))

    def is_finished(self, experiment: Experiment) -> bool:
        expression, (file, line) = self._stop.expression, self._stop.place
        try:
            return bool(value_of(expression, self._values(experiment)))
        except PybuzzError:
            raise
        except Exception as error:
            many = "ambiguous" in str(error)
            hint = "it is true or false for each robot: say all(...) or any(...)" if many else ""
            text = f"stop: {expression} failed: {type(error).__name__}: {error}"
            raise InputError.at(file, text, line=line, kind="wrong expression", hint=hint) from error

    def _values(self, experiment: Experiment) -> dict[str, Any]:
        poses = experiment.simulation.world.poses if {"x", "y", "yaw"} & self._names else np.zeros((0, 3))
        return {
            "tick": experiment.tick,
            "time": experiment.tick / experiment.plan.ticks_per_second,
            "robots": len(experiment.robots),
            "x": poses[:, 0],
            "y": poses[:, 1],
            "yaw": poses[:, 2],
            "buzz": lambda name: _values_of(experiment, name),
        }


def _values_of(experiment: Experiment, name: str) -> NDArray[Any]:
    """A Buzz global of every robot: float64[robots] with nan for nil; object[robots] if some are texts or tables."""
    values = [_globals_of(robot).get(name) for robot in experiment.robots.values()]
    if all(value is None or isinstance(value, int | float) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _globals_of(robot: Any) -> Mapping[str, Any]:
    """A robot's globals; of one without a script none."""
    return robot.globals if robot.has_script else {}


def _cell(value: Any) -> Any:
    """nil is an empty cell, a table JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
