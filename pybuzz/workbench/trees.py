"""Values of a script as trees for people, of bounded size: the nodes of docs/workbench-protocol.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any, Final

from pybuzz.buzz.apart import whole_names
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import Value, is_host_function, text_of, type_name
from pybuzz.swarm.knowledge import Entry, Knowledge

__all__ = ["Node", "TreeMaker", "branch", "leaf", "plain_node"]

Node = dict[str, Any]

_MOST_CHILDREN: Final = 200
_DEEPEST: Final = 6
_MOST_NODES: Final = 4000
"""In all trees of one maker: a message must stay small enough for a browser to take ten a second."""
_LONGEST_TEXT: Final = 500
_NUMBERS: Final = frozenset((int, float))


def leaf(name: object, kind: str, text: str) -> Node:
    return {"name": str(name), "kind": kind, "text": text}


def branch(name: object, text: str, children: Sequence[Node], more: int = 0) -> Node:
    """A node of kind table. more: how many children are not among them."""
    return {**leaf(name, "table", text), "children": list(children), "more": more}


class TreeMaker:
    """Makes the nodes of one robot's values. Tables of its stigmergies and swarms are shown by what they stand for.

    Reading changes nothing in the tables.
    """

    def __init__(self, knowledge: Knowledge | None = None) -> None:
        self._knowledge = knowledge
        self._left = _MOST_NODES

    def node(self, name: object, value: Value, around: tuple[Table, ...] = ()) -> Node:
        """The node of one value. around: the tables that it is in."""
        self._left -= 1
        if not isinstance(value, Table):
            return leaf(name, _kind(value), _text(value))
        if any(value is table for table in around):
            return branch(name, "a table around this one", ())
        number = value.get("id")
        if self._knowledge is not None and isinstance(number, int):
            if "__stigmergy" in value and number in self._knowledge.stores:
                return self.store(name, number, around)
            if _is_swarm(value) and number in self._knowledge.swarms:
                return self.swarm(name, number)
        return self._table(name, value, around)

    def store(self, name: object, number: int, around: tuple[Table, ...] = ()) -> Node:
        """What is in a stigmergy, and who wrote it."""
        assert self._knowledge is not None
        entries = self._knowledge.stores[number]
        shown = [self._entry(entry, around) for entry in entries[:_MOST_CHILDREN]]
        return branch(name, f"stigmergy {number}, {_count(len(entries), 'entry')}", shown, len(entries) - len(shown))

    def swarm(self, name: object, number: int) -> Node:
        """Whether the robot is in a swarm, and who else says so."""
        assert self._knowledge is not None
        others = [robot for robot, swarms in self._knowledge.claims.items() if number in swarms]
        text = f"swarm {number}, {'a member' if self._knowledge.swarms[number] else 'not a member'}"
        shown = [leaf("robot", "int", str(robot)) for robot in others[:_MOST_CHILDREN]]
        return branch(name, f"{text}, with {_count(len(others), 'other')}", shown, len(others) - len(shown))

    def _entry(self, entry: Entry, around: tuple[Table, ...]) -> Node:
        node = self.node(_key(entry.key), entry.value, around)
        return {**node, "text": f"{node['text']}  (robot {entry.robot}, clock {entry.clock})"}

    def _table(self, name: object, table: Table, around: tuple[Table, ...]) -> Node:
        items = _own_items(table)
        text = _count(len(items), "entry")
        if len(around) >= _DEEPEST or self._left <= 0:
            return branch(name, text, (), len(items))
        inside, shown = (*around, table), []
        for key, value in items[:_MOST_CHILDREN]:
            if self._left <= 0:
                break
            shown.append(self.node(_key(key), value, inside))
        return branch(name, text, shown, len(items) - len(shown))


def plain_node(name: object, value: Any, depth: int = 0) -> Node:
    """The node of what was kept of a value: None, a number, a readable text, or a dictionary of these."""
    if isinstance(value, Mapping):
        shown = list(value.items())[:_MOST_CHILDREN] if depth < _DEEPEST else []
        children = [plain_node(key, item, depth + 1) for key, item in shown]
        return branch(name, _count(len(value), "entry"), children, len(value) - len(shown))
    if isinstance(value, str):
        return leaf(name, "string", _quoted(value))
    return leaf(name, _kind(value), _text(value))


def _own_items(table: Table) -> list[tuple[Value, Value]]:
    """In an order for people: numbers, then texts; without what only the host's methods need."""
    items = [(key, value) for key, value in table.items() if not _is_hosts(key, value)]
    return sorted(items, key=lambda item: (item[0].__class__ not in _NUMBERS, item[0] if item[0] == item[0] else 0))


def _is_hosts(key: Value, value: Value) -> bool:
    hosts = value.__class__ is FunctionType and is_host_function(value)
    return hosts or (key.__class__ is str and key.startswith("__"))


def _is_swarm(table: Table) -> bool:
    return all(name in table for name in ("id", "join", "leave", "exec"))


def _key(key: Value) -> str:
    return text_of(key) if isinstance(key, str) else _text(key)


def _kind(value: Value) -> str:
    return "int" if value.__class__ is int else type_name(value)


def _text(value: Value) -> str:
    if value is None:
        return "nil"
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, str):
        return _quoted(text_of(value))
    if isinstance(value, FunctionType):
        return _function_text(value)
    return str(value) if isinstance(value, int) else "userdata"


def _float_text(value: float) -> str:
    """A float always looks like one: 5.0, not 5, which is an integer of Buzz."""
    text = f"{value:.9g}"
    return f"{text}.0" if text.removeprefix("-").isdigit() else text


def _quoted(text: str) -> str:
    return f'"{text[:_LONGEST_TEXT]}…"' if len(text) > _LONGEST_TEXT else f'"{text}"'


def _function_text(function: FunctionType) -> str:
    if is_host_function(function):
        return f"function {function.__name__}, built in"
    code = function.__code__
    parameters = whole_names(code.co_varnames[: code.co_argcount])
    shown = ", ".join(name.removeprefix("_") for name in parameters if not name.startswith("__"))
    return f"function {code.co_name}({shown})" if not code.co_name.startswith("__") else f"function({shown})"


def _count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else plural}"
