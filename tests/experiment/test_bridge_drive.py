"""`drive: bridge`: a simulated robot with the wheels of a real one."""

from __future__ import annotations

from pathlib import Path

import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.conversion import convert_file
from pybuzz.experiment.reading import read_plan

SCENE = """
experiment: {{length: 4, seed: 1}}
arena: {{size: [4, 4], walls: true}}
robots:
  - {{kind: kheperaiv, name: kh1, script: drive.bzz, at: [0, 0], yaw: 0, drive: {drive}}}
"""
SCRIPT = """
function init() { t = 0 }
function step() { t = t + 1
  if(t <= 20) { set_wheels(10.0, 10.0) } else { set_wheels(0.0, 0.0) } }
"""


def written(folder: Path, drive: str) -> Path:
    (folder / "drive.bzz").write_text(SCRIPT)
    path = folder / f"{drive}.yaml"
    path.write_text(SCENE.format(drive=drive))
    return path


def test_over_a_run_the_ramp_up_is_made_up_for_by_the_ramp_down(tmp_path: Path) -> None:
    """20 steps at 147 units (10 cm/s rounded): the ramp down repeats the steps of the ramp up, save for their sum's
    difference of 147 - 4 x 30 = 27 units."""
    unit = 0.000678181
    direct, bridge = (pybuzz.load(written(tmp_path, drive)).run().poses[:, 0, 0] for drive in ("direct", "bridge"))
    assert direct[-1] == pytest.approx(0.2, abs=0.002)
    assert direct[3] > 2 * bridge[3]
    up = sum((30, 60, 90, 120)) + 16 * 147
    down = sum((117, 87, 57, 27))
    assert bridge[-1] == pytest.approx((up + down) * unit * 0.1, abs=0.002)


def test_an_unknown_drive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bridge"):
        read_plan(written(tmp_path, "brigde"))


def test_it_survives_being_written(tmp_path: Path) -> None:
    assert convert_file(written(tmp_path, "bridge"), tmp_path / "copy.yaml") == []
    assert read_plan(tmp_path / "copy.yaml")[0].items == read_plan(tmp_path / "bridge.yaml")[0].items


def test_argos_cannot_say_it_and_the_report_tells(tmp_path: Path) -> None:
    lost = convert_file(written(tmp_path, "bridge"), tmp_path / "copy.argos")
    assert any("drive" in line for line in lost)
