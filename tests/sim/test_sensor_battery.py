"""The gauge as documented; the discharge and ARGoS's gauge are compared with ARGoS's own runs."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Battery, Device
from pybuzz.sim.sensors import Mount, Sensors
from pybuzz.sim.world import World
from tests.oracles.sensing import lonely_robot


def gauge(
    battery: Battery | None,
    *,
    exact: bool = False,
    noise: tuple[float, float] | None = None,
    world: World | None = None,
) -> Sensors:
    device = Device("battery", ranges={} if noise is None else {"noise_range": noise})
    return Sensors(world or lonely_robot(), [[Mount(device, 1)]], batteries=[battery], exact=exact)


def after(sensors: Sensors, ticks: int) -> list[float]:
    for _ in range(ticks):
        sensors.new_tick()
    return [float(value) for value in sensors.read("battery")[0]]


def test_time_left_is_in_steps_at_the_mean_discharge() -> None:
    assert after(gauge(Battery("time", 100.0, 200.0, {"delta": 1.0})), 20) == pytest.approx([0.4, 80])


def test_time_left_in_argos_is_in_seconds_from_the_reading_before() -> None:
    sensors = gauge(Battery("time", 100.0, 200.0, {"delta": 1.0}), exact=True)
    assert after(sensors, 20) == pytest.approx([0.4, 0.405 * 0.1 / 0.005])


def test_the_mean_is_taken_over_ten_steps() -> None:
    world = lonely_robot()
    sensors = gauge(Battery("motion", 1.0, 1.0, {"pos_delta": 1.0}), world=world)
    for step in range(1, 31):
        world.move("kh0", 0.01 * min(step, 15), 0, 0)
        sensors.new_tick()
    assert sensors.read("battery")[0].tolist() == [pytest.approx(0.85), math.inf]


def test_halfway_into_a_rest_the_mean_counts_the_steps_that_moved() -> None:
    world = lonely_robot()
    sensors = gauge(Battery("motion", 1.0, 1.0, {"pos_delta": 1.0}), world=world)
    for step in range(1, 21):
        world.move("kh0", 0.01 * min(step, 15), 0, 0)
        sensors.new_tick()
    assert sensors.read("battery")[0] == pytest.approx([0.85, 0.85 / (0.05 / 10)])


def test_an_empty_battery_has_no_time_left_and_stays_empty() -> None:
    for exact in (False, True):
        assert after(gauge(Battery("time", 1.0, 1.0, {"delta": 0.3}), exact=exact), 5) == [0, 0]


def test_without_a_battery_nothing_drains() -> None:
    assert after(gauge(None), 50) == [1, math.inf]


def test_noise_is_limited_to_a_full_and_an_empty_battery() -> None:
    assert after(gauge(Battery("time", 0.9, 1.0, {}), noise=(0.2, 0.4)), 3)[0] == 1.0
    assert after(gauge(Battery("time", 0.1, 1.0, {}), noise=(-0.4, -0.2)), 3)[0] == 0.0


def test_an_unknown_model_is_an_input_error_that_names_the_nearest() -> None:
    model: Any = "times"
    with pytest.raises(InputError, match="time"):
        gauge(Battery(model))
