"""The floor as line sensors see it: a picture of darkness, 1.0 on black, 0.0 on white and outside."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.errors import InputError

__all__ = ["LineMap"]

Floats = NDArray[np.float64]

_MOST_PIXELS = 300
"""Largest aperture in pixels: more would take a sensor seconds."""
_ON_THE_RIM = 1e-9
"""Pixels whose centre is that little (relative) beyond the aperture count: its rim belongs to it, whatever rounds."""


class LineMap:
    """A grey picture on the floor. It takes no part in collisions.

    values      float64[rows, columns], darkness in [0, 1], the row of the smallest y first
    resolution  m per pixel, or one for x and one for y
    corner      x, y in m of the bottom left corner

    Raises InputError for a picture without pixels or a resolution that is not above 0.
    """

    def __init__(
        self,
        values: NDArray[np.floating],
        resolution: float | tuple[float, float],
        corner: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        pixel = resolution if isinstance(resolution, tuple) else (resolution, resolution)
        for side in pixel:
            if not 0.0 < side < math.inf:
                raise InputError.at("resolution", f"a pixel must be larger than 0 m, not {side:g}")
        self.values: Floats = np.ascontiguousarray(values, dtype=np.float64)
        if self.values.ndim != 2 or not self.values.size:
            raise InputError.at("line map", f"a picture has rows and columns, not the shape {self.values.shape}")
        self.resolution = pixel
        self.corner = corner

    @classmethod
    def of_pixels(
        cls,
        pixels: NDArray[np.uint8],
        resolution: float | tuple[float, float],
        corner: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """From colours uint8[rows, columns, 3], the top row first: 1 - (0.299 R + 0.587 G + 0.114 B) / 255."""
        grey = np.rint(pixels[::-1].astype(np.float64) @ np.array([0.299, 0.587, 0.114]))
        return cls(1.0 - grey / 255.0, resolution, corner)

    @classmethod
    def from_image(
        cls, path: Path | str, resolution: float | tuple[float, float], corner: tuple[float, float] = (0.0, 0.0)
    ) -> Self:
        """From a picture file. Raises InputError if it is missing or no picture."""
        from pybuzz.sim.floors import picture

        return cls.of_pixels(picture(Path(path)), resolution, corner)

    def darkness(self, places: Floats, aperture: float) -> Floats:
        """float64[...] of places float64[..., 2] in m: the mean of the pixels whose centres lie within `aperture` (m).

        That of the nearest pixel if there is none. Pixels that the picture does not have are white. Raises InputError
        for an aperture of too many pixels.
        """
        if aperture > _MOST_PIXELS * min(self.resolution):
            text = f"an aperture of {aperture:g} m is too large for pixels of {min(self.resolution):g} m"
            raise InputError.at("sensor_aperture", text, hint=f"at most {_MOST_PIXELS} pixels: its radius in m")
        flat = np.ascontiguousarray(places, dtype=np.float64).reshape(-1, 2)
        return _darkness(self.values, *self.resolution, *self.corner, flat, aperture).reshape(places.shape[:-1])


@kernel
def _darkness(
    values: Floats, width: float, depth: float, left: float, bottom: float, places: Floats, aperture: float
) -> Floats:
    rows, columns = values.shape
    found = np.empty(len(places))
    most = aperture * aperture * (1.0 + _ON_THE_RIM)
    for n in range(len(places)):
        x, y = places[n, 0] - left, places[n, 1] - bottom
        total, count = 0.0, 0
        for row in range(math.floor((y - aperture) / depth - 0.5), math.ceil((y + aperture) / depth - 0.5) + 1):
            dy = (row + 0.5) * depth - y
            for column in range(math.floor((x - aperture) / width - 0.5), math.ceil((x + aperture) / width - 0.5) + 1):
                dx = (column + 0.5) * width - x
                if dx * dx + dy * dy <= most:
                    count += 1
                    if 0 <= row < rows and 0 <= column < columns:
                        total += values[row, column]
        if count == 0:
            row, column = math.floor(y / depth), math.floor(x / width)
            count = 1
            if 0 <= row < rows and 0 <= column < columns:
                total = values[row, column]
        found[n] = total / count
    return found
