"""Cities by the statistics of ITU-R P.1410, and maps of given heights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.sim.heightmap import VectorizedUrbanMap


def test_the_share_of_built_up_ground_is_alpha() -> None:
    """32 cities of 400 x 400 m hold about 2,500 buildings: their share of the ground scatters by a few per mille."""
    cities = VectorizedUrbanMap(32, (400, 400, 1000), alpha=0.3, beta=500, gamma=15, seed=7)
    assert (cities.height_maps > 0).mean() == pytest.approx(0.3, abs=0.01)


def test_there_are_beta_buildings_in_a_square_kilometre() -> None:
    (ids,) = VectorizedUrbanMap(1, (1000, 1000, 1000), alpha=0.4, beta=400, seed=2).ids
    assert len(np.unique(ids[ids >= 0])) == pytest.approx(400, abs=41), "20 x 20, and those that the edge cuts"


def test_heights_have_the_mean_and_the_median_of_rayleigh() -> None:
    """Mean gamma sqrt(pi / 2), median gamma sqrt(2 ln 2)."""
    cities = VectorizedUrbanMap(20, (1000, 1000, 1000), alpha=0.5, beta=500, gamma=20, cell_size=5, seed=1)
    heights = []
    for heights_m, ids in zip(cities.height_maps, cities.ids, strict=True):
        places = np.unique(ids, return_index=True)[1][1:]
        heights.append(heights_m.ravel()[places])
    every = np.concatenate(heights)
    assert every.mean() == pytest.approx(20 * math.sqrt(math.pi / 2), rel=0.02)
    assert np.median(every) == pytest.approx(20 * math.sqrt(2 * math.log(2)), rel=0.02)


def test_no_building_is_higher_than_the_volume() -> None:
    cities = VectorizedUrbanMap(2, (300, 300, 10), gamma=50, seed=1)
    assert cities.height_maps.max() == 10.0


def test_the_seed_decides_and_a_city_does_not_depend_on_how_many_follow() -> None:
    few, many = (VectorizedUrbanMap(count, (100, 80, 50), seed=4) for count in (1, 3))
    other = VectorizedUrbanMap(1, (100, 80, 50), seed=5)
    assert few.height_maps.shape == (1, 100, 80)
    assert (few.height_maps[0] == many.height_maps[0]).all()
    assert (few.height_maps[0] != other.height_maps[0]).any()
    assert (many.height_maps[0] != many.height_maps[1]).any()


def test_a_height_is_read_at_its_place_and_is_0_off_the_map() -> None:
    heights = np.zeros((1, 4, 2))
    heights[0, 3, 0] = 5.0
    ground = VectorizedUrbanMap.of(heights, cell_size=0.5)
    assert ground.size == (2.0, 1.0)
    assert [ground.height_at(x, y) for x, y in ((0.5, -0.5), (0.9, -0.1), (0.4, -0.1), (0.9, 0.0), (1.0, -0.1))] == [
        5, 5, 0, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"batch_size": 0}, "batch_size: error: there must be at least one map, not 0"),
        ({"volume_size": (10, 10)}, r"volume_size: error: three lengths .* are needed, \(X, Y, Z\), not \(10, 10\)"),
        ({"volume_size": (10, math.nan, 5)}, "volume_size: error: three lengths above 0 m"),
        ({"cell_size": 0}, "cell_size: error: a cell must be larger than 0 m, not 0"),
        ({"cell_size": 3}, "cell_size: error: 10 x 10 m is no whole number of cells of 3 m"),
        ({"alpha": 1.0}, "alpha: error: the share of built-up ground lies between 0 and 1, not 1"),
        ({"beta": 0}, "beta: error: there must be more than 0 buildings per square kilometre, not 0"),
        ({"gamma": -1}, "gamma: error: the scale of heights must be at least 0 m, not -1"),
    ],
)
def test_a_city_that_cannot_be_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        VectorizedUrbanMap(**{"batch_size": 1, "volume_size": (10, 10, 5), **arguments})  # type: ignore[arg-type]
    assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize(
    ("heights", "options", "message"),
    [
        (np.zeros((4, 4)), {}, r"height_maps: error: the shape must be \(B, X, Y\), not \(4, 4\)"),
        (np.full((1, 2, 2), np.nan), {}, "height_maps: error: there is a height that is no number"),
        (np.zeros((1, 2, 2)), {"cell_size": -1}, "cell_size: error: a cell must be larger than 0 m, not -1"),
        (np.zeros((1, 2, 2)), {"ids": np.zeros((1, 3, 2), dtype=int)}, "ids: error: the shape must be"),
        ([[1.0]], {}, "list: error: this is no array"),
    ],
)
def test_a_map_that_cannot_be_is_refused(heights: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        VectorizedUrbanMap.of(heights, **options)  # type: ignore[arg-type]
