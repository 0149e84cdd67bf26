"""What the examples say that they show (README.md, their first comments), measured over several seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pybuzz
from pybuzz.recording import ObstacleMark, Recording

EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"
HULL_M = 0.0704
Places = npt.NDArray[np.float64]


def run_of(name: str, seed: int | None = None, **options: Any) -> Recording:
    """A whole run of an example; its own seed unless told otherwise."""
    with pybuzz.load(EXAMPLES / name, seed=seed, **options) as experiment:
        recording = experiment.run()
    assert not [event for event in recording.events if event.kind == "failed"]
    return recording


def way_of(recording: Recording) -> Places:
    """How far each robot drove, m."""
    way: Places = np.linalg.norm(np.diff(recording.poses[:, :, :2], axis=0), axis=2).sum(axis=0)
    return way


def spread(places: Places) -> float:
    """Mean distance from the middle, m."""
    return float(np.linalg.norm(places - places.mean(axis=0), axis=1).mean())


def gap_to(obstacle: ObstacleMark, places: Places) -> float:
    """From the nearest of all places to the obstacle's surface, m."""
    offsets = places - np.array(obstacle.position)
    if obstacle.shape == "cylinder":
        return float(np.linalg.norm(offsets, axis=2).min() - obstacle.size[0] / 2)
    cos, sin = np.cos(obstacle.yaw), np.sin(obstacle.yaw)
    beyond = np.abs(offsets @ np.array([[cos, -sin], [sin, cos]])) - np.array(obstacle.size) / 2
    return float(np.linalg.norm(np.maximum(beyond, 0), axis=2).min())


def distances(places: Places) -> Places:
    """float64[n, n]: between all robots in m, inf to itself."""
    found: Places = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(found, np.inf)
    return found


def neighbours_of_inner_robots(places: Places, reach_m: float) -> list[int]:
    """How many robots stand within reach of each that has some on all its sides: no gap of 100 degrees between them."""
    counts = []
    for index, row in enumerate(distances(places)):
        offsets = places[row < reach_m] - places[index]
        angles = np.sort(np.arctan2(offsets[:, 1], offsets[:, 0]))
        if len(angles) and np.diff(angles, append=angles[0] + 2 * np.pi).max() < np.radians(100):
            counts.append(len(angles))
    return counts


def assert_a_lattice(places: Places, spacing_m: float) -> None:
    nearest = distances(places).min(axis=1)
    assert nearest.mean() == pytest.approx(spacing_m, rel=0.03 / 0.4)
    assert nearest.min() > 0.75 * spacing_m
    assert set(neighbours_of_inner_robots(places, 1.3 * spacing_m)) == {6}


@pytest.mark.parametrize("seed", range(1, 11))
def test_hexagon_forms_a_hexagonal_lattice(seed: int) -> None:
    assert_a_lattice(run_of("hexagon", seed).poses[-1, :, :2], 0.40)


def test_hexagon_forms_a_wider_lattice_when_told_to() -> None:
    assert_a_lattice(run_of("hexagon", set=["buzz.SPACING=60"]).poses[-1, :, :2], 0.60)


@pytest.mark.parametrize("robot", [0, 1, 2])
def test_maze_has_robots_that_follow_walls_on_their_right(robot: int) -> None:
    recording = run_of("maze")
    scans = recording.sensors["lidar"][1:, robot, :22]  # the right and ahead, m
    near = scans.min(axis=1)
    following = slice(int(np.argmax(near < 0.3)) + 20, None)
    angle = np.radians(np.linspace(-135, 135, 37))[scans.argmin(axis=1)]
    assert following.start < 90
    assert near[following].mean() == pytest.approx(0.2, abs=0.02)
    assert near[following].min() > 0.12
    assert near[following].max() < 0.3
    assert np.mean(np.abs(angle[following] + np.pi / 2) < 0.6) > 0.95
    assert way_of(recording)[robot] > 9.0  # of 9.6 m


def test_maze_has_a_robot_that_finds_its_goal() -> None:
    way = run_of("maze").poses[:, 3, :2]
    assert np.linalg.norm(way[0] - (1.45, -0.9)) > 3.0
    assert np.linalg.norm(way[-1] - (1.45, -0.9)) < 0.12


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_obstacle_avoidance_touches_nothing(seed: int) -> None:
    recording = run_of("obstacle_avoidance", seed)
    places = recording.poses[:, :, :2]
    assert min(distances(now).min() for now in places) > 2 * HULL_M + 0.01
    assert min(gap_to(obstacle, places) for obstacle in recording.description.obstacles) > HULL_M + 0.005
    assert way_of(recording).min() > 3.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_light_seeking_ends_around_the_light(seed: int) -> None:
    recording = run_of("light_seeking", seed)
    places = recording.poses[:, :, :2]
    from_light = np.linalg.norm(places - (1.5, 0.0), axis=2)
    assert from_light[0].min() > 2.4
    assert from_light[-1].max() < 0.35
    assert min(distances(now).min() for now in places) > 2 * HULL_M


def test_follow_the_leader_is_a_column_from_30_s_on() -> None:
    recording = run_of("follow_the_leader", record_globals=["place"])
    leader, followers = recording.poses[:, 0, :2], recording.poses[300:, :, :2]
    assert recording.globals["place"][-1].tolist()[1:] == [1, 2, 3, 4]
    gaps = np.linalg.norm(np.diff(followers, axis=1), axis=2)
    assert gaps.min() > 0.27
    assert gaps.max() < 0.42
    assert np.ptp(leader, axis=0) == pytest.approx((1.3, 1.3), abs=0.3)


def test_line_follower_drives_a_lap_on_its_line() -> None:
    assert [line.text for line in run_of("line_follower").log] == ["a lap, the line lost in 0 steps"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_city_flight_arrives_without_a_bump(seed: int) -> None:
    recording = run_of("city_flight", seed)
    assert (recording.poses[0, :, 0] < -80).all()
    assert recording.globals["arrived"][-1].tolist() == [1] * 10
    assert recording.globals["bumps"][-1].tolist() == [0] * 10


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_own_sensor_slows_down_near_obstacles(seed: int) -> None:
    recording = run_of("own_sensor", seed)
    free = recording.sensors["nearest"][1:-1, :, 0]
    speeds = 10 * np.linalg.norm(np.diff(recording.poses[1:, :, :2], axis=0), axis=2)
    assert np.median(speeds[free > 0.6]) == pytest.approx(0.15, abs=0.002)
    assert np.median(speeds[free < 0.4]) < 0.12
    assert np.abs(speeds - 0.15 * np.minimum(free / 0.5, 1)).mean() < 0.01


def test_jobs_bring_all_robots_to_the_dark_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it writes dark.csv
    recording = run_of("jobs")
    gate = recording.poses[:31, :, 0]
    assert gate.max() < 0
    assert (recording.poses[-1, :, 0] > 0.4).all()
    assert recording.ticks < 600


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_task_allocation_gives_every_job_four_robots(seed: int) -> None:
    jobs = run_of("task_allocation", seed).globals["job"]
    assert sorted(jobs[-1].tolist()) == 4 * [0] + 4 * [1] + 4 * [2]
    assert (jobs[50:] == jobs[-1]).all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_teams_part_and_gather(seed: int) -> None:
    recording = run_of("teams", seed)
    before, after = recording.poses[0, :, :2], recording.poses[-1, :, :2]
    even = np.array([int(name.removeprefix("kh")) % 2 == 0 for name in recording.robots])
    for team in (even, ~even):
        assert spread(before[team]) > 2 * spread(after[team])
    nearest = distances(after).argmin(axis=1)
    assert (even[nearest] == even).all()
    assert distances(after).min() > 2 * HULL_M


@pytest.mark.parametrize("experiment", sorted(EXAMPLES.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_an_experiment_begins_with_what_it_shows(experiment: Path) -> None:
    first = experiment.read_text().splitlines()[0]
    assert first.startswith("# ")
    assert len(first.split()) > 6
