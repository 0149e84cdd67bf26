"""Fans of beams give what the same rays give one by one, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybuzz.sim.fans import Fan, cast_fan
from pybuzz.sim.grid import Grid, Scene
from pybuzz.sim.lidar import Lidar
from pybuzz.sim.maps import OccupancyGrid
from pybuzz.sim.rays import cast
from pybuzz.sim.world import World
from tests.oracles.single_rays import first_hit

HEIGHT = 0.1417


def fan_of(beams: int = 682, opening: float = 240.0, radius: float = 0.05) -> Fan:
    half = math.radians(opening / 2)
    return Fan.to(np.linspace(-half, half, beams), radius, 4.0, HEIGHT)


def both(scene: Scene, poses: list[list[float]], fan: Fan) -> tuple[np.ndarray, np.ndarray]:
    own, places = np.full(len(poses), -1), np.array(poses, dtype=np.float64)
    slow, quick = np.empty((len(poses), len(fan.beams))), np.empty((len(poses), len(fan.beams)))
    cast(*scene, own, places, fan.beams, slow)
    cast_fan(*scene, own, places, fan.columns, fan.first, fan.step, quick)
    return slow, quick


def cluttered(seed: int, bodies: int) -> World:
    world, random = World(0.1), np.random.default_rng(seed)
    for k in range(bodies):
        x, y, angle = random.uniform([-5, -5, -4], [5, 5, 4])
        high = float(random.choice([0.1, 0.5]))
        if k % 2:
            world.add_box(f"box{k}", (*random.uniform(0.02, 3.0, 2), high), x, y, angle)
        else:
            world.add_cylinder(f"cylinder{k}", random.uniform(0.02, 1.0), high, x, y)
    return world


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    bodies=st.integers(0, 25),
    beams=st.sampled_from([2, 3, 37, 682]),
    opening=st.sampled_from([1.0, 90.0, 240.0, 359.0, 360.0]),
)
def test_a_fan_gives_the_distances_of_its_rays(seed: int, bodies: int, beams: int, opening: float) -> None:
    poses = np.random.default_rng(seed + 1).uniform([-6, -6, -20], [6, 6, 20], (20, 3)).tolist()
    slow, quick = both(Grid(cluttered(seed, bodies).bodies).scene(), poses, fan_of(beams, opening))
    assert slow.tobytes() == quick.tobytes()


def test_a_wall_that_is_nearly_touched_is_met_all_round() -> None:
    world = World(0.1)
    world.add_box("wall", (10, 0.1, 0.5), 0, 0, 0)
    world.add_cylinder("post", 0.3, 0.5, 2, 0.35)
    gaps = (0.0, 1e-12, 1e-7, 1e-5, 9.9e-5, 1.1e-4, 1e-3)
    slow, quick = both(Grid(world.bodies).scene(), [[2, 0.05 + gap, -1.3] for gap in gaps], fan_of(radius=0.0))
    assert np.isfinite(slow).any()
    assert slow.tobytes() == quick.tobytes()


def test_a_scanner_looks_through_its_own_body() -> None:
    world, fan = World(0.1), fan_of(3, 2.0)
    own = world.add_cylinder("own", 1.0, 0.5, 2.0, 0.0)
    world.add_cylinder("other", 0.2, 0.5, 3.5, 0.0)
    found = np.empty((1, 3))
    scene, pose = Grid(world.bodies).scene(), np.zeros((1, 3))
    cast_fan(*scene, np.array([own]), pose, fan.columns, fan.first, fan.step, found)
    assert found[0, 1] == pytest.approx(3.25)


def test_a_scanner_that_is_nowhere_sees_nothing() -> None:
    world = World(0.1)
    world.add_box("box", (1, 1, 1), 2, 0, 0)
    slow, quick = both(Grid(world.bodies).scene(), [[math.nan, 0, 0], [0, 0, math.inf]], fan_of())
    assert np.isinf(slow).all()
    assert slow.tobytes() == quick.tobytes()


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    rays=st.sampled_from([1, 2, 3, 37]),
    fov=st.sampled_from([1e-6, 1.0, 90.0, 360.0]),
    endpoint=st.booleans(),
    turns=st.sampled_from([1.0, 20.0, 1e6, 1e15]),
)
def test_a_scan_gives_the_distances_of_its_rays(seed: int, rays: int, fov: float, endpoint: bool, turns: float) -> None:
    random, lidar = np.random.default_rng(seed), Lidar(rays, 4.0, fov, endpoint, height=0.1)
    world = cluttered(seed, int(random.integers(0, 25)))
    world.set_map(OccupancyGrid(random.random((9, 12)) < 0.2, 0.7, (-4.0, -3.0)))
    scene, poses = Grid(world.bodies).scene(), random.uniform([-6, -6, -turns], [6, 6, turns], (10, 3))
    scans = lidar.scan(scene, poses, np.full(len(poses), -1))
    for (x, y, _), angles, distances, points in zip(poses, scans.angles, scans.distances, scans.points, strict=True):
        for angle, distance, point in zip(angles, distances, points, strict=True):
            c, s = math.cos(angle), math.sin(angle)
            t, hit = first_hit(*scene, x, y, 0.1, x + 4.0 * c, y + 4.0 * s, 0.1, -1)
            assert distance == pytest.approx(4.0 * t if hit >= 0 else 4.0, abs=1e-9)
            assert point == pytest.approx([x + distance * c, y + distance * s], abs=1e-12)
