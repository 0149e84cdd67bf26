"""What a page looks at closely, sent no oftener than eyes can follow."""

from __future__ import annotations

from typing import Final

from pybuzz.experiment.experiment import Experiment
from pybuzz.workbench.inspection import inspect
from pybuzz.workbench.overlays import draw_layers
from pybuzz.workbench.pipe import Pipe

__all__ = ["Onlooker"]

_INSPECTION_EVERY_S: Final = 0.1
_OVERLAY_EVERY_S: Final = 1.0 / 15.0


class Onlooker:
    """selected: the robot that is inspected. layers: parts of the overlay that are drawn."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self.selected: str | None = None
        self.layers: tuple[str, ...] = ()
        self._inspection_due = self._overlay_due = 0.0

    def look(self, experiment: Experiment) -> None:
        """Send all that is looked at, as it is now."""
        self._inspect(experiment)
        self._draw(experiment)

    def look_if_due(self, experiment: Experiment, now: float) -> None:
        """The same, as far as enough time has passed since. now: by the monotonic clock."""
        if self.selected is not None and now >= self._inspection_due:
            self._inspection_due = now + _INSPECTION_EVERY_S
            self._inspect(experiment)
        if self.layers and now >= self._overlay_due:
            self._overlay_due = now + _OVERLAY_EVERY_S
            self._draw(experiment)

    def _inspect(self, experiment: Experiment) -> None:
        robots = experiment.simulation.robots
        robot = next((robot for robot in robots if robot.name == self.selected), None)
        if robot is not None:
            self._pipe.send("inspection", **inspect(experiment, robot))

    def _draw(self, experiment: Experiment) -> None:
        if self.layers:
            self._pipe.send("overlay", **draw_layers(experiment, self.layers, self.selected))
