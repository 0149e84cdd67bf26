"""Line sensors against numbers worked by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pybuzz.errors import InputError
from pybuzz.sim.line_bar import LineMemory, LineSensors, default_span
from pybuzz.sim.line_map import LineMap

PIXEL = 0.01


def stripe(first: int, last: int) -> LineMap:
    """0.4 x 0.4 m about the origin in pixels of 1 cm; black in these rows, the row of the smallest y is 0."""
    values = np.zeros((40, 40))
    values[first : last + 1] = 1.0
    return LineMap(values, PIXEL, (-0.2, -0.2))


def bar(n: int = 5, *, y: float = 0.0, heading: float = 0.0, aperture: float = 0.0) -> LineSensors:
    """At the origin but for `y`, its sensors 2 cm apart, 5 cm ahead."""
    return LineSensors(n, 0.05, 0.02 * (n - 1), aperture, pose=(0.0, y, heading))


# -- places ----------------------------------------------------------------------------------------------------------


def test_sensor_0_is_the_rightmost_and_the_last_the_leftmost() -> None:
    assert bar().sensor_local[:, 0].tolist() == [0.05] * 5
    assert bar().sensor_local[:, 1] == pytest.approx([-0.04, -0.02, 0.0, 0.02, 0.04])
    assert bar().sensor_weights.tolist() == [-1.0, -0.5, 0.0, 0.5, 1.0]


def test_places_in_the_world_turn_with_the_robot() -> None:
    """Heading along y: ahead is +y, and the right of the robot is +x."""
    turned = LineSensors(2, 0.05, 0.04, pose=(1.0, 2.0, math.pi / 2))
    assert turned.sensor_world_position(0) == pytest.approx((1.02, 2.05))
    assert turned.sensor_world_position(1) == pytest.approx((0.98, 2.05))


@pytest.mark.parametrize(
    ("n", "line_width", "body_width", "span"),
    [(2, 0.02, 0.14, 0.02), (5, 0.02, 0.14, 0.06), (8, 0.02, 0.14, 0.105), (8, 0.03, 0.14, 0.126)],
)
def test_the_default_span(n: int, line_width: float, body_width: float, span: float) -> None:
    """min(0.9 body, max(line, 0.75 line (n - 1))): the line; 4 x 15 mm; 7 x 15 mm; nine tenths of the body."""
    assert default_span(n, line_width, body_width) == pytest.approx(span)
    assert LineSensors(n, line_width=line_width, body_width=body_width).sensor_span == pytest.approx(span)


# -- readings --------------------------------------------------------------------------------------------------------


def test_a_line_to_the_left_is_positive() -> None:
    """Rows 21 to 24: 1 cm to 5 cm left of the axis, under the sensors at +2 and +4 cm: error (0.5 + 1) / 2."""
    sensors = bar()
    assert sensors.read_line_sensors(stripe(21, 24)).tolist() == [0, 0, 0, 1, 1]
    assert (sensors.line_error, sensors.line_lost) == (0.75, False)
    assert sensors.line_position == pytest.approx(0.03), "0.75 x 4 cm"
    assert sensors.on_line == [False, False, False, True, True]


def test_a_line_to_the_right_is_negative_also_when_the_robot_is_turned() -> None:
    sensors = bar()
    sensors.read_line_sensors(stripe(15, 16))
    assert sensors.line_error == -1.0, "the sensor at -4 cm alone: rows 15 and 16 are -5 to -3 cm"
    turned = bar(heading=math.pi)
    turned.read_line_sensors(stripe(15, 16))
    assert turned.line_error == 1.0


def test_the_error_is_the_mean_of_the_weights_by_darkness() -> None:
    """Grey 0.25 under -2 cm, 0.75 under +4 cm: (-0.5 x 0.25 + 1 x 0.75) / (0.25 + 0.75) = 0.625."""
    values = np.zeros((40, 40))
    values[18], values[24] = 0.25, 0.75
    sensors = bar(y=0.001)
    assert sensors.read_line_sensors(LineMap(values, PIXEL, (-0.2, -0.2))).tolist() == [0, 0.25, 0, 0, 0.75]
    assert sensors.line_error == 0.625


def test_a_reading_is_the_mean_of_the_pixels_whose_centres_lie_within_the_aperture() -> None:
    """At the corner of four pixels their centres are 7.07 mm away: 8 mm see four, of which two are black, 7 mm none."""
    spot = np.zeros((1, 2))
    assert stripe(20, 39).darkness(spot, 0.008).tolist() == [0.5]
    assert stripe(20, 39).darkness(spot, 0.007).tolist() == [1.0], "the pixel the place lies in: the upper right one"
    centre = np.array([[0.005, 0.005]])
    assert stripe(21, 21).darkness(centre, 0.01).tolist() == [0.2], "one above of the five within 1 cm, rim included"


def test_outside_of_the_picture_it_is_white() -> None:
    dark = LineMap(np.ones((2, 2)), 0.1)
    places = np.array([[0.05, 0.05], [-0.05, 0.05], [0.25, 0.05], [0.05, 0.2]])
    assert dark.darkness(places, 0.0).tolist() == [1, 0, 0, 0]
    assert dark.darkness(np.array([[0.0, 0.05]]), 0.06).tolist() == [0.5], "half of the two pixels is not there"


def test_two_sensors_give_the_difference_over_the_sum() -> None:
    sensors = LineSensors(2, 0.0, 0.02, 0.0)
    sensors.read_line_sensors(stripe(20, 21))
    assert (sensors.line_error, sensors.line_position) == (1.0, 0.01)


def test_noise_is_gaussian_from_its_seed_and_limited() -> None:
    grey = LineMap(np.full((40, 40), 0.5), PIXEL, (-0.2, -0.2))
    first, second = (LineSensors(1000, 0.05, 0.1, sensor_noise=0.1, seed=4) for _ in range(2))
    values = first.read_line_sensors(grey)
    assert (values == second.read_line_sensors(grey)).all()
    assert (values.mean(), values.std()) == (pytest.approx(0.5, abs=0.01), pytest.approx(0.1, rel=0.1))
    loud = LineSensors(1000, 0.05, 0.1, sensor_noise=5.0).read_line_sensors(grey)
    assert (loud.min(), loud.max()) == (0.0, 1.0)


# -- a lost line -----------------------------------------------------------------------------------------------------


def seen(memory: LineMemory, *values: float) -> tuple[float, bool]:
    memory.see(np.array([values]))
    return float(memory.error[0]), bool(memory.lost[0])


def test_before_any_sighting_the_error_is_0_and_the_line_lost() -> None:
    assert (LineSensors().line_error, LineSensors().line_lost) == (0.0, True)
    assert seen(LineMemory(1, 3), 0, 0, 0) == (0.0, True)


def test_a_lost_line_keeps_its_last_error() -> None:
    memory = LineMemory(1, 3)
    assert seen(memory, 0.5, 0.5, 0) == (-0.5, False)
    assert seen(memory, 0, 0, 0) == (-0.5, True)
    assert seen(memory, 0, 0, 0) == (-0.5, True)


def test_a_line_lost_straight_ahead_is_sought_on_the_side_where_it_was_last() -> None:
    memory = LineMemory(1, 3)
    assert seen(memory, 0, 0.5, 0.5) == (0.5, False)
    assert seen(memory, 0, 1, 0) == (0.0, False)
    assert seen(memory, 0, 0, 0) == (1.0, True)
    assert seen(memory, 0, 0, 0) == (1.0, True)


def test_a_line_only_ever_seen_straight_ahead_leaves_0() -> None:
    memory = LineMemory(1, 3)
    assert seen(memory, 0, 1, 0) == (0.0, False)
    assert seen(memory, 0, 0, 0) == (0.0, True)


@pytest.mark.parametrize(("total", "lost"), [(1e-6, True), (1.1e-6, False)])
def test_the_line_is_seen_above_a_total_of_1e_6(total: float, lost: bool) -> None:
    assert seen(LineMemory(1, 2), 0.0, total) == (0.0 if lost else 1.0, lost)


def test_bars_remember_apart() -> None:
    memory = LineMemory(2, 2)
    memory.see(np.array([[1.0, 0.0], [0.0, 1.0]]))
    memory.see(np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert memory.error.tolist() == [-1.0, 0.0]
    assert memory.lost.tolist() == [True, False]


# -- pictures and faults ---------------------------------------------------------------------------------------------


def test_a_picture_lies_with_its_bottom_row_at_the_smallest_y_and_white_is_exactly_0(tmp_path: Path) -> None:
    from PIL import Image

    colors: NDArray[np.uint8] = np.full((2, 2, 3), 255, dtype=np.uint8)
    colors[0, 0], colors[1, 1] = 0, (255, 0, 0)
    Image.fromarray(colors).save(tmp_path / "line.png")
    found = LineMap.from_image(tmp_path / "line.png", 0.5)
    assert found.values.tolist() == [[0.0, pytest.approx(1 - 76 / 255)], [1.0, 0.0]], "red is 0.299 bright: 76"


def test_faults_have_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no picture")
    for call, message in (
        (lambda: LineMap.from_image(tmp_path / "none.png", 0.1), "none.png: error: cannot read the floor image"),
        (lambda: LineMap.from_image(tmp_path / "text.png", 0.1), "text.png: error: cannot read the floor image"),
        (lambda: LineMap(np.ones((2, 2)), 0.0), "resolution: error: a pixel must be larger than 0 m, not 0"),
        (lambda: LineMap(np.ones((2, 2)), -1.0), "resolution: error: a pixel must be larger than 0 m, not -1"),
        (lambda: LineMap(np.ones(2), 1.0), "line map: error: a picture has rows and columns"),
        (lambda: LineSensors(1), "num_sensors: error: a bar has at least two sensors, not 1"),
        (lambda: LineSensors(2, 0.1, -0.1), "sensor_span: error: the span must be above 0 m, not -0.1"),
        (lambda: LineSensors(2, sensor_noise=-1), "sensor_noise: error: it must be at least 0, not -1"),
        (lambda: LineSensors(2, sensor_aperture=math.nan), "sensor_aperture: error: it must be at least 0, not nan"),
        (
            lambda: LineSensors(pose=(math.nan, 0, 0)).read_line_sensors(stripe(0, 1)),
            "pose: error: (nan, 0, 0) is no place to stand",
        ),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert message in str(caught.value)
        assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize("aperture", [1.0, 1e9, 1e300])
def test_an_aperture_of_too_many_pixels_is_refused_at_once(aperture: float) -> None:
    with pytest.raises(InputError, match=r"an aperture of .* m is too large for pixels of 0.001 m"):
        LineMap(np.ones((2, 2)), 0.001).darkness(np.zeros((1, 2)), aperture)


def test_a_picture_too_large_to_be_meant_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("1", (10, 10)).save(tmp_path / "large.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 40)
    with pytest.raises(InputError, match=r"large\.png: error: cannot read the floor image: Image size \(100 pixels\)"):
        LineMap.from_image(tmp_path / "large.png", 0.1)
