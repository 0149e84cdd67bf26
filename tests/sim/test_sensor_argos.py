"""The published runs of ARGoS 3: every reading and every link, recomputed from the wheel speeds, equal in every bit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.argos_scene import case_names
from tests.oracles.argos_sensing import COLUMNS, read_sensing_case

DRAWN_BY_PLACING = {"layout_mixed_dense", "layout_gaussian", "layout_uniform", "layout_grid_constant"}
"""Robots placed by `distribute`: the seeds of their noise depend on the failed trials."""


@pytest.mark.parametrize("name", sorted(set(case_names()) - DRAWN_BY_PLACING))
def test_readings_and_links_equal_argos_to_the_last_bit(name: str) -> None:
    case = read_sensing_case(name)
    carried = [sensor for sensor in COLUMNS if sensor in case.sensors.carried(0)]
    robots = case.world.robots
    for tick, links in case.ticks():
        for sensor in carried:
            expected = case.expected(sensor, tick)
            readings = case.sensors.read(sensor)[:, : expected.shape[1]]
            np.testing.assert_array_equal(readings, expected, err_msg=f"{sensor} in tick {tick}")
        for robot, heard in enumerate(case.heard(tick)):
            mine = links.of(robot)
            senders = [robots[sender] for sender in links.senders[mine]]
            ranges = links.distance_m[mine] * 100.0
            found = list(zip(senders, ranges, links.azimuth_rad[mine], links.elevation_rad[mine], strict=True))
            assert found == heard, f"{robots[robot]} in tick {tick}"


def test_battery_charges_equal_argos_to_the_last_bit() -> None:
    case = read_sensing_case("battery_models")
    for tick, _ in case.ticks():
        expected = [float(row["battery_true_charge"]) for row in case.rows[tick]]
        assert case.sensors.charges.tolist() == expected


def test_before_the_first_tick_nothing_has_been_measured() -> None:
    case = read_sensing_case("noise_all")
    for sensor in set(COLUMNS) - {"lidar"}:
        expected = case.expected(sensor, 0)
        assert case.sensors.read(sensor)[:, : expected.shape[1]].tolist() == expected.tolist()
    assert not case.sensors.read("lidar").any()
