"""A script laid out for the checks: its tokens, its tree with parents, what its names mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pybuzz.buzz.printing import expression_text
from pybuzz.buzz.scopes import Scopes, Variable
from pybuzz.buzz.signatures import HostNames
from pybuzz.buzz.tokens import Token
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Call,
    Expression,
    Field,
    FunctionDefinition,
    Index,
    Lambda,
    Name,
    Nil,
    Node,
    Script,
    Span,
    VarDeclaration,
)
from pybuzz.buzz.walking import children, walk
from pybuzz.errors import Severity

__all__ = ["Finding", "Study"]

_NIL_TESTS = frozenset({"isnil", "type", "isclosure", "istable", "isint", "isfloat", "isstring", "isuserdata"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `code` names the rule (docs/checks.md)."""

    code: str
    span: Span
    text: str
    hint: str = ""
    severity: Severity = "warning"


class Study:
    """known: the names of the language and of the host. repeated: the tokens of includes that were taken before."""

    def __init__(
        self, script: Script, scopes: Scopes, tokens: list[Token], repeated: list[Token], known: HostNames
    ) -> None:
        self.script = script
        self.scopes = scopes
        self.tokens = tokens
        self.repeated = repeated
        self.known = known
        self.nodes: list[Node] = list(walk(script))
        self.parents: dict[Node, Node] = {child: node for node in self.nodes for child in children(node)}

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes around a node, innermost first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, node: Node) -> FunctionDefinition | Lambda | None:
        """The innermost function around a node; None at file level."""
        return next((outer for outer in self.above(node) if isinstance(outer, (FunctionDefinition, Lambda))), None)

    def variable(self, node: Node) -> Variable | None:
        """The local behind a Name or VarDeclaration; None for a global."""
        return self.scopes.variables.get(node)

    def root(self, node: Node) -> Variable | None:
        """The same, with a captured copy taken back to the variable that it is a copy of."""
        variable = self.variable(node)
        while variable is not None and variable.origin is not None:
            variable = variable.origin
        return variable

    def is_target(self, node: Node) -> bool:
        """Whether an assignment writes to this very node."""
        parent = self.parents.get(node)
        return isinstance(parent, Assignment) and parent.target is node

    def is_tested(self, node: Node) -> bool:
        """Whether the script itself asks whether this is nil."""
        parent = self.parents.get(node)
        if isinstance(parent, Binary) and parent.operator in {"==", "!="}:
            return isinstance(parent.left, Nil) or isinstance(parent.right, Nil)
        return isinstance(parent, Call) and self.path(parent.function) in _NIL_TESTS

    def path(self, node: Node) -> str:
        """`a.b.c` of a global and its fields; empty for anything else."""
        names: list[str] = []
        while isinstance(node, Field):
            names.append(node.name)
            node = node.table
        if not isinstance(node, Name) or self.variable(node) is not None:
            return ""
        return ".".join([node.name, *reversed(names)])

    def known_function(self, node: Node) -> str:
        """The path of a function of the language or the host that the script leaves as it is; else empty."""
        path = self.path(node)
        if path not in self.known.functions or self.overwritten(path):
            return ""
        return path

    def function_named(self, node: Node) -> str:
        """The path of a function that a node names without calling it: the language's, the host's, the script's own."""
        path = self.path(node)
        return self.known_function(node) or (path if path in self.functions else "")

    def overwritten(self, path: str) -> bool:
        """Whether the script stores something under a path, or under the beginning of it."""
        parts = path.split(".")
        return any(".".join(parts[:length]) in self.stored_paths for length in range(1, len(parts) + 1))

    def thing(self, node: Expression) -> tuple[Variable | None, str]:
        """What an expression refers to, comparable between places: the root variable and the text."""
        base: Node = node
        while isinstance(base, (Field, Index)):
            base = base.table
        return self.root(base), expression_text(node)

    @cached_property
    def calls(self) -> list[Call]:
        return [node for node in self.nodes if isinstance(node, Call)]

    @cached_property
    def assignments(self) -> list[Assignment]:
        return [node for node in self.nodes if isinstance(node, Assignment)]

    @cached_property
    def global_values(self) -> dict[str, list[Expression | FunctionDefinition | None]]:
        """For each global that the script sets, what it is set to; None for a declaration without a value."""
        found: dict[str, list[Expression | FunctionDefinition | None]] = {}
        for node in self.nodes:
            if isinstance(node, Assignment) and isinstance(node.target, Name) and self.variable(node.target) is None:
                found.setdefault(node.target.name, []).append(node.value)
            elif isinstance(node, VarDeclaration) and self.variable(node) is None:
                found.setdefault(node.name, []).append(node.value)
            elif isinstance(node, FunctionDefinition):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def stored_paths(self) -> frozenset[str]:
        """The paths of globals and fields that the script assigns, named functions left out (built-ins win)."""
        paths = {self.path(node.target) for node in self.assignments}
        paths |= {node.name for node in self.nodes if isinstance(node, VarDeclaration) and self.variable(node) is None}
        return frozenset(paths - {""})

    @cached_property
    def functions(self) -> dict[str, FunctionDefinition | Lambda]:
        """The globals that hold one and the same function of the script all the time."""
        return {
            name: values[0]
            for name, values in self.global_values.items()
            if len(values) == 1
            and isinstance(values[0], (FunctionDefinition, Lambda))
            and name not in self.known.globals
        }

    @cached_property
    def reads(self) -> Counter[Variable]:
        """How often each local is read; reading a captured copy counts for all that it is a copy of."""
        counted: Counter[Variable] = Counter()
        for node in self.nodes:
            variable = self.variable(node) if isinstance(node, Name) and not self.is_target(node) else None
            while variable is not None:
                counted[variable] += 1
                variable = variable.origin
        return counted
