"""docs/experiments.md and docs/coming-from-argos.md say what the readers do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from argos_compat.robots import CONTROLLERS, DEVICES, OTHER_ROBOTS
from pybuzz.errors import InputError
from pybuzz.experiment.jobs_file import read_jobs_file
from pybuzz.experiment.yaml_file import read
from pybuzz.experiment.yaml_robots import SENSORS, WHEEL_NOISE

DOCS = Path(__file__).parents[2] / "docs"


def test_the_sample_of_the_page_is_an_experiment(tmp_path: Path) -> None:
    sample, *_ = re.findall(r"```yaml\n(.*?)```", (DOCS / "experiments.md").read_text(), re.DOTALL)
    (tmp_path / "e.yaml").write_text(sample)
    for script in re.findall(r"[a-z]+\.bzz", sample):
        (tmp_path / script).write_text("")
    plan, warnings = read(tmp_path / "e.yaml")
    assert (len(plan.controllers), warnings) == (2, ())


def test_the_jobs_of_the_page_are_read(tmp_path: Path) -> None:
    *_, text = re.findall(r"```yaml\n(.*?)```", (DOCS / "experiments.md").read_text(), re.DOTALL)
    (tmp_path / "extras.yaml").write_text(text)
    jobs = read_jobs_file(tmp_path / "extras.yaml")
    assert (len(jobs.values_set), len(jobs.writings), len(jobs.changes), len(jobs.stops)) == (3, 2, 3, 1)
    assert jobs.painting is not None
    assert len(jobs.painting.shapes) == 2


TAGS = {tag for tags in DEVICES.values() for tag in tags} | {*CONTROLLERS, *OTHER_ROBOTS}


@pytest.mark.parametrize("tag", sorted(TAGS))
def test_every_device_and_robot_of_argos_has_its_line(tag: str) -> None:
    assert f"{tag}`" in (DOCS / "coming-from-argos.md").read_text()


@pytest.mark.parametrize("name", [*SENSORS, *(name for name in WHEEL_NOISE if not name.endswith(("_left", "_right")))])
def test_every_sensor_and_noise_has_its_word(name: str) -> None:
    assert re.search(rf"\b{name}\b", (DOCS / "experiments.md").read_text())


def test_every_key_that_the_reader_knows_has_its_word(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text("")
    text = (
        "zzz: 1\n"
        "experiment: {zzz: 1}\n"
        "arena: {zzz: 1, size: [1, 1]}\n"
        "obstacles: [{zzz: 1, box: [1, 1, 1], at: [0, 0]}]\n"
        "lights: [{zzz: 1, place: {zzz: 1}}]\n"
        "robots: [{zzz: 1, script: a.bzz, place: {grid: {zzz: 1}}, sensors: {zzz: 1, lidar: {zzz: 1},\n"
        "  pose: {zzz: 1}}, wheels: {zzz: 1}, turning: {zzz: 1}, radio: {zzz: 1}, battery: {zzz: 1}}]\n"
        "radio: {zzz: 1}\nrecord: {zzz: 1}\nphysics: {zzz: 1}\n"
    )
    (tmp_path / "e.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "e.yaml")
    hints = [found.hint for found in caught.value.diagnostics if "'zzz'" in found.text]
    known = {key for hint in hints for key in hint.removeprefix("known keys: ").split(", ")}
    page = (DOCS / "experiments.md").read_text()
    assert len(hints) == text.count("zzz")
    silent = {key for key in known if not re.search(rf"\b{key}\b", page)}
    assert {key for key in silent if not key.endswith(("_left", "_right"))} == set()
