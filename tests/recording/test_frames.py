"""What stands in the frames of a film, pixel by pixel."""

import math

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, ObstacleMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.frames import FrameLook, FramePainter

BLUE, VERMILION, MANY = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00), (0x3E, 0x5C, 0x76)
SOLID = (0xB8, 0xB8, 0xB8)


def driving(robots: int = 2, ticks: int = 20, *, green_from: int | None = None) -> Recording:
    """Robot i drives along y = i from x = -1 to 1 m."""
    description = RunDescription(
        "runs/drive.yaml",
        7,
        robots=tuple(RobotMark(f"kh{index}", radius=0.1) for index in range(robots)),
        arena=ArenaMark((6.0, 4.0)),
        obstacles=(ObstacleMark("wall", "box", (0.0, -1.5), (2.0, 0.2)),),
    )
    recorder = Recorder(description)
    for tick in range(ticks + 1):
        poses = np.zeros((robots, 3))
        poses[:, 0] = -1 + 2 * tick / ticks
        poses[:, 1] = np.arange(robots)
        leds = np.zeros((robots, 3), dtype=np.uint8)
        if green_from is not None and tick >= green_from:
            leds[:, 1] = 255
        recorder.record_tick(tick, poses, leds)
        if tick % 5 == 0:
            recorder.log(tick, 0, f"passed {tick}")
    return recorder.close()


def near(color: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(color, other, strict=True)) <= 3


def test_a_line_joins_robots_that_are_nearer_than_asked_for() -> None:
    recording = driving(3)
    for reach, joined in ((0.0, False), (0.99, False), (1.01, True)):
        painter = FramePainter(recording, FrameLook(link_m=reach))
        between = painter.paint(10).getpixel(painter.pixel(0.0, 0.5))
        assert near(between, (0x9A, 0x9A, 0x9A)) == joined


def test_a_robot_is_where_it_was_in_that_tick_and_nowhere_else() -> None:
    painter = FramePainter(driving())
    beside_arrow = -0.085  # m behind the centre, within the robot of 0.1 m
    for tick, x in ((0, -1.0), (10, 0.0), (20, 1.0)):
        frame = painter.paint(tick)
        assert near(frame.getpixel(painter.pixel(x + beside_arrow, 0.0)), BLUE)
        assert near(frame.getpixel(painter.pixel(x + beside_arrow, 1.0)), VERMILION)
        assert not near(frame.getpixel(painter.pixel(x + 0.5 * (-1 if x > 0 else 1), 0.05)), BLUE)


def test_obstacles_stand_where_the_experiment_put_them() -> None:
    painter = FramePainter(driving())
    frame = painter.paint(0)
    assert near(frame.getpixel(painter.pixel(0.9, -1.5)), SOLID)
    assert not near(frame.getpixel(painter.pixel(1.1, -1.5)), SOLID)


def test_leds_light_up_around_the_robot_in_their_colour() -> None:
    painter = FramePainter(driving(green_from=10))
    ring = 0.12  # m from the centre: between the robot and the end of its ring of light
    assert not near(painter.paint(9).getpixel(painter.pixel(-0.1, ring)), (0, 255, 0))
    assert near(painter.paint(10).getpixel(painter.pixel(0.0, ring)), (0, 255, 0))


def test_trails_reach_back_as_many_seconds_as_asked_for() -> None:
    recording = driving()
    behind = 0.55  # m: the robot drives 1 m/s
    short = FramePainter(recording, FrameLook(trail_s=0.3)).paint(20)
    long = FramePainter(recording, FrameLook(trail_s=math.inf)).paint(20)
    painter = FramePainter(recording)
    place = painter.pixel(1.0 - behind, 0.0)
    assert short.getpixel(place) == painter.paint(20).getpixel(place)
    red, _, blue = long.getpixel(place)
    assert blue - red > 60  # a bluish line


def test_a_way_has_a_gap_where_the_robot_was_away() -> None:
    recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a", radius=0.1),), arena=ArenaMark((6.0, 4.0))))
    for tick in range(21):
        away = 5 < tick < 15
        recorder.record_tick(tick, np.array([[math.nan if away else tick / 10 - 1, 0.0, 0.0]]))
    painter = FramePainter(recorder.close(), FrameLook(trail_s=math.inf))
    frame = painter.paint(20)
    red, _, blue = frame.getpixel(painter.pixel(-0.75, 0.0))
    assert blue - red > 20
    red, _, blue = frame.getpixel(painter.pixel(0.15, 0.0))
    assert blue == red
    painter.paint(10)


def test_many_robots_share_one_colour() -> None:
    recording = driving(12)
    painter = FramePainter(recording)
    assert near(painter.paint(0).getpixel(painter.pixel(-1.085, 5.0)), MANY)


def test_a_failed_robot_is_crossed_out_from_that_tick_on() -> None:
    recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a", radius=0.1),), arena=ArenaMark((2.0, 2.0))))
    for tick in range(3):
        recorder.record_tick(tick, np.zeros((1, 3)))
    recorder.event(2, 0, "failed", "type mismatch")
    painter = FramePainter(recorder.close())
    arm = painter.pixel(0.085, 0.085)  # just outside of the robot
    assert not near(painter.paint(1).getpixel(arm), VERMILION)
    assert near(painter.paint(2).getpixel(arm), VERMILION)


def test_names_and_log_lines_change_the_picture_only_when_asked_for() -> None:
    recording = driving()
    plain, named = FramePainter(recording), FramePainter(recording, FrameLook(ids=True))
    assert plain.size == named.size
    assert plain.paint(5).tobytes() != named.paint(5).tobytes()
    logged = FramePainter(recording, FrameLook(log_lines=3))
    width, height = plain.size
    assert logged.size[1] > height
    panel = (0, height + 2, width, logged.size[1])
    assert logged.paint(5).crop(panel).tobytes() != logged.paint(4).crop(panel).tobytes()  # a line came in tick 5
    assert logged.paint(6).crop(panel).tobytes() == logged.paint(5).crop(panel).tobytes()


def test_frames_have_the_size_asked_for_made_even() -> None:
    painter = FramePainter(driving(), FrameLook(size=(401, 301), log_lines=2))
    assert painter.size == painter.paint(0).size == (400, 300)


def test_equal_recordings_give_equal_frames() -> None:
    look = FrameLook(trail_s=1, ids=True, log_lines=2)
    one, two = (FramePainter(driving(), look).paint(13) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_frames_may_be_painted_in_any_order() -> None:
    painter = FramePainter(driving(), FrameLook(trail_s=math.inf))
    first = painter.paint(4).tobytes()
    painter.paint(20)
    assert painter.paint(4).tobytes() == first


def test_a_recording_without_poses_cannot_be_painted() -> None:
    with pytest.raises(InputError, match="no poses to draw"):
        FramePainter(Recorder(RunDescription("x", 1, robots=(RobotMark("a"),))).close())
