"""Recording a run changes nothing in it."""

from __future__ import annotations

from pathlib import Path

import pytest

import pybuzz

CASES = Path(__file__).parent.parent / "data" / "argos-cases"


def poses_of(case: str, record: Path | None, sensors: tuple[str, ...]) -> bytes:
    scene = CASES / case / "scene.argos"
    with pybuzz.load(scene, record=record, record_sensors=sensors) as experiment:
        poses = []
        while experiment.step():
            poses.append(experiment.simulation.world.poses.tobytes())
    return b"".join(poses)


@pytest.mark.parametrize(
    ("case", "sensors"), [("noise_all", ("proximity", "lidar")), ("swarm_hexagon_occlusions", ("proximity", "pose"))]
)
def test_poses_are_byte_identical_with_and_without_a_recording(
    case: str, sensors: tuple[str, ...], tmp_path: Path
) -> None:
    assert poses_of(case, tmp_path / "run", sensors) == poses_of(case, None, ())
