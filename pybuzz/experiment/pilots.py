"""Python controllers: functions that drive robots in place of a script.

    def controller(robot, world, goal, cfg, dt, lidar_readings=None):
        return {"v": 0.1, "omega": 0.5}            # m/s and rad/s, or {"left": m/s, "right": m/s} of the wheels

robot: the RobotView; goal and cfg: what the experiment says; dt: seconds in a tick; lidar_readings: the scan of this
tick, None without a laser scanner of num_rays.
"""

from __future__ import annotations

import inspect
import math
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pybuzz.errors import Diagnostic, InputError, Place, ScriptError
from pybuzz.experiment.hooks import load_function
from pybuzz.spelling import did_you_mean

if TYPE_CHECKING:
    from pybuzz.experiment.robots import RobotView
    from pybuzz.khepera import Command
    from pybuzz.sim.lidar import LidarScan
    from pybuzz.sim.world import World

__all__ = ["Pilot", "load_controller"]

_PAIRS = (("v", "omega"), ("left", "right"))


@dataclass
class Pilot:
    """One robot's controller, what it is told, and why it failed, if it did. axle: of the robot, m."""

    controller: Callable[..., Any]
    axle: float
    goal: tuple[float, ...] | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    error: ScriptError | None = None

    def step(self, view: RobotView, world: World, scan: LidarScan | None, command: Command) -> None:
        """Ask the controller, and put what it says into `command`. Never raises: a failure sets `error`."""
        try:
            told = self.controller(view, world, self.goal, self.config, world.tick_seconds, lidar_readings=scan)
            command.left_m_s, command.right_m_s = self._wheels(told)
        except Exception as fault:
            self.error = ScriptError(self._diagnostic(fault))

    def _wheels(self, told: Any) -> tuple[float, float]:
        """Speeds of the wheels' rims in m/s."""
        if not isinstance(told, Mapping):
            raise TypeError(f"the controller must return a mapping with v and omega, but it is {told!r}")
        pair = next((names for names in _PAIRS if set(names) == set(told)), None)
        if pair is None:
            strange = [str(name) for name in told if name not in _PAIRS[0] + _PAIRS[1]]
            hint = did_you_mean(strange[0], _PAIRS[0] + _PAIRS[1]) if strange else None
            text = f"the controller must return v and omega, or left and right; it returned {', '.join(map(str, told))}"
            raise ValueError(f"{text}; {hint}" if hint else text)
        first, second = (float(told[name]) for name in pair)
        if not (math.isfinite(first) and math.isfinite(second)):
            raise ValueError(f"{pair[0]} {first:g} and {pair[1]} {second:g} must be finite numbers")
        if pair == _PAIRS[1]:
            return first, second
        outer = second * self.axle / 2.0
        return first - outer, first + outer

    def _diagnostic(self, fault: Exception) -> Diagnostic:
        """With the line of the controller's own file in which it arose."""
        function = inspect.unwrap(self.controller)
        function = getattr(function, "__func__", function)
        code = getattr(function, "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code else (type(function).__name__, 0)
        own = [frame for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == file]
        place = Place(file, (own[-1].lineno or 0) if own else line)
        return Diagnostic(place, type(fault).__name__, str(fault), stage="runtime error")


def load_controller(target: Path) -> Callable[..., Any]:
    """The controller FILE.py:NAME; NAME is `controller` if it is not given. Raises InputError if there is none."""
    found = load_function(str(target), "controller")
    if not callable(found):
        raise InputError.at(str(target), "this is not a function", kind="not a controller")
    return cast(Callable[..., Any], found)
