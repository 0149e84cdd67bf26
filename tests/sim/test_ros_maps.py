"""ROS maps: a .yaml beside a .pgm."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.sim.ros_maps import read_ros_map

GOOD = """image: room.pgm
resolution: 0.05
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def room(folder: Path, text: str = GOOD) -> Path:
    """Three by two pixels: occupied (0), unknown (205), free (254); free, free, occupied."""
    (folder / "room.pgm").write_bytes(b"P5\n3 2\n255\n" + bytes([0, 205, 254, 254, 254, 0]))
    (folder / "room.yaml").write_text(text)
    return folder / "room.yaml"


def test_dark_pixels_are_occupied_and_unknown_ones_free(tmp_path: Path) -> None:
    grid = read_ros_map(room(tmp_path))
    assert grid.cells.tolist() == [[False, False, True], [True, False, False]]
    assert (grid.resolution, grid.origin) == (0.05, (-1.0, -2.0))


def test_of_a_negated_map_light_pixels_are_occupied(tmp_path: Path) -> None:
    grid = read_ros_map(room(tmp_path, GOOD.replace("negate: 0", "negate: 1")))
    assert grid.cells.tolist() == [[True, True, False], [False, True, True]]


@pytest.mark.parametrize(("said", "negated"), [("true", True), ("false", False), ("0", False)])
def test_negate_is_a_number_or_a_truth_value(tmp_path: Path, said: str, negated: bool) -> None:
    grid = read_ros_map(room(tmp_path, GOOD.replace("negate: 0", f"negate: {said}")))
    assert grid.cells[0, 2] != negated


@pytest.mark.parametrize("yaw", ["-nan", "nan", ".nan"])
def test_a_yaw_that_is_no_number_is_refused_with_what_to_write(tmp_path: Path, yaw: str) -> None:
    with pytest.raises(InputError, match="origin: the map's yaw is no number") as caught:
        read_ros_map(room(tmp_path, GOOD.replace("0.0]", f"{yaw}]")))
    assert caught.value.diagnostics[0].hint == "write 0"


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("resolution: 0.05", "resolution: 0", "resolution: 0 must be above 0"),
        ("resolution: 0.05", "resolution: -1", "resolution: -1 must be above 0"),
        ("image: room.pgm\n", "", "needs the key 'image'"),
        ("image: room.pgm", "image: hall.pgm", "there is no such image"),
        ("image: room.pgm", "image: room.yaml", "this is not an image"),
        ("0.0]", "0.5]", r"turned by 0\.5 rad"),
        ("negate", "negat", "has no key 'negat'"),
        ("negate: 0", "mode: raw", "'raw' is not known here"),
    ],
)
def test_a_faulty_map_is_said_in_one_message(tmp_path: Path, old: str, new: str, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        read_ros_map(room(tmp_path, GOOD.replace(old, new)))
    assert len(caught.value.diagnostics) == 1


def test_a_missing_map_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.yaml: missing file"):
        read_ros_map(tmp_path / "nothing.yaml")
