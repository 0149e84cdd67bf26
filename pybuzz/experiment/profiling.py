"""Where the time of a run goes: per phase of a tick, per sensor and per script function; and memory.

The first tick is left out, for kernels may compile in it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from cProfile import Profile as PythonProfiler
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pybuzz.experiment.journal import Journal, Unrecorded
    from pybuzz.experiment.robots import Robot
    from pybuzz.experiment.simulation import Simulation

__all__ = ["FunctionTime", "PhaseTime", "Profile", "memory_mb"]

_FUNCTIONS_EVERY: Final = 10
"""In one tick of so many functions are timed, by Python's profiler. It slows a tick: phases are timed in the others."""


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """A phase of a tick, without the phases within it: ms per tick, and its share of all of them."""

    name: str
    ms: float
    share: float


@dataclass(frozen=True, slots=True)
class FunctionTime:
    """A script's function: calls per tick of all robots, ms per tick in itself and with what it calls.

    Milliseconds are those under Python's profiler: to compare, not to add up.
    """

    name: str
    place: str
    calls: float
    own_ms: float
    total_ms: float


class Profile:
    """Times the ticks of a simulation from now on. Results do not depend on it."""

    def __init__(self, simulation: Simulation, journal: Journal | Unrecorded, scripts: Iterable[str]) -> None:
        self._simulation = simulation
        self._sources = frozenset(scripts)
        self._clock = _Clock()
        self._profiler = PythonProfiler()
        self._ticks_of_phases = self._ticks_of_functions = 0
        self._known: set[Robot] = set()
        self._time_parts(simulation, journal)
        self._step = self._clock.timed("between phases", simulation.step)
        _replace(simulation, "step", self._timed_step)

    @property
    def phases(self) -> list[PhaseTime]:
        """The longest first."""
        seconds = self._clock.seconds
        whole, ticks = sum(seconds.values()) or 1.0, max(self._ticks_of_phases, 1)
        phases = [PhaseTime(name, 1000.0 * spent / ticks, spent / whole) for name, spent in seconds.items()]
        return sorted(phases, key=lambda phase: -phase.ms)

    @property
    def functions(self) -> list[FunctionTime]:
        """The one that takes longest by itself first."""
        ticks, found = max(self._ticks_of_functions, 1), []
        for entry in self._profiler.getstats():
            code = entry.code
            if isinstance(code, CodeType) and code.co_filename in self._sources:
                times = (1000.0 * spent / ticks for spent in (entry.inlinetime, entry.totaltime))
                found.append(FunctionTime(_name_of(code), _place_of(code), entry.callcount / ticks, *times))
        return sorted(found, key=lambda function: -function.own_ms)

    def _time_parts(self, simulation: Simulation, journal: Journal | Unrecorded) -> None:
        timed = self._clock.timed
        for holder, method, name in (
            (simulation.world, "step", "physics"),
            (simulation.air, "exchange", "radio"),
            (simulation, "act", "commands"),
            (simulation, "pre_step", "hooks"),
            (simulation, "post_step", "hooks"),
            (journal, "write_tick", "recording"),
        ):
            _replace(holder, method, timed(name, getattr(holder, method)))
        measure = simulation.readings.measure
        _replace(simulation.readings, "measure", lambda sensor: timed(f"sensing {sensor}", measure)(sensor))

    def _time_robot(self, robot: Robot) -> None:
        mind, bindings = robot.mind, robot.bindings
        if mind is not None and bindings is not None:
            timed = self._clock.timed
            _replace(mind, "take_in", timed("messages in", mind.take_in))
            _replace(mind, "step", timed("scripts", mind.step))
            _replace(bindings, "refresh", timed("sensor tables", bindings.refresh))

    def _timed_step(self) -> None:
        for robot in self._simulation.robots:
            if robot not in self._known:
                self._known.add(robot)
                self._time_robot(robot)
        tick = self._simulation.tick + 1
        self._clock.runs = tick > 1 and tick % _FUNCTIONS_EVERY != 0
        if self._clock.runs or tick == 1:
            self._ticks_of_phases += self._clock.runs
            self._step()
        else:
            self._ticks_of_functions += 1
            self._profiler.runcall(self._step)


class _Clock:
    """Adds up the seconds of named calls, each without those within it."""

    def __init__(self) -> None:
        self.runs = True
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._within = 0.0

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, its time added to `name` while the clock runs."""

        def timed_call(*arguments: Any, **options: Any) -> Any:
            if not self.runs:
                return call(*arguments, **options)
            outer, self._within = self._within, 0.0
            start = perf_counter()
            try:
                return call(*arguments, **options)
            finally:
                spent = perf_counter() - start
                self.seconds[name] += spent - self._within
                self._within = outer + spent

        return timed_call


def memory_mb() -> float | None:
    """The largest resident memory of this process so far, in MB; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1e6 if sys.platform == "darwin" else 1e3)


def _replace(holder: object, method: str, other: Callable[..., Any]) -> None:
    setattr(holder, method, other)


def _name_of(code: CodeType) -> str:
    if code.co_name.startswith("__part_"):
        return "code outside functions"
    return "a nameless function" if code.co_name.startswith("__") else code.co_name


def _place_of(code: CodeType) -> str:
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
