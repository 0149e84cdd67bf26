"""Checks of what is stored where: tables, closures, captured copies."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.scopes import Variable
from pybuzz.buzz.tree import (
    Assignment,
    Call,
    Expression,
    Field,
    For,
    FunctionDefinition,
    Index,
    Lambda,
    Name,
    Nil,
    Node,
    TableConstructor,
    TableEntry,
    VarDeclaration,
    While,
)
from pybuzz.buzz.walking import walk

__all__ = ["changes_while_iterating", "forgotten_assignments", "rebound_methods", "shared_tables"]

_CALLERS = frozenset(
    {"foreach", "map", "filter", "reduce", "io.fforeach", "neighbors.listen"}
    | {f"neighbors.{name}" for name in ("foreach", "map", "filter", "reduce")}
)
"""Functions that call one of theirs for each entry, neighbour or message."""


def forgotten_assignments(study: Study) -> Iterator[Finding]:
    """A captured variable is a copy: what a closure assigns to it is forgotten when the call ends."""
    for node in study.assignments:
        variable = study.variable(node.target) if isinstance(node.target, Name) else None
        if variable is None or variable.origin is None or variable.name == "self":
            continue
        if variable.captured or _is_read_elsewhere(study, variable):
            continue
        text = f"'{variable.name}' is a copy here: the function forgets what it assigns to it"
        hint = f"use a global, or a field of a table: {variable.name}.value = ..."
        yield Finding("forgotten-assignment", node.span, text, hint)


def _is_read_elsewhere(study: Study, variable: Variable) -> bool:
    """Whether a local is read outside the assignments to itself (`n = n + 1` reads it for itself only)."""
    own = {part for node in study.assignments if _setting(study, node, variable) for part in walk(node)}
    return any(isinstance(node, Name) and study.variable(node) is variable and node not in own for node in study.nodes)


def _setting(study: Study, node: Node, variable: Variable | str) -> Assignment | VarDeclaration | None:
    """The node, if it sets a local, or the global of a name."""
    if isinstance(node, Assignment) and isinstance(node.target, Name):
        return node if (study.variable(node.target) or node.target.name) == variable else None
    return node if isinstance(node, VarDeclaration) and (study.variable(node) or node.name) == variable else None


def shared_tables(study: Study) -> Iterator[Finding]:
    """One table, made before a loop or a callback and changed in it, is stored under many keys."""
    for node in study.assignments:
        name = node.value
        if not isinstance(node.target, Index) or not isinstance(name, Name):
            continue
        if not any(isinstance(part, Name) for part in walk(node.target.key)):
            continue
        loop = _loop(study, node)
        if loop is None or not _is_made_outside(study, name, loop):
            continue
        if _is_changed(study, name, loop):
            what, where = ("round", "the loop") if isinstance(loop, While | For) else ("call", "the function")
            text = f"every {what} stores the same table '{name.name}'"
            hint = f"make a new one in each {what}: var {name.name} = {{}} within {where}"
            yield Finding("shared-table", node.span, text, hint)


def _loop(study: Study, node: Node) -> Node | None:
    """The innermost loop around a node: while, for, or a function that is called for many things."""
    for outer in study.above(node):
        if isinstance(outer, (While, For)):
            return outer
        if isinstance(outer, Lambda | FunctionDefinition):
            return outer if _is_callback(study, outer) else None
    return None


def _is_callback(study: Study, function: Lambda | FunctionDefinition) -> bool:
    """Whether a function is handed to what calls it for each entry, neighbour or message."""
    for call in study.calls:
        if study.known_function(call.function) in _CALLERS:
            for argument in call.arguments:
                if argument is function or study.functions.get(study.path(argument)) is function:
                    return True
    return False


def _iterated(study: Study, callback: Node) -> Call | None:
    """The call of foreach, map, filter or reduce that a lambda is the callback of."""
    call = study.parents.get(callback)
    if isinstance(call, Call) and study.known_function(call.function) in {"foreach", "map", "filter", "reduce"}:
        return call if callback in call.arguments else None
    return None


def _is_made_outside(study: Study, name: Name, loop: Node) -> bool:
    """Whether a variable holds a table that was made before the loop, and nothing else within it.

    A global that is set in a further function may be set anew by a call of it.
    """
    inside = set(walk(loop))
    variable = study.root(name)
    settings = [setting for node in study.nodes if (setting := _setting(study, node, variable or name.name))]
    if variable is None:
        around = study.function(name if isinstance(loop, While | For) else loop)
        once = [study.function(setting) for setting in settings]
        if any(f not in (None, around) and not (isinstance(f, FunctionDefinition) and f.name == "init") for f in once):
            return False
    return any(isinstance(setting.value, TableConstructor) for setting in settings) and not inside & {*settings}


def _is_changed(study: Study, name: Name, loop: Node) -> bool:
    thing = study.thing(name)
    return any(
        isinstance(node, Assignment)
        and isinstance(node.target, (Field, Index))
        and isinstance(node.target.table, Name)
        and study.thing(node.target.table) == thing
        for node in walk(loop)
    )


def rebound_methods(study: Study) -> Iterator[Finding]:
    """A method that uses `self`, stored in another table under another name: the copy's self is that table."""
    methods = _methods_with_self(study)
    for node in study.nodes:
        if isinstance(node, Assignment) and isinstance(node.target, (Field, Index)):
            value, name = node.value, node.target.name if isinstance(node.target, Field) else ""
        elif isinstance(node, TableEntry):
            value, name = node.value, str(node.key)
        else:
            continue
        if isinstance(value, Field) and value.name in methods and value.name != name:
            text = f"storing '{value.name}' makes a copy whose self is the table that it is stored in"
            hint = f"store function(...) {{ return object.{value.name}(...) }}, with the object in a variable"
            yield Finding("rebound-method", value.span, text, hint)


def _methods_with_self(study: Study) -> set[str]:
    """Names under which the script stores functions that use self."""
    found: set[str] = set()
    for node in study.nodes:
        if isinstance(node, Assignment) and isinstance(node.target, Field) and _uses_self(study, node.value):
            found.add(node.target.name)
        elif isinstance(node, TableEntry) and _uses_self(study, node.value):
            found.add(str(node.key))
    return found


def _uses_self(study: Study, value: Expression) -> bool:
    if isinstance(value, Name):
        function = study.functions.get(value.name) if study.variable(value) is None else None
    else:
        function = value if isinstance(value, Lambda) else None
    return function is not None and any(isinstance(n, Name) and n.name == "self" for n in walk(function.body))


def changes_while_iterating(study: Study) -> Iterator[Finding]:
    """A callback of foreach and the like removes or sets entries of the very table that is gone through."""
    for node in study.assignments:
        callback = study.function(node)
        call = _iterated(study, callback) if callback is not None else None
        if call is None or not isinstance(node.target, (Field, Index)):
            continue
        if study.thing(node.target.table) != study.thing(call.arguments[0]):
            continue
        if isinstance(node.value, Nil):
            text = "removing entries of the table that is gone through corrupts the memory of the C tools"
            yield Finding("portable-removal", node.span, text, "collect the keys first, then remove them")
        else:
            text = "setting entries of the table that is gone through makes the C tools visit some twice or never"
            yield Finding("portable-update", node.span, text, "build a new table, or use map()")
