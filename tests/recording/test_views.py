"""The pictures of what does not move: kept beside the tables, and drawn where they lie."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, Picture, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.frames import FramePainter
from pybuzz.recording.plotting import plot_trajectories

RED, GREY = (200, 0, 0), (0xB8, 0xB8, 0xB8)


def viewed(folder: Path | None = None, views: dict[str, Picture] | None = None, **options: int) -> Recording:
    """A floor whose right half is red, and a map with one occupied cell in the upper left."""
    floor = np.full((2, 4, 3), 255, dtype=np.uint8)
    floor[:, 2:] = RED
    cells = np.zeros((2, 2, 4), dtype=np.uint8)
    cells[0, 0] = (*GREY, 255)
    seen = {"floor": Picture(floor, (-2.0, -1.0), (4.0, 2.0)), "map": Picture(cells, (-2.0, -1.0), (4.0, 2.0))}
    description = RunDescription("v.yaml", 1, robots=(RobotMark("a"),), arena=ArenaMark((4.0, 2.0)))
    recorder = Recorder(description, folder, views=seen if views is None else views, **options)
    recorder.record_tick(0, np.array([[0.0, -0.8, 0.0]]))
    recorder.record_tick(1, np.array([[0.1, -0.8, 0.0]]))
    return recorder.close()


def test_views_are_read_as_they_were_written(tmp_path: Path) -> None:
    viewed(tmp_path / "run")
    in_memory, spilled, opened = viewed(), viewed(memory_bytes=1), Recording.open(tmp_path / "run")
    for one in (spilled, opened):
        assert list(one.views) == ["floor", "map"]
        for name, view in in_memory.views.items():
            np.testing.assert_array_equal(one.views[name].pixels, view.pixels)
            assert one.views[name][1:] == view[1:]


def test_equal_views_are_equal_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        viewed(tmp_path / folder)
    for name in ("floor.png", "map.png", "run.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_recording_over_removes_the_old_pictures(tmp_path: Path) -> None:
    viewed(tmp_path)
    viewed(tmp_path, {})
    assert not list(tmp_path.glob("*.png"))
    assert not Recording.open(tmp_path).views


def test_frames_show_floor_and_map_where_they_lie() -> None:
    painter = FramePainter(viewed())
    frame = painter.paint(0)
    assert frame.getpixel(painter.pixel(1.5, 0.5)) == RED
    assert frame.getpixel(painter.pixel(0.1, 0.5)) == RED
    assert frame.getpixel(painter.pixel(-1.5, 0.6)) == GREY
    assert frame.getpixel(painter.pixel(-1.5, -0.6)) == (255, 255, 255)


def test_plots_show_them_too(tmp_path: Path) -> None:
    plain = np.asarray(Image.open(plot_trajectories(viewed(views={}), tmp_path / "plain.png")).convert("RGB"))
    shown = np.asarray(Image.open(plot_trajectories(viewed(), tmp_path / "shown.png")).convert("RGB"))
    share = [float((pixels == RED).all(axis=2).mean()) for pixels in (plain, shown)]
    assert share[0] == 0
    assert share[1] > 0.25


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_a_missing_or_damaged_picture_is_named(tmp_path: Path, content: bytes | None) -> None:
    viewed(tmp_path)
    (tmp_path / "floor.png").unlink()
    if content is not None:
        (tmp_path / "floor.png").write_bytes(content)
    with pytest.raises(InputError, match=r"floor\.png.*missing or damaged"):
        FramePainter(Recording.open(tmp_path))
