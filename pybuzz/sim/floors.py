"""The floor as ground sensors see it: white, an image, or a function of place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError

__all__ = ["Floor", "ImageFloor", "PaintedFloor", "WhiteFloor", "grey_of", "load_floor"]

Floats = NDArray[np.float64]


class Floor(Protocol):
    """Anything that can tell the brightness of places."""

    def brightness(self, x: Floats, y: Floats) -> Floats:
        """float64 of the same shape: 0 black to 1 white at these places (m)."""


def grey_of(colors: NDArray[np.uint8]) -> Floats:
    """Brightness float64[...] of colours uint8[..., 3]: 0.299 R + 0.587 G + 0.114 B in single precision (ARGoS 3)."""
    red, green, blue = (colors[..., channel].astype(np.float32) for channel in range(3))
    weighted = np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue
    return np.asarray(weighted, dtype=np.float64) / 255.0


class WhiteFloor:
    """White everywhere."""

    def brightness(self, x: Floats, y: Floats) -> Floats:
        return np.ones(x.shape)


class ImageFloor:
    """An image stretched over a rectangle about the origin; white outside.

    pixels: uint8[rows, columns, 3], top row first; size: (x, y) in m. The arena's centre does not count, as in ARGoS.
    """

    def __init__(self, pixels: NDArray[np.uint8], size: tuple[float, float]) -> None:
        self.pixels = pixels
        self.size = size
        self._grey = grey_of(pixels[::-1])

    def brightness(self, x: Floats, y: Floats) -> Floats:
        rows, columns = self._grey.shape
        width, depth = self.size
        across = np.trunc((x + width / 2) * (columns / width))
        up = np.trunc((y + depth / 2) * (rows / depth))
        inside = (across >= 0) & (across < columns) & (up >= 0) & (up < rows)
        found = self._grey[np.where(inside, up, 0).astype(np.int64), np.where(inside, across, 0).astype(np.int64)]
        return np.where(inside, found, 1.0)


class PaintedFloor:
    """A floor given by a function: brightness in [0, 1] at x, y (m)."""

    def __init__(self, paint: Callable[[float, float], float]) -> None:
        self._paint = paint

    def brightness(self, x: Floats, y: Floats) -> Floats:
        places = zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)
        return np.array([self._paint(*place) for place in places], dtype=np.float64).reshape(x.shape)


def load_floor(path: Path, size: tuple[float, float]) -> ImageFloor:
    """An image file of any usual format over an arena of this size (x, y) in m.

    Raises InputError if it cannot be read.
    """
    from PIL import Image

    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError) as fault:
        raise InputError.at(
            str(path), f"cannot read the floor image: {fault}", hint="give a PNG or JPEG file"
        ) from fault
    return ImageFloor(pixels, size)
