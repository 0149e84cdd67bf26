"""The adapter for a camera with markers, on recorded detections, into the listener of a deployment.

tests/data/link/markers.json: corners of two markers in 40 frames of a tilted camera, with 0.2 pixels of noise, and the
true poses they were made from.
"""

from __future__ import annotations

import importlib.util
import json
import math
import socket
import time
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from rehearsals import ROOT, wait_until

from pybuzz.errors import LinkError
from pybuzz.link.fleet import PoseSource
from pybuzz.link.pose_listener import PoseListener
from pybuzz.link.positions import PoseEstimate

DATA: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "link" / "markers.json").read_text())
HOMOGRAPHY = np.array(DATA["homography"])


@pytest.fixture(scope="module")
def adapter() -> ModuleType:
    path = ROOT / "robots" / "trackers" / "camera_poses.py"
    spec = importlib.util.spec_from_file_location("camera_poses", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def free_port() -> int:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def test_corners_become_poses_within_half_a_centimetre_and_three_degrees(adapter: ModuleType) -> None:
    for frame in DATA["frames"]:
        for (_, corners), (_, x, y, yaw) in zip(frame["markers"], frame["true"], strict=True):
            found = adapter.pose_of(corners, HOMOGRAPHY)
            assert math.dist(found[:2], (x, y)) < 0.005
            assert abs(math.remainder(found[2] - yaw, 2 * math.pi)) < math.radians(3)


def test_a_deployment_takes_them(adapter: ModuleType) -> None:
    estimates = {3: PoseEstimate((0.0, 0.0, 0.0)), 7: PoseEstimate((0.0, 0.0, 0.0))}
    source = PoseSource("udp", port=free_port())
    with (
        closing(PoseListener(source, estimates, print)),
        closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sender,
    ):
        for frame in DATA["frames"]:
            sender.sendto(adapter.datagram(frame["t"], frame["markers"], HOMOGRAPHY), ("127.0.0.1", source.port))
            time.sleep(0.01)
        wait_until(lambda: math.dist(estimates[7].pose[:2], DATA["frames"][-1]["true"][1][1:3]) < 0.005, timeout=5)
    assert estimates[3].pose[:2] == pytest.approx(DATA["frames"][-1]["true"][0][1:3], abs=0.005)


def test_an_id_that_the_fleet_does_not_have_is_told(adapter: ModuleType) -> None:
    told: list[str] = []
    source = PoseSource("udp", port=free_port())
    with (
        closing(PoseListener(source, {}, told.append)),
        closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sender,
    ):
        frame = DATA["frames"][0]
        sender.sendto(adapter.datagram(1.0, frame["markers"], HOMOGRAPHY), ("127.0.0.1", source.port))
        wait_until(lambda: "poses of 3, 7" in "".join(told), timeout=5)


def test_a_port_that_is_taken_is_said_with_a_remedy() -> None:
    source = PoseSource("udp", port=free_port())
    with closing(PoseListener(source, {}, print)), pytest.raises(LinkError, match="change pose"):
        PoseListener(source, {}, print)
