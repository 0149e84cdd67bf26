"""The floor as ground sensors see it: white, an image, or a function of place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.sim.line_map import LineMap

__all__ = ["Floor", "ImageFloor", "PaintedFloor", "WhiteFloor", "grey_of", "load_floor", "picture"]

Floats = NDArray[np.float64]


class Floor(Protocol):
    """Anything that can tell the brightness of places."""

    def brightness(self, x: Floats, y: Floats) -> Floats:
        """float64 of the same shape: 0 black to 1 white at these places (m)."""

    def darkness(self, places: Floats, aperture: float) -> Floats:
        """float64[...]: 1 black to 0 white at places float64[..., 2] (m), the mean of the pixels within `aperture`."""


def grey_of(colors: NDArray[np.uint8]) -> Floats:
    """Brightness float64[...] of colours uint8[..., 3]: 0.299 R + 0.587 G + 0.114 B in single precision (ARGoS 3)."""
    red, green, blue = (colors[..., channel].astype(np.float32) for channel in range(3))
    weighted = np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue
    return np.asarray(weighted, dtype=np.float64) / 255.0


class WhiteFloor:
    """White everywhere."""

    def brightness(self, x: Floats, y: Floats) -> Floats:
        return np.ones(x.shape)

    def darkness(self, places: Floats, aperture: float) -> Floats:
        return np.zeros(places.shape[:-1])


class ImageFloor:
    """An image stretched over a rectangle; white outside.

    pixels: uint8[rows, columns, 3], top row first; size: (x, y) in m; corner: the bottom left one, None: the rectangle
    lies about the origin. The arena's centre does not count, as in ARGoS.
    """

    def __init__(
        self, pixels: NDArray[np.uint8], size: tuple[float, float], corner: tuple[float, float] | None = None
    ) -> None:
        self.pixels = pixels
        self.size = size
        self.corner = (-size[0] / 2, -size[1] / 2) if corner is None else corner
        self._grey = grey_of(pixels[::-1])

    def brightness(self, x: Floats, y: Floats) -> Floats:
        rows, columns = self._grey.shape
        width, depth = self.size
        across = np.trunc((x - self.corner[0]) * (columns / width))
        up = np.trunc((y - self.corner[1]) * (rows / depth))
        inside = (across >= 0) & (across < columns) & (up >= 0) & (up < rows)
        found = self._grey[np.where(inside, up, 0).astype(np.int64), np.where(inside, across, 0).astype(np.int64)]
        return np.where(inside, found, 1.0)

    def color(self, x: float, y: float) -> tuple[float, float, float]:
        """Red, green, blue in 0..255 at one place."""
        rows, columns = self.pixels.shape[:2]
        across = int(np.trunc((x - self.corner[0]) * (columns / self.size[0])))
        up = int(np.trunc((y - self.corner[1]) * (rows / self.size[1])))
        if not (0 <= across < columns and 0 <= up < rows):
            return 255.0, 255.0, 255.0
        red, green, blue = self.pixels[rows - 1 - up, across].tolist()
        return red, green, blue

    @cached_property
    def line_map(self) -> LineMap:
        """The same picture for line sensors."""
        rows, columns = self._grey.shape
        return LineMap.of_pixels(self.pixels, (self.size[0] / columns, self.size[1] / rows), self.corner)

    def darkness(self, places: Floats, aperture: float) -> Floats:
        return self.line_map.darkness(places, aperture)


class PaintedFloor:
    """A floor given by a function: brightness in [0, 1] at x, y (m)."""

    def __init__(self, paint: Callable[[float, float], float]) -> None:
        self._paint = paint

    def brightness(self, x: Floats, y: Floats) -> Floats:
        places = zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)
        return np.array([self._paint(*place) for place in places], dtype=np.float64).reshape(x.shape)

    def darkness(self, places: Floats, aperture: float) -> Floats:
        return 1.0 - self.brightness(places[..., 0], places[..., 1])


def load_floor(
    path: Path, size: tuple[float, float], resolution: float | None = None, corner: tuple[float, float] | None = None
) -> ImageFloor:
    """An image file of any usual format over an arena of this size (x, y) in m.

    resolution: m per pixel instead of the size. corner: see `ImageFloor`. Raises InputError if it cannot be read.
    """
    pixels = picture(path)
    if resolution is not None:
        size = (pixels.shape[1] * resolution, pixels.shape[0] * resolution)
    return ImageFloor(pixels, size, corner)


def picture(path: Path) -> NDArray[np.uint8]:
    """The colours of an image file, uint8[rows, columns, 3], the top row first. Raises InputError if unreadable."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, Image.DecompressionBombError) as fault:
        raise InputError.at(
            str(path), f"cannot read the floor image: {fault}", hint="give a PNG or JPEG file"
        ) from fault
