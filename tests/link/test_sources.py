"""What comes from beside the robot's own line: external poses, the laser; and what the radio makes of poses."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import numpy as np
import pytest
from rehearsals import LINE, driving, rehearse, run, start, wait_until, write_fleet, write_scene
from test_camera_adapter import free_port

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
LASER = LINE.replace("drive: bridge", "drive: bridge, sensors: {proximity: {}, lidar: {}}")


def test_poses_of_a_tracker_are_taken_and_their_loss_stops_who_depends_on_them(tmp_path: Path) -> None:
    port = free_port()
    scene = write_scene(tmp_path, READS_POSE, robots=2)
    with rehearse(scene, tmp_path, "--poses", f"127.0.0.1:{port}") as emulator:
        pose = f"pose: {{source: udp, port: {port}, stop_after: 1}}"
        nowhere = dict.fromkeys(emulator.urls, (9.0, 9.0, 0.0))
        fleet = write_fleet(tmp_path, emulator.urls, nowhere, pose)
        process = start("deploy", tmp_path / "script.bzz", "--fleet", fleet)
        wait_until(lambda: all(len(driving(emulator.log(), robot)) > 5 for robot in (1, 2)))
        emulator.fault("2:hidden")
        hidden = time.monotonic()
        wait_until(
            lambda: any(entry.robot == 2 and entry.kind == "still" and entry.t > hidden for entry in emulator.log())
        )
        stopped = time.monotonic()
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
    assert 1.0 < stopped - hidden < 2.5
    assert "no external pose for 1 s, and its script depends on it" in errors
    assert process.returncode == 3
    logged = [float(line.split("] ")[1]) for line in output.splitlines() if line.startswith("[kh1]")]
    assert abs(logged[-1]) < 2.0, "the pose is the tracker's, not that of the fleet file"


def test_the_laser_fills_the_lidar_table(tmp_path: Path) -> None:
    """The robot stands in the middle of an arena of 4 m: the wall is 2 m ahead."""
    scene = write_scene(tmp_path, READS_LIDAR, scene=LASER)
    scene.write_text(scene.read_text().replace("layout: [5, 4]", "layout: [1, 1]"))
    with rehearse(scene, tmp_path, "--laser-port", "0") as emulator:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts, laser=f'"{emulator.lasers[1]}"')
        done = run("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 4)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[kh1] lidar 682 1 1\n"


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
