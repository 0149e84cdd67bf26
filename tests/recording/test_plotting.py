import math
import sys
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, ObstacleMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.plotting import plot_trajectories, trajectory_figure


def circling(robots: int, ticks: int = 20) -> Recording:
    """Robot i circles around (i, 0) with a radius of 0.5 m."""
    recorder = Recorder(
        RunDescription(
            "runs/circle.yaml",
            3,
            robots=tuple(RobotMark(f"kh{index}", radius=0.07) for index in range(robots)),
            arena=ArenaMark((2.0 * robots, 4.0)),
            obstacles=(
                ObstacleMark("wall", "box", (0.0, 2.0), (2.0 * robots, 0.1)),
                ObstacleMark("post", "cylinder", (0.0, -1.0), (0.3, 0.3), movable=True),
            ),
            lights=((0.0, 1.0),),
        )
    )
    for tick in range(ticks + 1):
        angle = tick / 10
        x = np.arange(robots) + 0.5 * math.cos(angle)
        y = np.full(robots, 0.5 * math.sin(angle))
        recorder.record_tick(tick, np.column_stack([x, y, np.full(robots, angle + math.pi / 2)]))
    return recorder.close()


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")])
def test_a_picture_is_written_in_the_format_of_its_suffix(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = plot_trajectories(circling(2), tmp_path / f"new/ways{suffix}")
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_equal_recordings_give_equal_pictures(tmp_path: Path, suffix: str) -> None:
    one, two = (plot_trajectories(circling(12), tmp_path / f"{name}{suffix}") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_few_robots_have_a_way_and_a_name_each() -> None:
    recording = circling(3)
    axes = trajectory_figure(recording).axes[0]
    ways = [line.get_xydata() for line in axes.lines if len(line.get_xydata()) > 1]
    assert len(ways) == 3
    np.testing.assert_array_equal(ways[1], recording.poses[:, 1, :2])
    assert [text.get_text() for text in axes.texts[:3]] == ["kh0", "kh1", "kh2"]
    assert axes.get_title(loc="left") == "circle.yaml: 3 robots, 2 s, seed 3"


def test_many_robots_are_coloured_by_time() -> None:
    figure = trajectory_figure(circling(11))
    lines = figure.axes[0].collections[0]
    assert lines.get_clim() == (0.0, 2.0)
    assert len(lines.get_segments()) == 20 * 11
    bars = [axes for axes in figure.axes[0].child_axes if axes.get_ylabel() == "time (s)"]
    assert len(bars) == 1


def test_the_picture_is_to_scale_and_shows_the_whole_arena() -> None:
    axes = trajectory_figure(circling(4)).axes[0]
    assert axes.get_aspect() == 1.0
    assert axes.get_xlim()[0] < -4.0
    assert axes.get_xlim()[1] > 4.0
    width = axes.collections[1].get_widths()[0]
    assert width == pytest.approx(0.14)  # the disc of a robot of 0.07 m radius


def test_chosen_robots_only() -> None:
    axes = trajectory_figure(circling(3), robots=["kh2"], title="one").axes[0]
    assert [text.get_text() for text in axes.texts[:-1]] == ["kh2"]
    assert axes.get_title(loc="left") == "one"


def test_an_unknown_robot_gets_the_nearest_name() -> None:
    with pytest.raises(InputError, match="no robot 'kh_2'") as error:
        trajectory_figure(circling(3), robots=["kh_2"])
    assert error.value.diagnostics[0].hint == "did you mean 'kh2'?"


def test_a_robot_that_came_late_starts_where_it_came() -> None:
    recorder = Recorder(RunDescription("x", 1, robots=(RobotMark("a"),)))
    recorder.record_tick(0, np.zeros((1, 3)))
    recorder.add_robot(RobotMark("b"))
    for tick in (1, 2):
        recorder.record_tick(tick, np.full((2, 3), float(tick)))
    rings = trajectory_figure(recorder.close(), robots=["b"]).axes[0].collections[0]
    assert rings.get_offsets().tolist() == [[1.0, 1.0]]


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = circling(1)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match="needs matplotlib") as error:
        trajectory_figure(recording)
    assert error.value.diagnostics[0].hint == "pip install 'pybuzz[plot]'"


def test_other_suffixes_are_refused_with_those_that_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.gif") as error:
        plot_trajectories(circling(1), tmp_path / "ways.gif")
    assert error.value.diagnostics[0].hint == "use .png, .svg, .pdf"


def test_a_recording_without_poses_says_so() -> None:
    with pytest.raises(InputError, match="no poses to draw"):
        trajectory_figure(Recorder(RunDescription("x", 1, robots=(RobotMark("a"),))).close())
