"""Who hears whom. Bearings worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pybuzz.radio import Radio, ranks_in_table

_any_number = st.sampled_from([math.nan, math.inf, 1e300, -1e300, 1e17, 0.25]) | st.floats()


def poses(*rows: tuple[float, float, float]) -> NDArray[np.float64]:
    return np.array(rows, dtype=np.float64)


def test_a_receiver_sees_the_sender_in_its_own_frame() -> None:
    links = Radio([3, 3], [10, 10]).exchange(poses((0, 0, math.pi / 2), (1, 0, 0)))
    assert links.starts.tolist() == [0, 1, 2]
    assert links.senders.tolist() == [1, 0]
    assert links.distance_m == pytest.approx([1, 1])
    assert links.azimuth_rad == pytest.approx([-math.pi / 2, math.pi])
    assert links.elevation_rad == pytest.approx([0, 0])


def test_the_range_of_the_sender_counts_and_its_end_is_outside() -> None:
    links = Radio([1.0, 2.0, 0.5], [10] * 3).exchange(poses((0, 0, 0), (1, 0, 0), (9, 9, 0)))
    assert links.senders[links.of(0)].tolist() == [1]
    assert links.senders[links.of(1)].tolist() == []
    assert links.senders[links.of(2)].tolist() == []


def test_packets_of_different_sizes_are_not_understood() -> None:
    links = Radio([3, 3, 3], [10, 20, 10]).exchange(poses((0, 0, 0), (1, 0, 0), (2, 0, 0)))
    assert [links.senders[links.of(i)].tolist() for i in range(3)] == [[2], [], [0]]


def test_a_robot_without_a_known_pose_hears_and_is_heard_by_nobody() -> None:
    links = Radio([3, 3, 3], [10] * 3).exchange(poses((0, 0, 0), (math.nan, math.nan, math.nan), (1, 0, 0)))
    assert [links.senders[links.of(i)].tolist() for i in range(3)] == [[2], [], [0]]


def test_a_blocked_pair_is_silent_both_ways() -> None:
    asked = []

    def occluder(antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        asked.extend(pairs.tolist())
        return np.array([set(pair) == {0, 1} for pair in pairs.tolist()])

    links = Radio([3, 3, 3], [10] * 3, ranks=np.array([2, 0, 1])).exchange(
        poses((0, 0, 0), (1, 0, 0), (0, 1, 0)), occluder
    )
    assert [links.senders[links.of(i)].tolist() for i in range(3)] == [[2], [2], [0, 1]]
    assert sorted(asked) == [[1, 0], [1, 2], [2, 0]], "each pair once, from the end of lower rank"


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(0, 4), st.sampled_from([10, 20])),
        min_size=1,
        max_size=40,
    )
)
def test_the_cells_lose_no_pair(robots: list[tuple[float, float, float, int]]) -> None:
    links = Radio([r[2] for r in robots], [r[3] for r in robots]).exchange(poses(*((x, y, 0) for x, y, _, _ in robots)))
    for i, (x, y, _, size) in enumerate(robots):
        heard = [
            j
            for j, (sx, sy, reach, sent) in enumerate(robots)
            if j != i and sent == size and math.sqrt((sx - x) ** 2 + (sy - y) ** 2) < reach
        ]
        assert links.senders[links.of(i)].tolist() == heard


def test_no_robots_have_no_links() -> None:
    assert len(Radio([], []).exchange(np.empty((0, 3)))) == 0


def test_the_table_is_walked_bucket_by_bucket_newest_first() -> None:
    """Compared with libstdc++'s tr1::unordered_map, whose table of 11 grows to 23 at the twelfth."""
    indices = [5, 16, 27, 2, 13, 24, 35, 46, 1, 12, 23, 34, 40]
    walked = [46, 23, 24, 1, 2, 27, 5, 34, 35, 12, 13, 16, 40]
    assert [walked[rank] for rank in ranks_in_table(indices)] == indices


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_any_number, _any_number), min_size=1, max_size=12))
@example([(1e308, 1e308), (-1e308, -1e308)])
@example([(-1.7e308, 0.0), (1.7e308, 0.0), (math.inf, 0.0)])
def test_robots_at_any_place_leave_the_others_heard(places: list[tuple[float, float]]) -> None:
    one, other = len(places), len(places) + 1
    links = Radio([1.0] * (other + 1), [100] * (other + 1)).exchange(
        poses(*((x, y, 0.0) for x, y in places), (0.0, 0.0, 0.0), (0.5, 0.0, 0.0))
    )
    assert one in links.senders[links.of(other)]
    assert other in links.senders[links.of(one)]
