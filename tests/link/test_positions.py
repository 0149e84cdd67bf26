"""External poses: order, transform, jumps, and the odometry in between."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.link.odometry import Motion, Reading
from pybuzz.link.positions import PoseEstimate, SampleStream, Transform, body_of, parse_datagram, placed

DATAGRAM = b'{"t": 1712.345, "robots": [{"id": 7, "x": 0.512, "y": -0.204, "yaw": 1.571}]}'


JSON = st.recursive(
    st.none() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["t", "robots", "id", "x"]), inner),
).map(lambda data: json.dumps(data).encode())


def datagram(t: float, x: float = 0.0) -> bytes:
    return json.dumps({"t": t, "robots": [{"id": 1, "x": x, "y": 0.0, "yaw": 0.0}]}).encode()


def test_the_documented_datagram_is_read() -> None:
    t, (sample,) = parse_datagram(DATAGRAM)
    assert (t, sample.robot, sample.pose) == (1712.345, 7, (0.512, -0.204, 1.571))


@given(st.binary(max_size=100) | JSON)
def test_any_datagram_is_samples_or_a_value_error(data: bytes) -> None:
    try:
        parse_datagram(data)
    except ValueError:
        return


@pytest.mark.parametrize("unseen", ['"x": NaN, "y": NaN, "yaw": NaN', '"x": 1, "y": 1, "yaw": null', '"x": 1'])
def test_a_robot_without_a_position_has_no_sample_and_the_others_keep_theirs(unseen: str) -> None:
    seen = '{"id": 2, "x": 1, "y": 2, "yaw": 0}'
    _, (sample,) = parse_datagram(f'{{"t": 1, "robots": [{{"id": 1, {unseen}}}, {seen}]}}'.encode())
    assert (sample.robot, sample.pose) == (2, (1.0, 2.0, 0.0))


@pytest.mark.parametrize("value", ["Infinity", '"1"', "true", "[]"])
def test_a_position_that_is_no_number_refuses_the_datagram_and_is_remembered(value: str) -> None:
    stream = SampleStream()
    assert stream.take("a", f'{{"t": 1, "robots": [{{"id": 1, "x": {value}, "y": 0, "yaw": 0}}]}}'.encode()) == ()
    assert (stream.rejected, "is not a finite number" in stream.malformed) == (1, True)


def test_what_is_late_is_dropped_and_a_jump_back_is_a_new_session() -> None:
    stream = SampleStream()
    assert stream.take("a", datagram(10.0))
    assert not stream.take("a", datagram(10.0))
    assert not stream.take("a", datagram(9.5))
    assert stream.take("b", datagram(9.5))
    assert stream.take("a", datagram(8.9))
    assert stream.rejected == 2


def test_a_frame_is_scaled_mirrored_turned_and_moved() -> None:
    transform = Transform(1.0, 2.0, math.pi / 2, scale=0.001, mirror=True)
    assert transform.apply((1000.0, 500.0, 0.25)) == pytest.approx((1.5, 3.0, math.pi / 2 - 0.25))


@given(st.tuples(*[st.floats(-3, 3)] * 3), st.tuples(*[st.floats(-3, 3)] * 3))
def test_the_body_is_found_under_its_marker(
    body: tuple[float, float, float], offset: tuple[float, float, float]
) -> None:
    found = body_of(placed(body, offset), offset)
    assert found[:2] == pytest.approx(body[:2], abs=1e-9)
    assert math.cos(found[2] - body[2]) == pytest.approx(1.0)


def test_odometry_goes_on_from_the_last_external_pose() -> None:
    estimate = PoseEstimate((0.0, 0.0, 0.0))
    assert estimate.see((1.0, 1.0, 0.0), 10.0)
    estimate.move(Motion(Reading.MOTION, 0.1))
    assert estimate.pose == (1.1, 1.0, 0.0)
    assert estimate.age_s(10.5) == 0.5


def test_a_jump_is_rejected_unless_it_stays_for_five_samples() -> None:
    estimate = PoseEstimate((0.0, 0.0, 0.0))
    estimate.see((0.0, 0.0, 0.0), 10.0)
    believed = [estimate.see((3.0, 0.0, 0.0), 10.0 + 0.1 * step) for step in range(1, 6)]
    assert believed == [False, False, False, False, True]
    assert estimate.pose == (3.0, 0.0, 0.0)


def test_two_metres_a_second_are_no_jump() -> None:
    estimate = PoseEstimate((0.0, 0.0, 0.0))
    estimate.see((0.0, 0.0, 0.0), 10.0)
    assert not estimate.see((0.26, 0.0, 0.0), 10.1)
    assert estimate.see((0.24, 0.0, 0.0), 10.1)
