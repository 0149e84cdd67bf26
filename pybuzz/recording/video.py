"""Writes frames of a recording as MP4, GIF or PNG. MP4 is made by ffmpeg, which the extra `plot` brings along."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import ENOSPC
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile

from PIL import Image

from pybuzz.errors import InputError
from pybuzz.recording.drafts import drafted
from pybuzz.recording.frames import FrameLook, FramePainter
from pybuzz.recording.recording import Recording
from pybuzz.recording.scene import tick_at

__all__ = ["VIDEO_SUFFIXES", "Span", "render"]

VIDEO_SUFFIXES = (".mp4", ".gif", ".png")

_GIF_COLORS = 128
_GIF_FRAMES_PER_SECOND = 50.0
"""Faster, and browsers slow a GIF down to 10."""
_MOST_FRAMES_PER_SECOND = 240.0
_NUMBER = re.compile(r"%0?\d*d")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Span:
    """Which ticks become frames: from `start_s` to `end_s` (None: the last), every `every`-th."""

    start_s: float = 0.0
    end_s: float | None = None
    every: int = 1

    def ticks(self, recording: Recording) -> range:
        """Raises InputError if a time is not in the recording, or no tick is left."""
        first, last = tick_at(recording, self.start_s, "--from"), tick_at(recording, self.end_s, "--to")
        if first > last:
            raise InputError.at("--from", f"begins after the end (--to is {self.end_s:g} s)")
        return range(first, last + 1, self.every)


def render(
    recording: Recording,
    path: Path | str,
    *,
    span: Span | None = None,
    look: FrameLook | None = None,
    fps: float | None = None,
    robots: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the recording as a film or as pictures; returns the path.

    path       .mp4 or .gif: all frames. .png: the last frame; with a number in its name (frame-%04d.png): each frame
    fps        frames per second; None: so many that the film runs as fast as the robots did
    robots     names of those to draw; None: all
    progress   is told how many frames are written, of how many

    Raises InputError for another suffix, a rate or size that the format cannot have, times outside of the recording,
    a recording without poses, or if ffmpeg is needed and not there.
    """
    path, span, look = Path(path), span or Span(), look or FrameLook()
    suffix = path.suffix.lower()
    if suffix not in VIDEO_SUFFIXES:
        raise InputError.at(str(path), f"cannot render a '{suffix}' file", hint=f"use {', '.join(VIDEO_SUFFIXES)}")
    ticks = span.ticks(recording)
    rate = fps or recording.description.ticks_per_second / span.every
    _check_rate(path, rate)
    painter = FramePainter(recording, look, robots=robots)
    if suffix == ".png" and not _NUMBER.search(path.name):
        ticks = ticks[-1:]
    frames = _told((painter.paint(tick) for tick in ticks), len(ticks), progress)
    if suffix == ".png":
        _write_pictures(path, frames)
    elif suffix == ".gif":
        _write_gif(path, frames, rate, _shared_palette(painter, ticks))
    else:
        _write_mp4(path, frames, rate, painter.size)
    return path


def _check_rate(path: Path, rate: float) -> None:
    if not 0 < rate < math.inf:
        raise InputError.at("--fps", f"{rate:g} frames per second are none")
    most = _GIF_FRAMES_PER_SECOND if path.suffix.lower() == ".gif" else _MOST_FRAMES_PER_SECOND
    if rate > most:
        text = f"{rate:g} frames per second are too many; a {path.suffix} has at most {most:g}"
        raise InputError.at(str(path), text, hint="take fewer ticks with --every, or say --fps")


def _told(frames: Iterator[Image.Image], total: int, progress: Progress | None) -> Iterator[Image.Image]:
    for number, frame in enumerate(frames, 1):
        yield frame
        if progress is not None:
            progress(number, total)


def _write_pictures(path: Path, frames: Iterator[Image.Image]) -> None:
    for number, frame in enumerate(frames):
        with drafted(_numbered(path, number)) as draft:
            frame.save(draft, optimize=True)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(_NUMBER.sub(lambda match: match[0] % number, path.name))


def _shared_palette(painter: FramePainter, ticks: range) -> Image.Image:
    """One palette for the whole film, so that what stands still keeps its colours and takes no room."""
    samples = [painter.paint(tick) for tick in ticks[:: max(1, len(ticks) // 5)]]
    width, height = painter.size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, number * height))
    return sheet.quantize(_GIF_COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _write_gif(path: Path, frames: Iterator[Image.Image], rate: float, palette: Image.Image) -> None:
    indexed = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    first = next(indexed)
    rest = list(indexed)
    # A GIF counts in hundredths of a second: rounding the moments, not the steps, keeps the pace.
    moments = [round(number * 100 / rate) * 10 for number in range(len(rest) + 2)]
    durations = [later - earlier for earlier, later in pairwise(moments)]
    with drafted(path) as draft:
        first.save(draft, save_all=True, append_images=rest, duration=durations, loop=0, optimize=False)


def _write_mp4(path: Path, frames: Iterator[Image.Image], rate: float, size: tuple[int, int]) -> None:
    """Pipes raw frames into ffmpeg."""
    command = [
        _ffmpeg(), "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-s", f"{size[0]}x{size[1]}", "-r", f"{rate:g}", "-i", "-", "-an",
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p",
        "-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-f", "mp4",
    ]  # fmt: skip
    with drafted(path) as draft, TemporaryFile() as complaints:
        code = _feed([*command, str(draft)], frames, complaints.fileno())
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "replace").strip()
        if os.strerror(ENOSPC) in said:
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        if code or said or not draft.is_file():
            raise InputError.at(str(path), f"ffmpeg could not write the video: {said.splitlines()[-1] if said else ''}")


def _feed(command: list[str], frames: Iterator[Image.Image], complaints: int) -> int:
    """Run the command with the frames as its input; its exit code."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints) as process:
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # what ffmpeg said before it went is reported instead
                for frame in frames:
                    process.stdin.write(frame.tobytes())
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
    return process.returncode


def _ffmpeg() -> str:
    """The ffmpeg of the extra `plot`, or else the machine's own."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        found = shutil.which("ffmpeg")
        if found is None:
            hint = "pip install 'pybuzz[plot]', or render a .gif"
            raise InputError.at("render", "writing .mp4 needs ffmpeg, which is not installed", hint=hint) from None
        return found
    return str(get_ffmpeg_exe())
