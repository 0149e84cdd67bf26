"""Paints single moments of a recording as pictures, fast enough for video, with Pillow alone: no display is needed.

What moves is painted at twice the size and averaged down, which smooths all edges; text is set at the final size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw, ImageFont

from pybuzz.recording.description import RobotMark
from pybuzz.recording.palette import FADED, FEW_ROBOTS, GROUND, INK, MOVABLE, ROBOT_COLORS, SOLID, SOLID_EDGE
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import chosen_robots, corners, extent, round_length, seen_poses

__all__ = ["FrameLook", "FramePainter"]

Rgb = tuple[int, int, int]
Points = npt.NDArray[np.float64]

_OVER = 2
"""How many times larger than the frame the moving things are painted."""

_ONE_OF_MANY = "#3E5C76"
_FAILED = "#D55E00"
_GRID = "#EDEDED"
_TRAIL_POINTS = 240
_TRAIL_SHADES = 6
_PALEST = 0.72
_LEAST_RADIUS_PX = 4.0
_NARROWEST = 0.35
_LED_RING = 1.4
_ARROW = np.array([(0.82, 0.0), (0.72, 2.5), (0.30, math.pi), (0.72, -2.5)])
"""The arrowhead on a robot: (share of its radius, angle from its heading)."""


@dataclass(frozen=True, slots=True)
class FrameLook:
    """How frames look.

    size        (width, height) in pixels; None: as the arena asks, `long_side` pixels at most
    trail_s     seconds of way to draw behind each robot; inf: all of it
    ids         whether names stand beside the robots
    log_lines   so many of the latest log lines below the arena
    """

    size: tuple[int, int] | None = None
    long_side: int = 960
    trail_s: float = 0.0
    ids: bool = False
    log_lines: int = 0


class FramePainter:
    """Paints any tick of one recording; equal ticks of equal recordings give equal pictures.

    Raises InputError if the recording holds no poses, or has no robot of a name in `robots`.
    """

    def __init__(
        self, recording: Recording, look: FrameLook | None = None, *, robots: Sequence[str] | None = None
    ) -> None:
        self._recording = recording
        self._look = look = look or FrameLook()
        self._chosen = chosen_robots(recording, robots)
        self._poses = seen_poses(recording, self._chosen)
        self._leds = recording.leds[:, self._chosen]
        self._marks = [recording.description.robots[index] for index in self._chosen]
        self._colors = _robot_colors(len(self._chosen))
        low, high = extent(recording, self._poses, max(mark.radius for mark in self._marks))
        self._layout = _Layout.of(look, low, high)
        self._font = ImageFont.load_default(self._layout.text_px)
        ground = self._paint_ground()
        self._still = self._paint_still(ground)
        self._stage_box = self._box_of_all_moves(ground.size)
        self._stage = ground.crop(self._stage_box)
        self._failures = {event.robot: event.tick for event in reversed(recording.events) if event.kind == "failed"}
        self._log_ticks = [line.tick for line in recording.log] if look.log_lines else []

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all frames, in pixels; both even, as video formats want them."""
        return self._layout.width, self._layout.height

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The pixel of a frame that shows this place of the arena (m)."""
        column, row = self._layout.view_pixels(np.array([x, y])) / _OVER
        return int(column), int(row) + self._layout.header

    def paint(self, tick: int) -> Image.Image:
        """The end of a tick as an RGB picture."""
        stage = self._stage.copy()
        draw = ImageDraw.Draw(stage)
        if self._look.trail_s > 0:
            self._draw_trails(draw, tick)
        for index in range(len(self._marks)):
            self._draw_robot(draw, index, tick)
        frame = self._still.copy()
        left, top = self._stage_box[:2]
        frame.paste(stage.reduce(_OVER), (left // _OVER, top // _OVER + self._layout.header))
        self._write_texts(ImageDraw.Draw(frame), tick)
        return frame

    # -- what stays ----------------------------------------------------------------------------------------------

    def _paint_ground(self) -> Image.Image:
        """The arena without robots, at the larger size."""
        layout, description = self._layout, self._recording.description
        view = Image.new("RGB", (layout.width * _OVER, layout.view_height * _OVER), GROUND)
        draw = ImageDraw.Draw(view)
        self._draw_grid(draw, view.size)
        if description.arena is not None:
            center, half = np.array(description.arena.center), np.array(description.arena.size) / 2
            box = layout.view_pixels(np.array([center - half, center + half]))
            draw.rectangle((box[0, 0], box[1, 1], box[1, 0], box[0, 1]), outline=FADED, width=_OVER)
        for obstacle in description.obstacles:
            points = layout.view_pixels(corners(obstacle))
            fill = MOVABLE if obstacle.movable else SOLID
            if obstacle.shape == "cylinder":
                center = layout.view_pixels(np.array(obstacle.position))
                _disc(draw, center, obstacle.size[0] / 2 * layout.view_scale, fill, SOLID_EDGE, _OVER)
            else:
                draw.polygon(points.ravel().tolist(), fill=fill, outline=SOLID_EDGE, width=_OVER)
        for light in description.lights:
            _star(draw, layout.view_pixels(np.array(light)), 8.0 * _OVER)
        return view

    def _draw_grid(self, draw: ImageDraw.ImageDraw, size: tuple[int, int]) -> None:
        layout = self._layout
        step = round_length(min(layout.width, layout.view_height) / layout.scale / 4)
        low = layout.meters(np.array([0.0, size[1]]))
        high = layout.meters(np.array([size[0], 0.0]))
        for line in np.arange(math.ceil(low[0] / step), high[0] / step) * step:
            column = layout.view_pixels(np.array([line, 0.0]))[0]
            draw.line((column, 0, column, size[1]), fill=_GRID, width=_OVER)
        for line in np.arange(math.ceil(low[1] / step), high[1] / step) * step:
            row = layout.view_pixels(np.array([0.0, line]))[1]
            draw.line((0, row, size[0], row), fill=_GRID, width=_OVER)

    def _box_of_all_moves(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """The part of the enlarged view in which robots ever are: only that is painted for each frame."""
        places = self._layout.view_pixels(self._poses[..., :2])
        reach = 2 * max(self._layout.robot_radius(mark) for mark in self._marks)
        low = np.maximum(np.nanmin(places, axis=(0, 1)) - reach, 0) // _OVER * _OVER
        high = np.minimum(-(-(np.nanmax(places, axis=(0, 1)) + reach) // _OVER) * _OVER, size)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _on_stage(self, places: Points) -> Points:
        """Places (x, y in m) as pixels of what is painted for each frame."""
        pixels: Points = self._layout.view_pixels(places) - np.array(self._stage_box[:2])
        return pixels

    def _paint_still(self, ground: Image.Image) -> Image.Image:
        """The frame without what moves: title, scale and ground."""
        layout, description = self._layout, self._recording.description
        frame = Image.new("RGB", self.size, GROUND)
        frame.paste(ground.reduce(_OVER), (0, layout.header))
        draw = ImageDraw.Draw(frame)
        middle = layout.header / 2
        reserved = draw.textlength("  00000.0 s", self._font)
        length = round_length(min(layout.width, layout.view_height) / layout.scale / 5)
        label = f" {length:g} m" if length >= 0.1 else f" {length * 100:g} cm"
        right = layout.width - layout.pad - reserved - draw.textlength(label, self._font)
        left = right - length * layout.scale
        draw.line((left, middle, right, middle), fill=FADED, width=2)
        for end in (left, right):
            draw.line((end, middle - 4, end, middle + 4), fill=FADED, width=2)
        draw.text((right, middle), label, FADED, self._font, anchor="lm")
        title = f"{Path(description.experiment).name}, seed {description.seed}"
        title = self._fitted(draw, title, left - 2 * layout.pad)
        draw.text((layout.pad, middle), title, INK, self._font, anchor="lm")
        return frame

    # -- what moves ----------------------------------------------------------------------------------------------

    def _draw_trails(self, draw: ImageDraw.ImageDraw, tick: int) -> None:
        ticks = min(self._look.trail_s * self._recording.description.ticks_per_second, tick)
        stride = 2 ** max(0, math.ceil(math.log2(max(ticks, 1) / _TRAIL_POINTS)))
        first = math.ceil((tick - ticks) / stride) * stride
        rows = [*range(first, tick, stride), tick]  # multiples of the stride, so that old points stand still
        points = self._on_stage(self._poses[rows, :, :2])
        parts = [part for part in np.array_split(np.arange(len(rows) - 1), _TRAIL_SHADES) if len(part)]
        for number, part in enumerate(parts):
            paleness = _PALEST * (1 - (number + 1) / len(parts))
            for index, color in enumerate(self._colors):
                shade = _mixed(color, GROUND, paleness)
                for piece in _unbroken(points[part[0] : part[-1] + 2, index]):
                    draw.line(piece.ravel().tolist(), fill=shade, width=2 * _OVER)

    def _draw_robot(self, draw: ImageDraw.ImageDraw, index: int, tick: int) -> None:
        x, y, yaw = self._poses[tick, index]
        if not math.isfinite(x):
            return
        center = self._on_stage(np.array([x, y]))
        radius = self._layout.robot_radius(self._marks[index])
        led = tuple(self._leds[tick, index].tolist())
        if any(led):
            _disc(draw, center, radius * _LED_RING, led, INK, 1)
        _disc(draw, center, radius, self._colors[index], GROUND if any(led) else INK, 1)
        angles, shares = yaw + _ARROW[:, 1], radius * _ARROW[:, :1]
        arrow = center + shares * np.stack([np.cos(angles), -np.sin(angles)], axis=1)
        draw.polygon(arrow.ravel().tolist(), fill=GROUND)
        if self._failures.get(self._marks[index].name, math.inf) <= tick:
            _cross(draw, center, radius * 1.3)

    # -- text ----------------------------------------------------------------------------------------------------

    def _write_texts(self, draw: ImageDraw.ImageDraw, tick: int) -> None:
        layout = self._layout
        time = f"{tick / self._recording.description.ticks_per_second:.1f} s"
        draw.text((layout.width - layout.pad, layout.header / 2), time, INK, self._font, anchor="rm")
        if self._look.ids:
            self._write_ids(draw, tick)
        if self._look.log_lines:
            self._write_log(draw, tick)

    def _write_ids(self, draw: ImageDraw.ImageDraw, tick: int) -> None:
        layout = self._layout
        for index, mark in enumerate(self._marks):
            x, y = self._poses[tick, index, :2]
            if math.isfinite(x):
                column, row = layout.view_pixels(np.array([x, y])) / _OVER
                off = layout.robot_radius(mark) / _OVER * 0.75 + 2
                place = (column + off, row + layout.header - off)
                draw.text(
                    place, mark.name, self._colors[index], self._font, anchor="ls", stroke_width=2, stroke_fill=GROUND
                )

    def _write_log(self, draw: ImageDraw.ImageDraw, tick: int) -> None:
        layout = self._layout
        end = int(np.searchsorted(self._log_ticks, tick, side="right"))
        top = layout.header + layout.view_height
        draw.line((0, top, layout.width, top), fill="#D0D0D0", width=1)
        colors = dict(zip((mark.name for mark in self._marks), self._colors, strict=True))
        per_second = self._recording.description.ticks_per_second
        for number, line in enumerate(self._recording.log[max(0, end - self._look.log_lines) : end]):
            row = top + layout.pad + number * layout.line
            when, name = f"{line.tick / per_second:6.1f} s  ", f"[{line.robot}] "
            draw.text((layout.pad, row), when, FADED, self._font)
            left = layout.pad + draw.textlength(when, self._font)
            draw.text((left, row), name, colors.get(line.robot, INK), self._font)
            left += draw.textlength(name, self._font)
            text = self._fitted(draw, " ".join(line.text.split()), layout.width - layout.pad - left)
            draw.text((left, row), text, INK, self._font)

    def _fitted(self, draw: ImageDraw.ImageDraw, text: str, width: float) -> str:
        """The text, cut so that it is not wider than `width` pixels."""
        if draw.textlength(text, self._font) <= width:
            return text
        while text and draw.textlength(text + "...", self._font) > width:
            text = text[:-1]
        return text + "..." if text else ""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are in a frame, in its pixels: a header, the view of the arena, the log."""

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
    def of(cls, look: FrameLook, low: Points, high: Points) -> _Layout:
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
    def view_scale(self) -> float:
        """Pixels of the enlarged view per m."""
        return self.scale * _OVER

    def robot_radius(self, mark: RobotMark) -> float:
        """In pixels of the enlarged view: to scale, but never too small to see."""
        return max(mark.radius * self.view_scale, _LEAST_RADIUS_PX * _OVER)

    def view_pixels(self, places: Points) -> Points:
        """Places (x, y in m) of any shape [..., 2] as pixels of the enlarged view."""
        middle = np.array([self.width, self.view_height]) * (_OVER / 2)
        pixels: Points = (places - np.array(self.center)) * np.array([self.view_scale, -self.view_scale]) + middle
        return pixels

    def meters(self, pixels: Points) -> Points:
        """The inverse of `view_pixels`."""
        middle = np.array([self.width, self.view_height]) * (_OVER / 2)
        places: Points = (pixels - middle) / np.array([self.view_scale, -self.view_scale]) + np.array(self.center)
        return places


def _robot_colors(robots: int) -> list[Rgb]:
    few = robots <= FEW_ROBOTS
    return [_rgb(ROBOT_COLORS[index] if few else _ONE_OF_MANY) for index in range(robots)]


def _rgb(color: str) -> Rgb:
    red, green, blue = ImageColor.getrgb(color)[:3]
    return red, green, blue


def _mixed(color: Rgb, other: str, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, _rgb(other), strict=True))
    return red, green, blue


def _unbroken(points: Points) -> list[Points]:
    """The pieces of a way in which the robot was there, each of two points or more."""
    there = np.isfinite(points[:, 0])
    if there.all():
        return [points] if len(points) > 1 else []
    pieces = np.split(points, np.flatnonzero(np.diff(there)) + 1)
    return [piece for piece in pieces if len(piece) > 1 and np.isfinite(piece[0, 0])]


def _disc(draw: ImageDraw.ImageDraw, center: Points, radius: float, fill: str | Rgb, edge: str, width: int) -> None:
    x, y = center
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=edge, width=width)


def _cross(draw: ImageDraw.ImageDraw, center: Points, arm: float) -> None:
    x, y = center
    for ink, width in ((GROUND, 5 * _OVER), (_FAILED, 3 * _OVER)):
        draw.line((x - arm, y - arm, x + arm, y + arm), fill=ink, width=width)
        draw.line((x - arm, y + arm, x + arm, y - arm), fill=ink, width=width)


def _star(draw: ImageDraw.ImageDraw, center: Points, radius: float) -> None:
    angles = math.pi / 2 + np.arange(10) * math.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, radius, radius * 0.42)
    points = center + np.stack([radii * np.cos(angles), -radii * np.sin(angles)], axis=1)
    draw.polygon(points.ravel().tolist(), fill="#F0C800", outline=INK, width=1)
