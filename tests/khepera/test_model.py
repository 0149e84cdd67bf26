"""The robot's description: numbers of the manual, and faults of a file reported whole."""

from __future__ import annotations

import pytest

from pybuzz.errors import InputError
from pybuzz.khepera.model import load_model, read_model
from pybuzz.shipped import robots_folder


def _text() -> str:
    return (robots_folder() / "kheperaiv.yaml").read_text(encoding="utf-8")


def test_the_hull_has_the_sizes_of_the_manual() -> None:
    body = load_model().body
    assert (body.radius, body.axle) == (0.0704, 0.1054)
    assert body.top == pytest.approx(0.0577)


def test_every_noise_preset_names_devices_of_the_robot() -> None:
    devices = {"proximity", "light", "ultrasound", "ground", "lidar", "wheels", "pose", "battery"}
    for preset in load_model().noise.values():
        assert preset.keys() <= devices


def test_the_paper_curve_falls_with_the_distance() -> None:
    curve = load_model().calibration.proximity_curve
    assert [raw for _, raw in curve] == sorted((raw for _, raw in curve), reverse=True)


def test_all_faults_of_a_description_are_reported_at_once() -> None:
    text = _text().replace("axle:", "axel:").replace("readings: 682", "readings: many")
    with pytest.raises(InputError) as found:
        read_model(text, "robot.yaml")
    report = str(found.value)
    assert "unknown key 'body.axel'" in report
    assert "did you mean 'axle'?" in report
    assert "'body.axle' is missing" in report
    assert "'lidar.readings' must be of type int, not 'many'" in report


def test_an_unknown_kind_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match="did you mean 'kheperaiv'"):
        load_model("khepera_iv")


@pytest.mark.parametrize(("written", "mass"), [("1e-3", 0.001), ("2.5E1", 25.0), ("1.0e-3", 0.001)])
def test_a_number_with_an_exponent_needs_no_point_and_no_sign(written: str, mass: float) -> None:
    assert read_model(f"kind: mini\nlike: kheperaiv\nbody: {{mass: {written}}}\n", "mini.yaml").body.mass == mass
