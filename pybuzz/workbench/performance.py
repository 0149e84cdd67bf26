"""One experiment while it is shown: every tick's frame, changed globals and log lines are sent as they come to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pybuzz.buzz.program import Program
from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.logs import LogLine
from pybuzz.experiment.simulation import Failure
from pybuzz.workbench.floor_pictures import FloorPictures
from pybuzz.workbench.frames import FrameEncoder
from pybuzz.workbench.interventions import Interventions
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.own_names import own_names
from pybuzz.workbench.pipe import Message, Pipe
from pybuzz.workbench.places import FileNames
from pybuzz.workbench.scenes import describe_scene
from pybuzz.workbench.variables import ScalarGlobals

__all__ = ["Performance"]


class Performance:
    """Loads the experiment and tells the server of it. Raises InputError or ScriptError if it cannot be loaded.

    seed: of the run before, so that one without a seed of its own starts over alike. kept: what was changed by hand in
    an earlier run, and is to be done again.
    """

    def __init__(
        self,
        pipe: Pipe,
        options: StageOptions,
        *,
        seed: int | None = None,
        kept: Sequence[tuple[int, Message]] = (),
    ) -> None:
        self._pipe = pipe
        self.files = FileNames(options.folder)
        self.interventions = Interventions(kept)
        self._lines: list[LogLine] = []
        self._failures = 0
        self._over = False
        self._revision = 0
        self._floor = FloorPictures(pipe)
        self._globals = ScalarGlobals()
        self.experiment = options.load(self._lines.append, seed=seed)
        self._tell_of_all()

    @property
    def tick(self) -> int:
        return self.experiment.tick

    @property
    def programs(self) -> list[Program]:
        """One for each script that robots run."""
        minds = [robot.mind for robot in self.experiment.simulation.robots if robot.mind is not None]
        return list(dict.fromkeys(mind.machine.program for mind in minds))

    def step(self) -> bool:
        """Run one tick and show its end. False, and nothing happens, when the experiment is over."""
        if not self.experiment.step():
            self._over = True
            return False
        self._over = self.tick == self.experiment.ticks
        self.show()
        self._repeat()
        return True

    def intervene(self, message: Message) -> None:
        """Change something by hand. Raises InputError for what cannot be done."""
        self._pipe.send("intervened", tick=self.tick, request=message)
        self.interventions.make(self.experiment, message)
        self.show()

    def _repeat(self) -> None:
        """Change what was changed after this tick in the run that is being done again."""
        while (message := self.interventions.due(self.tick)) is not None:
            with suppress(InputError):
                self.intervene(message)

    def show(self) -> None:
        """Send the frame of this moment, globals that changed and lines that were logged.

        Before it the scene, if robots, objects, lights or the floor are others.
        """
        simulation = self.experiment.simulation
        if self._floor.is_stale(self.experiment) or not self._encoder.fits(simulation.robots):
            self._set_scene()
        failures = simulation.failures[self._failures :]
        self._failures += len(failures)
        if failures:
            self._encoder.mark_failed({failure.robot for failure in failures})
        self._pipe.send_frame(self._encoder.encode(self.tick))
        changed = self._globals.changes(simulation.robots)
        if changed:
            self._pipe.send_text(f'{{"type":"globals","tick":{self.tick},"changed":{changed}}}')
        if failures or self._lines:
            self._tell_of_lines(failures)

    def show_halt(self, robot: str) -> None:
        """Send a frame in the middle of a tick: this robot stands at a line of its script."""
        self._pipe.send_frame(self._encoder.encode(self.tick, robot))

    def close(self) -> None:
        """End the run: hooks and scripts do what they do then, and the recording is completed."""
        known = len(self.experiment.simulation.failures)
        self.experiment.close("" if self._over else "interrupted")
        self._tell_of_lines(self.experiment.simulation.failures[known:])

    def give_up(self, error: BaseException) -> None:
        """In the middle of a tick nothing further can be run; what was recorded until then is kept."""
        self.experiment.__exit__(type(error), error, error.__traceback__)

    def _tell_of_all(self) -> None:
        experiment = self.experiment
        self._pipe.send(
            "welcome",
            title=Path(experiment.plan.source).name,
            seed=experiment.seed,
            tick_seconds=1.0 / experiment.plan.ticks_per_second,
            scripts=[self.files.name_of(program.path) for program in self.programs],
            sensors=sorted(experiment.simulation.readings.names),
            own_names=own_names(experiment),
        )
        self._set_scene()
        self.show()
        self._tell_of_warnings()
        self._repeat()

    def _set_scene(self) -> None:
        self._revision += 1
        simulation = self.experiment.simulation
        self._floor.show(self.experiment)
        scene = describe_scene(self.experiment, self._revision, self._floor.area, self.files.name_of)
        self._pipe.send("scene", **scene)
        self._encoder = FrameEncoder(self._revision, simulation.world, simulation.robots)
        self._encoder.mark_failed({failure.robot for failure in simulation.failures})

    # Log lines

    def _tell_of_lines(self, failures: Sequence[Failure]) -> None:
        """What was logged, and scripts that failed."""
        lines = [_line(line.tick, line.robot, line.text, error=line.error) for line in self._lines]
        self._lines.clear()
        self._send_lines(lines + [self._error(one.tick, one.robot, one.error.diagnostics[0]) for one in failures])

    def _tell_of_warnings(self) -> None:
        warnings = (*self.experiment.warnings, *(one for program in self.programs for one in program.warnings))
        self._send_lines([self._error(0, None, warning) for warning in warnings])

    def _send_lines(self, lines: Sequence[Mapping[str, Any]]) -> None:
        if lines:
            self._pipe.send("log", lines=lines)

    def _error(self, tick: int, robot: str | None, found: Diagnostic) -> dict[str, Any]:
        place = found.place
        text = ": ".join(part for part in (found.stage, found.kind, found.text) if part)
        for entry in found.stack:
            text += f"\n  called from {entry.function} ({self.files.name_of(entry.place.file)}:{entry.place.line})"
        if found.hint:
            text += f"\n  hint: {found.hint}"
        line = _line(tick, robot, text, error=True)
        return {**line, "file": self.files.name_of(place.file), "line": place.line or None}


def _line(tick: int, robot: str | None, text: str, *, error: bool) -> dict[str, Any]:
    return {"tick": tick, "robot": robot, "text": text, "error": error, "file": None, "line": None}
