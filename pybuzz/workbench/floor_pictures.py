"""The floor as pages show it: a picture from above, made anew when the floor is another one."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from time import monotonic
from typing import Any, Final

from pybuzz.experiment.experiment import Experiment
from pybuzz.recording import ArenaMark, Picture
from pybuzz.sim.floors import Floor
from pybuzz.workbench.pipe import Pipe

__all__ = ["FloorPictures"]

_EVERY_S: Final = 1.0
"""A floor that hooks paint in every tick is not shown more often: a picture of it takes tens of milliseconds."""


class FloorPictures:
    """Tells the server of the floor. area: where the picture lies, as in the message `scene`."""

    def __init__(self, pipe: Pipe) -> None:
        self.area: dict[str, Any] | None = None
        self._pipe = pipe
        self._shown: Floor | None = None
        self._due = 0.0

    def is_stale(self, experiment: Experiment) -> bool:
        """Whether another floor is there, and the last one was shown long enough."""
        return experiment.simulation.world.floor is not self._shown and monotonic() >= self._due

    def show(self, experiment: Experiment) -> None:
        """Send the picture if it is not the one sent before."""
        floor = experiment.simulation.world.floor
        if floor is self._shown:
            return
        picture = _seen_from_above(experiment)
        self._shown, self._due = floor, monotonic() + _EVERY_S
        self.area = None if picture is None else _area(picture)
        self._pipe.send("floor", png=None if picture is None else _png(picture))


def _seen_from_above(experiment: Experiment) -> Picture | None:
    if experiment.simulation.world.floor is None:
        return None
    from pybuzz.experiment.views_from_above import views_from_above  # here, because Pillow takes time to import

    arena = experiment.plan.arena
    return views_from_above(experiment.simulation.world, ArenaMark(arena.size[:2], arena.center[:2])).get("floor")


def _area(picture: Picture) -> dict[str, Any]:
    center = [corner + side / 2 for corner, side in zip(picture.corner, picture.size, strict=True)]
    return {"size": list(picture.size), "center": center}


def _png(picture: Picture) -> str:
    from PIL import Image

    data = BytesIO()
    Image.fromarray(picture.pixels).save(data, "PNG")
    return b64encode(data.getvalue()).decode()
