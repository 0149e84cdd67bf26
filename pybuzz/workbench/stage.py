"""The process that runs an experiment and obeys the server, which stands between it and the pages.

Everything goes over one pipe (pipe.py): the messages of docs/workbench-protocol.md that touch the experiment, and what
only the server sees ("Between server and stage" there). Speed is a matter of pacing alone: nothing that happens in the
experiment depends on the clock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from time import monotonic
from typing import Any, Final

from pybuzz.compiled import telling_of_compiling
from pybuzz.errors import Diagnostic, PybuzzError
from pybuzz.workbench.debugger import ACTIONS, Abandoned
from pybuzz.workbench.halting import Halting
from pybuzz.workbench.interventions import INTERVENTIONS
from pybuzz.workbench.marks import mark_of
from pybuzz.workbench.onlooker import Onlooker
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.overlays import LAYERS
from pybuzz.workbench.pacing import Pace
from pybuzz.workbench.performance import Performance
from pybuzz.workbench.pipe import Message, Pipe
from pybuzz.workbench.places import FileNames

__all__ = ["StageOptions", "serve"]

_STATE_EVERY_S: Final = 0.1
_MOST_TICKS: Final = 2**31
_GIVEN_UP: Final = "the run was given up while a script stood at a line"
_AT_HALT: Final = frozenset(("play", "pause", "speed", "select", "layers", "breakpoints"))
"""What can be asked for while a script stands at a line."""
_ENDING: Final = frozenset(("reset", "continue_from"))
"""What ends that run."""


def serve(connection: Connection, options: StageOptions) -> None:
    """Run the experiment as the messages that come say, until the other end of the pipe is closed."""
    _end_with_parent()
    stage = _Stage(Pipe(connection), options)
    with suppress(EOFError, OSError):
        stage.run()
    stage.end()


def _end_with_parent() -> None:
    """Do not outlive the server, not even in a script or hook that hangs."""
    parent = parent_process()
    if parent is not None:

        def watch() -> None:
            wait([parent.sentinel])
            os._exit(1)

        Thread(target=watch, daemon=True).start()


class _Stage:
    def __init__(self, pipe: Pipe, options: StageOptions) -> None:
        self._pipe = pipe
        self._options = options
        self._performance: Performance | None = None
        self._seed: int | None = None
        self._pace = Pace(options.speed)
        self._playing = False
        self._until: int | None = None
        """The tick after which it pauses."""
        self._busy = ""
        self._reason = ""
        self._state_due = 0.0
        self._onlooker = Onlooker(pipe)
        self._halting = Halting(pipe, self._ask_at_halt)
        self._next: Message | None = None
        """What was asked for while a script stood at a line, and ended that run."""
        self._answers: dict[str, Callable[[Message], None]] = {
            "play": lambda message: self._play(None),
            "pause": lambda message: self._pause(),
            "step": self._step,
            "speed": self._set_speed,
            "reset": lambda message: self._load(),
            "continue_from": self._continue_from,
            "select": self._select,
            "layers": self._set_layers,
            "breakpoints": self._halting.set_breakpoints,
            "debug": lambda message: self._refuse("debug", "no script stands at a line"),
            **dict.fromkeys(INTERVENTIONS, self._intervene),
        }

    def run(self) -> None:
        with telling_of_compiling(self._tell_of_compiling):
            self._load()
        while True:
            message, self._next = self._next, None
            if message is None:
                message = self._pipe.receive(self._pace.wait_s() if self._playing else None)
            # Some kernels compile only in the first tick, or when something is looked at: each time it is told anew.
            with telling_of_compiling(self._tell_of_compiling):
                if message is not None:
                    self._answer(message)
                elif self._playing:
                    self._tick()

    # What is asked

    def _answer(self, message: Message) -> None:
        kind = message.get("type")
        answer = self._answers.get(kind) if isinstance(kind, str) else None
        if answer is None:
            self._refuse(kind, "there is no such request")
            return
        try:
            answer(message)
        except PybuzzError as error:
            self._refuse(kind, "; ".join(map(_worded, error.diagnostics)))

    def _refuse(self, kind: object, text: str) -> None:
        self._pipe.send("refused", request=str(kind)[:40], text=text)

    def _play(self, until: int | None, busy: str = "") -> None:
        if self._performance is None:
            self._refuse("play", "nothing is loaded: mend what is wrong, then reset")
            return
        self._playing, self._until, self._busy = not self._reason, until, busy
        self._pace.start(self._performance.experiment.plan.ticks_per_second, hurry=until is not None)
        self._tell_state()

    def _pause(self) -> None:
        self._stand()
        self._halting.debugger.cancel()
        self._show_details()
        self._tell_state()

    def _step(self, message: Message) -> None:
        ticks = message.get("ticks", 1)
        if not isinstance(ticks, int) or not 1 <= ticks <= _MOST_TICKS:
            self._refuse("step", "the number of ticks must be 1 or more")
        elif self._performance is not None:
            self._play(self._performance.tick + ticks)
        else:
            self._play(None)

    def _set_speed(self, message: Message) -> None:
        if not self._pace.set(message.get("factor")):
            self._refuse("speed", "a speed is a number above 0, or null for as fast as it goes")
        self._tell_state()

    def _continue_from(self, message: Message) -> None:
        tick, given = message.get("tick"), message.get("interventions")
        if not isinstance(tick, int) or tick < 0:
            self._refuse("continue_from", "give a tick of this run")
            return
        if isinstance(given, list):
            made = _told_interventions(given)
        else:
            made = [] if self._performance is None else self._performance.interventions.made
        self._load([one for one in made if one[0] <= tick])
        if self._performance is not None and tick > 0:
            self._play(tick, busy=f"running again to tick {tick}")

    def _select(self, message: Message) -> None:
        robot = message.get("robot")
        self._onlooker.selected = robot if isinstance(robot, str) else None
        self._halting.follow(self._performance, self._onlooker.selected)
        self._show_details()

    def _set_layers(self, message: Message) -> None:
        names = message.get("names")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._refuse("layers", "give a list of names of layers")
            return
        self._onlooker.layers = tuple(name for name in LAYERS if name in names)
        self._show_details()

    def _show_details(self) -> None:
        """What the page looks at closely, of this moment."""
        if self._performance is not None:
            self._onlooker.look(self._performance.experiment)

    def _intervene(self, message: Message) -> None:
        performance = self._performance
        if performance is None or self._reason or self._busy:
            why = f"it is {self._busy}" if self._busy else "the run has ended: reset first"
            self._refuse(message["type"], why)
            return
        performance.intervene(message)
        self._halting.follow(performance, self._onlooker.selected)
        self._show_details()

    # Loading

    def _load(self, kept: Sequence[tuple[int, Message]] = ()) -> None:
        """Load the experiment from its files as they are now; what it was before is forgotten."""
        self.end()
        self._playing, self._until, self._reason = False, None, ""
        self._busy = "loading"
        self._tell_state()
        try:
            with self._halting.debugger.watching():
                self._performance = Performance(self._pipe, self._options, seed=self._seed, kept=kept)
            self._seed = self._performance.experiment.seed
            self._halting.follow(self._performance, self._onlooker.selected)
            self._show_details()
        except Abandoned:
            self._reason = _GIVEN_UP
        except PybuzzError as error:
            self._tell_of_faults(error)
        self._busy = ""
        self._tell_state()

    def _tell_of_compiling(self, text: str) -> None:
        """From a thread of its own, while kernels compile."""
        self._tell_state(text)

    def _tell_of_faults(self, error: PybuzzError) -> None:
        """It could not be loaded: the places of all faults, for the editor, and the first one as the reason."""
        files = FileNames(self._options.folder)
        self._reason = error.diagnostics[0].headline
        by_file: dict[str, list[Diagnostic]] = {}
        for found in error.diagnostics:
            by_file.setdefault(files.name_of(found.place.file), []).append(found)
        self._pipe.send("failed", text=str(error))
        for file, faults in by_file.items():
            self._pipe.send("problems", file=file, problems=[mark_of(found) for found in faults])

    def end(self) -> None:
        """End the run that is going on, so that its recording is complete."""
        performance, self._performance = self._performance, None
        if performance is not None:
            try:
                performance.close()
            except PybuzzError as error:
                self._refuse("reset", str(error))
            except OSError:
                # Nobody listens any more, but the recording is complete.
                pass

    # Standing at a line

    def _ask_at_halt(self, robot: str | None) -> str:
        """Obey what can be done while a script stands at a line, until it is told how to go on: one of ACTIONS."""
        performance = self._performance
        if performance is not None and robot is not None:
            performance.show_halt(robot)
        self._show_details()
        self._tell_state()
        while True:
            message = self._pipe.receive(None) or {}
            kind = message.get("type")
            if kind == "debug" and message.get("action") in ACTIONS:
                return str(message["action"])
            if kind in _ENDING:
                self._next = message
                raise Abandoned
            if kind in _AT_HALT:
                self._answer(message)
            else:
                self._refuse(kind, "a script stands at a line: let it go on first")
            if kind == "play":
                return "continue"

    # Running

    def _tick(self) -> None:
        performance = self._performance
        assert performance is not None
        try:
            going_on = performance.step()
        except Abandoned:
            performance.give_up(KeyboardInterrupt())
            self._break_off(_GIVEN_UP)
            return
        except PybuzzError as error:
            performance.give_up(error)
            self._break_off(str(error))
            return
        self._pace.count()
        if not going_on or performance.tick == performance.experiment.ticks:
            self._conclude(performance)
        elif self._until is not None and performance.tick >= self._until and not self._halting.debugger.is_stepping:
            self._pause()
        else:
            now = monotonic()
            self._onlooker.look_if_due(performance.experiment, now)
            if now >= self._state_due:
                self._tell_state()

    def _stand(self) -> None:
        self._playing, self._until, self._busy = False, None, ""

    def _conclude(self, performance: Performance) -> None:
        self._reason = performance.experiment.reason
        self._stand()
        self._show_details()
        try:
            performance.close()
        except PybuzzError as error:
            self._reason += f"; {error}"
        self._tell_state()

    def _break_off(self, text: str) -> None:
        """Hooks or sensors of somebody's own failed: nothing further can be run."""
        self._reason = text
        self._stand()
        self._tell_state()

    def _tell_state(self, busy: str = "") -> None:
        self._state_due = monotonic() + _STATE_EVERY_S
        performance = self._performance
        self._pipe.send(
            "state",
            playing=self._playing and not self._halting.halted,
            factor=self._pace.factor,
            tick=0 if performance is None else performance.tick,
            ticks=None if performance is None else performance.experiment.ticks,
            ended=bool(self._reason),
            reason=self._reason,
            rate=self._pace.rate if self._playing else 0.0,
            busy=busy or self._busy,
        )


def _told_interventions(given: list[Any]) -> list[tuple[int, Message]]:
    """Those that a process before this one had told of."""
    entries = [(one.get("tick"), one.get("request")) for one in given if isinstance(one, dict)]
    return [
        (tick, request)
        for tick, request in entries
        if isinstance(tick, int) and isinstance(request, dict) and request.get("type") in INTERVENTIONS
    ]


def _worded(found: Diagnostic) -> str:
    """On one line: what is wrong with what, and what to do."""
    return f"{found.place}: {found.text}" + (f" ({found.hint})" if found.hint else "")
