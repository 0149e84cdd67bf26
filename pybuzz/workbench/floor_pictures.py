"""The floor, or the houses of a city, as pages show it: a picture from above, made anew for another floor."""

from __future__ import annotations

from base64 import b64encode
from time import monotonic
from typing import Any, Final

import numpy as np

from pybuzz.experiment.experiment import Experiment
from pybuzz.recording import ArenaMark, Picture
from pybuzz.sim.world import World
from pybuzz.workbench.pictures import area_of, as_png
from pybuzz.workbench.pipe import Pipe

__all__ = ["FloorPictures"]

_EVERY_S: Final = 1.0
"""A floor that hooks paint in every tick is not shown more often: a picture of it takes tens of milliseconds."""
_NOT_YET: Final = object()
_LONGEST_SIDE: Final = 1024
_HOUSE: Final = (0x7C, 0x87, 0x94)


class FloorPictures:
    """Tells the server of the floor. area: where the picture lies, as in the message `scene`."""

    def __init__(self, pipe: Pipe) -> None:
        self.area: dict[str, Any] | None = None
        self._pipe = pipe
        self._shown: object = _NOT_YET
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
        self._shown = floor
        if picture is None and self.area is None:
            return
        self.area = None if picture is None else area_of(picture)
        self._pipe.send("floor", png=None if picture is None else b64encode(as_png(picture)).decode())
        self._due = monotonic() + _EVERY_S


def _seen_from_above(experiment: Experiment) -> Picture | None:
    world, arena = experiment.simulation.world, experiment.plan.arena
    if world.floor is None:
        return _houses(world)
    from pybuzz.experiment.views_from_above import views_from_above  # here, because Pillow takes time to import

    return views_from_above(world, ArenaMark(arena.size[:2], arena.center[:2])).get("floor")


def _houses(world: World) -> Picture | None:
    """The higher, the less transparent."""
    if world.terrain is None:
        return None
    every = -(-max(world.terrain.height_maps.shape) // _LONGEST_SIDE)
    heights = np.asarray(world.terrain.height_maps[0], dtype=np.float64)[::every, ::every].T[::-1]
    share = np.clip(heights / max(float(heights.max(initial=0.0)), 1e-9), 0.0, 1.0)
    pixels = np.empty((*heights.shape, 4), dtype=np.uint8)
    pixels[..., :3] = _HOUSE
    pixels[..., 3] = np.where(share > 0.0, 55.0 + 200.0 * share, 0.0)
    (x, y), (width, depth) = world.terrain_center, world.terrain.size
    return Picture(pixels, (x - width / 2, y - depth / 2), (width, depth))
