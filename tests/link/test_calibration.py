"""Raw values to tables. The paper curve and the values at 4, 6, 8 and 12 cm: Khepera IV user manual, ARGoS's law."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.khepera import load_model
from pybuzz.link.calibration import RING_ORDER, Converter, WheelFactors, default_calibration, reordered
from pybuzz.link.calibration_file import read_calibration, write_calibration

MODEL = load_model()
BASE = default_calibration(MODEL)
OWN = dataclasses.replace(
    BASE,
    proximity_floor=(60, 70, 80, 90, 100, 110, 120, 130),
    proximity_near=(700, 710, 720, 730, 740, 750, 760, 770),
    proximity_noise=(3.0,) * 8,
    light_dark=(900.0,) * 8,
    light_bright=(100.0,) * 8,
    wheels=WheelFactors(1.01, 0.99, 1.02),
)


@pytest.mark.parametrize(
    ("raw", "value"), [(758, 1.0), (380, 0.4866), (254, 0.2105), (164, 0.0), (111, 0.0), (1023, 1.0)]
)
def test_paper_reads_as_in_the_simulator(raw: int, value: float) -> None:
    assert Converter(MODEL, BASE).proximity([raw] * 8) == pytest.approx([value] * 8, abs=1e-3)


def test_each_sensor_has_its_own_floor_and_white() -> None:
    converter = Converter(MODEL, OWN)
    assert converter.proximity(OWN.proximity_near) == [1.0] * 8
    assert converter.proximity(OWN.proximity_floor) == [0.0] * 8


def test_noise_over_the_floor_is_nothing_in_sight() -> None:
    converter = Converter(MODEL, OWN)
    assert converter.distance(0, 60 + 8) is None
    assert converter.distance(0, 60 + 10) is not None


def test_a_linear_calibration_is_plain_proportion() -> None:
    linear = dataclasses.replace(BASE, proximity_mode="linear")
    assert Converter(MODEL, linear).proximity([111, 567, 1023] + [0] * 5)[:3] == [0.0, 0.5, 1.0]


def test_light_reads_the_same_for_either_polarity() -> None:
    assert Converter(MODEL, OWN).light([900, 500, 100] + [1000] * 5)[:4] == [0.0, 0.5, 1.0, 0.0]


def test_ground_is_0_on_black_and_1_on_white() -> None:
    assert Converter(MODEL, BASE).ground([300, 950, 625, 0]) == [0.0, 1.0, 0.5, 0.0]


def test_ultrasound_codes_become_the_ends_of_the_range() -> None:
    assert Converter(MODEL, BASE).ultrasound([0, 25, 83, 1000, 2000]) == [0.25, 0.25, 0.83, 2.0, 2.0]


def test_the_voltage_corrects_a_gauge_that_lies() -> None:
    converter = Converter(MODEL, BASE)
    assert converter.charge(83, 7.8) == 0.83
    assert converter.charge(83, 6.8) == pytest.approx(0.125)


def test_index_0_looks_ahead_and_2_to_the_left() -> None:
    """kh4server's order is back left, left, front left, front, front right, right, back right, back."""
    assert reordered(["BL", "L", "FL", "F", "FR", "R", "BR", "B"], RING_ORDER)[:3] == ("F", "FL", "L")  # type: ignore[arg-type,comparison-overlap]


def test_a_calibration_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "calibration" / "kh1.yaml"
    write_calibration(path, 1, OWN)
    assert read_calibration(path, MODEL) == OWN


def test_a_faulty_file_says_all_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "kh1.yaml"
    path.write_text(
        "proximity: {floor: [1, 2], mode: cubic}\n"
        "light: {dark: [500, 500, 500, 500, 500, 500, 500, 500], bright: [550, 550, 550, 550, 550, 550, 550, 550]}\n"
        "wheels: {lft: 1.0}\n"
    )
    with pytest.raises(InputError) as raised:
        read_calibration(path, MODEL)
    texts = [(found.place.line, found.text) for found in raised.value.diagnostics]
    assert (1, "floor: a list of 2, but 8 raw values are needed") in texts
    assert any(line == 1 and "'cubic' is not known" in text for line, text in texts)
    assert any(line == 2 and "too near to each other" in text for line, text in texts)
    assert any(line == 3 and "has no key 'lft'" in text for line, text in texts)
