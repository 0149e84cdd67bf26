"""A figure that a notebook shows as a picture, also where matplotlib's own integration was not switched on."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

__all__ = ["ShownFigure"]

_DPI = 100


class ShownFigure(Figure):
    def _repr_png_(self) -> bytes:
        """What notebooks ask of the last value of a cell."""
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=_DPI, bbox_inches="tight")
        return picture.getvalue()
