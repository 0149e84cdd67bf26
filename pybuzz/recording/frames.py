"""Paints single moments of a recording as pictures, fast enough for video, with Pillow alone: no display is needed.

What moves is painted at twice the size and averaged down, which smooths all edges; text is set at the final size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageColor, ImageDraw

from pybuzz.recording.captions import Captions, Rgb
from pybuzz.recording.description import ObstacleMark
from pybuzz.recording.graphs import links_within
from pybuzz.recording.layout import OVER, FrameLook, Layout, Points
from pybuzz.recording.note_painting import NotePainter
from pybuzz.recording.palette import FADED, FEW_ROBOTS, GROUND, INK, MOVABLE, ROBOT_COLORS, SOLID, SOLID_EDGE
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import (
    chosen_robots,
    corners,
    extent,
    lights_at,
    moving_objects,
    placed,
    round_length,
    seen_poses,
    still_lights,
    still_obstacles,
)
from pybuzz.recording.views import Picture

__all__ = ["FrameLook", "FramePainter"]


_ONE_OF_MANY = "#3E5C76"
_FAILED = "#D55E00"
_GRID = "#EDEDED"
_LINK = "#9A9A9A"
_TRAIL_POINTS = 240
_TRAIL_SHADES = 6
_PALEST = 0.72
_LED_RING = 1.4
_LIGHT_PX = 8.0
_ARROW = np.array([(0.82, 0.0), (0.72, 2.5), (0.30, math.pi), (0.72, -2.5)])
"""The arrowhead on a robot: (share of its radius, angle from its heading)."""


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
        self._layout = Layout.of(look, low, high)
        self._captions = Captions(recording, look, self._layout, self._marks, self._colors)
        self._moving = moving_objects(recording)
        names = [mark.name for mark in self._marks]
        self._notes = NotePainter(recording, names, self._poses) if look.debug else None
        ground = self._paint_ground()
        self._still = self._paint_still(ground)
        self._stage_box = self._box_of_all_moves(ground.size)
        self._stage = ground.crop(self._stage_box)
        self._failures = {event.robot: event.tick for event in reversed(recording.events) if event.kind == "failed"}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all frames, in pixels; both even, as video formats want them."""
        return self._layout.width, self._layout.height

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The pixel of a frame that shows this place of the arena (m)."""
        column, row = self._layout.view_pixels(np.array([x, y])) / OVER
        return int(column), int(row) + self._layout.header

    def paint(self, tick: int) -> Image.Image:
        """The end of a tick as an RGB picture."""
        stage = self._stage.copy()
        draw = ImageDraw.Draw(stage)
        for mark, way in self._moving:
            if math.isfinite(way[tick, 0]):
                self._draw_obstacle(draw, placed(mark, way[tick]), self._on_stage)
        for light in self._passing_lights(tick):
            _star(draw, self._on_stage(np.array(light)), _LIGHT_PX * OVER)
        if self._look.trail_s > 0:
            self._draw_trails(draw, tick)
        if self._look.link_m > 0:
            self._draw_links(draw, self._poses[tick, :, :2])
        if self._notes is not None:
            self._notes.draw(draw, tick, self._on_stage)
        for index in range(len(self._marks)):
            self._draw_robot(draw, index, tick)
        frame = self._still.copy()
        left, top = self._stage_box[:2]
        frame.paste(stage.reduce(OVER), (left // OVER, top // OVER + self._layout.header))
        self._captions.write(frame, tick, self._poses[tick])
        return frame

    # -- what stays ----------------------------------------------------------------------------------------------

    def _paint_ground(self) -> Image.Image:
        """The arena without robots, at the larger size."""
        layout, description = self._layout, self._recording.description
        view = Image.new("RGB", (layout.width * OVER, layout.view_height * OVER), GROUND)
        draw = ImageDraw.Draw(view)
        self._draw_grid(draw, view.size)
        for picture in self._recording.views.values():
            _lay(view, picture, layout)
        if description.arena is not None:
            center, half = np.array(description.arena.center), np.array(description.arena.size) / 2
            box = layout.view_pixels(np.array([center - half, center + half]))
            draw.rectangle((box[0, 0], box[1, 1], box[1, 0], box[0, 1]), outline=FADED, width=OVER)
        for obstacle in still_obstacles(self._recording):
            self._draw_obstacle(draw, obstacle, layout.view_pixels)
        for light in still_lights(self._recording):
            _star(draw, layout.view_pixels(np.array(light)), _LIGHT_PX * OVER)
        return view

    def _draw_obstacle(
        self, draw: ImageDraw.ImageDraw, obstacle: ObstacleMark, pixels: Callable[[Points], Points]
    ) -> None:
        fill = MOVABLE if obstacle.movable else SOLID
        if obstacle.shape == "cylinder":
            radius = obstacle.size[0] / 2 * self._layout.view_scale
            _disc(draw, pixels(np.array(obstacle.position)), radius, fill, SOLID_EDGE, OVER)
        else:
            draw.polygon(pixels(corners(obstacle)).ravel().tolist(), fill=fill, outline=SOLID_EDGE, width=OVER)

    def _draw_grid(self, draw: ImageDraw.ImageDraw, size: tuple[int, int]) -> None:
        layout = self._layout
        step = round_length(min(layout.width, layout.view_height) / layout.scale / 4)
        low = layout.meters(np.array([0.0, size[1]]))
        high = layout.meters(np.array([size[0], 0.0]))
        for line in np.arange(math.ceil(low[0] / step), high[0] / step) * step:
            column = layout.view_pixels(np.array([line, 0.0]))[0]
            draw.line((column, 0, column, size[1]), fill=_GRID, width=OVER)
        for line in np.arange(math.ceil(low[1] / step), high[1] / step) * step:
            row = layout.view_pixels(np.array([0.0, line]))[1]
            draw.line((0, row, size[0], row), fill=_GRID, width=OVER)

    def _box_of_all_moves(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """The part of the enlarged view in which anything ever moves: only that is painted for each frame."""
        layout = self._layout
        ways = [(self._poses[..., :2], 2 * max(layout.robot_radius(mark) for mark in self._marks))]
        for mark, way in self._moving:
            ways.append((way[:, None, :2], math.hypot(*mark.size) / 2 * layout.view_scale + OVER))
        ways += [(np.array([[light]]), (_LIGHT_PX + 1) * OVER) for light in self._passing_lights(None)]
        if self._notes is not None and len(self._notes.places()):
            ways.append((self._notes.places()[:, None], 2.0 * OVER))
        reached = [(layout.view_pixels(places), reach) for places, reach in ways]
        low = np.min([np.nanmin(places, axis=(0, 1)) - reach for places, reach in reached], axis=0)
        high = np.max([np.nanmax(places, axis=(0, 1)) + reach for places, reach in reached], axis=0)
        low, high = np.maximum(low, 0) // OVER * OVER, np.minimum(-(-high // OVER) * OVER, size)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _on_stage(self, places: Points) -> Points:
        """Places (x, y in m) as pixels of what is painted for each frame."""
        pixels: Points = self._layout.view_pixels(places) - np.array(self._stage_box[:2])
        return pixels

    def _paint_still(self, ground: Image.Image) -> Image.Image:
        """The frame without what moves: title, scale and ground."""
        frame = Image.new("RGB", self.size, GROUND)
        frame.paste(ground.reduce(OVER), (0, self._layout.header))
        self._captions.write_header(frame)
        return frame

    def _passing_lights(self, tick: int | None) -> list[tuple[float, float]]:
        """The lights that came or went, of those that are there at the end of `tick`; None: all."""
        recording = self._recording
        still = set(still_lights(recording))
        lights = lights_at(recording, tick) if tick is not None else [stay[:2] for stay in recording.lights]
        return [light for light in lights if light not in still]

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
                    draw.line(piece.ravel().tolist(), fill=shade, width=2 * OVER)

    def _draw_links(self, draw: ImageDraw.ImageDraw, places: Points) -> None:
        points = self._on_stage(places)
        for pair in links_within(places, self._look.link_m):
            draw.line(points[pair].ravel().tolist(), fill=_LINK, width=2 * OVER)

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


def _lay(view: Image.Image, picture: Picture, layout: Layout) -> None:
    """Put a picture where it lies: pixel by pixel as sensors see it, unless it has to become smaller."""
    edges = layout.view_pixels(np.array([picture.corner, picture.upper_right])).round().astype(int)
    (left, bottom), (right, top) = edges.tolist()
    size = (max(right - left, 1), max(bottom - top, 1))
    image = Image.fromarray(picture.pixels)
    shrinks = size[0] < image.width and size[1] < image.height
    laid = image.resize(size, Image.Resampling.BOX if shrinks else Image.Resampling.NEAREST)
    view.paste(laid, (left, top), laid if laid.mode == "RGBA" else None)


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
    for ink, width in ((GROUND, 5 * OVER), (_FAILED, 3 * OVER)):
        draw.line((x - arm, y - arm, x + arm, y + arm), fill=ink, width=width)
        draw.line((x - arm, y + arm, x + arm, y - arm), fill=ink, width=width)


def _star(draw: ImageDraw.ImageDraw, center: Points, radius: float) -> None:
    angles = math.pi / 2 + np.arange(10) * math.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, radius, radius * 0.42)
    points = center + np.stack([radii * np.cos(angles), -radii * np.sin(angles)], axis=1)
    draw.polygon(points.ravel().tolist(), fill="#F0C800", outline=INK, width=1)
