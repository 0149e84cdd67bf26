"""Pictures from above as the page takes them: a PNG, and where it lies."""

from __future__ import annotations

import io
from typing import Any

from pybuzz.recording import Picture

__all__ = ["area_of", "as_png"]


def area_of(picture: Picture) -> dict[str, Any]:
    """`floor` of the message `scene`."""
    center = [corner + side / 2 for corner, side in zip(picture.corner, picture.size, strict=True)]
    return {"size": list(picture.size), "center": center}


def as_png(picture: Picture) -> bytes:
    """The picture as a file."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture.pixels).save(file, "PNG")
    return file.getvalue()
