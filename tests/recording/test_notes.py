"""What scripts draw with `debug`: kept as events, read back, drawn on request."""

import math
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.recording import ArenaMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.frames import FrameLook, FramePainter
from pybuzz.recording.notes import NOTE_EVENT, Note, NoteRay, note_from, note_text

RED, GREEN, PINK = (255, 0, 0), (0, 160, 0), (200, 0, 200)
colors = st.tuples(*[st.integers(0, 255)] * 3)
points = st.tuples(*[st.floats(allow_nan=False)] * 3)


def noted(folder: Path | None = None) -> Recording:
    """A robot that faces up at x = -1.5 to -0.5 m; in tick 10 it draws a ray ahead, a text, and a trail of 6 places."""
    description = RunDescription("n.yaml", 1, robots=(RobotMark("a", radius=0.1),), arena=ArenaMark((4.0, 3.0)))
    recorder = Recorder(description, folder)
    for tick in range(12):
        if tick == 10:
            rays = [NoteRay(RED, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), NoteRay(GREEN, (0.0, -0.2, 0.0), (0.0, -1.2, 0.0))]
            recorder.event(tick, 0, NOTE_EVENT, note_text("hello", (0, 0, 0), rays, 6, PINK))
        recorder.record_tick(tick, np.array([[-1.5 + tick / 10, -0.5, math.pi / 2]]))
    return recorder.close()


def test_notes_are_read_as_they_were_drawn(tmp_path: Path) -> None:
    noted(tmp_path / "run")
    for recording in (noted(), Recording.open(tmp_path / "run")):
        (note,) = recording.notes
        assert (note.tick, note.robot, note.text, note.color) == (10, "a", "hello", (0, 0, 0))
        assert note.rays[1] == (GREEN, (0.0, -0.2, 0.0), (0.0, -1.2, 0.0))
        assert (note.trail, note.trail_color) == (6, PINK)


@given(
    text=st.text(), color=colors, rays=st.lists(st.builds(NoteRay, colors, points, points)),
    trail=st.integers(1, 99), trail_color=colors,
)  # fmt: skip
def test_any_note_comes_back(text, color, rays, trail, trail_color) -> None:
    kept = note_text(text, color, rays, trail, trail_color)
    assert note_from(3, "a", kept) == Note(3, "a", text, color, tuple(rays), trail, trail_color)


def test_frames_show_rays_and_trails_in_that_tick_when_asked() -> None:
    painter, plain = FramePainter(noted(), FrameLook(debug=True)), FramePainter(noted())
    ahead, beside = painter.pixel(-0.5, 0.3), painter.pixel(0.4, -0.5)  # the robot is at -0.5, -0.5 and faces up
    behind, too_far_behind = painter.pixel(-0.8, -0.5), painter.pixel(-1.2, -0.5)
    frame = painter.paint(10)
    assert [frame.getpixel(place) for place in (ahead, beside, behind)] == [RED, GREEN, PINK]
    assert frame.getpixel(too_far_behind) == plain.paint(10).getpixel(too_far_behind)
    for other in (painter.paint(11), plain.paint(10)):
        assert not {other.getpixel(ahead), other.getpixel(beside), other.getpixel(behind)} & {RED, GREEN, PINK}


def test_the_text_stands_beside_the_robot() -> None:
    bare = FramePainter(noted(), FrameLook(debug=True, size=(800, 600)))
    box = (*bare.pixel(-0.42, -0.57), *bare.pixel(0.2, -0.8))
    written, silent = (np.asarray(bare.paint(tick).crop(box).convert("L")) for tick in (10, 9))
    assert (written < 100).sum() > 30
    assert not (silent < 100).any()


def test_endless_rays_and_robots_left_out_are_not_drawn() -> None:
    description = RunDescription("n", 1, robots=(RobotMark("a"), RobotMark("b")), arena=ArenaMark((4.0, 3.0)))
    recorder = Recorder(description)
    endless = [
        NoteRay(RED, (0.0, 0.0, 0.0), (math.inf, 0.0, 0.0)),
        NoteRay(RED, (0.0, 0.0, 0.0), (-1e300, 1e300, 0.0)),
        NoteRay(GREEN, (0.0, 0.0, 0.0), (0.5, 0.0, 0.0)),
    ]
    for robot in (0, 1):
        recorder.event(0, robot, NOTE_EVENT, note_text("x", RED, endless, 0, RED))
    recorder.record_tick(0, np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]))
    painter = FramePainter(recorder.close(), FrameLook(debug=True), robots=["a"])
    frame = painter.paint(0)
    assert frame.getpixel(painter.pixel(0.4, 1.0)) == GREEN
    assert frame.getpixel(painter.pixel(0.4, -1.0)) != GREEN
