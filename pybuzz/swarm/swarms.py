"""`swarm`: the groups that a robot belongs to, and what it knows about the memberships of others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import FunctionType
from typing import Any, Final

from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, expect_closure, expect_integer, host_function, host_method
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.wire import SWARM_JOIN, SWARM_LEAVE, SwarmMessage

__all__ = ["Swarms"]

STEPS_BETWEEN_LISTS: Final = 10
OLDEST_KNOWLEDGE: Final = 50
"""Memberships of robots not heard about for more steps than this are forgotten."""


class Swarms:
    """One robot's memberships, its stack of `exec` calls, and the memberships that others claim.

    exact: as the C runtime does it. differs: told, in a sentence, of each call whose result that gives otherwise.
    """

    def __init__(
        self, queue: OutgoingQueue, *, exact: bool = False, differs: Callable[[str], None] = lambda text: None
    ) -> None:
        self._queue = queue
        self._exact = exact
        self._differs = differs
        self._member: dict[int, int] = {}
        self._stack: list[int] = []
        self._steps_to_list = STEPS_BETWEEN_LISTS
        self._others = _Knowledge()
        self._methods = self._make_methods()

    def make_table(self) -> Table:
        """The global table `swarm`."""
        functions = (
            host_function("create", 1, self._create),
            host_function("id", (0, None), self._id),
            host_function("union", 3, self._union),
            host_function("intersection", 3, self._intersection),
            host_function("difference", 3, self._difference),
        )
        return Table.of((function.__name__, function) for function in functions)

    # For `neighbors.kin`

    def current(self) -> int | None:
        """The swarm on top of the stack, None outside `exec`."""
        return self._stack[-1] if self._stack else None

    def members_of(self, swarm: int) -> Collection[int]:
        """The other robots known to be in a swarm."""
        return self._others.members_of(swarm)

    # For people who look at it

    @property
    def memberships(self) -> Mapping[int, bool]:
        """Whether it is a member, of every swarm that it knows."""
        return {swarm: bool(joined) for swarm, joined in self._member.items()}

    @property
    def claims(self) -> dict[int, list[int]]:
        """The swarms that other robots say they are in."""
        return self._others.all()

    # Messages and time

    def hear(self, message: SwarmMessage, sender: int) -> None:
        """Learns from a JOIN, LEAVE or LIST of another robot."""
        if message.kind == SWARM_JOIN:
            self._others.add(sender, message.swarms[0])
        elif message.kind == SWARM_LEAVE:
            self._others.remove(sender, message.swarms[0])
        else:
            self._replace(sender, message.swarms)

    def _replace(self, sender: int, swarms: Collection[int]) -> None:
        """An empty list forgets the robot; the C runtime ignores it."""
        if not swarms and self._others.knows(sender):
            if self._exact:
                return
            self._differs(
                "an empty list of swarms clears what is known here, and is ignored in C Buzz and with --exact"
            )
        self._others.replace(sender, swarms)

    def age(self) -> None:
        """Knowledge gets one step older. Once per step, after the messages."""
        self._others.age()

    def count_down(self) -> None:
        """Queues the LIST of memberships when it is due. Once per step, before the packet is filled."""
        if self._steps_to_list:
            self._steps_to_list -= 1
        if not self._steps_to_list and self._member:
            self._queue.set_list(swarm for swarm, joined in self._member.items() if joined)
            self._steps_to_list = STEPS_BETWEEN_LISTS

    # What scripts call

    def _create(self, number: Any) -> Table:
        swarm = expect_integer(number) & 0xFFFF
        self._member.setdefault(swarm, 0)
        return self._object(swarm)

    def _id(self, *arguments: Any) -> int | None:
        """The n-th swarm from the top of the stack; the C runtime heeds n only if another argument follows."""
        depth = expect_integer(arguments[0]) if arguments else 1
        if not self._stack:
            return None
        if len(arguments) == 1 and depth > 1:
            if self._exact:
                return self._stack[-1]
            self._differs(
                "swarm.id(n) is the n-th swarm from the top here, and the one on top in C Buzz and with --exact"
            )
        return self._stack[-min(max(depth, 1), len(self._stack))]

    def _union(self, number: Any, first: Any, second: Any) -> Table:
        in_first, in_second = self._belongs(first), self._belongs(second)
        return self._derived(number, in_first or in_second)

    def _intersection(self, number: Any, first: Any, second: Any) -> Table:
        in_first, in_second = self._belongs(first), self._belongs(second)
        return self._derived(number, in_first and in_second)

    def _difference(self, number: Any, first: Any, second: Any) -> Table:
        in_first, in_second = self._belongs(first), self._belongs(second)
        return self._derived(number, in_first and not in_second)

    def _make_methods(self) -> tuple[FunctionType, ...]:
        return (
            host_method("others", 1, self._others_of),
            host_method("join", 0, lambda swarm: self._set(self._known(swarm), 1)),
            host_method("leave", 0, lambda swarm: self._set(self._known(swarm), 0)),
            host_method("in", 0, lambda swarm: self._member[self._known(swarm)]),
            host_method("select", 1, self._select),
            host_method("exec", 1, self._exec),
        )

    def _select(self, swarm: Any, choice: Any) -> None:
        # Any integer but 0 joins; the C runtime keeps its low 8 bits.
        known, number = self._known(swarm), expect_integer(choice)
        if self._exact:
            self._set(known, number & 0xFF)
            return
        if number not in (0, 1):
            self._differs(
                "select(n) joins for every n but 0 here, and by the low 8 bits of n in C Buzz and with --exact"
            )
        self._set(known, int(number != 0))

    def _exec(self, swarm: Any, function: Any) -> Any:
        known = self._known(swarm)
        if not self._member[known]:
            return None
        expect_closure(function)
        self._stack.append(known)
        try:
            return function()
        finally:
            self._stack.pop()

    def _others_of(self, swarm: Any, number: Any) -> Table:
        return self._derived(number, not self._member[self._known(swarm)])

    def _derived(self, number: Any, joined: bool) -> Table:
        swarm = expect_integer(number) & 0xFFFF
        self._member[swarm] = int(joined)
        if joined:
            self._queue.add_join(swarm)
        return self._object(swarm)

    def _set(self, swarm: int, joined: int) -> None:
        self._member[swarm] = joined
        if joined:
            self._queue.add_join(swarm)
        else:
            self._queue.add_leave(swarm)

    def _known(self, swarm: Any) -> int:
        number = _number_of(swarm)
        if number not in self._member:
            raise _unknown()
        return number

    def _belongs(self, swarm: Any) -> bool:
        """Membership in a swarm given as an argument; one that was never created has no members."""
        return bool(self._member.get(_number_of(swarm)))

    def _object(self, swarm: int) -> Table:
        table = Table()
        table.store("id", swarm)
        for method in self._methods:
            table.store(method.__name__, method)
        return table


class _Knowledge:
    """The swarms that other robots claim. A robot's entry is forgotten when nothing renewed it for too long."""

    def __init__(self) -> None:
        self._now = 0
        self._swarms: dict[int, set[int]] = {}
        self._renewed: dict[int, int] = {}
        """When each robot was last heard about, the longest silent first."""

    def add(self, robot: int, swarm: int) -> None:
        self._swarms.setdefault(robot, set()).add(swarm)
        self._renew(robot)

    def remove(self, robot: int, swarm: int) -> None:
        claimed = self._swarms.get(robot, set())
        self.replace(robot, claimed - {swarm})

    def knows(self, robot: int) -> bool:
        return robot in self._swarms

    def replace(self, robot: int, swarms: Collection[int]) -> None:
        if swarms:
            self._swarms[robot] = set(swarms)
            self._renew(robot)
        else:
            self._swarms.pop(robot, None)
            self._renewed.pop(robot, None)

    def age(self) -> None:
        self._now += 1
        while self._renewed:
            robot, step = next(iter(self._renewed.items()))
            if self._now - step <= OLDEST_KNOWLEDGE:
                break
            del self._swarms[robot], self._renewed[robot]

    def members_of(self, swarm: int) -> Collection[int]:
        return {robot for robot, swarms in self._swarms.items() if swarm in swarms}

    def all(self) -> dict[int, list[int]]:
        return {robot: sorted(swarms) for robot, swarms in sorted(self._swarms.items())}

    def _renew(self, robot: int) -> None:
        self._renewed.pop(robot, None)
        self._renewed[robot] = self._now


def _number_of(swarm: Any) -> int:
    number = swarm["id"] if isinstance(swarm, Table) else None
    if number.__class__ is not int:
        raise _unknown()
    return int(number) & 0xFFFF


def _unknown() -> BuzzFailure:
    return BuzzFailure("unknown swarm id", hint="`id` of a table made by swarm.create was changed, or is missing")
