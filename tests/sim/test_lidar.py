"""The laser scanner of any layout: its beams, what they meet, and that turning the world turns nothing else."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.errors import InputError
from pybuzz.sim.lidar import Lidar, LidarScan
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.world import World
from tests.oracles.argos_scene import KHEPERA
from tests.oracles.map_rays import distance_in_map

RADIUS = KHEPERA["radius"]
ROWS = ["##########", "#........#", "#..##....#", "#...#....#", "#........#", "#......#.#", "##########"]


def maze() -> World:
    """5 m x 3.5 m about the origin, cells of 0.5 m, a pillar and a turned box."""
    world = World(0.1)
    world.set_map(OccupancyGrid.from_text(ROWS, resolution=0.5, origin=(-2.5, -1.75)))
    world.add_cylinder("pillar", 0.2, 0.5, 1.0, 0.8)
    world.add_box("box", (0.3, 0.2, 0.5), -1.5, -0.6, 0.4)
    return world


def test_beams_stand_from_the_right_end_of_the_view_to_the_left_one() -> None:
    scan = Lidar(num_rays=5, fov_deg=180).cast_rays((0.0, 0.0, 1.0), World(0.1))
    assert scan.angles == pytest.approx(1.0 + np.linspace(-math.pi / 2, math.pi / 2, 5))


def test_without_its_endpoint_a_full_turn_has_no_beam_twice() -> None:
    scan = Lidar(num_rays=4, fov_deg=360, endpoint=False).cast_rays((0.0, 0.0, 0.0), World(0.1))
    assert scan.angles == pytest.approx([-math.pi, -math.pi / 2, 0.0, math.pi / 2])


def test_a_scan_is_a_sequence_of_angle_distance_and_point() -> None:
    world = World(0.1)
    world.add_box("wall", (0.2, 4.0, 1.0), 1.1, 0.0, 0.0)
    scan = Lidar(num_rays=3, range=5.0, fov_deg=90).cast_rays((0.0, 0.0, 0.0), world)
    assert len(scan) == 3
    assert scan
    angle, distance, point = list(scan)[1]
    assert (angle, distance, point) == (pytest.approx(0.0), pytest.approx(1.0), pytest.approx((1.0, 0.0)))
    assert next(iter(scan))[1:] == (pytest.approx(math.sqrt(2.0)), pytest.approx((1.0, -1.0)))
    assert scan[2][0] == pytest.approx(math.pi / 4)


def test_a_scan_of_no_beams_is_false() -> None:
    assert not LidarScan(np.zeros(0), np.zeros(0), np.zeros((0, 2)))


def test_distances_end_at_the_range() -> None:
    scan = Lidar(num_rays=8, range=0.7).cast_rays((0.0, 0.0, 0.0), World(0.1))
    assert (scan.distances == 0.7).all()
    assert np.hypot(*scan.points.T) == pytest.approx(np.full(8, 0.7))


def test_beams_start_ahead_by_the_offset_and_miss_what_is_lower() -> None:
    world = World(0.1)
    world.add_box("low", (0.2, 4.0, 0.2), 1.1, 0.0, 0.0)
    ahead = Lidar(num_rays=1, fov_deg=1e-9, offset=0.3)
    assert ahead.cast_rays((0.0, 0.0, 0.0), world).distances[0] == pytest.approx(0.7)
    assert Lidar(num_rays=1, fov_deg=1e-9, height=0.21).cast_rays((0.0, 0.0, 0.0), world).distances[0] == 12.0


# -- other robots ----------------------------------------------------------------------------------------------------


def two_robots() -> World:
    world = World(0.1)
    world.add_robot("left", -0.5, 0.0, 0.0, **KHEPERA)
    world.add_robot("right", 0.5, 0.0, math.pi, **KHEPERA)
    return world


def test_robots_are_met_only_if_they_are_named() -> None:
    world, lidar = two_robots(), Lidar(num_rays=3, fov_deg=180)
    assert lidar.cast_rays("left", world).distances[1] == 12.0
    assert lidar.cast_rays("left", world, ["left"]).distances[1] == 12.0
    assert lidar.cast_rays("left", world, ["left", "right"]).distances[1] == pytest.approx(1.0 - RADIUS)


def test_robots_of_another_simulator_are_circles_of_their_own_radius() -> None:
    me = SimpleNamespace(pose=(0.0, 0.0, 0.0), radius=0.3)
    other = SimpleNamespace(pose=(2.0, 0.0, 1.0), radius=0.5)
    lidar = Lidar(num_rays=1, fov_deg=1e-9, offset=0.4)
    assert lidar.cast_rays(me, World(0.1), [me, other]).distances[0] == pytest.approx(1.1)
    assert lidar.cast_rays(me, World(0.1), [(2.0, 0.0, 0.25)]).distances[0] == pytest.approx(1.35)


@settings(max_examples=60, deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-3, 3), st.floats(-3, 3))
def test_a_robot_that_is_seen_sees_back(x: float, y: float, yaw: float, other_yaw: float) -> None:
    """The beam from centre to centre is as long both ways."""
    world = World(0.1)
    if math.hypot(x, y) < 2.5 * RADIUS:
        return
    world.add_robot("one", 0.0, 0.0, yaw, **KHEPERA)
    world.add_robot("two", x, y, other_yaw, **KHEPERA)
    beam = Lidar(num_rays=1, fov_deg=1e-9)
    there = beam.cast_rays((0.0, 0.0, math.atan2(y, x)), world, ["two"]).distances[0]
    back = beam.cast_rays((x, y, math.atan2(-y, -x)), world, ["one"]).distances[0]
    assert there == pytest.approx(back, abs=1e-9)
    assert there == pytest.approx(math.hypot(x, y) - RADIUS, abs=1e-9)


# -- metamorphic -----------------------------------------------------------------------------------------------------


def turned(quarters: int, x: float, y: float, yaw: float) -> tuple[float, float, float]:
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4]
    return c * x - s * y, s * x + c * y, yaw + quarters * math.pi / 2


def turned_maze(quarters: int) -> World:
    """The maze turned about the origin by quarter turns, map and all."""
    world, cells = World(0.1), OccupancyGrid.from_text(ROWS, resolution=0.5).cells
    # Rows count upwards: a counter-clockwise turn of the world is a clockwise one of the printed array.
    cells = np.rot90(cells, -quarters)
    rows, columns = cells.shape
    world.set_map(OccupancyGrid(cells, 0.5, (-0.25 * columns, -0.25 * rows)))
    world.add_cylinder("pillar", 0.2, 0.5, *turned(quarters, 1.0, 0.8, 0.0)[:2])
    world.add_box("box", (0.3, 0.2, 0.5), *turned(quarters, -1.5, -0.6, 0.4))
    return world


def thousandths(most: int) -> st.SearchStrategy[float]:
    return st.integers(-most, most).map(lambda number: number / 1000.0)


# Also on grid lines and along axes, but not within rounding of them.
places = st.tuples(thousandths(1900), thousandths(1200), thousandths(3000))


@settings(max_examples=40, deadline=None)
@given(places, st.integers(1, 3))
def test_turning_world_and_robot_together_changes_no_reading(pose: tuple[float, float, float], quarters: int) -> None:
    lidar = Lidar(num_rays=61, range=6.0)
    still = lidar.cast_rays(pose, turned_maze(0)).distances
    assert lidar.cast_rays(turned(quarters, *pose), turned_maze(quarters)).distances == pytest.approx(still, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(places, st.integers(0, 59))
def test_a_turned_robots_beam_is_another_beam_of_the_robot(pose: tuple[float, float, float], steps: int) -> None:
    lidar, world, (x, y, yaw) = Lidar(num_rays=60, range=6.0, endpoint=False), maze(), pose
    straight = lidar.cast_rays((x, y, yaw), world).distances
    after = lidar.cast_rays((x, y, yaw + steps * math.pi / 30.0), world).distances
    assert after == pytest.approx(np.roll(straight, -steps), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(places)
def test_distances_are_those_of_map_circle_and_box(pose: tuple[float, float, float]) -> None:
    """Brute force: the nearest of all cells, the circle by its equation, the four sides of the box."""
    world, lidar = maze(), Lidar(num_rays=23, range=6.0)
    for angle, distance, _ in lidar.cast_rays(pose, world):
        assert distance == pytest.approx(slow_distance(world, *pose[:2], angle, 6.0), abs=1e-9)


def slow_distance(world: World, x: float, y: float, angle: float, reach: float) -> float:
    dx, dy = math.cos(angle), math.sin(angle)
    assert world.map is not None
    found = [distance_in_map(world.map, (x, y), (x + reach * dx, y + reach * dy)) * reach, reach]
    px, py = 1.0 - x, 0.8 - y
    along, off = px * dx + py * dy, px * dy - py * dx
    if abs(off) < 0.2 and along - math.sqrt(0.04 - off * off) > 0.0:
        found.append(along - math.sqrt(0.04 - off * off))
    c, s = math.cos(0.4), math.sin(0.4)
    lx, ly = c * (x + 1.5) + s * (y + 0.6), -s * (x + 1.5) + c * (y + 0.6)
    ex, ey = c * dx + s * dy, -s * dx + c * dy
    if not (abs(lx) <= 0.15 and abs(ly) <= 0.1):
        entry, leave = 0.0, math.inf
        for start, step, half in ((lx, ex, 0.15), (ly, ey, 0.1)):
            if step == 0.0:
                entry = entry if abs(start) < half else math.inf
                continue
            near, far = sorted(((-half - start) / step, (half - start) / step))
            entry, leave = max(entry, near), min(leave, far)
        if entry < leave:
            found.append(entry)
    return min(found)


# -- fleets ----------------------------------------------------------------------------------------------------------


def test_a_fleet_scans_as_its_robots_do_one_by_one() -> None:
    world = two_robots()
    world.set_map(OccupancyGrid.from_text(ROWS, resolution=0.5, origin=(-2.5, -1.75)))
    lidar, names = Lidar(num_rays=31), world.robots
    fleet = lidar.cast_fleet(names, world, names)
    assert fleet.distances.shape == (2, 31)
    assert fleet.points.shape == (2, 31, 2)
    for index, name in enumerate(names):
        alone = lidar.cast_rays(name, world, names)
        assert np.array_equal(fleet[index].distances, alone.distances)
        assert np.array_equal(fleet[index].points, alone.points)


def test_a_fleet_may_be_an_array_of_poses() -> None:
    poses = np.array([[0.0, 0.0, 0.0], [1.0, 0.5, 2.0]])
    fleet = Lidar(num_rays=7).cast_fleet(poses, maze())
    assert fleet.distances[1] == pytest.approx(Lidar(num_rays=7).cast_rays(tuple(poses[1]), maze()).distances)


# -- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [(math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (0.0, 0.0, math.nan)])
def test_a_pose_that_is_no_place_is_refused(pose: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="is no place to look from"):
        Lidar().cast_rays(pose, World(0.1))


@pytest.mark.parametrize("pose", ["nobody", (1.0, 2.0), None, ("a", "b", "c")])
def test_what_is_no_robot_is_refused(pose: object) -> None:
    with pytest.raises(InputError, match=r"is no pose|no body of that name"):
        Lidar().cast_rays(pose, World(0.1))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"num_rays": 0}, "num_rays: 0"),
        ({"num_rays": 2.5}, "num_rays: 2.5"),
        ({"range": 0.0}, "range: 0 must be above 0"),
        ({"range": math.nan}, "range: nan"),
        ({"fov_deg": -10}, "fov_deg: -10"),
        ({"fov_deg": 361}, "more than a full turn"),
        ({"noise": -1}, "noise: -1"),
        ({"height": math.nan}, "is no length"),
    ],
)
def test_a_layout_that_makes_no_sense_is_refused(options: dict[str, float], text: str) -> None:
    with pytest.raises(InputError, match=text):
        Lidar(**options)  # type: ignore[arg-type]
