"""Where things are in a frame of a film: a header, the view of the arena, the log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pybuzz.recording.description import RobotMark

__all__ = ["OVER", "FrameLook", "Layout", "Points"]

Points = npt.NDArray[np.float64]

OVER = 2
"""How many times larger than the frame the moving things are painted."""

_LEAST_RADIUS_PX = 4.0
_NARROWEST = 0.35


@dataclass(frozen=True, slots=True)
class FrameLook:
    """How frames look.

    size        (width, height) in pixels; None: as the arena asks, `long_side` pixels at most
    trail_s     seconds of way to draw behind each robot; inf: all of it
    ids         whether names stand beside the robots
    log_lines   so many of the latest log lines below the arena
    debug       whether to draw what scripts drew with `debug`
    link_m      robots nearer to each other than this are joined by a line; 0: none are
    """

    size: tuple[int, int] | None = None
    long_side: int = 960
    trail_s: float = 0.0
    ids: bool = False
    log_lines: int = 0
    debug: bool = False
    link_m: float = 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """In pixels of the frame. From top to bottom: `header`, `view_height`, the log."""

    width: int
    height: int
    header: int
    view_height: int
    text_px: int
    pad: int
    line: int
    scale: float
    """Pixels per m."""
    center: tuple[float, float]
    """The place (m) in the middle of the view."""

    @classmethod
    def of(cls, look: FrameLook, low: Points, high: Points) -> Layout:
        span = high - low
        wanted = np.maximum(np.clip(span / span.max(), _NARROWEST, 1.0) * look.long_side, 16)
        text = int(np.clip(min(look.size or wanted) / 44, 11, 40))
        header, pad, line = round(text * 2.2), round(text * 0.8), round(text * 1.4)
        log = look.log_lines * line + 2 * pad if look.log_lines else 0
        width, height = look.size or (int(wanted[0]), int(wanted[1]) + header + log)
        width, height = width - width % 2, height - height % 2
        view = max(height - header - log, 1)
        scale = float(min(width / span[0], view / span[1]))
        middle = (low + high) / 2
        return cls(width, height, header, view, text, pad, line, scale, (float(middle[0]), float(middle[1])))

    @property
    def log_top(self) -> int:
        """The first row of the log."""
        return self.header + self.view_height

    @property
    def view_scale(self) -> float:
        """Pixels of the enlarged view per m."""
        return self.scale * OVER

    def robot_radius(self, mark: RobotMark) -> float:
        """In pixels of the enlarged view: to scale, but never too small to see."""
        return max(mark.radius * self.view_scale, _LEAST_RADIUS_PX * OVER)

    def view_pixels(self, places: Points) -> Points:
        """Places (x, y in m) of any shape [..., 2] as pixels of the enlarged view."""
        middle = np.array([self.width, self.view_height]) * (OVER / 2)
        pixels: Points = (places - np.array(self.center)) * np.array([self.view_scale, -self.view_scale]) + middle
        return pixels

    def meters(self, pixels: Points) -> Points:
        """The inverse of `view_pixels`."""
        middle = np.array([self.width, self.view_height]) * (OVER / 2)
        places: Points = (pixels - middle) / np.array([self.view_scale, -self.view_scale]) + np.array(self.center)
        return places
