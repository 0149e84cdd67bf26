"""`neighbors`: who is heard, where they are, and the neighbors-like objects that `map`, `filter` and `kin` give.

What the radio read is kept as it came, as parallel lists. Functions that take data apart (buzz/apart.py) are called
straight from these; for all else tables are made, when a script first asks in a step. Scripts that open
`neighbors.poses` themselves get it as a real table in every step.

Script functions are called from loops in Python, never through `map` and its like: these would take C's stack for each
call within a call, which has an end before the limit on frames is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import CodeType
from typing import Any, TypeAlias

from pybuzz.buzz.apart import takes_apart
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import expect_closure, expect_table, host_function
from pybuzz.swarm.knowledge import Neighbor
from pybuzz.swarm.packets import NEIGHBOR_BUCKETS
from pybuzz.swarm.readings import ReadingTables
from pybuzz.swarm.swarms import Swarms

__all__ = ["Neighbors", "Readings"]

_POSES = "poses"
Readings: TypeAlias = tuple[Sequence[float], Sequence[float], Sequence[float]]
"""Distances in cm, azimuths and elevations in rad, one of each per robot."""

_Heard: TypeAlias = tuple[Sequence[int], Readings]
_NOBODY: _Heard = ((), ((), (), ()))


class _Walked(Table):
    """Poses that stand in the order in which they are walked. Only for scripts that never name `poses`."""

    __slots__ = ()


def _marked(methods: Callable[..., Any]) -> Callable[..., Any]:
    """The same maker of methods, whose code holds the names that `host_function` would give to each that it makes.

    Scripts make such objects by the thousand, and to name a function takes as long as to make it.
    """
    code = methods.__code__
    parts = (_renamed(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    methods.__code__ = code.replace(co_consts=tuple(parts))
    return methods


def _renamed(code: CodeType) -> CodeType:
    name = code.co_name.rstrip("_")
    mark = host_function(name, code.co_argcount, print).__qualname__
    return code.replace(co_name=name, co_qualname=mark)


class Results:
    """What `neighbors.map` gives to code that only reduces it: no table, for nobody sees it."""

    __slots__ = ("_robots", "_values")

    def __init__(self, robots: Iterable[int], values: Iterable[Any]) -> None:
        self._robots = robots
        self._values = values

    def reduce(self, function: Any, result: Any) -> Any:
        expect_closure(function)
        for robot, value in zip(self._robots, self._values, strict=True):
            result = function(robot, value, result)
        return result


class Neighbors:
    """One robot's view of its neighbours.

    opens_poses: whether the script names `poses`, so that the table must be there for it.
    """

    __slots__ = (
        "_data",
        "_data_of",
        "_heard",
        "_ids",
        "_in_order",
        "_new_poses",
        "_opens_poses",
        "_swarms",
        "_tables",
        "table",
    )

    def __init__(self, ids: StringIds, swarms: Swarms, *, opens_poses: bool) -> None:
        self.table = Table()
        self._ids = ids
        self._swarms = swarms
        self._opens_poses = opens_poses
        self._new_poses: type[Table] = Table if opens_poses else _Walked
        self._tables = ReadingTables(ids)
        self._heard: _Heard | None = None
        self._in_order: _Heard | None = _NOBODY
        self._data: list[Table] | None = []
        self._data_of: dict[int, Table] = {}
        self.table.update(self._methods(self.table))

    def hear(self, robots: Sequence[int], readings: Readings, *, in_walking_order: bool = False) -> None:
        """Replaces all data by the readings of this step, one of each per robot heard.

        in_walking_order: the robots are known to come by id modulo 10, and none twice.
        """
        self._heard = heard = robots, readings
        self._in_order = heard if in_walking_order else None
        self._data = None
        if self._opens_poses:
            self.table.store(_POSES, Table(self._own_entries()))

    @property
    def heard(self) -> list[Neighbor]:
        """Those of this step, by id."""
        if self._heard is None:
            return []
        robots, readings = self._heard
        return sorted(map(Neighbor, robots, *readings))

    def rest(self) -> None:
        """Takes tables that the script did not keep back for the next robot. After the step.

        Whoever asks before the next readings gets new ones, without what the script wrote into them.
        """
        if self._data and not self._opens_poses:
            self._data_of.clear()
            self._tables.take_back(self._data)
            self._data = None

    # What was heard, in walking order

    def _current(self) -> _Heard:
        if self._in_order is None:
            assert self._heard is not None
            self._in_order = _in_walking_order(*self._heard)
        return self._in_order

    def _own_entries(self) -> Iterable[tuple[int, Table]]:
        """(robot, data) for each; the tables are made once a step."""
        robots, readings = self._current()
        if self._data is None:
            self._data = self._tables.make(*readings)
            self._data_of = {}
        return zip(robots, self._data, strict=True)

    def _by_robot(self) -> dict[int, Table]:
        entries = self._own_entries()
        if not self._data_of:
            self._data_of = dict(entries)
        return self._data_of

    def _has_no_data(self, table: Table) -> bool:
        return table[_POSES] is None and (table is not self.table or self._heard is None)

    def _entries(self, table: Table) -> Iterable[tuple[Any, Any]]:
        """(robot, data) in walking order, safe from changes during the walk."""
        poses = table[_POSES]
        if poses is None:
            if table is not self.table:
                return ()
            return self._own_entries()
        if poses.__class__ is _Walked:
            return list(poses.items())
        entries: list[tuple[Any, Any]] = expect_table(poses).ordered_items(self._ids)
        return entries

    # What scripts call. `_self` is the table that the function was stored in last.

    @_marked
    def _methods(self, _self: Any) -> dict[str, Callable[..., Any]]:
        def count() -> int:
            return self._count(_self)

        def get(robot: Any) -> Any:
            return self._get(_self, robot)

        def foreach(function: Any) -> None:
            if takes_apart(function):
                robots, readings = self._current()
                for robot, distance, azimuth, elevation in zip(robots, *readings, strict=True):
                    function(robot, distance, azimuth, elevation)
            elif not self._has_no_data(_self):
                expect_closure(function)
                for robot, data in self._entries(_self):
                    function(robot, data)

        def reduce(function: Any, result: Any) -> Any:
            if takes_apart(function):
                robots, readings = self._current()
                for robot, distance, azimuth, elevation in zip(robots, *readings, strict=True):
                    result = function(robot, distance, result, azimuth, elevation)
            elif not self._has_no_data(_self):
                expect_closure(function)
                for robot, data in self._entries(_self):
                    result = function(robot, data, result)
            return result

        def map_(function: Any, *, as_results: bool = False) -> Table | Results:
            return self._results(function) if as_results else self._map(_self, function)

        def filter_(function: Any) -> Table:
            return self._filter(_self, function)

        def kin() -> Table:
            return self._of_kind(_self, related=True)

        def nonkin() -> Table:
            return self._of_kind(_self, related=False)

        return {
            "get": get, "filter": filter_, "kin": kin, "nonkin": nonkin, "foreach": foreach, "map": map_,
            "reduce": reduce, "count": count,
        }  # fmt: skip

    def _count(self, table: Table) -> int:
        poses = table[_POSES]
        if poses is None:
            return len(self._current()[0]) if table is self.table else 0
        return len(expect_table(poses))

    def _get(self, table: Table, robot: Any) -> Any:
        poses = table[_POSES]
        if poses is not None:
            return expect_table(poses)[robot]
        if table is not self.table:
            return None
        found = self._by_robot().get(robot)
        return _EMPTY[robot] if found is None else found

    def _map(self, table: Table, function: Any) -> Table:
        if takes_apart(function):
            return self._object(self._new_poses(zip(self._current()[0], self._answers(function), strict=True)))
        results = self._new_poses()
        if not self._has_no_data(table):
            expect_closure(function)
            for robot, data in self._entries(table):
                # nil is kept, and counts; closures keep their self.
                results[robot] = function(robot, data)
        return self._object(results)

    def _results(self, function: Any) -> Results:
        robots, _ = self._current()
        if takes_apart(function):
            return Results(robots, self._answers(function))
        if self._heard is not None:
            expect_closure(function)
        return Results(robots, [function(robot, data) for robot, data in self._own_entries()])

    def _filter(self, table: Table, function: Any) -> Table:
        if takes_apart(function):
            answers = self._answers(function)
            return self._object(self._new_poses(_chosen(self._own_entries(), answers)))
        kept: Iterable[tuple[Any, Any]] = ()
        if not self._has_no_data(table):
            expect_closure(function)
            entries = list(self._entries(table))
            kept = _chosen(entries, [function(robot, data) for robot, data in entries])
        return self._object(self._new_poses(kept))

    def _answers(self, function: Any) -> list[Any]:
        """What a function that takes data apart says to each robot."""
        robots, readings = self._current()
        everybody = zip(robots, *readings, strict=True)
        return [function(robot, distance, azimuth, elevation) for robot, distance, azimuth, elevation in everybody]

    def _of_kind(self, table: Table, *, related: bool) -> Table:
        swarm = self._swarms.current()
        if swarm is None:
            return self._object(self._new_poses(self._entries(table) if related else ()))
        members = self._swarms.members_of(swarm)
        entries = self._entries(table)
        return self._object(self._new_poses(entry for entry in entries if (entry[0] in members) is related))

    def _object(self, poses: Table) -> Table:
        table = Table()
        holder = table
        if not self._opens_poses:
            # Nobody replaces `poses`, so the methods need not know `table`: no cycle, it goes when it is dropped.
            holder = Table()
            holder[_POSES] = poses
        table.update(self._methods(holder))
        table[_POSES] = poses
        return table


def _chosen(entries: Iterable[tuple[Any, Any]], answers: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """The entries for which the answer is what scripts call true."""
    return (
        entry
        for entry, answer in zip(entries, answers, strict=True)
        if answer is not None and (answer.__class__ is not int or answer)
    )


_EMPTY = Table()
"""Tells keys that no table can have, and gives nil for all others."""


def _in_walking_order(robots: Sequence[int], readings: Readings) -> tuple[Sequence[int], Readings]:
    buckets = [robot % NEIGHBOR_BUCKETS for robot in robots]
    places: Iterable[int] = range(len(robots))
    if len(set(robots)) < len(robots):
        places = _latest_places(robots)
    elif buckets == sorted(buckets):
        return robots, readings
    places = sorted(places, key=buckets.__getitem__)
    distances, azimuths, elevations = ([reading[place] for place in places] for reading in readings)
    return [robots[place] for place in places], (distances, azimuths, elevations)


def _latest_places(robots: Sequence[int]) -> Iterable[int]:
    """Of several that claim one id the last one stays, at its own place, as stores into a table do."""
    latest: dict[int, int] = {}
    for place, robot in enumerate(robots):
        latest.pop(robot, None)
        latest[robot] = place
    return latest.values()
