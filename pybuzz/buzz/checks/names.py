"""Checks of names: what nothing sets, what nothing reads, what is lost."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.absence import INCLUDES, hint_of_field, hint_of_global, use_of
from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.tree import (
    Binary,
    Field,
    FunctionDefinition,
    Index,
    Name,
    Node,
    TableConstructor,
    VarDeclaration,
)

__all__ = [
    "changed_before_set",
    "lost_functions",
    "missing_functions",
    "undefined_fields",
    "undefined_globals",
    "unused_variables",
]

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


def undefined_globals(study: Study) -> Iterator[Finding]:
    """A global that is read, but that neither the script nor the host sets; once for each name."""
    known = study.known
    candidates = known.globals | study.global_values.keys()
    tested = {node.name for node in study.nodes if isinstance(node, Name) and study.is_tested(node)}
    seen: set[str] = set(known.absent)
    for node in study.nodes:
        if not isinstance(node, Name) or study.variable(node) is not None or study.is_target(node):
            continue
        if node.name in candidates or node.name in seen or node.name in tested:
            continue
        seen.add(node.name)
        locals_ = {variable.name for function in study.scopes.functions for variable in function.locals}
        yield Finding(
            "undefined-global",
            node.span,
            f"nothing sets the global '{node.name}': it is nil",
            hint_of_global(node.name, candidates | locals_, known, use_of(node, study.parents.get(node))),
        )


def changed_before_set(study: Study) -> Iterator[Finding]:
    """A global whose every assignment computes with that global: `n = n + 1` with no `n = 0` anywhere."""
    fields: set[object] = {node.name for node in study.nodes if isinstance(node, Field)}
    fields |= {entry.key for node in study.nodes if isinstance(node, TableConstructor) for entry in node.entries}
    for name, values in study.global_values.items():
        if name in study.known.globals:
            continue
        given = [value for value in values if value is not None]
        uses = [use for use in (_own_operand(study, name, value) for value in given) if use is not None]
        if not uses or len(uses) < len(given):
            continue
        hint = f"set it first: {name} = 0, outside functions or in init()"
        if name in fields:
            hint += f"; or self.{name} if the field of a table is meant"
        text = f"nothing sets the global '{name}' before it is computed with: it is nil"
        yield Finding("undefined-global", uses[0].span, text, hint)


def _own_operand(study: Study, name: str, value: Node) -> Name | None:
    """Where the arithmetic that gives a global its value uses the global itself."""
    if isinstance(value, Name):
        return value if value.name == name and study.variable(value) is None else None
    if not isinstance(value, Binary) or value.operator not in _ARITHMETIC:
        return None
    return _own_operand(study, name, value.left) or _own_operand(study, name, value.right)


def undefined_fields(study: Study) -> Iterator[Finding]:
    """A field that a library's table does not have, math.PI; what an include would add is told once."""
    known = {*study.known.functions, *study.known.values}
    libraries = {path.rpartition(".")[0] for path in known} - {""}
    open_libraries = {library for library in libraries if _is_open(study, library)} - study.known.entries.keys()
    libraries |= study.known.entries.keys()
    missing: set[str] = set()
    for node in study.nodes:
        if not isinstance(node, Field) or study.is_target(node) or study.is_tested(node):
            continue
        path = study.path(node)
        if path in missing:
            continue
        if path in INCLUDES:
            # One include mends them all.
            missing.add(path)
        library = path.rpartition(".")[0]
        if library not in libraries or library in open_libraries or study.overwritten(path):
            continue
        if path in known or path in libraries or path in study.known.absent:
            continue
        siblings = {name.rpartition(".")[2] for name in known | libraries if name.rpartition(".")[0] == library}
        hint = hint_of_field(path, siblings, study.known)
        yield Finding("undefined-field", node.name_span, f"'{library}' has no field '{node.name}': it is nil", hint)


def _is_open(study: Study, library: str) -> bool:
    """Whether the script may add fields in ways that are not seen: the table is handed on, or indexed."""
    for node in study.nodes:
        if isinstance(node, (Name, Field)) and study.path(node) == library:
            parent = study.parents[node]
            if not isinstance(parent, Field) and not (isinstance(parent, Index) and not study.is_target(parent)):
                return True
    return False


def unused_variables(study: Study) -> Iterator[Finding]:
    """A local that is declared, and perhaps assigned, but never read."""
    for node in study.nodes:
        variable = study.variable(node) if isinstance(node, VarDeclaration) else None
        if isinstance(node, VarDeclaration) and variable is not None and not study.reads[variable]:
            yield Finding("unused-variable", node.name_span, f"the variable '{node.name}' is never read")


def missing_functions(study: Study) -> Iterator[Finding]:
    """A script for robots, told by one of the functions that robots call, without another that they need."""
    called = {"init", "step", "reset", "destroy"}
    own = [node for node in study.nodes if isinstance(node, FunctionDefinition) and node.name.lower() in called]
    for name, when in (("init", "at the start"), ("step", "at every tick")):
        if own and name not in study.global_values:
            near = next((node for node in own if node.name.lower() == name), None)
            text = f"there is no function {name}(), which a robot calls {when}"
            hint = f"rename '{near.name}' to '{name}'" if near else f"write function {name}() {{ }}, even if empty"
            yield Finding("missing-function", (near or own[0]).name_span, text, hint)


def lost_functions(study: Study) -> Iterator[Finding]:
    """A named function with the name of a built-in one, which takes its place before the script runs."""
    for node in study.nodes:
        if isinstance(node, FunctionDefinition) and node.name in study.known.globals:
            text = f"the function {node.name}() is lost: the built-in '{node.name}' takes its place"
            hint = f"choose another name, or assign it: {node.name} = function(...) {{ ... }}"
            yield Finding("lost-function", node.name_span, text, hint)
