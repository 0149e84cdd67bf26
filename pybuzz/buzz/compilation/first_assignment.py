"""Which globals have a value whenever they are read: assigned at file level before anything could read them.

Paths from globals, such as `math.vec2.add`, are followed as globals are.
"""

from __future__ import annotations

from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.library import CALLING
from pybuzz.buzz.compilation.usage import Usage
from pybuzz.buzz.tree import (
    Assignment,
    Call,
    Expression,
    FunctionDefinition,
    Lambda,
    Node,
    Return,
    Script,
    TableConstructor,
    VarDeclaration,
    children,
)

__all__ = ["never_nil"]


def never_nil(script: Script, facts: Facts, usage: Usage) -> set[str]:
    """The globals and paths that are assigned before they can be read. Values that are nil do not matter here.

    Statement by statement: what a statement reads, and everything that functions read once it may have called one, and
    is not assigned yet, can be nil.
    """
    in_functions: set[str] = set()
    for function in facts.scopes.functions[1:]:
        in_functions |= usage.reads_globals[function]
    assigned: set[str] = set()
    read_early: set[str] = set()
    called = False
    for statement in script.statements:
        read_early |= _reads(statement, facts) - assigned
        if not called and _may_call_script(statement, facts):
            called = True
        if called:
            read_early |= in_functions - assigned
        if any(isinstance(node, Return) for node in _at_file_level(statement)):
            break
        if isinstance(statement, VarDeclaration) and statement.value is not None:
            assigned |= _assigns(statement.name, statement.value)
        elif isinstance(statement, Assignment):
            path = facts.scopes.path(statement.target)
            assigned |= _assigns(path, statement.value) if path is not None else set()
    # Functions run after the global part, too, but then everything at file level is assigned.
    read_early |= in_functions - assigned
    return assigned - read_early


def _assigns(path: str, value: Expression) -> set[str]:
    entries = value.entries if isinstance(value, TableConstructor) else []
    return {path}.union(*(_assigns(f"{path}.{entry.key}", entry.value) for entry in entries))


def _reads(statement: Node, facts: Facts) -> set[str]:
    target = statement.target if isinstance(statement, Assignment) else None
    paths = {facts.scopes.path(node) for node in _at_file_level(statement) if node is not target}
    return {path for path in paths if path is not None}


def _may_call_script(statement: Node, facts: Facts) -> bool:
    return any(isinstance(node, Call) and not _is_harmless(node, facts) for node in _at_file_level(statement))


def _is_harmless(node: Call, facts: Facts) -> bool:
    """Whether it is a call of a built-in that calls nothing of the script."""
    name = facts.built_in(node.function)
    return name is not None and name not in CALLING


def _at_file_level(node: Node) -> list[Node]:
    """The parts of a statement that run with it: not the bodies of functions."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        found.append(part)
        if not isinstance(part, Lambda | FunctionDefinition):
            waiting += children(part)
    return found
