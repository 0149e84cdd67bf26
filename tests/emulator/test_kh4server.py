"""What kh4server answers, by the protocol as its users found it (Khepera IV, kh4server as shipped)."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from benches import ALONE, Bench, scene_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.emulator.hardware import HardwareOptions
from pybuzz.link.protocol import COMMANDS, Request, parse_reply

PLAIN = {
    "A,0": "a", "A,2": "a", "B": "b,B,5", "D,200,-200": "d", "E": "e,0,0", "F,10000,10000": "f", "H,10,5,1": "h",
    "I": "i", "J,3,0,20,1,400": "j", "K,63,0,0,0,63,0,0,0,63": "k", "L,500,-500": "l", "M": "m", "P,20": "p",
    "R": "r,0,0", "U,31": "u", "Z": "z",
}  # fmt: skip


@pytest.mark.parametrize(("request_", "reply"), PLAIN.items())
def test_a_reply_is_the_letter_in_lower_case_its_numbers_cr_and_lf(bench: Bench, request_: str, reply: str) -> None:
    assert bench.say(request_) == f"{reply}\r\n"


@pytest.mark.parametrize("line", ["C", "Q", "W", "Y", "d,1,1", "?", "K,1,2,3", "V", "V,8", "A,7", "A"])
def test_what_it_does_not_understand_is_answered_with_a_dollar(bench: Bench, line: str) -> None:
    assert bench.say(line) == "$\r\n"


@pytest.mark.parametrize("letter", [letter for letter in COMMANDS if letter != "B"])
def test_every_reply_passes_the_codec(bench: Bench, letter: str) -> None:
    request = Request(letter, (0,) * COMMANDS[letter].arguments)
    reply = bench.server.answer(request.line.rstrip())
    assert len(parse_reply(request, reply.rstrip()).values) == COMMANDS[letter].values


def test_missing_numbers_are_left_over_from_earlier_commands(bench: Bench) -> None:
    bench.say("D,120,-130")
    bench.say("M")
    assert bench.say("D") == "d\r\n"
    assert bench.hardware.motors.orders == [120, -130]
    assert bench.oddities == ["D with 0 of 2 numbers: the others are left over"]


@pytest.mark.parametrize(
    ("line", "orders"),
    [("D,,5,6", [5, 6]), ("D, 7, 8", [7, 8]), ("D,1.9,-2x", [1, -2]), ("D;3,4", [3, 4]), ("D,abc,9", [0, 9])],
)
def test_numbers_are_read_as_atol_reads_them(bench: Bench, line: str, orders: list[int]) -> None:
    bench.say(line)
    assert bench.hardware.motors.orders == orders


def test_orders_are_cut_to_16_bits_so_that_40000_drives_backwards(bench: Bench) -> None:
    bench.say("D,40000,0")
    assert bench.hardware.motors.orders == [40000 - 65536, 0]
    assert "beyond 1200" in bench.oddities[0]


def test_lights_are_cut_to_6_bits(bench: Bench) -> None:
    bench.say("K,64,255,63,0,0,0,0,0,0")
    assert bench.hardware.lights[:3] == [0, 63, 63]


def test_a_reset_clears_encoders_and_lights_and_leaves_the_motors_idle(bench: Bench) -> None:
    bench.say("U,0")
    bench.say("K,9,9,9,9,9,9,9,9,9")
    bench.say("D,100,100")
    bench.pass_(0.5)
    bench.say("Z")
    motors = bench.hardware.motors
    assert (motors.mode, motors.encoder_counts, sum(bench.hardware.lights)) == (0, (0, 0), 0)
    assert bench.hardware.ultrasound_mask == 31


def test_setting_motors_up_stops_them_and_keeps_the_encoders(bench: Bench) -> None:
    bench.say("D,147,147")
    bench.pass_(1.0)
    bench.say("M")
    bench.pass_(0.2)
    assert not bench.hardware.motors.is_turning
    assert bench.numbers("R")[0] > 14000


def test_ultrasound_has_codes_for_off_nothing_and_too_near(tmp_path: Path) -> None:
    boxes = "obstacles: [{box: [0.1, 0.1, 0.5], at: [0.25, 0]}, {box: [0.1, 0.1, 0.5], at: [0, 1]}]\n"
    bench = Bench(scene_of(tmp_path, boxes + ALONE))
    left, _, ahead, _, right = bench.numbers("G")
    assert ahead == 0
    assert left == pytest.approx(95 - 7.04, abs=2)
    assert right == pytest.approx(200 - 7.04, abs=2)
    bench.say("U,4")
    bench.pass_(0.1)
    assert bench.numbers("G") == [2000, 2000, 0, 2000, 2000]


def test_only_an_obstacle_ahead_is_seen_at_index_3_and_one_on_the_left_at_index_1(tmp_path: Path) -> None:
    """Paper at 4 cm reads 758 within the manual's 10, the sensor's floor within 20 and its noise of 3."""
    edge = 0.0704 + 0.04
    boxes = f"obstacles: [{{box: [0.1, 0.4, 0.5], at: [{edge + 0.05}, 0]}}]\n"
    ring = Bench(scene_of(tmp_path, boxes + ALONE)).numbers("N")[:8]
    assert ring[3] == pytest.approx(758, abs=33)
    assert max(ring[place] for place in (0, 1, 5, 6, 7)) < 140
    boxes = f"obstacles: [{{box: [0.4, 0.1, 0.5], at: [0, {edge + 0.05}]}}]\n"
    ring = Bench(scene_of(tmp_path, boxes + ALONE)).numbers("N")[:8]
    assert ring[1] == pytest.approx(758, abs=33)
    assert max(ring[place] for place in (3, 4, 5, 6, 7)) < 140


def test_light_is_brightest_where_the_lamp_stands_and_the_polarity_can_be_turned(tmp_path: Path) -> None:
    lamp = "lights: [{at: [0, 0.6, 0.05], intensity: 0.3}]\n"
    scene = scene_of(tmp_path, lamp + ALONE)
    usual, turned = Bench(scene), Bench(scene, HardwareOptions(bright_is_high=False))
    ring = usual.numbers("O")[:8]
    assert ring.index(max(ring)) == 1
    assert turned.numbers("O")[1] == pytest.approx(1023 - ring[1], abs=6)


def test_the_gyroscope_turns_positive_to_the_left_newest_first(bench: Bench) -> None:
    """A wheel speed of 100 units against the other: 2 x 0.0678 m/s over 0.1054 m."""
    bench.say("D,-100,100")
    bench.pass_(1.0)
    samples = bench.numbers("S")
    assert len(samples) == 30
    assert samples[20] * 0.0011519 == pytest.approx(2 * 0.0678181 / 0.1054, rel=0.02)


def test_a_level_robot_feels_one_g_downwards_in_twelve_bits(bench: Bench) -> None:
    bench.pass_(0.2)
    samples = bench.numbers("T")
    assert all(sample % 16 == 0 for sample in samples)
    assert samples[25] / 16384 == pytest.approx(-1.0, abs=0.02)


def test_the_binary_frame_as_shipped_lacks_the_first_low_byte(bench: Bench) -> None:
    bench.say("D,60,60")
    bench.pass_(1.0)
    near = bench.numbers("N")
    frame = bench.say_raw("X")
    assert (len(frame), frame[0]) == (128, ord("x"))
    assert frame[1] == int(near[0]) >> 8
    assert int.from_bytes(frame[2:4], "little") == near[1]
    left = int.from_bytes(frame[57:61], "little", signed=True)
    assert left == bench.hardware.motors.encoder_counts[0]
    assert frame[65:68] == b"\n\r\0"


def test_the_binary_frame_of_the_manual_is_67_bytes(tmp_path: Path) -> None:
    bench = Bench(scene_of(tmp_path, ALONE), x_layout="manual")
    near = bench.numbers("N")
    frame = bench.say_raw("X")
    assert len(frame) == 67
    assert [int.from_bytes(frame[1 + 2 * k : 3 + 2 * k], "little") for k in range(12)] == near


def test_the_battery_tells_charge_and_voltage_that_fit(bench: Bench) -> None:
    assert bench.numbers("V,5") == [95]
    assert bench.numbers("V,0") == [round(1000 * (6.6 + 1.6 * 0.95))]
    assert bench.say("V,4") == "v,27.0\r\n"


def test_the_robots_own_avoidance_drives_and_turns_away(tmp_path: Path) -> None:
    boxes = "obstacles: [{box: [0.1, 0.1, 0.5], at: [0.5, 0.1]}]\n"
    bench = Bench(scene_of(tmp_path, boxes + ALONE))
    bench.say("A,0")
    bench.pass_(4.0)
    x, y, _ = bench.scene.poses[0]
    assert x > 0.3
    assert y < -0.02
    bench.say("A,2")
    bench.pass_(0.5)
    assert not bench.hardware.motors.is_turning


def test_a_blocked_robot_turns_its_wheels_on_the_spot_unless_they_stall(tmp_path: Path) -> None:
    boxes = "obstacles: [{box: [0.1, 1.0, 0.5], at: [0.15, 0]}]\n"
    spinning = Bench(scene_of(tmp_path, boxes + ALONE))
    stalling = Bench(scene_of(tmp_path, boxes + ALONE), HardwareOptions(stall=True))
    for bench in (spinning, stalling):
        bench.say("D,100,100")
        bench.pass_(2.0)
        assert bench.scene.poses[0][0] < 0.05
    assert spinning.numbers("R")[0] > 19000
    assert stalling.numbers("R")[0] < 19000 / 2


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=1, max_size=82).filter(lambda line: b"\n" not in line))
def test_any_line_is_answered(any_bench: Bench, line: bytes) -> None:
    assert any_bench.server.answer(line)[-1:] in (b"\n", b"\r") or line[:1] == b"X"


@pytest.fixture(scope="module")
def any_bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(scene_of(tmp_path_factory.mktemp("any"), ALONE))


def test_frozen_sensors_repeat_themselves(bench: Bench) -> None:
    before = bench.numbers("N")
    bench.hardware.frozen = True
    bench.pass_(0.1)
    assert bench.numbers("N") == before
    bench.hardware.frozen = False
    bench.pass_(0.01)
    assert bench.numbers("N") != before


def test_a_turn_on_the_spot_takes_48825_pulses_of_each_wheel(bench: Bench) -> None:
    """19456 pulses a turn of a 42 mm wheel, wheels 105.4 mm apart (Khepera IV user manual)."""
    bench.say("D,-100,100")
    turned, before = 0.0, 0.0
    while turned < 2.0 * math.pi:
        bench.pass_(0.01)
        yaw = bench.scene.poses[0][2]
        turned += math.remainder(yaw - before, 2.0 * math.pi)
        before = yaw
    assert bench.numbers("R")[1] == pytest.approx(48825, rel=0.005)
