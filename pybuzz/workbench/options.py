"""What the server tells the process that runs an experiment: plain data, which it sends when it starts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pybuzz.experiment import Experiment
    from pybuzz.experiment.logs import LogLine

__all__ = ["StageOptions"]


@dataclass(frozen=True, slots=True)
class StageOptions:
    """An experiment and how it is run: the arguments of `pybuzz.load`.

    folder: the experiment's own; files within it are named relative to it in all messages. speed: of a run that plays;
    None: as fast as it goes.
    """

    target: str
    folder: str
    seed: int | None = None
    robots: int | None = None
    ticks: int | None = None
    seconds: float | None = None
    exact: bool = False
    single_precision: bool = False
    record: str | None = None
    record_globals: tuple[str, ...] = ()
    record_sensors: tuple[str, ...] = ()
    record_messages: bool = False
    settings: tuple[str, ...] = ()
    hooks: str | None = None
    with_: str | None = None
    substitute: dict[str, str] = field(default_factory=dict)
    script: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    io_folder: str | None = None
    on_error: Literal["stop-robot", "stop-run"] = "stop-robot"
    strict: bool = False
    speed: float | None = 1.0

    def load(self, on_log: Callable[[LogLine], None], *, seed: int | None = None) -> Experiment:
        """The experiment from its files as they are now. seed: of an earlier run, if none was given.

        Raises InputError or ScriptError.
        """
        from pybuzz.experiment import load

        return load(
            self.target,
            seed=seed if self.seed is None else self.seed,
            robots=self.robots,
            ticks=self.ticks,
            seconds=self.seconds,
            exact=self.exact,
            single_precision=self.single_precision,
            record=self.record,
            record_globals=self.record_globals,
            record_sensors=self.record_sensors,
            record_messages=self.record_messages,
            set=self.settings,
            hooks=self.hooks,
            with_=self.with_,
            substitute=self.substitute,
            script=self.script,
            include_dirs=self.include_dirs,
            io_folder=self.io_folder,
            on_error=self.on_error,
            strict=self.strict,
            on_log=on_log,
            keep=False,
        )
