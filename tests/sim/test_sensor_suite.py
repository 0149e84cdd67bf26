"""What all sensors share: who carries what, when it is read, what the radio's receivers lose."""

from __future__ import annotations

import pytest

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Device
from pybuzz.radio import Radio
from pybuzz.sim.sensors import Mount, Sensors, needs_generator
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA


def two_robots() -> World:
    world = World(0.1)
    for place in range(2):
        world.add_robot(f"kh{place}", float(place), 0.0, 0.0, **KHEPERA)
    world.add_box("wall", (0.1, 10, 1), -0.1304 - 0.05, 0, 0)
    return world


def test_robots_without_a_sensor_have_rows_of_zeros_and_do_not_name_it() -> None:
    sensors = Sensors(two_robots(), [[], [Mount(Device("proximity"))]])
    sensors.new_tick()
    assert not sensors.read("proximity").any()
    assert sensors.carried(0) == frozenset()
    assert sensors.carried(1) == {"proximity"}
    with pytest.raises(KeyError):
        sensors.read("light")


def test_a_reading_is_computed_once_in_a_tick_and_anew_in_the_next() -> None:
    world = two_robots()
    sensors = Sensors(world, [[Mount(Device("proximity"))], []])
    sensors.new_tick()
    first = sensors.read("proximity")
    world.move("kh0", 3, 3, 0)
    assert sensors.read("proximity") is first
    sensors.new_tick()
    assert first[0, 4] > 0
    assert not sensors.read("proximity").any()


def test_what_is_moved_or_taken_away_by_hand_within_a_tick_is_sensed_where_it_is() -> None:
    world = two_robots()
    sensors = Sensors(world, [[Mount(Device("proximity")), Mount(Device("ultrasound"))]] * 2)
    sensors.new_tick()
    sensors.listen(Radio([3, 3], [10, 10]))
    world.remove("wall")
    world.add_box("new", (0.1, 0.2, 0.5), 1.0704 + 0.09, 0, 0)
    world.move("kh0", -1, 0, 0)
    assert sensors.read("proximity")[1, 0] > 0
    assert sensors.read("proximity")[0].tolist() == [0] * 8
    assert sensors.read("ultrasound")[0, 0] == pytest.approx(2 - 2 * 0.0704)


def test_before_the_first_tick_nothing_is_measured() -> None:
    mounts = [[Mount(Device(name)) for name in ("proximity", "ultrasound", "pose", "battery")]] * 2
    sensors = Sensors(two_robots(), mounts)
    assert not sensors.read("proximity").any()
    assert not sensors.read("ultrasound").any()
    assert sensors.read("pose")[1].tolist() == [1, 0, 0, 0, 0, 0]
    assert sensors.read("battery")[0].tolist() == [1, float("inf")]


def test_of_two_devices_of_one_name_the_later_counts() -> None:
    twice = [Mount(Device("lidar", num_readings=3)), Mount(Device("lidar", num_readings=7))]
    sensors = Sensors(two_robots(), [twice, []])
    sensors.new_tick()
    assert sensors.read("lidar").shape == (2, 7)


def test_a_noisy_sensor_without_a_seed_is_an_error() -> None:
    with pytest.raises(InputError, match="seed"):
        Sensors(two_robots(), [[Mount(Device("proximity", {"noise_level": 0.1}))], []])


@pytest.mark.parametrize(
    ("device", "needed"),
    [
        (Device("proximity"), False),
        (Device("proximity", {"noise_level": 0.0}), False),
        (Device("proximity", {"noise_level": 0.1}), True),
        (Device("radio", {"packet_drop_prob": 0.1}), True),
        (Device("radio", {"noise_std_dev": 0.0}), False),
        (Device("pose", ranges={"pos_noise_range": (0.1, 0.1)}), False),
        (Device("battery", ranges={"noise_range": (0.0, 0.1)}), True),
    ],
)
def test_only_noisy_sensors_need_a_generator(device: Device, needed: bool) -> None:
    assert needs_generator(device) == needed


def test_a_receiver_loses_its_share_of_packets_and_the_others_none() -> None:
    sensors = Sensors(two_robots(), [[Mount(Device("radio", {"packet_drop_prob": 0.3}), 5)], []])
    radio, lossy, sound = Radio([3, 3], [10, 10]), 0, 0
    for _ in range(1000):
        sensors.new_tick()
        links = sensors.listen(radio)
        lossy += len(links.senders[links.of(0)])
        sound += len(links.senders[links.of(1)])
    assert sound == 1000
    assert 650 < lossy < 750


def test_a_noisy_receiver_mistakes_the_distance_by_its_deviation_at_most() -> None:
    sensors = Sensors(two_robots(), [[Mount(Device("radio", {"noise_std_dev": 0.001}), 5)], []])
    sensors.new_tick()
    links = sensors.listen(Radio([3, 3], [10, 10]))
    assert links.distance_m[0] == pytest.approx(1.0, abs=0.01)
    assert links.distance_m[0] != 1.0
    assert links.distance_m[1] == 1.0


def test_a_wall_between_two_robots_silences_them_unless_occlusion_is_off() -> None:
    world = two_robots()
    world.add_box("between", (0.1, 1, 1), 0.5, 0, 0)
    sensors = Sensors(world, [[], []])
    sensors.new_tick()
    radio = Radio([3, 3], [10, 10])
    assert len(sensors.listen(radio)) == 0
    assert len(sensors.listen(radio, check_occlusions=False)) == 2
