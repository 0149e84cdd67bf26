"""Lidar over height maps: hand-worked distances, and one rule for every array library."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pybuzz
from pybuzz.errors import InputError
from pybuzz.sim.heightmap import VectorizedUrbanMap
from pybuzz.sim.heightmap_lidar import VectorizedLiDAR, observation

NUMPY_KINDS = (np.float32, np.float64)


def walled() -> VectorizedUrbanMap:
    """20 x 20 m of flat ground with a wall 8 m high, 1 m thick, its near face at x = 4."""
    heights = np.zeros((1, 20, 20))
    heights[0, 14, :] = 8.0
    return VectorizedUrbanMap.of(heights)


def at(*place: float) -> NDArray[np.float64]:
    return np.array([[place]], dtype=np.float64)


def test_march_gives_the_share_of_the_first_sample_over_the_wall() -> None:
    """Samples at 1, 2, ... 10 m; the wall covers 4 <= x < 5: sample 4 of 10."""
    values = VectorizedLiDAR(num_beams=4, max_range=10.0, n_steps=10).scan(at(0, 0, 5), walled())
    assert values.tolist() == [[[0.4, 1.0, 1.0, 1.0]]]


def test_march_steps_over_a_wall_thinner_than_its_step_and_exact_does_not() -> None:
    """Samples 2.5 m apart lie at 2.5, 5, 7.5, 10 m: none within [4, 5)."""
    assert VectorizedLiDAR(1, 10.0, 4).scan(at(0, 0, 5), walled()).item() == 1.0
    assert VectorizedLiDAR(1, 10.0, 4, mode="exact").scan(at(0, 0, 5), walled()).item() == 0.4


def test_exact_does_not_quantise() -> None:
    values = VectorizedLiDAR(8, 16.0, mode="exact").scan(at(0.75, 0.25, 5), walled())[0, 0]
    slanted = (4 - 0.75) * math.sqrt(2) / 16
    assert values == pytest.approx([3.25 / 16, slanted, 1, 1, 1, 1, 1, slanted], abs=1e-15)


def test_a_robot_as_high_as_the_wall_is_stopped_by_it_and_a_higher_one_is_not() -> None:
    heights = [VectorizedLiDAR(1, 10.0, 10).scan(at(0, 0, z), walled()).item() for z in (8.0, 8.0001)]
    assert heights == [0.4, 1.0]


def test_march_does_not_look_at_the_cell_the_robot_is_in_but_exact_does() -> None:
    inside = at(4.5, 0, 5)
    assert VectorizedLiDAR(1, 10.0, 10).scan(inside, walled()).item() == 1.0
    assert VectorizedLiDAR(1, 10.0, 10, mode="exact").scan(inside, walled()).item() == 0.0


@pytest.mark.parametrize("mode", ["march", "exact"])
def test_off_the_map_all_is_clear_and_a_beam_may_come_in_from_there(mode: Any) -> None:
    """From x = 7 the far face of the wall, x = 5, is 2 m away; sample 2.5 / 20 is the first in it."""
    lidar = VectorizedLiDAR(2, 20.0, 40, mode=mode)
    assert lidar.scan(at(50, 50, -1), walled()).tolist() == [[[1, 1]]]
    flat = VectorizedUrbanMap.of(np.full((1, 20, 20), 3.0))
    assert lidar.scan(at(-15, 0, 1), flat)[0, 0].tolist() == [5.0 / 20, 1.0], "the map begins at x = -10"


def test_beams_turn_with_the_robot_when_its_heading_is_given() -> None:
    lidar = VectorizedLiDAR(4, 10.0, 10)
    turned = lidar.scan(at(0, 0, 5), walled(), headings=np.array([[math.pi / 2]]))
    assert turned[0, 0].tolist() == [1, 1, 1, 0.4], "the fourth beam looks to the right of the robot"


def test_ids_name_the_building_that_was_met() -> None:
    ids = np.full((1, 20, 20), -1)
    ids[0, 14, :] = 77
    ground = VectorizedUrbanMap.of(walled().height_maps, ids=ids)
    values, met = VectorizedLiDAR(2, 10.0, 10).scan_with_ids(at(0, 0, 5), ground)
    assert (values.tolist(), met.tolist()) == ([[[0.4, 1.0]]], [[[77, -1]]])
    assert VectorizedLiDAR(2, 10.0, mode="exact").scan_with_ids(at(0, 0, 5), walled())[1].tolist() == [[[290, -1]]]


def test_each_batch_has_its_own_ground() -> None:
    heights = np.zeros((2, 20, 20))
    heights[1, 14, :] = 8.0
    positions = np.zeros((2, 3, 3))
    values = VectorizedLiDAR(1, 10.0, 10).scan(positions + np.array([0, 0, 5]), VectorizedUrbanMap.of(heights))
    assert values[..., 0].tolist() == [[1, 1, 1], [0.4, 0.4, 0.4]]


def test_noise_comes_from_the_seed_and_leaves_clear_beams_alone() -> None:
    places = np.tile(at(0, 0, 5), (1, 2000, 1))
    once, again = (VectorizedLiDAR(2, 10.0, 10, noise=0.5, seed=3).scan(places, walled()) for _ in range(2))
    assert (once == again).all()
    assert (once[..., 1] == 1.0).all()
    assert once[..., 0].mean() == pytest.approx(0.4, abs=0.005)
    assert once[..., 0].std() == pytest.approx(0.05, rel=0.1)
    strong = VectorizedLiDAR(1, 10.0, 10, noise=50.0).scan(places, walled())
    assert (strong.min(), strong.max()) == (0.0, 1.0)


def test_an_observation_is_position_velocity_target_and_distances() -> None:
    position, velocity, target = (np.full((2, 3, 3), value) for value in (1.0, 2.0, 3.0))
    found = observation(position, velocity, target, np.full((2, 3, 8), 0.5))
    assert found.shape == (2, 3, 17)
    assert found[1, 2].tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3] + [0.5] * 8
    with pytest.raises(InputError, match=r"velocity: error: the shape must be \(2, 3, 3\)"):
        observation(position, velocity[0], target, np.full((2, 3, 8), 0.5))


# -- one rule for every array library --------------------------------------------------------------------------------


def scene(kind: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Positions, headings and heights; some robots stand off the map, on borders of cells, and within buildings."""
    random = np.random.default_rng(5)
    positions = random.uniform([-40, -30, 0], [40, 30, 30], (3, 20, 3))
    positions[:, :5] = np.round(positions[:, :5])
    heights = VectorizedUrbanMap(3, (64, 48, 60), alpha=0.3, beta=2000, seed=2).height_maps
    return positions.astype(kind), random.uniform(-4, 4, (3, 20)).astype(kind), heights.astype(kind)


@pytest.mark.parametrize("kind", NUMPY_KINDS)
@pytest.mark.parametrize("mode", ["march", "exact"])
@pytest.mark.parametrize("turning", [False, True])
def test_the_standards_arrays_give_what_the_kernel_gives(kind: Any, mode: Any, turning: bool) -> None:
    strict = pytest.importorskip("array_api_strict")
    positions, headings, heights = scene(kind)
    turn = headings if turning else None
    expected, ids = VectorizedLiDAR(12, 25.0, 40, mode=mode).scan_with_ids(
        positions, VectorizedUrbanMap.of(heights, cell_size=1.0), headings=turn
    )
    found, found_ids = VectorizedLiDAR(12, 25.0, 40, mode=mode).scan_with_ids(
        strict.asarray(positions), VectorizedUrbanMap.of(strict.asarray(heights)),
        headings=strict.asarray(headings) if turning else None,
    )  # fmt: skip
    assert isinstance(found, type(strict.asarray(positions)))
    assert (np.asarray(found).dtype, expected.dtype) == (kind, kind)
    assert (np.asarray(found) == expected).all()
    assert (np.asarray(found_ids) == ids).all()
    assert 0.1 < (expected < 1).mean() < 0.9


@pytest.mark.parametrize("kind", NUMPY_KINDS)
@pytest.mark.parametrize("mode", ["march", "exact"])
def test_the_rules_on_numpy_arrays_give_what_the_kernel_gives(
    kind: Any, mode: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions, headings, heights = scene(kind)
    ground = VectorizedUrbanMap.of(heights)
    lidar = VectorizedLiDAR(12, 25.0, 40, mode=mode)
    compiled = lidar.scan_with_ids(positions, ground, headings=headings)
    monkeypatch.setattr("pybuzz.sim.heightmap_lidar.host_view", lambda array: None)
    by_rules = lidar.scan_with_ids(positions, ground, headings=headings)
    assert by_rules[0].dtype == kind
    assert all((one == other).all() for one, other in zip(compiled, by_rules, strict=True))


def test_march_is_the_rule_as_it_is_written_down() -> None:
    """The least s in {1/S, ..., 1} with z <= H[b, floor x, floor y], one beam after another in plain Python."""
    positions, _, heights = scene(np.float64)
    values = VectorizedLiDAR(7, 25.0, 10).scan(positions, VectorizedUrbanMap.of(heights))
    for b, n, k in np.ndindex(values.shape):
        x, y, z = positions[b, n]
        angle = 2 * math.pi * k / 7
        expected = 1.0
        for s in range(10, 0, -1):
            reach = 25.0 * (s / 10)
            i, j = math.floor(x + math.cos(angle) * reach + 32), math.floor(y + math.sin(angle) * reach + 24)
            if 0 <= i < 64 and 0 <= j < 48 and z <= heights[b, i, j]:
                expected = s / 10
        assert values[b, n, k] == expected


def test_exact_is_where_ever_finer_samples_lead() -> None:
    """With samples 2.5 mm apart march is at most one sample behind; only corners that are cut by less can differ."""
    positions, _, heights = scene(np.float64)
    ground = VectorizedUrbanMap.of(heights)
    exact = VectorizedLiDAR(7, 25.0, mode="exact").scan(positions, ground)
    fine = VectorizedLiDAR(7, 25.0, 10_000).scan(positions, ground)
    outside = exact > 0
    assert (exact[outside] <= fine[outside] + 1e-12).all()
    assert (np.abs(exact - fine)[outside] < 1.01e-4).mean() > 0.98


@pytest.mark.parametrize("mode", ["march", "exact"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_robots_too_far_away_to_count_cells_see_nothing(kind: type[np.floating[Any]], mode: Any) -> None:
    lidar = VectorizedLiDAR(8, 25.0, 10, mode=mode)
    for place in ([1e30, 1.0, 1.0], [-1e20, 1e20, 1.0], [math.inf, 0.0, 1.0], [0.0, -math.inf, 1.0]):
        assert (lidar.scan(np.array([[place]], dtype=kind), walled()) == 1.0).all()


def test_a_beam_of_too_many_cells_is_refused() -> None:
    ground = VectorizedUrbanMap.of(walled().height_maps, cell_size=1e-9)
    with pytest.raises(InputError, match=r"max_range: error: 10 m are too many cells of 1e-09 m"):
        VectorizedLiDAR(1, 10.0, mode="exact").scan(at(0, 0, 5), ground)


def test_cells_may_have_any_size() -> None:
    """The wall of 20 cells of 0.25 m: its near face at x = 1."""
    ground = VectorizedUrbanMap.of(walled().height_maps, cell_size=0.25)
    assert VectorizedLiDAR(1, 2.0, mode="exact").scan(at(0, 0, 5), ground).item() == 0.5
    assert VectorizedLiDAR(1, 2.0, 20).scan(at(0, 0, 5), ground).item() == 0.5


def test_plain_lists_become_numpy_arrays() -> None:
    assert isinstance(VectorizedLiDAR(1).scan([[[0.0, 0.0, 5.0]]], walled()), np.ndarray)


def test_the_package_offers_both_by_name() -> None:
    assert pybuzz.VectorizedLiDAR is VectorizedLiDAR
    assert pybuzz.VectorizedUrbanMap is VectorizedUrbanMap


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_beams": 0}, "num_beams: error: there must be at least one, not 0"),
        ({"n_steps": 0}, "n_steps: error: there must be at least one, not 0"),
        ({"n_steps": 10**9}, "n_steps: error: 1000000000 are too many\n  hint: at most 1000000"),
        ({"max_range": math.nan}, "max_range: error: the range must be above 0 m and at most 1e+06 m, not nan"),
        ({"mode": "exat"}, "mode: error: there is no mode 'exat'\n  hint: did you mean 'exact'?"),
        ({"noise": -0.1}, "noise: error: the standard deviation must be at least 0 m, not -0.1"),
        ({"device": "cuda"}, "device: error: "),
    ],
)
def test_a_lidar_that_cannot_be_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        VectorizedLiDAR(**arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("positions", "headings", "message"),
    [
        (np.zeros((1, 3)), None, r"uav_positions: error: the shape must be (B, N, 3), not (1, 3)"),
        (np.zeros((2, 1, 3)), None, "uav_positions: error: 2 batches of robots, but 1 maps"),
        (np.full((1, 1, 3), np.nan), None, "uav_positions: error: there is a position that is no number (NaN)"),
        (np.zeros((1, 1, 3), dtype=np.int64), None, "uav_positions: error: float32 or float64 is needed, not int64"),
        (np.zeros((1, 1, 3)), np.zeros((1, 2)), "headings: error: the shape must be (1, 1), not (1, 2)"),
    ],
)
def test_positions_that_do_not_fit_are_refused(positions: Any, headings: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        VectorizedLiDAR().scan(positions, walled(), headings=headings)
    assert str(caught.value) == message
