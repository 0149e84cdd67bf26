"""From the name of a file to a Plan: readers by suffix, a script alone, a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.numeric_ids import numeric_id
from pybuzz.experiment.plan import Box, Distribution, Draw, Robot
from pybuzz.experiment.reading import read_plan

CASES = Path(__file__).parents[1] / "data" / "argos-cases"


def complaint(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        read_plan(path)
    return str(caught.value)


def test_a_script_alone_runs_on_ten_robots_in_a_walled_square(tmp_path: Path) -> None:
    (tmp_path / "my script.bzz").write_text("")
    plan, warnings = read_plan(tmp_path / "my script.bzz")
    assert warnings == ()
    assert (plan.ticks, plan.ticks_per_second, plan.arena.size[:2]) == (600, 10, (4.0, 4.0))
    *walls, robots = plan.items
    assert len([wall for wall in walls if isinstance(wall, Box)]) == 4
    assert isinstance(robots, Distribution)
    assert isinstance(robots.template, Robot)
    assert robots.position == Draw("uniform", (-2.0, -2.0, 0.0), (2.0, 2.0, 0.0))
    assert (robots.quantity, robots.base_num, robots.template.number) == (10, 1, 1)
    assert (robots.template.radio_range, robots.template.data_size) == (1.5, 100)
    assert plan.controllers["robots[1]"].script == tmp_path / "my script.bzz"


def test_an_argos_file_is_read_through_the_entry_point() -> None:
    plan, _ = read_plan(CASES / "layout_uniform" / "scene.argos", seed=5)
    assert (plan.argos, plan.seed) == (True, 5)


def test_a_folder_stands_for_its_one_experiment(tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text("arena: {size: [4, 4]}\n")
    (tmp_path / "a.bzz").write_text("")
    assert read_plan(tmp_path)[0].source == str(tmp_path / "e.yaml")


def test_a_folder_with_two_experiments_asks_which(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.argos"):
        (tmp_path / name).write_text("")
    assert complaint(tmp_path) == (
        f"{tmp_path}: no experiment: this folder has more than one experiment: a.yaml, b.argos\n  hint: name the file"
    )


def test_an_empty_folder_is_told_so(tmp_path: Path) -> None:
    assert complaint(tmp_path) == f"{tmp_path}: no experiment: there is no experiment in this folder"


def test_an_unknown_suffix_gets_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "e.yam").write_text("")
    assert complaint(tmp_path / "e.yam") == (
        f"{tmp_path}/e.yam: unknown format: '.yam' is no kind of experiment\n  hint: did you mean '.yaml'?"
    )


def test_a_file_that_is_not_there_is_named() -> None:
    assert complaint("gone.argos") == (
        "gone.argos: missing file: there is no such file\n  hint: check the path and the current folder"
    )


@pytest.mark.parametrize(
    ("name", "number"),
    [("kh12", 12), ("kh_3", 3), ("robot12_5", 5), ("a1b2", 1), ("s3_0", 3), ("kh007", 7), ("x_", 0), ("kh_x7", 7),
     ("kh99999", 65535), ("robot", None)],
)  # fmt: skip
def test_a_number_comes_from_the_name_as_in_argos(name: str, number: int | None) -> None:
    assert numeric_id(name) == number


@pytest.mark.parametrize(("robots", "side"), [(None, 4.0), (300, 4.0), (1200, 8.0)])
def test_the_arena_of_a_script_grows_with_a_crowd(tmp_path: Path, robots: int | None, side: float) -> None:
    (tmp_path / "demo.bzz").write_text("")
    plan, _ = read_plan(tmp_path / "demo.bzz", robots=robots)
    assert plan.arena.size[:2] == (side, side)


def test_a_thousand_robots_find_room_without_an_experiment_file(tmp_path: Path) -> None:
    (tmp_path / "demo.bzz").write_text("function step() {}\n")
    experiment = pybuzz.load(tmp_path / "demo.bzz", robots=1000, seed=1)
    assert len(experiment.robots) == 1000
