"""`neighbors`: who is heard, where they are, and the neighbors-like objects that `map`, `filter` and `kin` give.

What the radio read is kept as it came, as parallel lists; tables are made when a script first asks in a step. Scripts
that open `neighbors.poses` themselves get it as a real table in every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from types import FunctionType
from typing import Any

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import expect_closure, expect_table, host_function, truth
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.swarms import Swarms

__all__ = ["Neighbors"]

_POSES = "poses"


class _Walked(Table):
    """Poses stored in the order in which they are walked; storing makes it a table like any other."""

    __slots__ = ()


class Neighbors:
    """One robot's view of its neighbours.

    opens_poses: whether the script names `poses`, so that the table must be there for it.
    """

    def __init__(self, ids: StringIds, swarms: Swarms, *, opens_poses: bool) -> None:
        self.table = Table()
        self._ids = ids
        self._swarms = swarms
        self._opens_poses = opens_poses
        self._heard: tuple[Sequence[Packet], Sequence[float], Sequence[float], Sequence[float]] | None = None
        self._robots: list[int] = []
        self._data: list[Table] | None = []
        self._data_of: dict[int, Table] = {}
        self._methods = self._make_methods()
        _fill(self.table, self._methods)

    def hear(
        self,
        packets: Sequence[Packet],
        distances_cm: Sequence[float],
        azimuths: Sequence[float],
        elevations: Sequence[float],
    ) -> None:
        """Replaces all data by the readings of this step: cm, radians, radians; one of each per packet."""
        self._heard = (packets, distances_cm, azimuths, elevations)
        self._data = None
        if self._opens_poses:
            data = self._current()
            self.table.store(_POSES, _walked(zip(self._robots, data, strict=True)))

    # Readings into tables

    def _current(self) -> list[Table]:
        """The data tables in walking order; `_robots` has their robots."""
        if self._data is None:
            assert self._heard is not None
            self._robots, *readings = _in_walking_order(*self._heard)
            self._data = _data_tables(*readings)
            self._data_of = {}
        return self._data

    def _by_robot(self) -> dict[int, Table]:
        data = self._current()
        if len(self._data_of) != len(data):
            self._data_of = dict(zip(self._robots, data, strict=True))
        return self._data_of

    def _has_no_data(self, table: Table) -> bool:
        return table[_POSES] is None and (table is not self.table or self._heard is None)

    def _entries(self, table: Table) -> Iterable[tuple[Any, Any]]:
        """(robot, data) in walking order, safe from changes during the walk."""
        poses = table[_POSES]
        if poses is None:
            return zip(self._robots, self._current(), strict=True) if table is self.table else ()
        if poses.__class__ is _Walked:
            return list(poses.items())
        entries: list[tuple[Any, Any]] = expect_table(poses).ordered_items(self._ids)
        return entries

    # What scripts call. `_self` is the table that the function was stored in last.

    def _make_methods(self) -> list[tuple[str, FunctionType]]:
        _self: Any = None

        def count() -> int:
            return self._count(_self)

        def get(robot: Any) -> Any:
            return self._get(_self, robot)

        def foreach(function: Any) -> None:
            if not self._has_no_data(_self):
                expect_closure(function)
                for robot, data in self._entries(_self):
                    function(robot, data)

        def reduce(function: Any, result: Any) -> Any:
            if not self._has_no_data(_self):
                expect_closure(function)
                for robot, data in self._entries(_self):
                    result = function(robot, data, result)
            return result

        def map_(function: Any) -> Table:
            return self._map(_self, function)

        def filter_(function: Any) -> Table:
            return self._filter(_self, function)

        def kin() -> Table:
            return self._of_kind(_self, related=True)

        def nonkin() -> Table:
            return self._of_kind(_self, related=False)

        calls: list[tuple[str, int, Callable[..., Any]]] = [
            ("get", 1, get),
            ("filter", 1, filter_),
            ("kin", 0, kin),
            ("nonkin", 0, nonkin),
            ("foreach", 1, foreach),
            ("map", 1, map_),
            ("reduce", 2, reduce),
            ("count", 0, count),
        ]
        return [(name, host_function(name, arity, call)) for name, arity, call in calls]

    def _count(self, table: Table) -> int:
        poses = table[_POSES]
        if poses is None:
            return len(self._current()) if table is self.table else 0
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
        if self._has_no_data(table):
            return self._object(())
        expect_closure(function)
        return self._object((robot, function(robot, data)) for robot, data in self._entries(table))

    def _filter(self, table: Table, function: Any) -> Table:
        if self._has_no_data(table):
            return self._object(())
        expect_closure(function)
        return self._object((robot, data) for robot, data in self._entries(table) if truth(function(robot, data)))

    def _of_kind(self, table: Table, *, related: bool) -> Table:
        swarm = self._swarms.current()
        if swarm is None:
            return self._object(self._entries(table) if related else ())
        members = self._swarms.members_of(swarm)
        return self._object((robot, data) for robot, data in self._entries(table) if (robot in members) is related)

    def _object(self, entries: Iterable[tuple[Any, Any]]) -> Table:
        table = Table()
        _fill(table, self._methods)
        dict.__setitem__(table, _POSES, _walked(entries))
        return table


_EMPTY = Table()
"""Tells keys that no table can have, and gives nil for all others."""


def _walked(entries: Iterable[tuple[Any, Any]]) -> _Walked:
    # Stored as they are: the results of `map` may be nil and still count, and closures keep their self.
    return _Walked(entries)


def _fill(table: Table, methods: Iterable[tuple[str, FunctionType]]) -> None:
    for name, method in methods:
        table.store(name, method)


def _in_walking_order(
    packets: Sequence[Packet], *readings: Sequence[float]
) -> tuple[list[int], Sequence[float], Sequence[float], Sequence[float]]:
    robots = [packet.robot_id for packet in packets]
    buckets = [packet.neighbor_bucket for packet in packets]
    if len(set(robots)) < len(robots) or buckets != sorted(buckets):
        latest: dict[int, int] = {}
        for place, robot in enumerate(robots):
            # Of two that claim one id the later one stays, at its own place, as stores into a table do.
            latest.pop(robot, None)
            latest[robot] = place
        places = sorted(latest.values(), key=buckets.__getitem__)
        robots = [robots[place] for place in places]
        readings = tuple([reading[place] for place in places] for reading in readings)
    distances, azimuths, elevations = readings
    return robots, distances, azimuths, elevations


def _data_tables(distances: Sequence[float], azimuths: Sequence[float], elevations: Sequence[float]) -> list[Table]:
    tables = list(map(Table.__new__, repeat(Table, len(distances))))
    for table, distance, azimuth, elevation in zip(tables, distances, azimuths, elevations, strict=True):
        # A new table's keys stand in the order of these stores, which is all that `store` would see to.
        dict.__setitem__(table, "distance", distance)
        dict.__setitem__(table, "azimuth", azimuth)
        dict.__setitem__(table, "elevation", elevation)
    return tables
