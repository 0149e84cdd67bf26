"""What comes from beside the robot's own line: external poses, the laser; and what the radio makes of poses."""

from __future__ import annotations

import json
import signal
import socket
import time
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import pytest
from rehearsals import driving, orders, rehearse, start, wait_until, write_fleet, write_scene
from test_camera_adapter import free_port

from pybuzz.emulator.assertions import stands_since
from pybuzz.emulator.journal import Entry
from pybuzz.link.air import Air
from pybuzz.link.fleet import RadioSettings
from pybuzz.swarm.packets import Packet

READS_POSE = "function init() {}\nfunction step() { set_wheels(6.0, 4.0) x = pose.position.x log(x) }\n"
READS_LIDAR = """\
function init() { t = 0 }
function step() {
  t = t + 1
  if(t == 20) log("lidar ", size(lidar), " ", lidar[340] > 100, " ", lidar[340] < 230)
}
"""
SCENE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, id: 1, script: script.bzz, sensors: {lidar: {}}, at: [0, 0], yaw: 90}
  - {kind: kheperaiv, id: 2, script: script.bzz, at: [1, 1]}
  - {kind: kheperaiv, id: 3, script: script.bzz, at: [-1, 1]}
"""


@dataclass(frozen=True)
class Sensed:
    """A run in which robot 1 reads its laser, 2 and 3 the tracker's poses, and 3 gets out of its sight."""

    log: list[Entry]
    output: list[str]
    errors: str
    code: int
    hidden_at: float


@pytest.fixture(scope="module")
def sensed(tmp_path_factory: pytest.TempPathFactory) -> Sensed:
    folder, port = tmp_path_factory.mktemp("sources"), free_port()
    scene = write_scene(folder, READS_POSE, scene=SCENE)
    (folder / "lidar.bzz").write_text(READS_LIDAR)
    with rehearse(scene, folder, "--poses", f"127.0.0.1:{port}", "--laser-port", "0") as emulator:
        fleet = write_fleet(
            folder, emulator.urls, dict.fromkeys(emulator.urls, (9.0, 9.0, 0.0)),
            f"pose: {{source: udp, port: {port}, stop_after: 1}}",
        )  # fmt: skip
        of_robot_1 = f"{{id: 1, script: lidar.bzz, laser: {emulator.lasers[1]!r},"
        fleet.write_text(fleet.read_text().replace("{id: 1,", of_robot_1))
        process = start("deploy", folder / "script.bzz", "--fleet", fleet)
        wait_until(lambda: all(len(driving(emulator.log(), robot)) > 5 for robot in (2, 3)))
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as stranger:
            for t in (1.0, 2.0):
                data = {"t": t, "robots": [{"id": 9, "x": 0.0, "y": 0.0, "yaw": 0.0}]}
                stranger.sendto(json.dumps(data).encode(), ("127.0.0.1", port))
        emulator.fault("3:hidden=nan")
        hidden_at = time.monotonic()
        wait_until(lambda: stands_since(emulator.log(), 3, hidden_at) not in (None, hidden_at))
        wait_until(lambda: len(orders(emulator.log(), 1)) > 25)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
        return Sensed(emulator.log(), output.splitlines(), errors, process.returncode, hidden_at)


def test_poses_of_a_tracker_are_taken(sensed: Sensed) -> None:
    """The fleet file says that the robots are at 9 m."""
    logged = [float(line.split("] ")[1]) for line in sensed.output if line.startswith("[kh2]")]
    assert abs(logged[-1]) < 2.0


def test_their_loss_stops_who_depends_on_them(sensed: Sensed) -> None:
    stopped_at = stands_since(sensed.log, 3, sensed.hidden_at)
    assert stopped_at is not None
    assert 1.0 < stopped_at - sensed.hidden_at < 2.5
    (told,) = [line for line in sensed.errors.splitlines() if "no external pose" in line]
    assert told.startswith("robot 3 ")
    assert "no external pose for 1 s, and its script depends on it" in told
    assert sensed.code == 3


def test_a_robot_without_a_position_costs_the_others_nothing(sensed: Sensed) -> None:
    """The tracker went on to tell where robot 2 is, beside NaN for robot 3."""
    stopped_at = stands_since(sensed.log, 3, sensed.hidden_at)
    assert stopped_at is not None
    assert driving(sensed.log, 2)[-1].t > stopped_at
    assert not [line for line in sensed.errors.splitlines() if line.startswith("robot 2 ")]


def test_ids_that_the_fleet_lacks_are_told_once(sensed: Sensed) -> None:
    assert sensed.errors.count("the tracker sends poses of 9, and the fleet has no such id; it has 1, 2, 3") == 1


def test_the_laser_fills_the_lidar_table(sensed: Sensed) -> None:
    """The robot stands in the middle of an arena of 4 m: the wall is 2 m ahead."""
    assert [line for line in sensed.output if line.startswith("[kh1]")] == ["[kh1] lidar 682 1 1"]


def packets(count: int) -> list[Packet]:
    return [Packet(bytes([0, robot, 0, 0])) for robot in range(1, count + 1)]


def heard(air: Air, poses: list[tuple[float, float, float]]) -> list[list[int]]:
    found = air.exchange(np.array(poses), packets(len(poses)))
    return [[packet.robot_id for packet in one[0]] for one in found]


def test_packets_reach_who_is_in_range_with_distance_in_cm_and_azimuth_from_the_receiver() -> None:
    air = Air(RadioSettings(range_m=1.0), 3, hull_radius_m=0.0704, antenna_m=0.0577)
    (first, second, third) = air.exchange(
        np.array([(0, 0, np.pi / 2), (0.5, 0, 0), (3, 0, 0)], dtype=float), packets(3)
    )
    assert ([packet.robot_id for packet in first[0]], first[1]) == ([2], [pytest.approx(50.0)])
    assert first[2] == [pytest.approx(-np.pi / 2)]
    assert second[2] == [pytest.approx(np.pi)]
    assert third[0] == []


def test_a_robot_in_between_blocks_the_radio_unless_the_fleet_says_otherwise() -> None:
    row = [(0.0, 0.0, 0.0), (0.4, 0.02, 0.0), (0.8, 0.0, 0.0)]
    assert heard(Air(RadioSettings(), 3, hull_radius_m=0.0704, antenna_m=0.0577), row) == [[2], [1, 3], [2]]
    free = Air(RadioSettings(occlusion=False), 3, hull_radius_m=0.0704, antenna_m=0.0577)
    assert heard(free, row) == [[2, 3], [1, 3], [1, 2]]


def test_a_share_of_the_packets_is_lost_the_same_for_the_same_seed() -> None:
    pair = [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0)]

    def received(seed: int) -> list[int]:
        air = Air(RadioSettings(loss=0.25, seed=seed), 2, hull_radius_m=0.0704, antenna_m=0.0577)
        return [sum(map(len, heard(air, pair))) for _ in range(500)]

    assert received(1) == received(1) != received(2)
    assert sum(received(1)) == pytest.approx(750, abs=60)


def test_a_robot_whose_link_is_lost_hears_nothing_and_is_not_heard() -> None:
    air = Air(RadioSettings(), 2, hull_radius_m=0.0704, antenna_m=0.0577)
    assert heard(air, [(0.0, 0.0, 0.0), (np.nan, np.nan, np.nan)]) == [[], []]
