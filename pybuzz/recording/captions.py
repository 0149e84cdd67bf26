"""The text of frames: title, scale and time, names beside the robots, the latest log lines.

Setting text is what takes longest in a frame, so names and log lines are set once and then pasted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pybuzz.recording.description import RobotMark
from pybuzz.recording.layout import OVER, FrameLook, Layout, Points
from pybuzz.recording.note_painting import notes_by_tick
from pybuzz.recording.notes import Note
from pybuzz.recording.palette import FADED, GROUND, INK
from pybuzz.recording.recording import LogLine, Recording
from pybuzz.recording.scene import round_length

__all__ = ["Captions", "Rgb"]

Rgb = tuple[int, int, int]

_HALO_PX = 2


class Captions:
    """Writes the texts of one recording's frames."""

    def __init__(
        self, recording: Recording, look: FrameLook, layout: Layout, marks: Sequence[RobotMark], colors: Sequence[Rgb]
    ) -> None:
        self._description = recording.description
        self._look, self._layout, self._marks = look, layout, marks
        self._font = ImageFont.load_default(layout.text_px)
        self._measure = ImageDraw.Draw(Image.new("RGB", (1, 1)))
        self._colors = {mark.name: color for mark, color in zip(marks, colors, strict=True)}
        self._names = [self._name_picture(mark.name) for mark in marks] if look.ids else []
        self._columns = {mark.name: column for column, mark in enumerate(marks)}
        self._notes = notes_by_tick(recording) if look.debug else {}
        self._log = recording.log if look.log_lines else []
        self._log_ticks = [line.tick for line in self._log]
        self._line_pictures: dict[int, Image.Image] = {}

    def write_header(self, frame: Image.Image) -> None:
        """What the header says in all frames: the experiment, and a bar of known length."""
        layout, draw, middle = self._layout, ImageDraw.Draw(frame), self._layout.header / 2
        length = round_length(min(layout.width, layout.view_height) / layout.scale / 5)
        label = f" {length:g} m" if length >= 0.1 else f" {length * 100:g} cm"
        right = layout.width - layout.pad - self._width("  00000.0 s") - self._width(label)
        left = right - length * layout.scale
        draw.line((left, middle, right, middle), fill=FADED, width=2)
        for end in (left, right):
            draw.line((end, middle - 4, end, middle + 4), fill=FADED, width=2)
        draw.text((right, middle), label, FADED, self._font, anchor="lm")
        title = f"{Path(self._description.experiment).name}, seed {self._description.seed}"
        draw.text((layout.pad, middle), self._fitted(title, left - 2 * layout.pad), INK, self._font, anchor="lm")

    def write(self, frame: Image.Image, tick: int, poses: Points) -> None:
        """The texts of one tick. poses: float64[robots, 3], those that are painted."""
        layout, draw = self._layout, ImageDraw.Draw(frame)
        time = f"{tick / self._description.ticks_per_second:.1f} s"
        draw.text((layout.width - layout.pad, layout.header / 2), time, INK, self._font, anchor="rm")
        for mark, picture, pose in zip(self._marks, self._names, poses, strict=False):
            if math.isfinite(pose[0]):
                self._paste_name(frame, picture, mark, pose)
        for note in self._notes.get(tick, ()):
            column = self._columns.get(note.robot)
            if note.text and column is not None and math.isfinite(poses[column, 0]):
                self._paste_note(frame, note, self._marks[column], poses[column])
        if self._look.log_lines:
            draw.line((0, layout.log_top, layout.width, layout.log_top), fill="#D0D0D0", width=1)
            self._paste_log(frame, int(np.searchsorted(self._log_ticks, tick, side="right")))

    def _paste_name(self, frame: Image.Image, picture: Image.Image, mark: RobotMark, pose: Points) -> None:
        """Above and right of the robot, but within the frame."""
        column, row = self._layout.view_pixels(pose[:2]) / OVER
        off = self._layout.robot_radius(mark) / OVER * 0.75
        left = min(column + off, frame.width - picture.width)
        top = max(row + self._layout.header - off - picture.height, 0)
        frame.paste(picture, (round(left), round(top)), picture)

    def _paste_note(self, frame: Image.Image, note: Note, mark: RobotMark, pose: Points) -> None:
        """Below and right of the robot, but within the view."""
        picture = self._haloed(self._fitted(" ".join(note.text.split()), frame.width / 2), note.color)
        column, row = self._layout.view_pixels(pose[:2]) / OVER
        off = self._layout.robot_radius(mark) / OVER * 0.75
        left = min(column + off, frame.width - picture.width)
        top = min(row + self._layout.header + off, self._layout.log_top - picture.height)
        frame.paste(picture, (round(left), round(top)), picture)

    def _name_picture(self, name: str) -> Image.Image:
        return self._haloed(name, self._colors[name])

    def _haloed(self, text: str, color: Rgb) -> Image.Image:
        """The text on nothing, readable over anything."""
        left, top, right, bottom = self._font.getbbox(text, stroke_width=_HALO_PX)
        size = max(math.ceil(right - left), 1), max(math.ceil(bottom - top), 1)
        picture = Image.new("RGBA", size, (255, 255, 255, 0))
        ImageDraw.Draw(picture).text((-left, -top), text, color, self._font, stroke_width=_HALO_PX, stroke_fill=GROUND)
        return picture

    def _paste_log(self, frame: Image.Image, end: int) -> None:
        """The lines before number `end`."""
        first = max(0, end - self._look.log_lines)
        pictures = self._line_pictures
        self._line_pictures = {
            number: pictures.get(number) or self._line_picture(self._log[number]) for number in range(first, end)
        }
        for number, picture in self._line_pictures.items():
            top = self._layout.log_top + self._layout.pad + (number - first) * self._layout.line
            frame.paste(picture, (self._layout.pad, top))

    def _line_picture(self, line: LogLine) -> Image.Image:
        width = max(self._layout.width - 2 * self._layout.pad, 1)
        picture = Image.new("RGB", (width, self._layout.line), GROUND)
        draw, left = ImageDraw.Draw(picture), 0.0
        when = f"{line.tick / self._description.ticks_per_second:6.1f} s  "
        color = self._colors.get(line.robot, INK)
        for text, ink in ((when, FADED), (f"[{line.robot}] ", color), (" ".join(line.text.split()), INK)):
            draw.text((left, 0), self._fitted(text, width - left), ink, self._font)
            left += self._width(text)
        return picture

    def _width(self, text: str) -> float:
        return float(self._measure.textlength(text, self._font))

    def _fitted(self, text: str, width: float) -> str:
        """The text, cut so that it is not wider than `width` pixels."""
        if self._width(text) <= width:
            return text
        while text and self._width(text + "...") > width:
            text = text[:-1]
        return text + "..." if text else ""
