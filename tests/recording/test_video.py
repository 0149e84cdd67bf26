"""Films and pictures of recordings, read back from their files."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.frames import FrameLook, FramePainter
from pybuzz.recording.video import Span, render

LOOK = FrameLook(size=(160, 120))


def driving(ticks: int = 10) -> Recording:
    """One robot of 10 cm drives along y = 0 from x = -1 to 1 m in 1 s."""
    recorder = Recorder(RunDescription("drive.yaml", 7, robots=(RobotMark("a", radius=0.1),), arena=ArenaMark((3, 2))))
    for tick in range(ticks + 1):
        recorder.record_tick(tick, np.array([[-1 + 2 * tick / ticks, 0.0, 0.0]]))
    return recorder.close()


def bluest_column(frame: Image.Image) -> float:
    """The middle of the blue robot, in pixels."""
    colors = np.asarray(frame.convert("RGB")).astype(int)
    rows, columns = np.nonzero(colors[..., 2] - colors[..., 0] > 80)
    assert len(rows)
    return float(columns.mean())


def test_a_gif_has_a_frame_per_tick_at_the_pace_of_the_robots(tmp_path: Path) -> None:
    recording = driving()
    film = Image.open(render(recording, tmp_path / "new/film.gif", look=LOOK))
    assert (film.n_frames, film.size) == (11, (160, 120))
    painter = FramePainter(recording, LOOK)
    for number in (0, 5, 10):
        film.seek(number)
        assert film.info["duration"] == 100  # ms
        assert bluest_column(film) == pytest.approx(painter.pixel(-1 + number / 5, 0)[0], abs=1.5)


def test_a_gif_keeps_pace_at_rates_that_are_no_whole_hundredths(tmp_path: Path) -> None:
    film = Image.open(render(driving(), tmp_path / "film.gif", look=LOOK, fps=30))
    durations = []
    for number in range(film.n_frames):
        film.seek(number)
        durations.append(film.info["duration"])
    assert sum(durations) == 370  # 11 frames of a thirtieth of a second, to the hundredth
    assert set(durations) == {30, 40}


def test_an_mp4_shows_the_robot_where_it_was(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    recording = driving()
    path = render(recording, tmp_path / "film.mp4", look=LOOK)
    frames = ffmpeg.read_frames(str(path))
    meta = next(frames)
    assert (meta["size"], meta["fps"]) == ((160, 120), 10.0)
    pictures = [Image.frombytes("RGB", (160, 120), data) for data in frames]
    assert len(pictures) == 11
    painter = FramePainter(recording, LOOK)
    for number in (0, 5, 10):
        assert bluest_column(pictures[number]) == pytest.approx(painter.pixel(-1 + number / 5, 0)[0], abs=2)
    assert [item.name for item in tmp_path.iterdir()] == ["film.mp4"]


def test_a_png_shows_the_last_tick_of_the_span(tmp_path: Path) -> None:
    recording = driving()
    picture = Image.open(render(recording, tmp_path / "end.png", look=LOOK, span=Span(0.2, 0.7)))
    assert picture.tobytes() == FramePainter(recording, LOOK).paint(7).tobytes()


def test_a_number_in_the_name_gives_a_picture_per_frame(tmp_path: Path) -> None:
    render(driving(), tmp_path / "f-%03d.png", look=LOOK, span=Span(0.2, 0.8, every=3))
    assert sorted(item.name for item in tmp_path.iterdir()) == ["f-000.png", "f-001.png", "f-002.png"]


@pytest.mark.parametrize("name", ["film.gif", "film.png"])
def test_equal_recordings_give_equal_files(tmp_path: Path, name: str) -> None:
    one, two = (render(driving(), tmp_path / folder / name, look=LOOK) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_progress_is_told_frame_by_frame(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    render(driving(3), tmp_path / "film.gif", look=LOOK, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (Span(0.0, 2.0), "--to: .*2 s is not in the recording, which is from 0 to 1 s"),
        (Span(-1.0), "--from: .*-1 s is not in the recording"),
        (Span(math.nan), "--from: .*nan s is not"),
        (Span(0.8, 0.2), r"--from: .*begins after the end \(--to is 0.2 s\)"),
    ],
)
def test_times_outside_of_the_recording_are_refused(tmp_path: Path, span: Span, message: str) -> None:
    with pytest.raises(InputError, match=message):
        render(driving(), tmp_path / "film.gif", span=span)
    assert not list(tmp_path.iterdir())


def test_other_suffixes_are_refused_with_those_that_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot render a '\.avi' file") as error:
        render(driving(), tmp_path / "film.avi")
    assert error.value.diagnostics[0].hint == "use .mp4, .gif, .png"


def test_a_gif_faster_than_browsers_show_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"60 frames per second are too many; a \.gif has at most 50"):
        render(driving(), tmp_path / "film.gif", fps=60)


def test_without_ffmpeg_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="needs ffmpeg, which is not installed") as error:
        render(driving(), tmp_path / "film.mp4")
    assert error.value.diagnostics[0].hint == "pip install 'pybuzz[plot]', or render a .gif"


def test_what_ffmpeg_complains_about_is_reported_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho 'no such codec' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="ffmpeg could not write the video: no such codec"):
        render(driving(), tmp_path / "out/film.mp4", look=LOOK)
    assert not list((tmp_path / "out").iterdir())


def test_painting_needs_neither_matplotlib_nor_a_display() -> None:
    code = "import pybuzz.recording.video, sys; sys.exit('matplotlib' in sys.modules or 'tkinter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
