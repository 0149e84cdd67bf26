"""An experiment that runs: stepped or run to its end, recorded."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from pybuzz.errors import Diagnostic, InputError, Place, interruption_behind
from pybuzz.experiment import recorded_names as names
from pybuzz.experiment.arena_watch import ArenaWatch
from pybuzz.experiment.arguments import whole
from pybuzz.experiment.entities import Entities, EntityView
from pybuzz.experiment.garbage import search_put_off
from pybuzz.experiment.hooks import HookRunner, load_hooks
from pybuzz.experiment.job_hooks import job_hooks
from pybuzz.experiment.journal import Journal, Unrecorded, describe, digest_of, moment
from pybuzz.experiment.logs import Log, LogLine
from pybuzz.experiment.plan import Box, Cylinder, Light, Plan, Robot
from pybuzz.experiment.profiling import Profile
from pybuzz.experiment.robots import NamedRobots, RobotView
from pybuzz.experiment.scripts import ScriptOptions
from pybuzz.experiment.setup import Stage, colored_floor
from pybuzz.experiment.simulation import Failure
from pybuzz.recording import Recording
from pybuzz.sim.floors import Floor, WhiteFloor

__all__ = ["Experiment", "OnError", "RunOptions"]

STOPPED = "a script failed"

OnError = Literal["stop-robot", "stop-run", "raise"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How an experiment is run, beside what its file says.

    ticks: instead of the file's length. record: folder of the recording; None keeps it in memory for the caller.
    record_globals, record_sensors, record_messages: kept too, beside what the file names.
    hooks: FILE.py:NAME, or an object. on_error: what a failed script stops; "raise" raises its
    ScriptError. budget: turns of loops in one step.
    keep: False keeps nothing in memory without a folder, for long runs of which nobody reads a recording: `close` then
    gives one of the last tick alone.
    include_dirs: where scripts' includes are looked for, too. io_folder: the one folder in which scripts may read and
    write files, made if it is not there; None: the plan's. threads: for casting rays.
    """

    exact: bool = False
    single_precision: bool = False
    ticks: int | None = None
    record: Path | None = None
    record_globals: tuple[str, ...] = ()
    record_sensors: tuple[str, ...] = ()
    record_messages: bool = False
    hooks: object | None = None
    on_error: OnError = "stop-robot"
    budget: int | None = None
    keep: bool = True
    include_dirs: tuple[Path, ...] = ()
    io_folder: Path | None = None
    threads: int = 1
    told: Mapping[str, Any] = field(default_factory=dict)
    """What else the recording should say about the run: plain data, such as the settings."""


class Experiment:
    """A plan brought to life. A context manager: leaving it ends the run and completes the recording."""

    def __init__(
        self,
        plan: Plan,
        options: RunOptions | None = None,
        *,
        warnings: Iterable[Diagnostic] = (),
        on_log: Callable[[LogLine], None] | None = None,
    ) -> None:
        self.plan = plan
        """What the file says, as data."""
        self.options = options = options or RunOptions()
        self.warnings = tuple(warnings)
        """What was doubtful in the files that were read."""
        self.seed = plan.seed if plan.seed is not None else 1 + secrets.randbelow(2**32 - 1)
        """What all random numbers of the run come from; drawn from the operating system if nobody gave one."""
        self._ticks = options.ticks if options.ticks is not None else plan.ticks
        self._log = Log(on_log)
        hooks = plan.hooks if options.hooks is None else options.hooks
        own = () if hooks is None else (load_hooks(hooks) if isinstance(hooks, str | Path) else hooks,)
        self._hooks = HookRunner(*job_hooks(plan), *own)
        self._has_own_hooks = bool(own)
        self._recording: Recording | None = None
        with search_put_off():
            self._begin()
        if not self.simulation.robots and all(warning.kind != "no robots" for warning in self.warnings):
            empty = Diagnostic(Place(plan.source), "no robots", "nothing moves in this experiment", severity="warning")
            self.warnings = (*self.warnings, empty)
        with self._ended_by_errors():
            if self._hooks.init is not None:
                self._hooks.init(self)
            self._end_tick()

    def _begin(self) -> None:
        """Put everything in its place and run every script's code outside functions and its `init`."""
        plan, options = self.plan, self.options
        scripts = ScriptOptions(
            options.exact, options.single_precision, options.budget, self._io_folder(), options.include_dirs
        )
        self._stage = Stage(plan, self.seed, scripts, self._log, self._hooks, threads=options.threads)
        of_scripts = (warning for program in self._stage.scripts.programs for warning in program.warnings)
        self.warnings = tuple(dict.fromkeys((*self.warnings, *of_scripts)))
        self.simulation = self._stage.simulation
        self._hook_calls()
        self.simulation.start()
        sensors = names.merged(plan.record.sensors, options.record_sensors)
        variables = names.merged(plan.record.globals, options.record_globals)
        names.check_used_globals(plan, self._stage.scripts)
        faults = names.check_recorded_globals(self._stage.scripts, variables, by_hooks=self._has_own_hooks)
        self.warnings = names.merged(self.warnings, faults)
        names.check_recorded_sensors(plan, sensors, self.simulation.readings.names)
        description = describe(plan, self.seed, self.simulation.world, self.simulation.robots, self._told())
        description = replace(description, digest=digest_of(plan, self._stage.scripts.programs))
        self._journal: Journal | Unrecorded
        if options.record is None and not options.keep:
            self._journal = Unrecorded(description, self.simulation)
        else:
            self._journal = journal = Journal(
                description,
                self.simulation,
                options.record,
                sensors=sensors,
                variables=variables,
                messages=plan.record.messages or options.record_messages,
                contacts=plan.record.contacts,
            )
            if journal.replaced:
                note = Diagnostic(Place(str(options.record)), "replaced", journal.replaced, severity="warning")
                self.warnings = (*self.warnings, note)
        self._watch = ArenaWatch(plan.arena, self._log) if plan.argos else None

    def _io_folder(self) -> Path | None:
        """The folder for scripts' files, which is there now."""
        folder = self.options.io_folder or self.plan.io
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError.at(str(folder), f"no folder for files: {error.strerror}") from None
        return folder

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """The last tick that was run; 0 before the first."""
        return self.simulation.tick

    @property
    def ticks(self) -> int | None:
        """The tick after which the run ends; None: endless."""
        return self._ticks

    @property
    def robots(self) -> Mapping[str, RobotView]:
        """The robots by name, in order of creation."""
        return NamedRobots(self._stage.views)

    @property
    def entities(self) -> Mapping[str, EntityView]:
        """The boxes and cylinders by name, in order of creation."""
        return Entities(self.simulation.world)

    @property
    def floor(self) -> Floor:
        """The floor as ground sensors see it: `brightness(x, y)` of arrays of places in m, 0 black to 1 white."""
        return self.simulation.world.floor or WhiteFloor()

    def paint_floor(self, color: Callable[[float, float], tuple[float, float, float]] | None) -> None:
        """From now on the floor has these colours: red, green, blue in 0..255 at x, y in m. None: it is white."""
        self.simulation.world.set_floor(None if color is None else colored_floor(color))

    @property
    def failures(self) -> list[Failure]:
        """The scripts that failed so far, in order."""
        return list(self.simulation.failures)

    @property
    def differing_names(self) -> list[str]:
        """What the scripts use that ARGoS's plug-in computes differently; empty if exact."""
        return [] if self.options.exact else self._stage.scripts.differing_names

    @property
    def rounds_finer(self) -> bool:
        """Whether the scripts compute in double precision what they compute in single precision in ARGoS."""
        return not self.options.single_precision and self._stage.scripts.calculate

    @property
    def ended(self) -> bool:
        """Whether no further tick will be run."""
        return bool(self.reason) or self._recording is not None

    @property
    def reason(self) -> str:
        """Why no further tick will be run; empty if one will, or if it was ended from outside."""
        if self.options.on_error == "stop-run" and self.simulation.failures:
            return STOPPED
        if self._ticks is not None and self.tick >= self._ticks:
            return "all ticks were run"
        if self._hooks.is_finished is not None and self._hooks.is_finished(self):
            return "the hooks said so"
        return ""

    # -- running -------------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Run one tick. False, and nothing is run, when the experiment is over."""
        if self.ended:
            return False
        try:
            self.simulation.step()
        except SystemError as fault:
            if pressed := interruption_behind(fault):
                raise pressed from None
            raise
        self._end_tick()
        return True

    def profile(self) -> Profile:
        """From now on, time what ticks spend on phases, sensors and script functions."""
        paths = [source.name for program in self._stage.scripts.programs for source in program.script.sources]
        return Profile(self.simulation, self._journal, paths)

    def run(self, ticks: int | None = None) -> Recording:
        """Run to the end, or `ticks` further ticks, then close. Raises InputError if nothing would ever end it.

        Scripts that failed are a RuntimeWarning.
        """
        ticks = whole("ticks", ticks)
        if self._recording is not None:
            way = "to run in parts, call step() as often as needed; or load it again"
            raise InputError.at(self.plan.source, "this experiment was run already, which closed it", hint=way)
        last = None if ticks is None else self.tick + ticks
        if last is None:
            self.check_end()
        with self._ended_by_errors():
            while (last is None or self.tick < last) and self.step():
                pass
        recording = self.close()
        if self.failures:
            first = self.failures[0]
            text = f"scripts that failed: {len(self.failures)}; {first.robot} in tick {first.tick}: {first.error}"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        return recording

    def check_end(self) -> None:
        """Raises InputError if the run has no length and no hooks or jobs that can end it."""
        if self._ticks is None and self._hooks.is_finished is None:
            raise InputError.at(
                self.plan.source,
                "this experiment has no end (its length is 0)",
                hint="say how long to run: --ticks N, --seconds T, or run(ticks=N); or give hooks with is_finished",
            )

    def reset(self, seed: int | None = None) -> None:
        """Start over, for the same run once more: every living script's `reset`, then all as it was loaded.

        seed: another one from now on; places that are drawn are drawn anew.

        Robots and things stand where they were placed, what was added or removed does not count, scripts begin anew
        (code outside functions, `init`), then hooks' `reset` is called. Robots, entities and the simulation are other
        objects from then on, and what was recorded so far is forgotten. Raises InputError if the experiment was closed,
        or is recorded in a folder.
        """
        if self._recording is not None or self.options.record is not None:
            why = "was closed" if self._recording is not None else "is recorded in a folder"
            raise InputError.at(self.plan.source, f"an experiment that {why} cannot start over", hint="load it again")
        seed = whole("seed", seed, most=2**32 - 1)
        self.seed = self.seed if seed is None else seed
        known_failures = len(self.simulation.failures)
        self.simulation.reset()
        self._log.take()
        self._log.tick = 0
        for failure in self.simulation.failures[known_failures:]:
            self._log.write(failure.robot, f"its reset failed: {failure.error.diagnostics[0].headline}", error=True)
        with self._ended_by_errors():
            with search_put_off():
                self._begin()
            if self._hooks.reset is not None:
                self._hooks.reset(self)
            self._end_tick()

    def close(self, status: str = "") -> Recording:
        """Call hooks' `post_experiment`, scripts' `destroy` and hooks' `destroy`, and complete the recording.

        status: completed, interrupted or failed; by default completed, or failed if the run was stopped by a script.
        """
        if self._recording is None:
            status = status or ("failed" if self.reason == STOPPED else "completed")
            with self._ended_by_errors():
                if self._hooks.post_experiment is not None:
                    self._hooks.post_experiment(self)
                self.simulation.destroy()
                self._hooks.destroy(self)
                self._journal.write_texts(self._log.take())
                self._recording = self._journal.close(status)
        return self._recording

    @contextmanager
    def _ended_by_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self._give_up(error)
            raise

    def _give_up(self, error: BaseException) -> None:
        """End the run because of an error or Ctrl-C: no script is called any more, but files are closed."""
        if self._recording is not None:
            return
        try:
            self._hooks.destroy(self)
        except (Exception, KeyboardInterrupt) as another:  # a second Ctrl-C ends the hooks, not the recording
            error.add_note(f"and while the run was ended: {another}")
        interrupted = isinstance(error, KeyboardInterrupt)
        self._recording = self._journal.close("interrupted" if interrupted else "failed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._give_up(error)

    # -- changing it while it runs -------------------------------------------------------------------------------

    def add(self, item: Box | Cylinder | Light | Robot) -> None:
        """Put something of a plan into the running experiment; it takes part from the next tick on.

        A robot's `init` runs at once. Raises InputError if the name is taken or the place is not free.
        """
        robot = self._stage.add(item)
        if robot is not None:
            self._journal.add_robot(robot)

    def remove(self, name: str) -> None:
        """Take a robot, a body or a light out. Raises InputError if there is none of that name."""
        if name in self._stage.views:
            self._journal.event(name, "removed", "")
        self._stage.remove(name)

    # -- in a notebook -------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        length = "" if self._ticks is None else f" of {self._ticks}"
        return f"<Experiment {self.plan.source}: {len(self.robots)} robots, tick {self.tick}{length}, seed {self.seed}>"

    def _repr_png_(self) -> bytes:
        """A picture of the present moment; once it has ended, of the whole run."""
        from pybuzz.recording.notebook import picture

        return picture(self._recording or self._moment())

    def _repr_html_(self) -> str:
        """That picture, and a table of what this is and how far it has come."""
        from pybuzz.recording.notebook import page

        if self._recording is not None:
            return page(self._recording)
        length = "endless" if self._ticks is None else str(self._ticks)
        return page(self._moment(), {"tick": f"{self.tick} of {length}", "failed": str(len(self.failures))})

    def _moment(self) -> Recording:
        return moment(self.plan, self.seed, self.simulation, self._told())

    def _hook_calls(self) -> None:
        for name in ("pre_step", "post_step"):
            hook = getattr(self._hooks, name)
            if hook is not None:
                setattr(self.simulation, name, partial(hook, self))

    def _end_tick(self) -> None:
        poses = self.simulation.world.poses
        if self._watch is not None:
            self._watch.look(self.simulation.robots, poses)
        self._journal.write_tick(poses, self._log.take())
        if self.options.on_error == "raise" and self.simulation.failures:
            raise self.simulation.failures[0].error

    def _told(self) -> dict[str, Any]:
        options = self.options
        return {"exact": options.exact, "single_precision": options.single_precision, **options.told}
