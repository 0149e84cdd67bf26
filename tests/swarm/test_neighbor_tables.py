"""Neighbours as tables: order, laziness, reuse; and the objects that `map`, `filter` and `kin` give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pybuzz.buzz.strings import StringIds, numbered
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, is_host_function
from pybuzz.swarm.neighbors import Neighbors
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.swarms import Swarms


def neighbors(*, opens_poses: bool = False, ids: StringIds | None = None) -> Neighbors:
    return Neighbors(ids or StringIds(), Swarms(OutgoingQueue()), opens_poses=opens_poses)


def hear(view: Neighbors, robots: Sequence[int], distances: Sequence[float] | None = None) -> None:
    far = [float(robot) for robot in robots] if distances is None else distances
    view.hear(robots, (far, [0.5] * len(robots), [0.25] * len(robots)))


def walk(table: Table) -> list[tuple[Any, Any]]:
    met: list[tuple[Any, Any]] = []

    def visit(robot: Any, data: Any) -> None:
        met.append((robot, data))

    table["foreach"](visit)
    return met


def robots_of(table: Table) -> list[int]:
    return [robot for robot, _ in walk(table)]


def first(robot: Any, data: Any) -> Any:
    return robot


@pytest.mark.parametrize("opens_poses", [False, True])
def test_neighbours_are_walked_by_id_modulo_ten_then_as_heard(opens_poses: bool) -> None:
    view = neighbors(opens_poses=opens_poses)
    hear(view, [21, 5, 1, 30, 15, 11])
    assert robots_of(view.table) == [30, 21, 1, 11, 5, 15]


def test_readings_stay_with_their_robot_through_the_ordering() -> None:
    view = neighbors()
    hear(view, [21, 5, 30])
    data = view.table["get"](5)
    assert (data["distance"], data["azimuth"], data["elevation"]) == (5.0, 0.5, 0.25)


def test_of_two_packets_with_one_id_the_later_counts() -> None:
    view = neighbors()
    hear(view, [1, 11, 1], [10.0, 20.0, 30.0])

    assert robots_of(view.table) == [11, 1]
    assert view.table["get"](1)["distance"] == 30.0
    assert view.table["count"]() == 2


def test_what_a_script_writes_into_the_data_lasts_for_the_step() -> None:
    view = neighbors()
    hear(view, [1, 2])
    view.table["get"](1).store("mine", 7)

    assert dict(walk(view.table))[1]["mine"] == 7

    view.rest()
    hear(view, [1, 2])
    assert view.table["get"](1)["mine"] is None


def test_a_table_that_a_script_kept_is_not_reused() -> None:
    view = neighbors()
    hear(view, [1, 2])
    kept = view.table["get"](1)
    view.rest()
    hear(view, [3, 4])
    walk(view.table)

    assert kept["distance"] == 1.0


def test_tables_that_nobody_kept_are_reused() -> None:
    view = neighbors()
    hear(view, [1])
    identity = id(view.table["get"](1))
    view.rest()
    hear(view, [2])

    assert id(view.table["get"](2)) == identity


def test_tables_whose_keys_share_a_bucket_are_never_reused() -> None:
    ids = StringIds(numbered(["distance", *map(str, range(9)), "azimuth"]))
    view = neighbors(ids=ids)
    hear(view, [1])
    view.table["get"](1).store("distance", 5.0)
    view.rest()
    hear(view, [2])

    assert view.table["get"](2).ordered_keys(ids)[:2] == ["distance", "azimuth"]


def test_poses_are_there_only_for_scripts_that_name_them() -> None:
    for opens_poses in (False, True):
        view = neighbors(opens_poses=opens_poses)
        assert view.table["poses"] is None
        hear(view, [4])
        assert (view.table["poses"] is not None) is opens_poses


def test_functions_obey_what_a_script_does_to_poses() -> None:
    view = neighbors(opens_poses=True)
    hear(view, [4, 5, 6])
    view.table["poses"].store(5, None)
    view.table["poses"].store(14, "new")

    assert robots_of(view.table) == [4, 14, 6]
    assert view.table["count"]() == 3
    assert view.table["get"](5) is None

    view.table.store("poses", Table.of([(9, "other")]))
    assert walk(view.table) == [(9, "other")]


def test_map_filter_and_kin_give_objects_without_messaging() -> None:
    view = neighbors()
    hear(view, [1, 2, 3])

    mapped = view.table["map"](first)
    odd = view.table["filter"](lambda robot, data: robot % 2)

    assert walk(mapped) == [(1, 1), (2, 2), (3, 3)]
    assert odd["map"](first)["reduce"](lambda robot, value, total: total + value, 0) == 4
    assert view.table["kin"]()["count"]() == 3
    assert view.table["nonkin"]()["count"]() == 0
    assert odd["broadcast"] is None
    assert odd["get"](1) is view.table["get"](1)
    assert set(mapped) == {"get", "filter", "kin", "nonkin", "foreach", "map", "reduce", "count", "poses"}


def test_filter_keeps_what_scripts_call_true() -> None:
    view = neighbors()
    answers = {1: 0, 2: None, 3: 0.0, 4: "", 5: 1}
    hear(view, list(answers))
    assert robots_of(view.table["filter"](lambda robot, data: answers[robot])) == [3, 4, 5]


def test_functions_look_at_the_table_that_they_were_stored_in_last() -> None:
    view = neighbors()
    hear(view, [1, 2])
    other = Table()
    other.store("count", view.table["count"])
    other.store("get", view.table["map"](first)["get"])

    assert other["count"]() == 0
    assert other["get"](1) is None

    other.store("poses", Table.of([(7, "x")]))
    assert other["count"]() == 1
    assert other["get"](7) == "x"


def test_functions_of_objects_are_functions_of_the_host_and_check_their_arguments() -> None:
    view = neighbors()
    hear(view, [1])
    mapped = view.table["map"](first)

    assert all(is_host_function(mapped[name]) for name in mapped if name != "poses")
    with pytest.raises(BuzzFailure, match="expected closure, got integer"):
        mapped["foreach"](5)
    with pytest.raises(BuzzFailure, match="a nil value can't be used as table key"):
        view.table["get"](None)


def test_without_data_functions_do_not_look_at_their_argument() -> None:
    table = neighbors().table
    assert table["foreach"](5) is None
    assert table["reduce"](5, "start") == "start"
    assert table["map"](5)["count"]() == 0
